/* The codec: every record in both byte orders, round trips, and no length in it is believed. */
#include <errno.h>
#include <string.h>

#include "data/codec.h"
#include "data/cursor.h"
#include "lib/unit.h"

static struct meta meta;
static struct buffer scratch, out;

/* A record being built, in either byte order. */
static struct {
	uint8_t bytes[FORMAT_RECORD_MAX_BYTES];
	size_t len;
	bool swapped;
} made;

static void put16(uint16_t v)
{
	v = bytes_u16(&v, made.swapped);
	memcpy(made.bytes + made.len, &v, sizeof(v));
	made.len += sizeof(v);
}

static void put32(uint32_t v)
{
	v = bytes_u32(&v, made.swapped);
	memcpy(made.bytes + made.len, &v, sizeof(v));
	made.len += sizeof(v);
}

static void put64(uint64_t v)
{
	v = bytes_u64(&v, made.swapped);
	memcpy(made.bytes + made.len, &v, sizeof(v));
	made.len += sizeof(v);
}

static void put_text(const char *text, size_t room)
{
	memset(made.bytes + made.len, 0, room);
	memcpy(made.bytes + made.len, text, strlen(text) < room ? strlen(text) : room);
	made.len += room;
}

static void begin(bool swapped)
{
	made.swapped = swapped;
	made.len = sizeof(struct perf_event_header);
}

/* Decodes the first len bytes as a record of that size, at a place of its own so that reading past it is noticed. */
static int decode_part(uint32_t type, uint16_t misc, size_t len, struct record *rec)
{
	static uint8_t *copy;
	struct ps_error err = PS_ERROR_INIT;
	int rc;

	free(copy);
	copy = malloc(len);
	memcpy(copy, made.bytes, len);
	memset(rec, 0xee, sizeof(*rec));
	rec->type = type;
	rec->misc = misc;
	rec->bytes = (uint32_t)len;
	rec->raw = copy;
	rec->raw_swapped = made.swapped;
	rc = codec_decode(&meta, rec, &scratch, &err);
	ck_assert(rc == 1 || rc == 0 || (rc == -EBADMSG && err.code == EBADMSG));
	return rc;
}

static int decode(uint32_t type, struct record *rec)
{
	return decode_part(type, 0, made.len, rec);
}

static void setup(void)
{
	meta_init(&meta);
	ck_assert_ptr_nonnull(meta_add_event(&meta, "event", NULL));
	meta.events[0].attr.sample_type = FORMAT_SAMPLE_TYPE;
}

static void teardown(void)
{
	meta_fini(&meta);
	buffer_fini(&scratch);
	buffer_fini(&out);
}

static void make_stat(void)
{
	put64(0x1122334455667788);
	put32((uint32_t)-1);
	put32(7);
	put64(1000);
	put64(2000);
	put64(3000);
}

static void check_stat(const struct record *rec)
{
	ck_assert_uint_eq(rec->stat.id, 0x1122334455667788);
	ck_assert_int_eq(rec->stat.cpu, -1);
	ck_assert_uint_eq(rec->stat.thread, 7);
	ck_assert_uint_eq(rec->stat.val, 1000);
	ck_assert_uint_eq(rec->stat.enabled_ns, 2000);
	ck_assert_uint_eq(rec->stat.running_ns, 3000);
}

static void make_round(void)
{
	put64(1);
	put64(123456789012345);
}

static void check_round(const struct record *rec)
{
	ck_assert_uint_eq(rec->round.type, 1);
	ck_assert_uint_eq(rec->round.time_ns, 123456789012345);
}

static void make_task(void)
{
	for (uint32_t i = 1; i <= 4; i++)
		put32(i);
	put64(555);
}

static void check_task(const struct record *rec)
{
	ck_assert(rec->task.pid == 1 && rec->task.ppid == 2 && rec->task.tid == 3 && rec->task.ptid == 4);
	ck_assert_uint_eq(rec->task.time_ns, 555);
}

static void make_lost(void)
{
	put64(77);
	put64(88);
}

static void check_lost(const struct record *rec)
{
	ck_assert(rec->lost.id == 77 && rec->lost.lost == 88);
}

static void make_lost_samples(void)
{
	put64(99);
}

static void check_lost_samples(const struct record *rec)
{
	ck_assert(rec->lost.id == 0 && rec->lost.lost == 99);
}

