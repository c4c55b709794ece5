/* Samples: every field of every sample_type bit is found, in both byte orders, and nothing beyond the record is read. */
#include <errno.h>
#include <string.h>

#include "data/reader.h"
#include "data/sample.h"
#include "lib/file_builder.h"
#include "lib/unit.h"

#define ALL_BITS                                                                                              \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |      \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ |     \
	 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |           \
	 PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |         \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |      \
	 PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)
#define GROUP_FORMAT                                                                                      \
	(PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)
#define HW_INDEX (UINT64_C(1) << 17)
#define READ_LOST (UINT64_C(1) << 4)

static void put_basic(struct file_builder *builder)
{
	builder_u64(builder, 7);      /* IDENTIFIER */
	builder_u64(builder, 0x1000); /* IP */
	builder_u32(builder, 10);
	builder_u32(builder, 11);
	builder_u64(builder, 5000); /* TIME */
	builder_u64(builder, 0x2000); /* ADDR */
	builder_u64(builder, 7);      /* ID */
	builder_u64(builder, 70);     /* STREAM_ID */
	builder_u32(builder, 3);      /* CPU */
	builder_u32(builder, 0);
	builder_u64(builder, 999); /* PERIOD */
}

static void put_read_and_chain(struct file_builder *builder)
{
	builder_u64(builder, 2); /* READ: a group of two */
	builder_u64(builder, 600);
	builder_u64(builder, 500);
	builder_u64(builder, 41);
	builder_u64(builder, 7);
	builder_u64(builder, 42);
	builder_u64(builder, 8);
	builder_u64(builder, 3); /* CALLCHAIN */
	builder_u64(builder, 0xa1);
	builder_u64(builder, 0xa2);
	builder_u64(builder, 0xa3);
	builder_u32(builder, 4); /* RAW */
	builder_raw(builder, "raw!", 4);
}

static void put_rest(struct file_builder *builder)
{
	builder_u64(builder, 2); /* BRANCH_STACK */
	builder_u64(builder, 77); /* hardware index */
	for (uint64_t i = 0; i < 6; i++)
		builder_u64(builder, 0xb0 + i);
	builder_u64(builder, 2); /* REGS_USER: abi, then mask 0x5 */
	builder_u64(builder, 0xc1);
	builder_u64(builder, 0xc2);
	builder_u64(builder, 8); /* STACK_USER */
	builder_raw(builder, "stackxyz", 8);
	builder_u64(builder, 5);
	builder_u64(builder, 0xd1); /* WEIGHT */
	builder_u64(builder, 0xd2); /* DATA_SRC */
	builder_u64(builder, 0xd3); /* TRANSACTION */
	builder_u64(builder, 0);    /* REGS_INTR: abi none, so no values */
	builder_u64(builder, 0xd4); /* PHYS_ADDR */
	builder_u64(builder, 0xd5); /* CGROUP */
	builder_u64(builder, 0xd6); /* DATA_PAGE_SIZE */
	builder_u64(builder, 0xd7); /* CODE_PAGE_SIZE */
	builder_u64(builder, 8);    /* AUX */
	builder_raw(builder, "auxaux!!", 8);
}

static void describe(struct file_builder *builder, bool big_endian)
{
	builder_init(builder);
	builder->big_endian = big_endian;
	builder->n_events = 2;
	builder->events[0] = (struct builder_event){
		.type = 1, .sample_type = ALL_BITS, .read_format = GROUP_FORMAT, .branch_sample_type = HW_INDEX,
		.sample_regs_user = 0x5, .sample_regs_intr = 0xff, .ids = { 7 }, .n_ids = 1,
	};
	builder->events[1] = builder->events[0];
	builder->events[1].config = 1;
	builder->events[1].ids[0] = 8;
}

struct opened {
	struct reader *reader;
	uint8_t *file;
	struct record rec;
};

/* The first record of what was described. */
static void open_first(struct opened *opened, struct file_builder *builder)
{
	struct ps_error err = PS_ERROR_INIT;
	struct source *source;
	size_t len;

	opened->file = builder_file(builder, &len, NULL);
	ck_assert_int_eq(source_open_memory(&source, opened->file, len, false, NULL), 0);
	ck_assert_msg(reader_open(&opened->reader, source, &err) == 0, "%s", err.what);
	ck_assert_int_eq(reader_next(opened->reader, &opened->rec, NULL), 1);
	builder_fini(builder);
}

static void close_first(struct opened *opened)
{
	reader_free(opened->reader);
	free(opened->file);
}

