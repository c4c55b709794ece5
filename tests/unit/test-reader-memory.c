/*
 * Memory that runs out at any allocation while a recording is read and shown: a message that says so, no crash, and (in the
 * build with sanitizers) no leak.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "data/reader.h"
#include "data/writer.h"
#include "lib/fault_alloc.h"
#include "lib/made_recording.h"
#include "lib/tempdir.h"
#include "lib/unit.h"
#include "report/report.h"

enum form { PLAIN, COMPRESSED, STREAM, FORMS };

static char folder[64], path[80];
static unsigned char bytes[1 << 20];
static size_t len;
static FILE *out;
static char whole[1 << 18], shown[1 << 18]; /* what a view printed with memory enough, and now */

static void read_back(void)
{
	FILE *file = fopen(path, "r");

	ck_assert_ptr_nonnull(file);
	len = fread(bytes, 1, sizeof(bytes), file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_uint_gt(len, 1000);
	ck_assert_uint_lt(len, sizeof(bytes));
}

/* A stream is what is not written under a new name. */
static void record(enum form form)
{
	const struct writer_options options = { .zstd_level = form == COMPRESSED ? 3 : 0, .io = &io_system };
	const struct made made = { .rounds = 6 };
	struct consumer consumer;
	struct writer *writer;
	struct meta meta;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	ck_assert_int_eq(close(fd), 0);
	made_meta(&meta, &made);
	ck_assert_int_eq(writer_open(&writer, form == STREAM ? "-" : path, &options, NULL), 0);
	consumer = writer_consumer(writer);
	ck_assert_int_eq(made_write(&consumer, &meta, &made, NULL), 0);
	writer_free(writer);
	meta_fini(&meta);
	read_back();
}

static void setup(void)
{
	tempdir_make(folder);
	(void)snprintf(path, sizeof(path), "%s/recording", folder);
	out = tmpfile();
	ck_assert_ptr_nonnull(out);
}

static void teardown(void)
{
	(void)fclose(out);
	tempdir_remove(folder);
}

/* Reads it all through a view. 0 or more, or -errno. */
static int show(const struct view *view, bool stream, struct ps_error *err)
{
	const struct view_options options = { .first = true };
	struct reader *reader = NULL;
	struct source *source;
	int rc = source_open_memory(&source, bytes, len, stream, err);

	if (rc == 0)
		rc = reader_open(&reader, source, err);
	if (rc == 0)
		rc = report_run(view, &options, "recording", reader, out, err);
	reader_free(reader);
	return rc;
}

/* What show printed, which is forgotten with it. */
static void take_shown(char *text, size_t room)
{
	long n = ftell(out);

	ck_assert_int_ge(n, 0);
	ck_assert_uint_lt((size_t)n, room);
	rewind(out);
	ck_assert_uint_eq(fread(text, 1, (size_t)n, out), (size_t)n);
	text[n] = '\0';
	rewind(out);
}

/* Every allocation fails once, alone or with all that follow. Returns how many there are. */
static size_t fail_each(const struct view *view, bool stream, bool dry)
{
	ck_assert_int_eq(show(view, stream, NULL), 0);
	take_shown(whole, sizeof(whole));
	for (size_t at = 1;; at++) {
		struct ps_error err = PS_ERROR_INIT;
		int rc;

		fault_alloc_set(at, dry);
		rc = show(view, stream, &err);
		if (!fault_alloc_hit()) {
			fault_alloc_set(0, false);
			rewind(out);
			ck_assert_int_eq(rc, 0);
			return at - 1;
		}
		fault_alloc_set(0, false);
		take_shown(shown, sizeof(shown));
		if (rc >= 0) { /* it could do without */
			ck_assert_msg(rc == 0 && strcmp(shown, whole) == 0, "%s, allocation %zu: %d, something is missing",
				      view->name, at, rc);
			continue;
		}
		ck_assert_msg(rc == -ENOMEM && err.code == ENOMEM, "%s, allocation %zu: %d, %s: %s", view->name, at, rc,
			      err.where ? err.where : "nobody", err.what);
		ck_assert_str_ne(err.what, "");
	}
}

START_TEST(every_failed_allocation_is_told)
{
	enum form form = (enum form)(_i % FORMS);
	bool dry = _i >= FORMS;

	record(form);
	for (const struct view *const *view = views; *view; view++)
		ck_assert_uint_gt(fail_each(*view, form == STREAM, dry), 20);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, every_failed_allocation_is_told, 0, 2 * FORMS);
}

int main(void)
{
	return unit_main("reader-memory", add);
}