static void make_comm(void)
{
	put32(10);
	put32(11);
	put_text("worker", 8);
}

static void check_comm(const struct record *rec)
{
	ck_assert(rec->comm.pid == 10 && rec->comm.tid == 11);
	ck_assert_str_eq(rec->comm.comm, "worker");
}

static void make_mmap(void)
{
	put32(1);
	put32(2);
	put64(0x1000);
	put64(0x2000);
	put64(0x3000);
	put_text("/bin/x", 8);
}

static void check_mmap(const struct record *rec)
{
	ck_assert(rec->mmap.pid == 1 && rec->mmap.tid == 2 && rec->mmap.start == 0x1000);
	ck_assert(rec->mmap.len == 0x2000 && rec->mmap.pgoff == 0x3000 && rec->mmap.prot == 0);
	ck_assert_str_eq(rec->mmap.path, "/bin/x");
}

static void make_mmap2(void)
{
	make_mmap();
	made.len -= 8;
	put32(8);
	put32(1);
	put64(4711);
	put64(12);
	put32(5);
	put32(2);
	put_text("/bin/y", 8);
}

static void check_mmap2(const struct record *rec)
{
	ck_assert(rec->mmap.start == 0x1000 && rec->mmap.maj == 8 && rec->mmap.min == 1);
	ck_assert(rec->mmap.ino == 4711 && rec->mmap.ino_generation == 12);
	ck_assert(rec->mmap.prot == 5 && rec->mmap.flags == 2);
	ck_assert_str_eq(rec->mmap.path, "/bin/y");
}

static void make_threads(void)
{
	put64(2);
	put64(100);
	put_text("first", 16);
	put64(UINT64_MAX);
	put_text("0123456789abcdefg", 16); /* fills all of it */
}

static void check_threads(const struct record *rec)
{
	ck_assert_uint_eq(rec->thread_map.n, 2);
	ck_assert_uint_eq(rec->thread_map.threads[0].pid, 100);
	ck_assert_str_eq(rec->thread_map.threads[0].comm, "first");
	ck_assert_uint_eq(rec->thread_map.threads[1].pid, UINT64_MAX);
	ck_assert_str_eq(rec->thread_map.threads[1].comm, "0123456789abcde");
}

static void make_config(void)
{
	put64(2);
	put64(FORMAT_STAT_CONFIG_INTERVAL);
	put64(100);
	put64(FORMAT_STAT_CONFIG_SCALE);
	put64(1);
}

static void check_config(const struct record *rec)
{
	ck_assert_uint_eq(rec->stat_config.n, 2);
	ck_assert_uint_eq(rec->stat_config.entries[0].value, 100);
	ck_assert_uint_eq(rec->stat_config.entries[1].tag, FORMAT_STAT_CONFIG_SCALE);
}

static void make_cpu_list(void)
{
	put16(FORMAT_CPU_MAP_CPUS);
	put16(3);
	put16(0);
	put16(17);
	put16(FORMAT_CPU_ANY);
	put16(0);
	put16(0); /* padding */
	put16(0);
}

static void check_cpu_list(const struct record *rec)
{
	static const int32_t cpus[] = { 0, 17, -1 };

	ck_assert_uint_eq(rec->cpu_map.n, 3);
	ck_assert_mem_eq(rec->cpu_map.cpus, cpus, sizeof(cpus));
}

static void make_mask4(void)
{
	put16(FORMAT_CPU_MAP_MASK);
	put16(2);
	put16(4);
	put32(0x80000001);
	put32(2);
}

static void check_mask(const struct record *rec)
{
	static const int32_t cpus[] = { 0, 31, 33 };

	ck_assert_uint_eq(rec->cpu_map.n, 3);
	ck_assert_mem_eq(rec->cpu_map.cpus, cpus, sizeof(cpus));
}

static void make_mask8(void)
{
	put16(FORMAT_CPU_MAP_MASK);
	put16(1);
	put16(8);
	put32(0);
	put64(0x280000001);
}

static void make_range(void)
{
	put16(FORMAT_CPU_MAP_RANGE);
	made.bytes[made.len++] = 1;
	made.bytes[made.len++] = 0;
	put16(4);
	put16(6);
}

static void check_range(const struct record *rec)
{
	static const int32_t cpus[] = { -1, 4, 5, 6 };

	ck_assert_uint_eq(rec->cpu_map.n, 4);
	ck_assert_mem_eq(rec->cpu_map.cpus, cpus, sizeof(cpus));
}

