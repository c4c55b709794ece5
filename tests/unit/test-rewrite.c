/* The rewriter: every form of a recording becomes the same clean file, and of a damaged one what is whole. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/rewrite_case.h"
#include "lib/unit.h"

#define ALL_SAMPLE_BITS                                                                                        \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |       \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |                      \
	 PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT_STRUCT)

static void put_sample(struct file_builder *b)
{
	builder_u64(b, 1);
	builder_u64(b, 0x1000);
	builder_u32(b, 10);
	builder_u32(b, 11);
	builder_u64(b, 5000);
	builder_u32(b, 1);
	builder_u32(b, 0);
	builder_u64(b, 99);
	builder_u64(b, 42); /* READ: value, enabled, running */
	builder_u64(b, 500);
	builder_u64(b, 400);
	builder_u64(b, 2); /* CALLCHAIN */
	builder_u64(b, 0xa1);
	builder_u64(b, 0xa2);
	builder_u32(b, 4); /* RAW */
	builder_raw(b, "raw!", 4);
	builder_u64(b, 8); /* STACK_USER */
	builder_raw(b, "12345678", 8);
	builder_u64(b, 6);
	builder_u32(b, 0x11223344); /* WEIGHT_STRUCT */
	builder_u16(b, 0x5566);
	builder_u16(b, 0x7788);
	builder_record(b, PERF_RECORD_SAMPLE, 2);
}

static void put_trailer(struct file_builder *b)
{
	builder_u32(b, 10);
	builder_u32(b, 11);
	builder_u64(b, 6000);
	builder_u32(b, 1);
	builder_u32(b, 0);
	builder_u64(b, 2);
}

/* One of each shape that the table of layouts has. */
static void put_records(struct file_builder *b)
{
	builder_u64(b, 1); /* THREAD_MAP */
	builder_u64(b, UINT64_MAX);
	builder_text(b, "", 16);
	builder_record(b, FORMAT_THREAD_MAP, 0);
	builder_u16(b, 0); /* CPU_MAP */
	builder_u16(b, 1);
	builder_u16(b, 0xffff);
	builder_u16(b, 0);
	builder_record(b, FORMAT_CPU_MAP, 0);
	builder_u64(b, 1); /* STAT_CONFIG */
	builder_u64(b, FORMAT_STAT_CONFIG_INTERVAL);
	builder_u64(b, 100);
	builder_record(b, FORMAT_STAT_CONFIG, 0);
	builder_u32(b, 10); /* COMM with a trailer */
	builder_u32(b, 11);
	builder_text(b, "name", 8);
	put_trailer(b);
	builder_record(b, PERF_RECORD_COMM, 0);
	builder_u32(b, 10); /* NAMESPACES */
	builder_u32(b, 11);
	builder_u64(b, 2);
	for (uint64_t i = 0; i < 4; i++)
		builder_u64(b, i);
	put_trailer(b);
	builder_record(b, PERF_RECORD_NAMESPACES, 0);
	builder_u64(b, 0x7000); /* KSYMBOL */
	builder_u32(b, 16);
	builder_u16(b, 1);
	builder_u16(b, 2);
	builder_text(b, "symbol", 8);
	put_trailer(b);
	builder_record(b, PERF_RECORD_KSYMBOL, 0);
	put_sample(b);
	builder_stat(b, 1, 5);
	builder_stat(b, 2, 6);
	builder_round(b, 1000000);
	builder_record(b, FORMAT_FINISHED_ROUND, 0);
}

struct form {
	bool big_endian, stream;
	uint32_t packed_type; /* 0: plain */
};

static const struct form forms[] = {
	{ false, false, 0 }, { true, false, 0 }, { false, true, 0 }, { true, true, 0 },
	{ false, false, FORMAT_COMPRESSED }, { false, false, FORMAT_COMPRESSED2 }, { true, true, FORMAT_COMPRESSED2 },
};

