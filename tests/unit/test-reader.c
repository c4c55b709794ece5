/* The reader on good files: every form of the format gives the same records and the same meta. */
#include <string.h>

#include "lib/reader_case.h"
#include "lib/unit.h"

/* The forms a file can have; every test of contents runs over all of them. */
struct form {
	bool big_endian, stream;
	uint32_t packed_type; /* 0: plain */
	enum builder_packing packing;
	size_t piece; /* bytes per compressed record; 0: all in one */
};

static const struct form forms[] = {
	{ false, false, 0, BUILDER_FRAMES, 0 },
	{ true, false, 0, BUILDER_FRAMES, 0 },
	{ false, true, 0, BUILDER_FRAMES, 0 },
	{ true, true, 0, BUILDER_FRAMES, 0 },
	{ false, false, FORMAT_COMPRESSED, BUILDER_FRAMES, 0 },
	{ true, false, FORMAT_COMPRESSED, BUILDER_FRAMES, 50 },
	{ false, false, FORMAT_COMPRESSED2, BUILDER_FRAMES, 50 },
	{ false, false, FORMAT_COMPRESSED, BUILDER_CHAIN, 50 },
	{ true, true, FORMAT_COMPRESSED2, BUILDER_CHAIN, 3 },
	{ false, true, FORMAT_COMPRESSED2, BUILDER_CHAIN, 17 },
};

static void start_form(struct file_builder *builder, const struct form *form)
{
	builder_init(builder);
	builder->big_endian = form->big_endian;
	builder->stream = form->stream;
	builder_two_events(builder);
	if (form->packed_type)
		builder_pack(builder);
}

static void end_form(struct file_builder *builder, const struct form *form)
{
	if (!form->packed_type)
		return;
	while (builder->packed.len) {
		size_t piece = form->piece && form->piece < builder->packed.len ? form->piece : 0;

		builder_flush(builder, form->packed_type, piece, form->packing);
	}
	builder_unpack(builder);
}

START_TEST(every_form_gives_the_same_records)
{
	const struct form *form = &forms[_i];
	struct file_builder builder;
	struct opened opened;
	struct record rec;

	start_form(&builder, form);
	builder_comm(&builder, 5, "worker");
	builder_sample(&builder, 1, 1000, 3);
	builder_stat(&builder, 1, 100);
	builder_stat(&builder, 2, 200);
	builder_round(&builder, 50);
	end_form(&builder, form);
	opened_built(&opened, &builder, !form->stream);
	ck_assert_int_eq(reader_is_stream(opened.reader), form->stream);
	ck_assert_int_eq(reader_is_big_endian(opened.reader), form->big_endian);

	ck_assert(opened_next(opened.reader, &rec));
	ck_assert_int_eq(rec.type, PERF_RECORD_COMM);
	ck_assert_int_eq(rec.compressed, form->packed_type != 0);
	ck_assert_str_eq(rec.comm.comm, "worker");
	ck_assert(opened_next(opened.reader, &rec));
	ck_assert_int_eq(rec.type, PERF_RECORD_SAMPLE);
	ck_assert_uint_eq(rec.sample.time_ns, 1000);
	ck_assert_uint_eq(rec.sample.period, 3);
	for (uint64_t id = 1; id <= 2; id++) {
		ck_assert(opened_next(opened.reader, &rec));
		ck_assert_int_eq(rec.type, FORMAT_STAT);
		ck_assert_uint_eq(rec.stat.id, id);
		ck_assert_int_eq(rec.stat.cpu, -1);
		ck_assert_uint_eq(rec.stat.val, id * 100);
	}
	ck_assert(opened_next(opened.reader, &rec));
	ck_assert_int_eq(rec.type, FORMAT_STAT_ROUND);
	ck_assert_uint_eq(rec.round.time_ns, 50);
	ck_assert(!opened_next(opened.reader, &rec));
	ck_assert(!opened_next(opened.reader, &rec)); /* the end stays the end */
	opened_good(opened.reader);
	opened_close(&opened);
}
END_TEST