static void make_update(uint64_t kind)
{
	put64(kind);
	put64(42);
}

static void make_name(void)
{
	make_update(FORMAT_UPDATE_NAME);
	put_text("cycles:u", 16);
}

static void check_name(const struct record *rec)
{
	ck_assert(rec->update.kind == FORMAT_UPDATE_NAME && rec->update.id == 42);
	ck_assert_str_eq(rec->update.text, "cycles:u");
}

static void make_scale(void)
{
	double scale = 2.5e-9;
	uint64_t bits;

	memcpy(&bits, &scale, sizeof(bits));
	make_update(FORMAT_UPDATE_SCALE);
	put64(bits);
}

static void check_scale(const struct record *rec)
{
	ck_assert_double_eq(rec->update.scale, 2.5e-9);
}

static void make_update_cpus(void)
{
	make_update(FORMAT_UPDATE_CPUS);
	make_cpu_list();
}

static void check_update_cpus(const struct record *rec)
{
	ck_assert_uint_eq(rec->update.n_cpus, 3);
	ck_assert_int_eq(rec->update.cpus[1], 17);
}

static void make_detail(void)
{
	put64(FORMAT_MARKER_ID_MARK);
	put_text("seq=12 cause=mark request_ns=1000 done_ns=2000 label=a label=b  c", 72);
}

static void check_detail(const struct record *rec)
{
	ck_assert_uint_eq(rec->detail.id, FORMAT_MARKER_ID_MARK);
	ck_assert_uint_eq(rec->detail.seq, 12);
	ck_assert_int_eq(rec->detail.cause, MARKER_MARK);
	ck_assert_uint_eq(rec->detail.request_ns, 1000);
	ck_assert_uint_eq(rec->detail.done_ns, 2000);
	ck_assert_str_eq(rec->detail.label, "a label=b  c");
}

static void make_sample(void)
{
	put64(42);
	put64(0xffff8000);
	put32(100);
	put32(101);
	put64(999);
	put32(3);
	put32(0);
	put64(1000003);
}

static void check_sample(const struct record *rec)
{
	ck_assert(rec->sample.id == 42 && rec->sample.ip == 0xffff8000 && rec->sample.time_ns == 999);
	ck_assert(rec->sample.pid == 100 && rec->sample.tid == 101 && rec->sample.cpu == 3);
	ck_assert(rec->sample.period == 1000003 && rec->sample.addr == 0 && rec->sample.stream_id == 0);
}

/* least: bytes of the body below which it is damaged; the rest is padding or text whose end is there already. */
static const struct {
	uint32_t type;
	size_t least;
	void (*make)(void);
	void (*check)(const struct record *rec);
} rows[] = {
	{ FORMAT_STAT, 40, make_stat, check_stat },
	{ FORMAT_STAT_ROUND, 16, make_round, check_round },
	{ PERF_RECORD_FORK, 24, make_task, check_task },
	{ PERF_RECORD_EXIT, 24, make_task, check_task },
	{ PERF_RECORD_LOST, 16, make_lost, check_lost },
	{ PERF_RECORD_LOST_SAMPLES, 8, make_lost_samples, check_lost_samples },
	{ PERF_RECORD_COMM, 15, make_comm, check_comm },
	{ PERF_RECORD_MMAP, 39, make_mmap, check_mmap },
	{ PERF_RECORD_MMAP2, 71, make_mmap2, check_mmap2 },
	{ FORMAT_THREAD_MAP, 56, make_threads, check_threads },
	{ FORMAT_STAT_CONFIG, 40, make_config, check_config },
	{ FORMAT_CPU_MAP, 10, make_cpu_list, check_cpu_list },
	{ FORMAT_CPU_MAP, 14, make_mask4, check_mask },
	{ FORMAT_CPU_MAP, 18, make_mask8, check_mask },
	{ FORMAT_CPU_MAP, 8, make_range, check_range },
	{ FORMAT_EVENT_UPDATE, 25, make_name, check_name },
	{ FORMAT_EVENT_UPDATE, 24, make_scale, check_scale },
	{ FORMAT_EVENT_UPDATE, 26, make_update_cpus, check_update_cpus },
	{ FORMAT_HEADER_EVENT_TYPE, 74, make_detail, check_detail },
	{ PERF_RECORD_SAMPLE, 48, make_sample, check_sample },
};