static void describe(struct file_builder *b, const struct form *form)
{
	b->big_endian = form->big_endian;
	b->stream = form->stream;
	builder_two_events(b);
	for (size_t i = 0; i < 2; i++) {
		b->events[i].sample_type = ALL_SAMPLE_BITS;
		b->events[i].read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		b->events[i].sample_id_all = true;
	}
	if (form->packed_type)
		builder_pack(b);
	put_records(b);
	if (form->packed_type) {
		builder_flush(b, form->packed_type, 0, BUILDER_FRAMES);
		builder_unpack(b);
	}
}

START_TEST(every_form_becomes_the_same_file)
{
	struct rewriting first, other;

	rewriting_begin(&first);
	describe(&first.builder, &forms[0]);
	rewriting_good(&first);
	ck_assert(!rewrite_lost(&first.result));
	ck_assert_uint_eq(first.result.kept, 11);
	rewriting_begin(&other);
	describe(&other.builder, &forms[_i]);
	rewriting_good(&other);
	ck_assert_uint_eq(other.recording.file.len, first.recording.file.len);
	ck_assert_mem_eq(other.recording.file.data, first.recording.file.data, first.recording.file.len);
	rewriting_end(&other);
	rewriting_end(&first);
}
END_TEST

START_TEST(rewriting_again_changes_nothing)
{
	struct rewriting first, again;

	rewriting_begin(&first);
	first.options.zstd_level = _i;
	describe(&first.builder, &forms[3]);
	rewriting_good(&first);
	ck_assert_uint_eq(first.recording.frames > 0, _i > 0);
	rewriting_begin(&again);
	builder_fini(&again.builder);
	again.options.zstd_level = _i;
	ck_assert_int_eq(rewriting_bytes(&again, first.recording.file.data, first.recording.file.len), 0);
	ck_assert(recording_load(&again.recording, again.path));
	ck_assert_uint_eq(again.recording.file.len, first.recording.file.len);
	ck_assert_mem_eq(again.recording.file.data, first.recording.file.data, first.recording.file.len);
	rewriting_end(&again);
	rewriting_end(&first);
}
END_TEST

/* Attrs of any size become those that every perf reads. */
START_TEST(attrs_are_128_bytes)
{
	static const uint32_t sizes[] = { 64, 72, 96, 112, 120, 128, 136, 144, 200 };
	struct rewriting rw;

	rewriting_begin(&rw);
	rw.builder.attr_bytes = sizes[_i];
	builder_two_events(&rw.builder);
	builder_sample(&rw.builder, 2, 77, 3);
	rewriting_good(&rw);
	ck_assert_uint_eq(rw.recording.meta.n_events, 2);
	ck_assert_uint_eq(rw.recording.header.attr_size, 128 + 16);
	ck_assert_uint_eq(rw.recording.meta.events[1].attr.config, 2);
	ck_assert_uint_eq(rw.recording.meta.events[1].ids[0], 2);
	ck_assert_uint_eq(rw.recording.meta.features.sample_first_ns, 77);
	rewriting_end(&rw);
}
END_TEST

START_TEST(what_perf_refuses_is_left_out_and_named)
{
	struct rewriting rw;
	char text[200];

	rewriting_begin(&rw);
	builder_two_events(&rw.builder);
	builder_u64(&rw.builder, 0);
	builder_record(&rw.builder, 84, 0);
	builder_record(&rw.builder, 30, 0);
	builder_sample(&rw.builder, 99, 5, 1); /* an id that no event has */
	builder_stat(&rw.builder, 98, 5);
	builder_sample(&rw.builder, 1, 6, 1);
	rewriting_good(&rw);
	ck_assert_uint_eq(rw.result.kept, 1);
	ck_assert_uint_eq(rw.result.unknown, 2);
	ck_assert_uint_eq(rw.result.ownerless, 2);
	ck_assert(rewrite_lost(&rw.result));
	ck_assert_str_eq(rewrite_describe(&rw.result, text, sizeof(text)),
			 "1 records kept; lost: 2 records of no known event, 2 records of types that perf does not "
			 "read (84 30)");
	rewriting_end(&rw);
}
END_TEST

