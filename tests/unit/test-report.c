/* report_run: what the reader found out reaches the view, errors of either side come back, and the status tells. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/recording.h"
#include "lib/unit.h"
#include "report/report.h"

#define MOST 64

/* Stands in for the reader: records from a script, then what a test wants it to say. */
struct reader {
	struct meta meta;
	struct record records[MOST];
	size_t n, next;
	int end; /* what reader_next returns after the last one: 0 or -errno */
	bool damaged;
	const char *warning;
	uint64_t unknown;
};

int reader_next(struct reader *reader, struct record *rec, struct ps_error *err)
{
	if (reader->next == reader->n)
		return reader->end ? ps_fail(err, "reader", -reader->end, "reading") : 0;
	*rec = reader->records[reader->next++];
	return 1;
}

const struct meta *reader_meta(const struct reader *reader)
{
	return &reader->meta;
}

struct reader_place reader_place(const struct reader *reader)
{
	(void)reader;
	return (struct reader_place){ .known = false };
}

bool reader_is_stream(const struct reader *reader)
{
	return reader->n > MOST;
}

bool reader_is_big_endian(const struct reader *reader)
{
	return reader->n > MOST;
}

size_t reader_warnings(const struct reader *reader)
{
	return reader->warning ? 1 : 0;
}

const char *reader_warning(const struct reader *reader, size_t i)
{
	ck_assert_uint_eq(i, 0);
	return reader->warning;
}

bool reader_damaged(const struct reader *reader)
{
	return reader->damaged;
}

uint64_t reader_unknown_records(const struct reader *reader)
{
	return reader->unknown;
}

static int keep(void *ctx, const struct record *rec, struct ps_error *err)
{
	struct reader *reader = ctx;

	(void)err;
	ck_assert_uint_lt(reader->n, MOST);
	reader->records[reader->n++] = *rec;
	return 0;
}

static void fill(struct reader *reader)
{
	memset(reader, 0, sizeof(*reader));
	recording_meta(&reader->meta, true);
	ck_assert_int_eq(recording_play("R0 s1=5 s11=1 o100 P200 s1=9 s11=2 o200", keep, reader, NULL), 0);
	reader->records[reader->n++] = (struct record){ .type = PERF_RECORD_LOST, .lost = { 1, 12 } };
}

static int run(struct reader *reader, const char *view, char **text, struct ps_error *err)
{
	struct view_options options = { .first = true };
	size_t len;
	FILE *out = open_memstream(text, &len);
	int rc;

	rc = report_run(view_find(view), &options, "some file", reader, out, err);
	fclose(out);
	return rc;
}

START_TEST(a_good_recording_is_zero)
{
	struct reader reader;
	char *text;

	fill(&reader);
	ck_assert_int_eq(run(&reader, "csv", &text, NULL), 0);
	ck_assert_ptr_nonnull(strstr(text, "\nsome file,0.000000000,0.100000000,1,run,a,5,,50,"));
	free(text);
	meta_fini(&reader.meta);
}
END_TEST

START_TEST(damage_is_one_and_is_told)
{
	static const char *const wanted[] = { "cut at 1234", "7 records of unknown types", "lost 12 records", "damaged" };
	struct reader reader;
	char *text;

	fill(&reader);
	reader.damaged = true;
	reader.warning = "cut at 1234";
	reader.unknown = 7;
	ck_assert_int_eq(run(&reader, "summary", &text, NULL), 1);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		ck_assert_msg(strstr(text, wanted[i]) != NULL, "\"%s\" is missing:\n%s", wanted[i], text);
	free(text);
	reader.next = 0;
	ck_assert_int_eq(run(&reader, "json", &text, NULL), 1);
	ck_assert_ptr_nonnull(strstr(text, "\"damaged\":true,\"lost\":12,\"unknown_records\":7,\"warnings\":[\"cut at 1234\"]}\n"));
	free(text);
	meta_fini(&reader.meta);
}
END_TEST

START_TEST(failing_medium_shows_what_came_before)
{
	struct ps_error err = PS_ERROR_INIT;
	struct reader reader;
	char *text;

	fill(&reader);
	reader.end = -EIO;
	ck_assert_int_eq(run(&reader, "csv", &text, &err), -EIO);
	ck_assert_str_eq(err.where, "reader");
	ck_assert_ptr_nonnull(strstr(text, ",run,b,1,"));
	free(text);
	meta_fini(&reader.meta);
}
END_TEST

/* A view of records: sees every record in order, and no timeline runs behind it. */
static int count_record(struct view_run *view_run, const struct record *rec, struct ps_error *err)
{
	size_t *seen = view_run->state;

	(void)err;
	if (rec->type == PERF_RECORD_LOST)
		(void)fprintf(view_run->out, "%zu", *seen);
	(*seen)++;
	return 0;
}

static int begin_counting(struct view_run *view_run, struct ps_error *err)
{
	(void)err;
	view_run->state = calloc(1, sizeof(size_t));
	ck_assert_ptr_nonnull(view_run->state);
	return 0;
}

static void release_count(struct view_run *view_run)
{
	free(view_run->state);
}

START_TEST(views_of_records_see_every_record)
{
	static const struct view counting = {
		.name = "counting", .records = true, .begin = begin_counting, .record = count_record,
		.release = release_count,
	};
	struct view_options options = { .first = true };
	struct reader reader;
	char *text, want[20];
	size_t len;
	FILE *out = open_memstream(&text, &len);

	fill(&reader);
	ck_assert_int_eq(report_run(&counting, &options, "x", &reader, out, NULL), 0);
	fclose(out);
	(void)snprintf(want, sizeof(want), "%zu", reader.n - 1);
	ck_assert_str_eq(text, want);
	free(text);
	meta_fini(&reader.meta);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, a_good_recording_is_zero);
	tcase_add_test(tcase, damage_is_one_and_is_told);
	tcase_add_test(tcase, failing_medium_shows_what_came_before);
	tcase_add_test(tcase, views_of_records_see_every_record);
}

int main(void)
{
	return unit_main("report", add);
}