START_TEST(every_record_decodes_in_both_byte_orders)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct record rec;

		begin(swapped);
		rows[_i].make();
		ck_assert_int_eq(decode(rows[_i].type, &rec), 1);
		rows[_i].check(&rec);
	}
}
END_TEST

START_TEST(every_truncation_is_refused)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		size_t least = sizeof(struct perf_event_header) + rows[_i].least;
		struct record rec;

		begin(swapped);
		rows[_i].make();
		for (size_t len = 1; len <= made.len; len++) {
			int rc = decode_part(rows[_i].type, 0, len, &rec);

			if (len >= least)
				ck_assert_int_eq(rc, 1);
			else if (rows[_i].type != FORMAT_HEADER_EVENT_TYPE || len < 16)
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
	rows[_i].make();
	ck_assert_int_eq(decode(rows[_i].type, &rec), 1);
	rec.misc = 0x1234;
	n = codec_encode(&rec, &out, NULL);
	ck_assert_int_gt(n, 0);
	ck_assert_int_eq(n, (int)out.len);
	ck_assert_int_eq(n % 8, 0);
	memcpy(&header, out.data, sizeof(header));
	ck_assert(header.type == rows[_i].type && header.misc == 0x1234 && header.size == n);
	memcpy(made.bytes, out.data, out.len);
	made.len = out.len;
	ck_assert_int_eq(decode(rows[_i].type, &rec), 1);
	rows[_i].check(&rec);
}
END_TEST

START_TEST(encoding_takes_no_memory_where_there_is_room)
{
	struct record rec;
	size_t cap;

	begin(false);
	rows[_i].make();
	ck_assert_int_eq(decode(rows[_i].type, &rec), 1);
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
			put64(counts[i]);
			for (size_t k = 0; k < 4; k++)
				put64(k);
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
			put16(maps[i][k]);
		ck_assert_int_eq(decode(FORMAT_CPU_MAP, &rec), -EBADMSG);
	}
}
END_TEST

START_TEST(an_array_that_is_not_aligned_is_copied)
{
	uint8_t *bytes = malloc(200);
	struct record rec = { .type = FORMAT_THREAD_MAP };

	begin(false);
	make_threads();
	memcpy(bytes + 3, made.bytes, made.len);
	rec.bytes = (uint32_t)made.len;
	rec.raw = bytes + 3;
	ck_assert_int_eq(codec_decode(&meta, &rec, &scratch, NULL), 1);
	check_threads(&rec);
	free(bytes);
}
END_TEST

START_TEST(types_without_a_decoded_form_are_left_alone)
{
	static const uint32_t types[] = { 0, PERF_RECORD_AUX, 22, 63, FORMAT_HEADER_ATTR, FORMAT_COMPRESSED, 83, 200,
					  UINT32_MAX };
	struct record rec;

	begin(false);
	put64(1);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		ck_assert_int_eq(decode(types[i], &rec), 0);
		ck_assert_int_eq(codec_encode(&rec, &out, NULL), -ENOSYS);
	}
	ck_assert_uint_eq(out.len, 0);
	ck_assert_int_eq(decode_part(FORMAT_FINISHED_ROUND, 0, 8, &rec), 1);
}
END_TEST

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
				put32(50 + (uint32_t)i);
				put32(60 + (uint32_t)i);
			} else {
				put64(bits[i] == PERF_SAMPLE_ID ? 100 : 100 + i);
			}
		}
		put64(1); /* READ */
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
		put64(id);
		put64(1234);
		ck_assert_int_eq(decode(PERF_RECORD_SAMPLE, &rec), 1);
		ck_assert_uint_eq(id == 6 ? rec.sample.ip : id == 7 ? rec.sample.time_ns : rec.sample.period, 1234);
	}
}
END_TEST

START_TEST(a_sample_is_read_by_the_event_of_its_id_where_the_places_agree)
{
	struct record rec;

	meta.events[0].attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ID;
	add_event(PERF_SAMPLE_TID | PERF_SAMPLE_ID | PERF_SAMPLE_PERIOD, 7);
	begin(true);
	put32(1);
	put32(2);
	put64(7);
	put64(5);
	ck_assert_int_eq(decode(PERF_RECORD_SAMPLE, &rec), 1);
	ck_assert(rec.sample.tid == 2 && rec.sample.period == 5 && rec.sample.ip == 0);
	meta.events[0].attr.sample_type = PERF_SAMPLE_ID | PERF_SAMPLE_CPU; /* the places differ: the first event's */
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
	make_sample();
	ck_assert_int_eq(decode(PERF_RECORD_SAMPLE, &rec), -EBADMSG);
}
END_TEST