START_TEST(events_come_with_their_ids_and_names)
{
	const struct form *form = &forms[_i];
	struct file_builder builder;
	struct opened opened;
	struct record rec;
	const struct meta *meta;

	start_form(&builder, form);
	builder_stat(&builder, 1, 100);
	end_form(&builder, form);
	opened_built(&opened, &builder, !form->stream);
	ck_assert(opened_next(opened.reader, &rec));
	meta = reader_meta(opened.reader);
	ck_assert_uint_eq(meta->n_events, 2);
	ck_assert_str_eq(meta->events[0].name, "task-clock");
	ck_assert_str_eq(meta->events[1].name, "page-faults");
	ck_assert_ptr_eq(meta_find_id(meta, 2), &meta->events[1]);
	ck_assert_uint_eq(meta->events[1].attr.sample_type, FORMAT_SAMPLE_TYPE);
	opened_close(&opened);
}
END_TEST

START_TEST(records_about_the_recording_change_meta)
{
	const struct form *form = &forms[_i];
	const double scale = 0.25;
	struct file_builder builder;
	struct opened opened;
	struct record rec;
	const struct meta *meta;
	uint64_t bits;

	start_form(&builder, form);
	builder_update(&builder, FORMAT_UPDATE_NAME, 1, "my-event");
	builder_update(&builder, FORMAT_UPDATE_UNIT, 1, "Joules");
	builder_u64(&builder, FORMAT_UPDATE_SCALE);
	builder_u64(&builder, 2);
	memcpy(&bits, &scale, sizeof(bits));
	builder_u64(&builder, bits);
	builder_record(&builder, FORMAT_EVENT_UPDATE, 0);
	builder_u64(&builder, 1); /* THREAD_MAP */
	builder_u64(&builder, 4711);
	builder_raw(&builder, "thread\0\0\0\0\0\0\0\0\0", 16);
	builder_record(&builder, FORMAT_THREAD_MAP, 0);
	builder_u16(&builder, FORMAT_CPU_MAP_CPUS);
	builder_u16(&builder, 2);
	builder_u16(&builder, 0);
	builder_u16(&builder, 3);
	builder_record(&builder, FORMAT_CPU_MAP, 0);
	builder_u64(&builder, 1); /* STAT_CONFIG */
	builder_u64(&builder, FORMAT_STAT_CONFIG_INTERVAL);
	builder_u64(&builder, 250);
	builder_record(&builder, FORMAT_STAT_CONFIG, 0);
	end_form(&builder, form);
	opened_built(&opened, &builder, !form->stream);
	while (opened_next(opened.reader, &rec))
		;
	meta = reader_meta(opened.reader);
	ck_assert_str_eq(meta->events[0].name, "my-event");
	ck_assert_str_eq(meta->events[0].unit, "Joules");
	ck_assert(meta->events[1].scale == scale);
	ck_assert_uint_eq(meta->n_threads, 1);
	ck_assert_int_eq(meta->threads[0].tid, 4711);
	ck_assert_str_eq(meta->threads[0].comm, "thread");
	ck_assert_uint_eq(meta->n_cpus, 2);
	ck_assert_int_eq(meta->cpus[1], 3);
	ck_assert(meta->is_stat);
	ck_assert_uint_eq(meta->interval_ms, 250);
	opened_good(opened.reader);
	opened_close(&opened);
}
END_TEST

START_TEST(features_are_read_in_every_form)
{
	const struct form *form = &forms[_i];
	struct file_builder builder;
	struct opened opened;
	struct record rec;
	const struct meta *meta;

	builder_init(&builder);
	builder.big_endian = form->big_endian;
	builder.stream = form->stream;
	builder_two_events(&builder);
	builder_string(&builder, "some-host");
	builder_feature(&builder, FORMAT_FEATURE_HOSTNAME);
	builder_u64(&builder, 1234567);
	builder_feature(&builder, FORMAT_FEATURE_TOTAL_MEM);
	builder_raw(&builder, "later", 5); /* one that nobody knows */
	builder_feature(&builder, 77);
	builder_stat(&builder, 1, 1);
	opened_built(&opened, &builder, !form->stream);
	while (opened_next(opened.reader, &rec))
		;
	meta = reader_meta(opened.reader);
	ck_assert_str_eq(meta->features.hostname, "some-host");
	ck_assert_uint_eq(meta->features.total_mem_kib, 1234567);
	ck_assert(meta->features.present[77]);
	opened_good(opened.reader);
	opened_close(&opened);
}
END_TEST