START_TEST(damage_is_refused_unless_it_is_to_be_repaired)
{
	struct rewriting rw;
	int rc;

	rewriting_begin(&rw);
	builder_two_events(&rw.builder);
	builder_sample(&rw.builder, 1, 5, 1);
	builder_sample(&rw.builder, 2, 6, 1);
	rw.cut_bytes = 9;
	rw.options.keep_damaged = _i;
	rc = rewriting_run(&rw);
	ck_assert_int_eq(rc, _i ? 0 : -EBADMSG);
	if (_i)
		ck_assert_uint_eq(rw.result.kept, 1);
	else
		ck_assert_int_ne(access(rw.path, F_OK), 0);
	rewriting_end(&rw);
}
END_TEST

/* Three readings in frames of their own; the middle of the second is lost. The third covers what it would have told. */
START_TEST(an_incomplete_reading_is_left_out)
{
	struct rewriting rw;
	size_t at = 0;
	struct record rec;
	struct buffer scratch = BUFFER_INIT(0);
	uint64_t last = 0;

	rewriting_begin(&rw);
	builder_two_events(&rw.builder);
	for (uint64_t i = 1; i <= 3; i++)
		for (uint64_t id = 1; id <= 2; id++) {
			builder_pack(&rw.builder);
			builder_stat(&rw.builder, id, i * 10);
			if (id == 2)
				builder_round(&rw.builder, i * 1000);
			builder_flush(&rw.builder, FORMAT_COMPRESSED, 0, BUILDER_FRAMES);
			builder_unpack(&rw.builder);
			if (i == 1 && id == 2)
				rw.spoil_at = rw.builder.records.len + 8; /* the next one's magic */
		}
	rw.options.keep_damaged = true;
	rewriting_good(&rw);
	ck_assert_uint_eq(rw.result.readings, 1);
	ck_assert_uint_eq(recording_count(&rw.recording, FORMAT_STAT_ROUND), 2);
	ck_assert_uint_eq(recording_count(&rw.recording, FORMAT_STAT), 4);
	while (recording_next(&rw.recording, &at, &rec, &scratch))
		if (rec.type == FORMAT_STAT)
			last = rec.stat.val;
	ck_assert_uint_eq(last, 30);
	buffer_fini(&scratch);
	rewriting_end(&rw);
}
END_TEST

/* Without maps and a configuration stock perf refuses or crashes. */
START_TEST(missing_maps_are_made)
{
	struct rewriting rw;

	rewriting_begin(&rw);
	builder_two_events(&rw.builder);
	builder_stat(&rw.builder, 1, 5);
	builder_round(&rw.builder, 1000000);
	rewriting_good(&rw);
	ck_assert_uint_eq(recording_count(&rw.recording, FORMAT_THREAD_MAP), 1);
	ck_assert_uint_eq(recording_count(&rw.recording, FORMAT_CPU_MAP), 1);
	ck_assert_uint_eq(recording_count(&rw.recording, FORMAT_STAT_CONFIG), 1);
	rewriting_end(&rw);
}
END_TEST

/* Stock perf opens no file with a tracepoint that is not described. */
START_TEST(tracepoints_get_a_description)
{
	struct rewriting rw;

	rewriting_begin(&rw);
	builder_two_events(&rw.builder);
	rw.builder.events[1].type = PERF_TYPE_TRACEPOINT;
	rw.builder.events[1].config = 4711;
	builder_sample(&rw.builder, 2, 5, 1);
	rewriting_good(&rw);
	ck_assert(rw.recording.meta.features.present[FORMAT_FEATURE_TRACING_DATA]);
	ck_assert_uint_gt(rw.recording.meta.features.tracing_data_bytes, 100);
	rewriting_end(&rw);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, every_form_becomes_the_same_file, 0, ARRAY_SIZE(forms));
	tcase_add_loop_test(tcase, rewriting_again_changes_nothing, 0, 4);
	tcase_add_loop_test(tcase, attrs_are_128_bytes, 0, 9);
	tcase_add_test(tcase, what_perf_refuses_is_left_out_and_named);
	tcase_add_loop_test(tcase, damage_is_refused_unless_it_is_to_be_repaired, 0, 2);
	tcase_add_test(tcase, an_incomplete_reading_is_left_out);
	tcase_add_test(tcase, missing_maps_are_made);
	tcase_add_test(tcase, tracepoints_get_a_description);
}

int main(void)
{
	return unit_main("rewrite", add);
}