static void expect_words(const struct sample_words *words, size_t n, uint64_t first)
{
	ck_assert_uint_eq(words->n, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(sample_word(words, i), first + i);
}

static void expect_numbers(const struct sample *sample)
{
	ck_assert_uint_eq(sample->weight, 0xd1);
	ck_assert_uint_eq(sample->data_src, 0xd2);
	ck_assert_uint_eq(sample->transaction, 0xd3);
	ck_assert_uint_eq(sample->phys_addr, 0xd4);
	ck_assert_uint_eq(sample->cgroup, 0xd5);
	ck_assert_uint_eq(sample->data_page_size, 0xd6);
	ck_assert_uint_eq(sample->code_page_size, 0xd7);
}

START_TEST(every_field_is_found)
{
	struct file_builder builder;
	struct opened opened;
	struct sample sample;

	describe(&builder, _i);
	put_basic(&builder);
	put_read_and_chain(&builder);
	put_rest(&builder);
	builder_record(&builder, PERF_RECORD_SAMPLE, 2);
	open_first(&opened, &builder);
	ck_assert(opened.rec.decoded);
	ck_assert_uint_eq(opened.rec.sample.id, 7);
	ck_assert_uint_eq(opened.rec.sample.addr, 0x2000);
	ck_assert_uint_eq(opened.rec.sample.stream_id, 70);
	ck_assert_uint_eq(opened.rec.sample.cpu, 3);
	ck_assert_uint_eq(opened.rec.sample.period, 999);
	ck_assert_int_eq(sample_parse(reader_meta(opened.reader), &opened.rec, &sample, NULL), 0);
	ck_assert_ptr_eq(sample.event, &reader_meta(opened.reader)->events[0]);
	ck_assert_uint_eq(sample.read.enabled_ns, 600);
	ck_assert_uint_eq(sample.read.running_ns, 500);
	ck_assert_uint_eq(sample.read.n_values, 2);
	ck_assert_uint_eq(sample_word(&sample.read.values, sample.read.stride), 42);
	ck_assert_uint_eq(sample_word(&sample.read.values, sample.read.stride + 1), 8);
	expect_words(&sample.callchain, 3, 0xa1);
	ck_assert_uint_eq(sample.raw.len, 4);
	ck_assert_mem_eq(sample.raw.at, "raw!", 4);
	ck_assert(sample.has_branch_index);
	ck_assert_uint_eq(sample.branch_index, 77);
	expect_words(&sample.branches, 6, 0xb0);
	ck_assert_uint_eq(sample.user_regs.abi, 2);
	expect_words(&sample.user_regs.values, 2, 0xc1);
	ck_assert_mem_eq(sample.stack.at, "stackxyz", 8);
	ck_assert_uint_eq(sample.stack_used, 5);
	ck_assert_uint_eq(sample.intr_regs.abi, 0);
	expect_numbers(&sample);
	ck_assert_mem_eq(sample.aux.at, "auxaux!!", 8);
	close_first(&opened);
}
END_TEST

/* The record is cut to every multiple of 8 below its size; a sanitizer would see a read beyond. */
START_TEST(every_cut_is_refused)
{
	struct file_builder builder;
	struct builder_bytes whole;

	describe(&builder, _i);
	put_basic(&builder);
	put_read_and_chain(&builder);
	put_rest(&builder);
	whole = builder.body;
	builder.body = (struct builder_bytes){ NULL, 0 };
	builder_fini(&builder);
	for (size_t len = 0; len < whole.len; len += 8) {
		struct opened opened;
		struct sample sample;

		describe(&builder, _i);
		builder_raw(&builder, whole.at, len);
		builder_record(&builder, PERF_RECORD_SAMPLE, 2);
		open_first(&opened, &builder);
		ck_assert_int_eq(sample_parse(reader_meta(opened.reader), &opened.rec, &sample, NULL), -EBADMSG);
		close_first(&opened);
	}
	free(whole.at);
}
END_TEST

/* Counts and lengths in the record that claim far more than it has. */
START_TEST(hostile_counts_are_refused)
{
	static const uint64_t counts[] = { 1000, UINT64_C(1) << 61, UINT64_MAX / 8 + 2, UINT64_MAX };
	static const uint64_t bits[] = {
		PERF_SAMPLE_READ, PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX,
		PERF_SAMPLE_RAW,
	};

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		struct file_builder builder;
		struct opened opened;
		struct sample sample;

		builder_init(&builder);
		builder.n_events = 1;
		builder.events[0] = (struct builder_event){ .type = 1, .sample_type = bits[i], .read_format = GROUP_FORMAT };
		builder_u64(&builder, bits[i] == PERF_SAMPLE_RAW ? UINT32_MAX - (uint64_t)_i : counts[_i]); /* RAW: u32 */
		for (int k = 0; k < 8; k++)
			builder_u64(&builder, 1);
		builder_record(&builder, PERF_RECORD_SAMPLE, 2);
		open_first(&opened, &builder);
		ck_assert_int_eq(sample_parse(reader_meta(opened.reader), &opened.rec, &sample, NULL), -EBADMSG);
		close_first(&opened);
	}
}
END_TEST