START_TEST(any_attr_size_is_read)
{
	struct file_builder builder;
	struct opened opened;
	struct record rec;

	builder_init(&builder);
	builder.attr_bytes = (uint32_t)_i * 8;
	builder.stream = _i % 2;
	builder_two_events(&builder);
	builder_sample(&builder, 2, 9, 1);
	opened_built(&opened, &builder, true);
	ck_assert(opened_next(opened.reader, &rec));
	ck_assert_uint_eq(rec.sample.time_ns, 9);
	ck_assert_uint_eq(reader_meta(opened.reader)->events[1].attr_bytes, (uint32_t)_i * 8);
	ck_assert_uint_eq(reader_meta(opened.reader)->events[1].ids[0], 2);
	opened_good(opened.reader);
	opened_close(&opened);
}
END_TEST

START_TEST(old_magic_takes_the_byte_order_from_the_attr_size)
{
	struct file_builder builder;
	struct opened opened;
	struct record rec;

	builder_init(&builder);
	builder.old_magic = true;
	builder.big_endian = _i;
	builder.attr_bytes = 64;
	builder_two_events(&builder);
	builder_comm(&builder, 1, "old");
	opened_built(&opened, &builder, true);
	ck_assert_int_eq(reader_is_big_endian(opened.reader), _i);
	ck_assert(opened_next(opened.reader, &rec));
	ck_assert_str_eq(rec.comm.comm, "old");
	opened_close(&opened);
}
END_TEST

START_TEST(unknown_types_are_handed_out_raw_and_counted)
{
	static const uint32_t types[] = { 40, 99, 200, 70000 };
	struct file_builder builder;
	struct opened opened;
	struct record rec;

	builder_init(&builder);
	builder_two_events(&builder);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		builder_u32(&builder, 0xabcd);
		builder_record(&builder, types[i], (uint16_t)i);
	}
	opened_built(&opened, &builder, true);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		ck_assert(opened_next(opened.reader, &rec));
		ck_assert_uint_eq(rec.type, types[i]);
		ck_assert_uint_eq(rec.misc, i);
		ck_assert_uint_eq(rec.bytes, 12);
		ck_assert(rec.raw_only);
		ck_assert_uint_eq(rec.raw[8], 0xcd);
	}
	ck_assert(!opened_next(opened.reader, &rec));
	ck_assert_uint_eq(reader_unknown_records(opened.reader), ARRAY_SIZE(types));
	opened_good(opened.reader);
	opened_close(&opened);
}
END_TEST

/* AUXTRACE in a file, TRACING_DATA in a stream: their payloads look like records and are none. */
START_TEST(payloads_behind_records_are_stepped_over)
{
	static const size_t sizes[] = { 8, 4096, 600000, 1400000 };
	uint8_t *payload = calloc(1, sizes[_i]);
	struct file_builder builder;
	struct opened opened;
	struct record rec;

	for (int seekable = 0; seekable < 2; seekable++) {
		builder_init(&builder);
		builder.stream = !seekable;
		builder_two_events(&builder);
		if (seekable)
			builder_u64(&builder, sizes[_i]);
		else
			builder_u32(&builder, (uint32_t)sizes[_i]);
		builder_u32(&builder, 0);
		builder_record(&builder, seekable ? FORMAT_AUXTRACE : FORMAT_HEADER_TRACING_DATA, 7);
		builder_loose(&builder, payload, sizes[_i]);
		builder_comm(&builder, 1, "behind");
		opened_built(&opened, &builder, seekable);
		ck_assert(opened_next(opened.reader, &rec));
		ck_assert_uint_eq(rec.type, seekable ? FORMAT_AUXTRACE : FORMAT_HEADER_TRACING_DATA);
		ck_assert_uint_eq(rec.raw[4], 7); /* its own bytes, not those of the payload */
		ck_assert(opened_next(opened.reader, &rec));
		ck_assert_str_eq(rec.comm.comm, "behind");
		if (!seekable)
			ck_assert_uint_eq(reader_meta(opened.reader)->features.tracing_data_bytes, sizes[_i]);
		opened_good(opened.reader);
		opened_close(&opened);
	}
	free(payload);
}
END_TEST

