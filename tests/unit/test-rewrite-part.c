/* The rewriter on what is not one file with records alone: a part of a recording, the files of a folder, data outside of records. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/rewrite_case.h"
#include "lib/unit.h"

/* Whether the output has this text somewhere. */
static bool file_holds(const struct rewriting *rw, const char *text)
{
	char bytes[8192];
	FILE *file = fopen(rw->path, "rb");
	size_t len = file ? fread(bytes, 1, sizeof(bytes), file) : 0;

	if (file)
		(void)fclose(file);
	return memmem(bytes, len, text, strlen(text)) != NULL;
}

static void put_file(const char *dir, const char *name, const void *bytes, size_t len)
{
	char path[128];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "wb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

/* Readings at 1, 2, 3 and 4 s of 10, 20, 30 and 40. */
static void describe_readings(struct file_builder *b)
{
	builder_two_events(b);
	for (uint64_t i = 1; i <= 4; i++) {
		builder_stat(b, 1, i * 10);
		builder_stat(b, 2, i * 10);
		builder_round(b, i * UINT64_C(1000000000));
	}
}

START_TEST(a_part_counts_from_its_beginning)
{
	struct rewriting rw;
	struct buffer scratch = BUFFER_INIT(0);
	struct record rec;
	size_t at = 0, stats = 0, rounds = 0;

	rewriting_begin(&rw);
	describe_readings(&rw.builder);
	rw.options.cut = true;
	rw.options.from_ns = UINT64_C(1500000000);
	rw.options.to_ns = UINT64_C(3000000000);
	rewriting_good(&rw);
	while (recording_next(&rw.recording, &at, &rec, &scratch)) {
		if (rec.type == FORMAT_STAT)
			ck_assert_uint_eq(rec.stat.val, stats++ / 2 ? 20 : 10);
		if (rec.type == FORMAT_STAT_ROUND)
			ck_assert_uint_eq(rec.round.time_ns, ++rounds * UINT64_C(1000000000));
	}
	ck_assert_uint_eq(stats, 4);
	ck_assert_uint_eq(rounds, 2);
	ck_assert_uint_eq(rw.result.cut, 6);
	ck_assert(!rewrite_lost(&rw.result));
	buffer_fini(&scratch);
	rewriting_end(&rw);
}
END_TEST

START_TEST(a_part_that_does_not_exist_is_an_error)
{
	struct rewriting rw;

	rewriting_begin(&rw);
	describe_readings(&rw.builder);
	rw.options.cut = !_i;
	rw.options.from_ns = UINT64_C(9000000000);
	rw.options.to_ns = UINT64_MAX;
	rw.options.window_first = rw.options.window_last = _i ? 2 : 0;
	ck_assert_int_eq(rewriting_run(&rw), -ENODATA);
	ck_assert_int_ne(access(rw.path, F_OK), 0);
	rewriting_end(&rw);
}
END_TEST

/* The data of AUX records stands behind them, outside of their size. */
START_TEST(aux_data_is_kept_or_dropped_whole)
{
	const bool cut = _i;
	struct rewriting rw;

	rewriting_begin(&rw);
	builder_two_events(&rw.builder);
	builder_sample(&rw.builder, 1, 5, 1);
	builder_u64(&rw.builder, 24); /* AUXTRACE: size, offset, reference, idx, tid, cpu, 0 */
	for (int i = 0; i < 4; i++)
		builder_u64(&rw.builder, 0);
	builder_record(&rw.builder, FORMAT_AUXTRACE, 0);
	builder_loose(&rw.builder, "twenty-four bytes of it!", 24);
	if (!cut)
		builder_sample(&rw.builder, 2, 6, 1);
	rw.cut_bytes = cut ? 10 : 0;
	rw.options.keep_damaged = true;
	rw.options.zstd_level = 1;
	ck_assert_int_eq(rewriting_built(&rw), 0);
	ck_assert_uint_eq(rw.result.kept, cut ? 1 : 3);
	ck_assert_uint_eq(rw.result.damaged, cut);
	ck_assert(file_holds(&rw, "twenty-four bytes") == !cut);
	rewriting_end(&rw);
}
END_TEST

/* A folder of perf record --threads: a whole file and bare records. A part that is missing is damage and no end. */
START_TEST(the_files_of_a_folder_become_one)
{
	static const struct perf_event_header round = { FORMAT_FINISHED_INIT, 0, 8 };
	struct rewriting rw;
	struct source *source;
	struct reader *reader;
	uint8_t *file;
	size_t len;

	rewriting_begin(&rw);
	builder_two_events(&rw.builder);
	builder_sample(&rw.builder, 1, 5, 1);
	file = builder_file(&rw.builder, &len, NULL);
	builder_fini(&rw.builder);
	put_file(rw.dir, "data", file, len);
	put_file(rw.dir, "data.0", &round, sizeof(round));
	put_file(rw.dir, _i ? "data.2" : "data.1", &round, sizeof(round));
	rw.options.keep_damaged = _i;
	ck_assert_int_eq(source_open(&source, rw.dir, &io_system, NULL), 0);
	ck_assert_int_eq(reader_open(&reader, source, NULL), 0);
	ck_assert_int_eq(rewrite_run(reader, rw.path, &rw.options, &rw.result, &rw.err), 0);
	ck_assert(reader_damaged(reader) == (_i > 0));
	ck_assert_uint_eq(rw.result.kept, 3);
	reader_free(reader);
	free(file);
	rewriting_end(&rw);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, aux_data_is_kept_or_dropped_whole, 0, 2);
	tcase_add_loop_test(tcase, the_files_of_a_folder_become_one, 0, 2);
	tcase_add_test(tcase, a_part_counts_from_its_beginning);
	tcase_add_loop_test(tcase, a_part_that_does_not_exist_is_an_error, 0, 2);
}

int main(void)
{
	return unit_main("rewrite_part", add);
}
