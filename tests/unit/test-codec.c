/* The codec: every record in both byte orders, round trips, and no length in it is believed. */
#include <errno.h>
#include <string.h>

#include "data/codec.h"
#include "data/cursor.h"
#include "lib/codec_case.h"
#include "lib/record_rows.h"
#include "lib/unit.h"

START_TEST(every_record_decodes_in_both_byte_orders)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct record rec;

		begin(swapped);
		record_rows[_i].make(&made);
		ck_assert_int_eq(decode(record_rows[_i].type, &rec), 1);
		record_rows[_i].check(&rec);
	}
}
END_TEST

START_TEST(every_truncation_is_refused)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		size_t least = sizeof(struct perf_event_header) + record_rows[_i].least;
		struct record rec;

		begin(swapped);
		record_rows[_i].make(&made);
		for (size_t len = 1; len <= made.len; len++) {
			int rc = decode_part(record_rows[_i].type, 0, len, &rec);

			if (len >= least)
				ck_assert_int_eq(rc, 1);
			else if (record_rows[_i].type != FORMAT_HEADER_EVENT_TYPE || len < 16)
				ck_assert_msg(rc == -EBADMSG, "%zu bytes: %d", len, rc);
			else
				ck_assert_int_le(rc, 0); /* short of "seq=" it is not pstat's at all */
		}
	}
}
END_TEST

START_TEST(what_is_encoded_decodes_to_the_same)
{
	struct perf_event_header header;
	struct record rec;
	int n;

	begin(false);
	record_rows[_i].make(&made);
	ck_assert_int_eq(decode(record_rows[_i].type, &rec), 1);
	rec.misc = 0x1234;
	n = codec_encode(&rec, &out, NULL);
	ck_assert_int_gt(n, 0);
	ck_assert_int_eq(n, (int)out.len);
	ck_assert_int_eq(n % 8, 0);
	memcpy(&header, out.data, sizeof(header));
	ck_assert(header.type == record_rows[_i].type && header.misc == 0x1234 && header.size == n);
	memcpy(made.bytes, out.data, out.len);
	made.len = out.len;
	ck_assert_int_eq(decode(record_rows[_i].type, &rec), 1);
	record_rows[_i].check(&rec);
}
END_TEST

START_TEST(encoding_takes_no_memory_where_there_is_room)
{
	struct record rec;
	size_t cap;

	begin(false);
	record_rows[_i].make(&made);
	ck_assert_int_eq(decode(record_rows[_i].type, &rec), 1);
	ck_assert_int_eq(buffer_reserve(&out, 256, NULL), 0);
	cap = out.cap;
	ck_assert_int_gt(codec_encode(&rec, &out, NULL), 0);
	ck_assert_uint_eq(out.cap, cap);
}
END_TEST

START_TEST(counts_larger_than_the_record_are_refused)
{
	static const uint64_t counts[] = { 3, 1000, UINT64_MAX, UINT64_MAX / 16 + 2, UINT64_MAX / 24 + 2 };

	for (int swapped = 0; swapped < 2; swapped++)
		for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
			struct record rec;

			begin(swapped);
			put64(&made, counts[i]);
			for (size_t k = 0; k < 4; k++)
				put64(&made, k);
			ck_assert_int_eq(decode(FORMAT_STAT_CONFIG, &rec), -EBADMSG);
			ck_assert_int_eq(decode(FORMAT_THREAD_MAP, &rec), -EBADMSG);
		}
}
END_TEST