START_TEST(single_counter_has_its_times_between_value_and_id)
{
	struct file_builder builder;
	struct opened opened;
	struct sample sample;

	builder_init(&builder);
	builder.n_events = 1;
	builder.events[0] = (struct builder_event){
		.type = 1, .sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN,
		.read_format = (GROUP_FORMAT & ~(uint64_t)PERF_FORMAT_GROUP) | READ_LOST,
	};
	for (uint64_t i = 0; i < 5; i++)
		builder_u64(&builder, 100 + i); /* value, enabled, running, id, lost */
	builder_u64(&builder, 1);
	builder_u64(&builder, 0xe1);
	builder_record(&builder, PERF_RECORD_SAMPLE, 2);
	open_first(&opened, &builder);
	ck_assert_int_eq(sample_parse(reader_meta(opened.reader), &opened.rec, &sample, NULL), 0);
	expect_words(&sample.read.values, 1, 100);
	ck_assert_uint_eq(sample.read.enabled_ns, 101);
	ck_assert_uint_eq(sample.read.running_ns, 102);
	expect_words(&sample.callchain, 1, 0xe1);
	close_first(&opened);
}
END_TEST

START_TEST(sample_belongs_to_the_event_of_its_id)
{
	static const uint64_t ids[] = { 1, 2, 99 };
	struct file_builder builder;
	struct opened opened;
	struct sample sample;
	const struct meta *meta;

	builder_init(&builder);
	builder_two_events(&builder);
	builder_sample(&builder, ids[_i], 5, 1);
	open_first(&opened, &builder);
	meta = reader_meta(opened.reader);
	ck_assert_int_eq(sample_parse(meta, &opened.rec, &sample, NULL), 0);
	ck_assert_ptr_eq(sample.event, ids[_i] == 99 ? NULL : &meta->events[ids[_i] - 1]);
	close_first(&opened);
}
END_TEST

START_TEST(trailer_is_found_behind_other_records)
{
	struct file_builder builder;
	struct opened opened;
	struct sample_trailer trailer;

	builder_init(&builder);
	builder.big_endian = _i;
	builder_two_events(&builder);
	builder.events[0].sample_id_all = builder.events[1].sample_id_all = true;
	builder_u32(&builder, 4);
	builder_u32(&builder, 5);
	builder_text(&builder, "comm", 8);
	builder_u32(&builder, 4); /* the trailer: pid, tid, time, cpu, id */
	builder_u32(&builder, 5);
	builder_u64(&builder, 777);
	builder_u32(&builder, 1);
	builder_u32(&builder, 0);
	builder_u64(&builder, 2);
	builder_record(&builder, PERF_RECORD_COMM, 0);
	open_first(&opened, &builder);
	ck_assert_str_eq(opened.rec.comm.comm, "comm");
	ck_assert(sample_parse_trailer(reader_meta(opened.reader), &opened.rec, &trailer));
	ck_assert_uint_eq(trailer.pid, 4);
	ck_assert_uint_eq(trailer.tid, 5);
	ck_assert_uint_eq(trailer.time_ns, 777);
	ck_assert_uint_eq(trailer.cpu, 1);
	ck_assert_uint_eq(trailer.id, 2);
	ck_assert_uint_eq(trailer.bytes, 32);
	close_first(&opened);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, every_field_is_found, 0, 2);
	tcase_add_loop_test(tcase, every_cut_is_refused, 0, 2);
	tcase_add_loop_test(tcase, hostile_counts_are_refused, 0, 4);
	tcase_add_test(tcase, single_counter_has_its_times_between_value_and_id);
	tcase_add_loop_test(tcase, sample_belongs_to_the_event_of_its_id, 0, 3);
	tcase_add_loop_test(tcase, trailer_is_found_behind_other_records, 0, 2);
}

int main(void)
{
	return unit_main("sample", add);
}