START_TEST(a_build_id_in_mmap2_is_not_taken_for_an_inode)
{
	struct record rec;

	begin(false);
	make_mmap2();
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

static void decode_detail(uint64_t id, const char *text, size_t room, int expected, struct record *rec)
{
	begin(false);
	put64(id);
	put_text(text, room);
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

	decode_detail(FORMAT_MARKER_ID_RESUME, "seq=3 why=because cause=moonlight causes=9 done_ns=4x flag =", 80, 1, &rec);
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
	ck_assert_str_eq((const char *)out.data + 16, "seq=1 cause=command request_ns=10 done_ns=20 label=a b");
	for (int cause = 0; cause <= MARKER_UNKNOWN; cause++) {
		const char *name = marker_cause_name((enum marker_cause)cause);

		ck_assert_int_eq(marker_cause_parse(name, strlen(name)), (enum marker_cause)cause);
	}
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

START_TEST(an_attr_of_any_size_is_read_in_both_byte_orders)
{
	for (size_t size = 64; size <= 200; size += 8)
		for (int swapped = 0; swapped < 2; swapped++) {
			struct perf_event_attr attr;
			uint32_t bytes = 0;

			made.swapped = swapped;
			made.len = 0;
			put32(PERF_TYPE_RAW);
			put32((uint32_t)size);
			put64(0x1122334455667788);
			put64(4000);
			put64(FORMAT_SAMPLE_TYPE);
			put64(3);
			memset(made.bytes + made.len, 0, 8); /* flags: disabled, sample_id_all, use_clockid */
			made.bytes[made.len] = swapped ? 0x80 : 0x01;
			made.bytes[made.len + 2] = swapped ? 0x20 : 0x04;
			made.bytes[made.len + 3] = swapped ? 0x40 : 0x02;
			made.len += 8;
			put32(9);
			while (made.len < 92)
				put32(0);
			put32((uint32_t)-2); /* clockid */
			while (made.len < 120)
				put64(0);
			while (made.len < 200)
				put64(0xabcdef);
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
	tcase_add_loop_test(tcase, every_record_decodes_in_both_byte_orders, 0, ARRAY_SIZE(rows));
	tcase_add_loop_test(tcase, every_truncation_is_refused, 0, ARRAY_SIZE(rows));
	tcase_add_loop_test(tcase, what_is_encoded_decodes_to_the_same, 0, ARRAY_SIZE(rows));
	tcase_add_loop_test(tcase, encoding_takes_no_memory_where_there_is_room, 0, ARRAY_SIZE(rows));
	tcase_add_test(tcase, counts_larger_than_the_record_are_refused);
	tcase_add_test(tcase, strange_cpu_maps_are_refused);
	tcase_add_test(tcase, an_array_that_is_not_aligned_is_copied);
	tcase_add_test(tcase, types_without_a_decoded_form_are_left_alone);
	tcase_add_test(tcase, a_sample_of_any_type_is_read);
	tcase_add_test(tcase, a_sample_is_read_by_the_event_of_its_identifier);
	tcase_add_test(tcase, a_sample_is_read_by_the_event_of_its_id_where_the_places_agree);
	tcase_add_test(tcase, a_sample_without_any_event_is_damage);
	tcase_add_test(tcase, a_build_id_in_mmap2_is_not_taken_for_an_inode);
	tcase_add_test(tcase, kernel_records_get_the_trailer_of_the_sample_type);
	tcase_add_test(tcase, an_event_name_of_an_old_perf_is_no_marker);
	tcase_add_test(tcase, a_marker_of_a_newer_pstat_is_read_as_far_as_it_is_known);
	tcase_add_test(tcase, the_text_of_a_marker_is_the_documented_one);
	tcase_add_test(tcase, what_does_not_fit_a_record_is_refused);
	tcase_add_test(tcase, an_attr_of_any_size_is_read_in_both_byte_orders);
	tcase_add_test(tcase, attrs_of_impossible_sizes_are_refused);
	tcase_add_test(tcase, a_written_attr_keeps_the_rules_of_stock_perf);
}

int main(void)
{
	return unit_main("codec", add);
}