START_TEST(strange_cpu_maps_are_refused)
{
	static const uint16_t maps[][4] = {
		{ FORMAT_CPU_MAP_CPUS, 65535, 0, 0 }, { FORMAT_CPU_MAP_MASK, 65535, 4, 0 },
		{ FORMAT_CPU_MAP_MASK, 1, 2, 0 },     { FORMAT_CPU_MAP_MASK, 1, 0, 0 },
		{ FORMAT_CPU_MAP_RANGE, 0, 7, 6 },    { 3, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		struct record rec;

		begin(false);
		for (size_t k = 0; k < 4; k++)
			put16(&made, maps[i][k]);
		ck_assert_int_eq(decode(FORMAT_CPU_MAP, &rec), -EBADMSG);
	}
}
END_TEST

START_TEST(an_array_that_is_not_aligned_is_copied)
{
	uint8_t *bytes = malloc(200);
	struct record rec = { .type = FORMAT_THREAD_MAP };

	begin(false);
	record_row_of(FORMAT_THREAD_MAP)->make(&made);
	memcpy(bytes + 3, made.bytes, made.len);
	rec.bytes = (uint32_t)made.len;
	rec.raw = bytes + 3;
	ck_assert_int_eq(codec_decode(&meta, &rec, &scratch, NULL), 1);
	record_row_of(FORMAT_THREAD_MAP)->check(&rec);
	free(bytes);
}
END_TEST

START_TEST(types_without_a_decoded_form_are_left_alone)
{
	static const uint32_t types[] = {
		0, PERF_RECORD_AUX, 22, 63, FORMAT_HEADER_ATTR, FORMAT_COMPRESSED, 83, 200, UINT32_MAX,
	};
	struct record rec;

	begin(false);
	put64(&made, 1);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		ck_assert_int_eq(decode(types[i], &rec), 0);
		ck_assert_int_eq(codec_encode(&rec, &out, NULL), -ENOSYS);
	}
	ck_assert_uint_eq(out.len, 0);
	ck_assert_int_eq(decode_part(FORMAT_FINISHED_ROUND, 0, 8, &rec), 1);
}
END_TEST

START_TEST(a_build_id_in_mmap2_is_not_taken_for_an_inode)
{
	struct record rec;

	begin(false);
	record_row_of(PERF_RECORD_MMAP2)->make(&made);
	ck_assert_int_eq(decode_part(PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, made.len, &rec), 1);
	ck_assert(!rec.mmap.maj && !rec.mmap.min && !rec.mmap.ino && !rec.mmap.ino_generation);
	ck_assert_uint_eq(rec.mmap.prot, 5);
}
END_TEST

START_TEST(kernel_records_get_the_trailer_of_the_sample_type)
{
	struct record rec = { .type = PERF_RECORD_COMM, .comm = { 10, 11, "abc" } };
	uint32_t tid;

	ck_assert_int_eq(codec_encode(&rec, &out, NULL), 8 + 8 + 8 + 32);
	memcpy(&tid, out.data + 28, sizeof(tid));
	ck_assert_uint_eq(tid, 11);
	rec = (struct record){ .type = PERF_RECORD_FORK, .task = { 1, 2, 3, 4, 555 } };
	ck_assert_int_eq(codec_encode(&rec, &out, NULL), 8 + 24 + 32);
	ck_assert_uint_eq(bytes_u64(out.data + 56 + 8 + 24 + 8, false), 555);
}
END_TEST

START_TEST(what_does_not_fit_a_record_is_refused)
{
	static int32_t cpus[40000];
	struct record rec = { .type = FORMAT_CPU_MAP, .cpu_map = { cpus, 40000 } };

	ck_assert_int_eq(buffer_append(&out, "kept", 4, NULL), 0);
	ck_assert_int_eq(codec_encode(&rec, &out, NULL), -EMSGSIZE);
	rec.cpu_map.n = 70000;
	ck_assert_int_eq(codec_encode(&rec, &out, NULL), -EMSGSIZE);
	rec.cpu_map.n = 1;
	cpus[0] = FORMAT_CPU_ANY;
	ck_assert_int_eq(codec_encode(&rec, &out, NULL), -EMSGSIZE);
	ck_assert_uint_eq(out.len, 4);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, every_record_decodes_in_both_byte_orders, 0, RECORD_ROWS);
	tcase_add_loop_test(tcase, every_truncation_is_refused, 0, RECORD_ROWS);
	tcase_add_loop_test(tcase, what_is_encoded_decodes_to_the_same, 0, RECORD_ROWS);
	tcase_add_loop_test(tcase, encoding_takes_no_memory_where_there_is_room, 0, RECORD_ROWS);
	tcase_add_test(tcase, counts_larger_than_the_record_are_refused);
	tcase_add_test(tcase, strange_cpu_maps_are_refused);
	tcase_add_test(tcase, an_array_that_is_not_aligned_is_copied);
	tcase_add_test(tcase, types_without_a_decoded_form_are_left_alone);
	tcase_add_test(tcase, a_build_id_in_mmap2_is_not_taken_for_an_inode);
	tcase_add_test(tcase, kernel_records_get_the_trailer_of_the_sample_type);
	tcase_add_test(tcase, what_does_not_fit_a_record_is_refused);
}

int main(void)
{
	return unit_main("codec", add);
}
