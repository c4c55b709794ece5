/* The codec: samples of any sample_type, attrs of any size, and the details of markers. */
#include <errno.h>
#include <string.h>

#include "data/codec.h"
#include "data/cursor.h"
#include "lib/codec_case.h"
#include "lib/record_rows.h"
#include "lib/unit.h"

/* Each sample_type of the nine leading fields, in both orders, with READ behind them. */
START_TEST(a_sample_of_any_type_is_read)
{
	static const uint64_t bits[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR,
		PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD,
	};

	for (unsigned int set = 0; set < 2 << 9; set++) {
		struct record rec;
		uint64_t type = PERF_SAMPLE_READ;

		begin(set & 1);
		for (size_t i = 0; i < 9; i++) {
			if (!(set >> 1 >> i & 1))
				continue;
			type |= bits[i];
			if (bits[i] == PERF_SAMPLE_TID || bits[i] == PERF_SAMPLE_CPU) {
				put32(&made, 50 + (uint32_t)i);
				put32(&made, 60 + (uint32_t)i);
			} else {
				put64(&made, bits[i] == PERF_SAMPLE_ID ? 100 : 100 + i);
			}
		}
		put64(&made, 1); /* READ */
		meta.events[0].attr.sample_type = type;
		meta.events[0].attr.sample_period = 4000;
		ck_assert_int_eq(decode(PERF_RECORD_SAMPLE, &rec), 1);
		ck_assert_uint_eq(rec.sample.id, set & (1 << 1 | 1 << 6) ? 100 : 0);
		ck_assert_uint_eq(rec.sample.ip, set & 1 << 2 ? 101 : 0);
		ck_assert_uint_eq(rec.sample.pid, set & 1 << 3 ? 52 : 0);
		ck_assert_uint_eq(rec.sample.tid, set & 1 << 3 ? 62 : 0);
		ck_assert_uint_eq(rec.sample.time_ns, set & 1 << 4 ? 103 : 0);
		ck_assert_uint_eq(rec.sample.addr, set & 1 << 5 ? 104 : 0);
		ck_assert_uint_eq(rec.sample.stream_id, set & 1 << 7 ? 106 : 0);
		ck_assert_uint_eq(rec.sample.cpu, set & 1 << 8 ? 57 : 0);
		ck_assert_uint_eq(rec.sample.period, set & 1 << 9 ? 108 : 4000);
	}
}
END_TEST

static void add_event(uint64_t sample_type, uint64_t id)
{
	struct meta_event *event = meta_add_event(&meta, "more", NULL);

	ck_assert_ptr_nonnull(event);
	event->attr.sample_type = sample_type;
	event->ids = calloc(1, sizeof(*event->ids));
	event->ids[0] = id;
	event->n_ids = 1;
}

START_TEST(a_sample_is_read_by_the_event_of_its_identifier)
{
	struct record rec;

	meta.events[0].attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
	add_event(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME, 7);
	add_event(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_PERIOD, 8);
	for (uint64_t id = 6; id <= 8; id++) {
		begin(id & 1);
		put64(&made, id);
		put64(&made, 1234);
		ck_assert_int_eq(decode(PERF_RECORD_SAMPLE, &rec), 1);
		ck_assert_uint_eq(id == 6 ? rec.sample.ip :
				  id == 7 ? rec.sample.time_ns : rec.sample.period, 1234);
	}
}
END_TEST

START_TEST(a_sample_is_read_by_the_event_of_its_id_where_the_places_agree)
{
	struct record rec;

	meta.events[0].attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ID;
	add_event(PERF_SAMPLE_TID | PERF_SAMPLE_ID | PERF_SAMPLE_PERIOD, 7);
	begin(true);
	put32(&made, 1);
	put32(&made, 2);
	put64(&made, 7);
	put64(&made, 5);
	ck_assert_int_eq(decode(PERF_RECORD_SAMPLE, &rec), 1);
	ck_assert(rec.sample.tid == 2 && rec.sample.period == 5 && rec.sample.ip == 0);
	meta.events[0].attr.sample_type = PERF_SAMPLE_ID | PERF_SAMPLE_CPU; /* places differ */
	ck_assert_int_eq(decode(PERF_RECORD_SAMPLE, &rec), 1);
	ck_assert_uint_eq(rec.sample.cpu, 0);
	ck_assert_uint_eq(rec.sample.period, 0);
}
END_TEST

