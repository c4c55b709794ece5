/* One record of every decoded form: how it is made and what it must decode to. */
#include "lib/record_rows.h"

#include <string.h>

#include "lib/unit.h"

static void make_stat(struct byte_builder *made)
{
	put64(made, 0x1122334455667788);
	put32(made, (uint32_t)-1);
	put32(made, 7);
	put64(made, 1000);
	put64(made, 2000);
	put64(made, 3000);
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

static void make_round(struct byte_builder *made)
{
	put64(made, 1);
	put64(made, 123456789012345);
}

static void check_round(const struct record *rec)
{
	ck_assert_uint_eq(rec->round.type, 1);
	ck_assert_uint_eq(rec->round.time_ns, 123456789012345);
}

static void make_task(struct byte_builder *made)
{
	for (uint32_t i = 1; i <= 4; i++)
		put32(made, i);
	put64(made, 555);
}

static void check_task(const struct record *rec)
{
	ck_assert(rec->task.pid == 1 && rec->task.ppid == 2 && rec->task.tid == 3 && rec->task.ptid == 4);
	ck_assert_uint_eq(rec->task.time_ns, 555);
}

static void make_lost(struct byte_builder *made)
{
	put64(made, 77);
	put64(made, 88);
}

static void check_lost(const struct record *rec)
{
	ck_assert(rec->lost.id == 77 && rec->lost.lost == 88);
}

static void make_lost_samples(struct byte_builder *made)
{
	put64(made, 99);
}

static void check_lost_samples(const struct record *rec)
{
	ck_assert(rec->lost.id == 0 && rec->lost.lost == 99);
}

static void make_comm(struct byte_builder *made)
{
	put32(made, 10);
	put32(made, 11);
	put_text(made, "worker", 8);
}

static void check_comm(const struct record *rec)
{
	ck_assert(rec->comm.pid == 10 && rec->comm.tid == 11);
	ck_assert_str_eq(rec->comm.comm, "worker");
}

static void make_mmap(struct byte_builder *made)
{
	put32(made, 1);
	put32(made, 2);
	put64(made, 0x1000);
	put64(made, 0x2000);
	put64(made, 0x3000);
	put_text(made, "/bin/x", 8);
}

static void check_mmap(const struct record *rec)
{
	ck_assert(rec->mmap.pid == 1 && rec->mmap.tid == 2 && rec->mmap.start == 0x1000);
	ck_assert(rec->mmap.len == 0x2000 && rec->mmap.pgoff == 0x3000 && rec->mmap.prot == 0);
	ck_assert_str_eq(rec->mmap.path, "/bin/x");
}

static void make_mmap2(struct byte_builder *made)
{
	make_mmap(made);
	made->len -= 8;
	put32(made, 8);
	put32(made, 1);
	put64(made, 4711);
	put64(made, 12);
	put32(made, 5);
	put32(made, 2);
	put_text(made, "/bin/y", 8);
}

static void check_mmap2(const struct record *rec)
{
	ck_assert(rec->mmap.start == 0x1000 && rec->mmap.maj == 8 && rec->mmap.min == 1);
	ck_assert(rec->mmap.ino == 4711 && rec->mmap.ino_generation == 12);
	ck_assert(rec->mmap.prot == 5 && rec->mmap.flags == 2);
	ck_assert_str_eq(rec->mmap.path, "/bin/y");
}

static void make_threads(struct byte_builder *made)
{
	put64(made, 2);
	put64(made, 100);
	put_text(made, "first", 16);
	put64(made, UINT64_MAX);
	put_text(made, "0123456789abcdefg", 16); /* fills all of it */
}

static void check_threads(const struct record *rec)
{
	ck_assert_uint_eq(rec->thread_map.n, 2);
	ck_assert_uint_eq(rec->thread_map.threads[0].pid, 100);
	ck_assert_str_eq(rec->thread_map.threads[0].comm, "first");
	ck_assert_uint_eq(rec->thread_map.threads[1].pid, UINT64_MAX);
	ck_assert_str_eq(rec->thread_map.threads[1].comm, "0123456789abcde");
}

static void make_config(struct byte_builder *made)
{
	put64(made, 2);
	put64(made, FORMAT_STAT_CONFIG_INTERVAL);
	put64(made, 100);
	put64(made, FORMAT_STAT_CONFIG_SCALE);
	put64(made, 1);
}

static void check_config(const struct record *rec)
{
	ck_assert_uint_eq(rec->stat_config.n, 2);
	ck_assert_uint_eq(rec->stat_config.entries[0].value, 100);
	ck_assert_uint_eq(rec->stat_config.entries[1].tag, FORMAT_STAT_CONFIG_SCALE);
}

static void make_cpu_list(struct byte_builder *made)
{
	put16(made, FORMAT_CPU_MAP_CPUS);
	put16(made, 3);
	put16(made, 0);
	put16(made, 17);
	put16(made, FORMAT_CPU_ANY);
	put16(made, 0);
	put16(made, 0); /* padding */
	put16(made, 0);
}

static void check_cpu_list(const struct record *rec)
{
	static const int32_t cpus[] = { 0, 17, -1 };

	ck_assert_uint_eq(rec->cpu_map.n, 3);
	ck_assert_mem_eq(rec->cpu_map.cpus, cpus, sizeof(cpus));
}

static void make_mask4(struct byte_builder *made)
{
	put16(made, FORMAT_CPU_MAP_MASK);
	put16(made, 2);
	put16(made, 4);
	put32(made, 0x80000001);
	put32(made, 2);
}

static void check_mask(const struct record *rec)
{
	static const int32_t cpus[] = { 0, 31, 33 };

	ck_assert_uint_eq(rec->cpu_map.n, 3);
	ck_assert_mem_eq(rec->cpu_map.cpus, cpus, sizeof(cpus));
}

static void make_mask8(struct byte_builder *made)
{
	put16(made, FORMAT_CPU_MAP_MASK);
	put16(made, 1);
	put16(made, 8);
	put32(made, 0);
	put64(made, 0x280000001);
}

static void make_range(struct byte_builder *made)
{
	put16(made, FORMAT_CPU_MAP_RANGE);
	made->bytes[made->len++] = 1;
	made->bytes[made->len++] = 0;
	put16(made, 4);
	put16(made, 6);
}

static void check_range(const struct record *rec)
{
	static const int32_t cpus[] = { -1, 4, 5, 6 };

	ck_assert_uint_eq(rec->cpu_map.n, 4);
	ck_assert_mem_eq(rec->cpu_map.cpus, cpus, sizeof(cpus));
}

static void make_update(struct byte_builder *made, uint64_t kind)
{
	put64(made, kind);
	put64(made, 42);
}

static void make_name(struct byte_builder *made)
{
	make_update(made, FORMAT_UPDATE_NAME);
	put_text(made, "cycles:u", 16);
}

static void check_name(const struct record *rec)
{
	ck_assert(rec->update.kind == FORMAT_UPDATE_NAME && rec->update.id == 42);
	ck_assert_str_eq(rec->update.text, "cycles:u");
}

static void make_scale(struct byte_builder *made)
{
	double scale = 2.5e-9;
	uint64_t bits;

	memcpy(&bits, &scale, sizeof(bits));
	make_update(made, FORMAT_UPDATE_SCALE);
	put64(made, bits);
}

static void check_scale(const struct record *rec)
{
	ck_assert_double_eq(rec->update.scale, 2.5e-9);
}

static void make_update_cpus(struct byte_builder *made)
{
	make_update(made, FORMAT_UPDATE_CPUS);
	make_cpu_list(made);
}

static void check_update_cpus(const struct record *rec)
{
	ck_assert_uint_eq(rec->update.n_cpus, 3);
	ck_assert_int_eq(rec->update.cpus[1], 17);
}

static void make_detail(struct byte_builder *made)
{
	put64(made, FORMAT_MARKER_ID_MARK);
	put_text(made, "seq=12 cause=mark request_ns=1000 done_ns=2000 label=a label=b  c", 72);
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

static void make_sample(struct byte_builder *made)
{
	put64(made, 42);
	put64(made, 0xffff8000);
	put32(made, 100);
	put32(made, 101);
	put64(made, 999);
	put32(made, 3);
	put32(made, 0);
	put64(made, 1000003);
}

static void check_sample(const struct record *rec)
{
	ck_assert(rec->sample.id == 42 && rec->sample.ip == 0xffff8000 && rec->sample.time_ns == 999);
	ck_assert(rec->sample.pid == 100 && rec->sample.tid == 101 && rec->sample.cpu == 3);
	ck_assert(rec->sample.period == 1000003 && rec->sample.addr == 0 && rec->sample.stream_id == 0);
}

const struct record_row record_rows[RECORD_ROWS] = {
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

const struct record_row *record_row_of(uint32_t type)
{
	size_t i = 0;

	while (record_rows[i].type != type)
		ck_assert_uint_lt(++i, RECORD_ROWS);
	return &record_rows[i];
}