START_TEST(plain_records_may_stand_between_the_halves_of_a_compressed_one)
{
	struct file_builder builder;
	struct opened opened;
	struct record rec;

	builder_init(&builder);
	builder_two_events(&builder);
	builder_pack(&builder);
	builder_comm(&builder, 1, "split");
	builder_flush(&builder, FORMAT_COMPRESSED, 11, BUILDER_FRAMES);
	builder_loose(&builder, "\x44\0\0\0\0\0\x08\0", 8); /* FINISHED_ROUND */
	builder_flush(&builder, FORMAT_COMPRESSED, 0, BUILDER_FRAMES);
	builder_unpack(&builder);
	opened_built(&opened, &builder, true);
	ck_assert(opened_next(opened.reader, &rec));
	ck_assert_uint_eq(rec.type, FORMAT_FINISHED_ROUND);
	ck_assert(opened_next(opened.reader, &rec));
	ck_assert_str_eq(rec.comm.comm, "split");
	ck_assert(!opened_next(opened.reader, &rec));
	opened_good(opened.reader);
	opened_close(&opened);
}
END_TEST

START_TEST(records_of_every_size_survive_the_block_edges)
{
	struct file_builder builder;
	struct opened opened;
	struct record rec;
	uint8_t *filler = calloc(1, 65536);
	size_t n = 0;

	builder_init(&builder);
	builder_two_events(&builder);
	for (size_t len = 0; len < 65528; len += 977, n++) {
		builder_u32(&builder, (uint32_t)n);
		builder_raw(&builder, filler, len - len % 8);
		builder_record(&builder, 50, 0);
	}
	opened_built(&opened, &builder, true);
	for (size_t i = 0; i < n; i++) {
		uint32_t number;

		ck_assert(opened_next(opened.reader, &rec));
		memcpy(&number, rec.raw + 8, sizeof(number));
		ck_assert_uint_eq(number, i);
	}
	ck_assert(!opened_next(opened.reader, &rec));
	opened_good(opened.reader);
	opened_close(&opened);
	free(filler);
}
END_TEST

START_TEST(seekable_form_is_read_from_a_stream)
{
	struct file_builder builder;
	struct opened opened;
	struct record rec;

	builder_init(&builder);
	builder_two_events(&builder);
	builder_string(&builder, "piped");
	builder_feature(&builder, FORMAT_FEATURE_HOSTNAME);
	builder_comm(&builder, 1, "cat");
	opened_built(&opened, &builder, false);
	ck_assert(!reader_is_stream(opened.reader));
	ck_assert_str_eq(reader_meta(opened.reader)->features.hostname, "piped");
	ck_assert(opened_next(opened.reader, &rec));
	ck_assert_str_eq(rec.comm.comm, "cat");
	ck_assert(!opened_next(opened.reader, &rec));
	opened_good(opened.reader);
	opened_close(&opened);
}
END_TEST

static void add(TCase *tcase)
{
	const int n_forms = ARRAY_SIZE(forms);

	tcase_add_loop_test(tcase, every_form_gives_the_same_records, 0, n_forms);
	tcase_add_loop_test(tcase, events_come_with_their_ids_and_names, 0, n_forms);
	tcase_add_loop_test(tcase, records_about_the_recording_change_meta, 0, n_forms);
	tcase_add_loop_test(tcase, features_are_read_in_every_form, 0, 4);
	tcase_add_loop_test(tcase, any_attr_size_is_read, 64 / 8, 200 / 8 + 1);
	tcase_add_loop_test(tcase, old_magic_takes_the_byte_order_from_the_attr_size, 0, 2);
	tcase_add_test(tcase, unknown_types_are_handed_out_raw_and_counted);
	tcase_add_loop_test(tcase, payloads_behind_records_are_stepped_over, 0, 4);
	tcase_add_test(tcase, plain_records_may_stand_between_the_halves_of_a_compressed_one);
	tcase_add_test(tcase, seekable_form_is_read_from_a_stream);
	tcase_add_test(tcase, records_of_every_size_survive_the_block_edges);
}

int main(void)
{
	return unit_main("reader", add);
}