START_TEST(a_sample_without_any_event_is_damage)
{
	struct record rec;

	meta_fini(&meta);
	meta_init(&meta);
	begin(false);
	record_row_of(PERF_RECORD_SAMPLE)->make(&made);
	ck_assert_int_eq(decode(PERF_RECORD_SAMPLE, &rec), -EBADMSG);
}
END_TEST

static void decode_detail(uint64_t id, const char *text, size_t room, int expected, struct record *rec)
{
	begin(false);
	put64(&made, id);
	put_text(&made, text, room);
	ck_assert_int_eq(decode(FORMAT_HEADER_EVENT_TYPE, rec), expected);
}

START_TEST(an_event_name_of_an_old_perf_is_no_marker)
{
	struct record rec;

	decode_detail(0, "cycles", 64, 0, &rec);
	decode_detail(12345, "seq=1 cause=start", 64, 0, &rec);
	decode_detail(FORMAT_MARKER_ID_PAUSE, "cycles", 64, 0, &rec);
	decode_detail(FORMAT_MARKER_ID_MARK + 1, "seq=1 cause=start", 64, 0, &rec);
	decode_detail(FORMAT_MARKER_ID_PAUSE, "", 64, 0, &rec);
}
END_TEST

START_TEST(a_marker_of_a_newer_pstat_is_read_as_far_as_it_is_known)
{
	struct record rec;

	decode_detail(FORMAT_MARKER_ID_RESUME, "seq=3 why=because cause=moonlight causes=9 done_ns=4x flag =",
		      80, 1, &rec);
	ck_assert_uint_eq(rec.detail.seq, 3);
	ck_assert_int_eq(rec.detail.cause, MARKER_UNKNOWN);
	ck_assert_uint_eq(rec.detail.done_ns, 4);
	ck_assert_ptr_null(rec.detail.label);
	decode_detail(FORMAT_MARKER_ID_RESUME, "seq=3 label=", 72, 1, &rec);
	ck_assert_str_eq(rec.detail.label, "");
	decode_detail(FORMAT_MARKER_ID_RESUME, "seq=18446744073709551616 cause=exit", 72, 1, &rec);
	ck_assert_uint_eq(rec.detail.seq, UINT64_MAX);
	ck_assert_int_eq(rec.detail.cause, MARKER_EXIT);
	decode_detail(FORMAT_MARKER_ID_RESUME, "seq=3 has no end", 16, -EBADMSG, &rec);
}
END_TEST

START_TEST(the_text_of_a_marker_is_the_documented_one)
{
	struct record rec = { .type = FORMAT_HEADER_EVENT_TYPE };

	rec.detail = (struct record_marker_detail){ FORMAT_MARKER_ID_PAUSE, 1, MARKER_COMMAND, 10, 20, NULL };
	ck_assert_int_eq(codec_encode(&rec, &out, NULL), FORMAT_MARKER_DETAIL_MIN_BYTES);
	ck_assert_str_eq((const char *)out.data + 16, "seq=1 cause=command request_ns=10 done_ns=20");
	out.len = 0;
	rec.detail.label = "a b";
	ck_assert_int_gt(codec_encode(&rec, &out, NULL), 0);
	ck_assert_str_eq((const char *)out.data + 16,
			 "seq=1 cause=command request_ns=10 done_ns=20 label=a b");
	for (int cause = 0; cause <= MARKER_UNKNOWN; cause++) {
		const char *name = marker_cause_name((enum marker_cause)cause);

		ck_assert_int_eq(marker_cause_parse(name, strlen(name)), (enum marker_cause)cause);
	}
}
END_TEST

START_TEST(an_attr_of_any_size_is_read_in_both_byte_orders)
{
	for (size_t size = 64; size <= 200; size += 8)
		for (int swapped = 0; swapped < 2; swapped++) {
			struct perf_event_attr attr;
			uint32_t bytes = 0;

			made.swapped = swapped;
			made.len = 0;
			put32(&made, PERF_TYPE_RAW);
			put32(&made, (uint32_t)size);
			put64(&made, 0x1122334455667788);
			put64(&made, 4000);
			put64(&made, FORMAT_SAMPLE_TYPE);
			put64(&made, 3);
			memset(made.bytes + made.len, 0, 8); /* flags: disabled, sample_id_all, use_clockid */
			made.bytes[made.len] = swapped ? 0x80 : 0x01;
			made.bytes[made.len + 2] = swapped ? 0x20 : 0x04;
			made.bytes[made.len + 3] = swapped ? 0x40 : 0x02;
			made.len += 8;
			put32(&made, 9);
			while (made.len < 92)
				put32(&made, 0);
			put32(&made, (uint32_t)-2); /* clockid */
			while (made.len < 120)
				put64(&made, 0);
			while (made.len < 200)
				put64(&made, 0xabcdef);
			ck_assert_int_eq(codec_decode_attr(made.bytes, size, swapped, &attr, &bytes, NULL), 0);
			ck_assert_uint_eq(bytes, size);
			ck_assert(attr.type == PERF_TYPE_RAW && attr.config == 0x1122334455667788);
			ck_assert(attr.sample_period == 4000 && attr.sample_type == FORMAT_SAMPLE_TYPE);
			ck_assert(attr.disabled && attr.sample_id_all && attr.use_clockid);
			ck_assert(!attr.inherit && !attr.pinned && !attr.mmap && !attr.comm && !attr.context_switch);
			ck_assert_uint_eq(attr.wakeup_events, 9);
			ck_assert_int_eq(attr.clockid, size >= 96 ? -2 : 0);
			ck_assert_uint_eq(attr.sig_data, size >= 128 ? 0xabcdef : 0);
		}
}
END_TEST

START_TEST(attrs_of_impossible_sizes_are_refused)
{
	static const uint32_t sizes[] = { 1, 63, 68, 136, 4104, UINT32_MAX };
	struct perf_event_attr attr;
	uint32_t bytes;

	memset(made.bytes, 0, sizeof(made.bytes));
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		memcpy(made.bytes + 4, &sizes[i], sizeof(sizes[i]));
		ck_assert_int_eq(codec_decode_attr(made.bytes, 128, false, &attr, &bytes, NULL), -EBADMSG);
	}
	ck_assert_int_eq(codec_decode_attr(made.bytes, 63, false, &attr, &bytes, NULL), -EBADMSG);
	memset(made.bytes + 4, 0, 4); /* size 0 is the first version's */
	ck_assert_int_eq(codec_decode_attr(made.bytes, 64, false, &attr, &bytes, NULL), 0);
	ck_assert_uint_eq(bytes, 64);
}
END_TEST

START_TEST(a_written_attr_keeps_the_rules_of_stock_perf)
{
	struct perf_event_attr attr, back;
	uint32_t bytes;

	memset(&attr, 0xff, sizeof(attr));
	ck_assert_int_eq(codec_encode_attr(&attr, &out, NULL), 0);
	ck_assert_uint_eq(out.len, FORMAT_ATTR_BYTES);
	ck_assert_uint_eq(bytes_u64(out.data + 40, false) >> 38, 0);
	ck_assert_int_eq(codec_decode_attr(out.data, out.len, false, &back, &bytes, NULL), 0);
	ck_assert_uint_eq(bytes, FORMAT_ATTR_BYTES);
	ck_assert_uint_eq(back.sample_type, FORMAT_SAMPLE_TYPE);
	ck_assert(back.clockid == 1 && !back.__reserved_2 && !back.__reserved_3);
	ck_assert_uint_eq(back.config, UINT64_MAX);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_sample_of_any_type_is_read);
	tcase_add_test(tcase, a_sample_is_read_by_the_event_of_its_identifier);
	tcase_add_test(tcase, a_sample_is_read_by_the_event_of_its_id_where_the_places_agree);
	tcase_add_test(tcase, a_sample_without_any_event_is_damage);
	tcase_add_test(tcase, an_event_name_of_an_old_perf_is_no_marker);
	tcase_add_test(tcase, a_marker_of_a_newer_pstat_is_read_as_far_as_it_is_known);
	tcase_add_test(tcase, the_text_of_a_marker_is_the_documented_one);
	tcase_add_test(tcase, an_attr_of_any_size_is_read_in_both_byte_orders);
	tcase_add_test(tcase, attrs_of_impossible_sizes_are_refused);
	tcase_add_test(tcase, a_written_attr_keeps_the_rules_of_stock_perf);
}

int main(void)
{
	return unit_main("codec-sample", add);
}
