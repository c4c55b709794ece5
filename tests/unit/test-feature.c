/* Header features: round trips, the forms of older perfs, hostile lengths, and the lines perf prints. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "data/cursor.h"
#include "data/meta.h"
#include "lib/made_recording.h"
#include "lib/unit.h"

static struct meta meta, back;
static struct buffer payload;

static void setup(void)
{
	const struct made made = { .rounds = 1 };

	made_meta(&meta, &made);
	made_meta(&back, &made); /* has the same events; its features are what is decoded */
	feature_set_fini(&back.features);
	for (size_t i = 0; i < back.n_events; i++) {
		free(back.events[i].name);
		back.events[i].name = NULL;
	}
	back.has_t0 = back.is_stat = false;
}

static void teardown(void)
{
	meta_fini(&meta);
	meta_fini(&back);
	buffer_fini(&payload);
}

/* What a feature's printer makes; the caller's to free. */
static char *printed(const struct meta *of, uint32_t number)
{
	const struct feature *feature = feature_find(number);
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);

	if (feature->print)
		feature->print(of, file);
	ck_assert_int_eq(fclose(file), 0);
	return text;
}

static void check_printed(const struct meta *of, uint32_t number, const char *expected)
{
	char *text = printed(of, number);

	ck_assert_str_eq(text, expected);
	free(text);
}

static void put32(uint32_t v, bool swapped)
{
	v = bytes_u32(&v, swapped);
	ck_assert_int_eq(buffer_append(&payload, &v, sizeof(v), NULL), 0);
}

static void put64(uint64_t v, bool swapped)
{
	v = bytes_u64(&v, swapped);
	ck_assert_int_eq(buffer_append(&payload, &v, sizeof(v), NULL), 0);
}

static void put_text(const char *text, bool swapped)
{
	char room[64] = "";

	memcpy(room, text, strlen(text));
	put32(sizeof(room), swapped);
	ck_assert_int_eq(buffer_append(&payload, room, sizeof(room), NULL), 0);
}

/* Decodes the first len bytes of payload, at a place of its own so that reading past it is noticed. */
static int decode_part(uint32_t number, size_t len, bool swapped)
{
	uint8_t *copy = malloc(len);
	int rc;

	if (len)
		memcpy(copy, payload.data, len);
	rc = feature_decode(&back, number, copy, len, swapped, NULL);
	free(copy);
	return rc;
}

static int decode(uint32_t number, bool swapped)
{
	return decode_part(number, payload.len, swapped);
}

static const uint32_t written[] = {
	FORMAT_FEATURE_HOSTNAME, FORMAT_FEATURE_OSRELEASE, FORMAT_FEATURE_VERSION, FORMAT_FEATURE_ARCH,
	FORMAT_FEATURE_NRCPUS, FORMAT_FEATURE_CPUDESC, FORMAT_FEATURE_CPUID, FORMAT_FEATURE_TOTAL_MEM,
	FORMAT_FEATURE_CMDLINE, FORMAT_FEATURE_EVENT_DESC, FORMAT_FEATURE_CPU_TOPOLOGY,
	FORMAT_FEATURE_NUMA_TOPOLOGY, FORMAT_FEATURE_PMU_MAPPINGS, FORMAT_FEATURE_GROUP_DESC,
	FORMAT_FEATURE_SAMPLE_TIME, FORMAT_FEATURE_CLOCKID, FORMAT_FEATURE_COMPRESSED,
	FORMAT_FEATURE_CLOCK_DATA, FORMAT_FEATURE_BUILD_ID,
};

/* What the description has none of. */
static void add_rest(struct feature_set *set)
{
	set->groups = calloc(1, sizeof(*set->groups));
	set->n_groups = 1;
	set->groups[0] = (struct feature_group){ strdup(""), 0, 2 };
	set->build_ids = calloc(2, sizeof(*set->build_ids));
	set->n_build_ids = 2;
	set->build_ids[0] = (struct feature_build_id){ PERF_RECORD_MISC_USER, -1, { 1, 2, 3 }, 20, strdup("/bin/x") };
	set->build_ids[1] = (struct feature_build_id){ PERF_RECORD_MISC_KERNEL, 0, { 9 }, 8, strdup("[kernel]") };
	set->sample_first_ns = 1001000000;
	set->sample_last_ns = 2501000000;
	set->compressed_type = FORMAT_COMPRESS_ZSTD;
	set->compressed_level = 6;
	set->compressed_ratio = 11;
	set->compressed_mmap_len = 65536;
	set->clock_data_version = 1;
	set->clock_data_clockid = 1;
	set->clock_data_wall_ns = meta.t0_wall_ns;
	set->clock_data_mono_ns = meta.t0_mono_ns;
}

START_TEST(what_is_encoded_decodes_to_what_prints_the_same)
{
	struct ps_error err = PS_ERROR_INIT;
	uint32_t number = written[_i];
	char *before, *after;

	add_rest(&meta.features);
	if (number == FORMAT_FEATURE_CPU_TOPOLOGY)
		back.features.cpus_available = 2;
	ck_assert_int_eq(feature_encode(&meta, number, &payload, &err), 0);
	ck_assert_int_eq(decode(number, false), 0);
	ck_assert(back.features.present[number]);
	for (size_t i = 0; number == FORMAT_FEATURE_GROUP_DESC && i < back.n_events; i++)
		back.events[i].name = strdup(meta.events[i].name);
	before = printed(&meta, number);
	after = printed(&back, number);
	if (number == FORMAT_FEATURE_EVENT_DESC) /* the attrs are made fit for stock perf on the way */
		ck_assert_str_eq(back.events[2].name, "cycles:u");
	else
		ck_assert_str_eq(before, after);
	free(before);
	free(after);
}
END_TEST

START_TEST(every_truncation_is_refused_or_harmless)
{
	uint32_t number = written[_i];

	add_rest(&meta.features);
	back.features.cpus_available = 2;
	ck_assert_int_eq(feature_encode(&meta, number, &payload, NULL), 0);
	for (size_t len = 1; len < payload.len; len++) {
		int rc = decode_part(number, len, false);

		ck_assert(rc == 0 || rc == -EBADMSG);
		if (rc == 0) /* whole entries, or what perfs before had not */
			ck_assert(number == FORMAT_FEATURE_BUILD_ID || number == FORMAT_FEATURE_CPU_TOPOLOGY);
	}
}
END_TEST

START_TEST(every_wrong_word_is_refused_or_harmless)
{
	static const uint32_t words[] = { UINT32_MAX, 0x7fffffff, 0x10000, 1000, 5, 0 };
	uint32_t number = written[_i];

	add_rest(&meta.features);
	back.features.cpus_available = 2;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		payload.len = 0;
		ck_assert_int_eq(feature_encode(&meta, number, &payload, NULL), 0);
		for (size_t at = 0; at + 4 <= payload.len; at += 4) {
			uint32_t was;
			int rc;

			memcpy(&was, payload.data + at, sizeof(was));
			memcpy(payload.data + at, &words[i], sizeof(was));
			rc = decode(number, false);
			ck_assert(rc == 0 || rc == -EBADMSG);
			free(printed(&back, number)); /* must survive whatever was taken */
			memcpy(payload.data + at, &was, sizeof(was));
		}
	}
}
END_TEST

START_TEST(a_refused_payload_leaves_what_was_there)
{
	ck_assert_int_eq(feature_encode(&meta, FORMAT_FEATURE_CMDLINE, &payload, NULL), 0);
	ck_assert_int_eq(decode(FORMAT_FEATURE_CMDLINE, false), 0);
	ck_assert_int_eq(decode_part(FORMAT_FEATURE_CMDLINE, payload.len - 1, false), -EBADMSG);
	ck_assert_uint_eq(back.features.n_cmdline, 2);
	ck_assert_str_eq(back.features.cmdline[1], "it's");
	ck_assert_int_eq(decode(FORMAT_FEATURE_CMDLINE, false), 0); /* a second one takes its place */
	ck_assert_int_eq(decode_part(FORMAT_FEATURE_HOSTNAME, 3, false), -EBADMSG);
	ck_assert(!back.features.present[FORMAT_FEATURE_HOSTNAME]);
}
END_TEST

START_TEST(the_other_byte_order_is_read)
{
	put_text("bigend", true);
	ck_assert_int_eq(decode(FORMAT_FEATURE_HOSTNAME, true), 0);
	ck_assert_str_eq(back.features.hostname, "bigend");
	payload.len = 0;
	put32(1, true);
	put32(1, true);
	put64(2000, true);
	put64(1000, true);
	ck_assert_int_eq(decode(FORMAT_FEATURE_CLOCK_DATA, true), 0);
	ck_assert(back.has_t0 && back.t0_wall_ns == 2000 && back.t0_mono_ns == 1000);
	payload.len = 0;
	put32(2, true);
	put_text("a", true);
	put_text("b c", true);
	ck_assert_int_eq(decode(FORMAT_FEATURE_CMDLINE, true), 0);
	check_printed(&back, FORMAT_FEATURE_CMDLINE, "# cmdline : a b c \n");
	payload.len = 0;
	put64(1, true);
	put64(0x8000000, true);
	put64(1, true);
	put64(0, true);
	put64(4, true);
	put64(5, true);
	put64(0x1b, true);
	ck_assert_int_eq(decode(FORMAT_FEATURE_MEM_TOPOLOGY, true), 0);
	check_printed(&back, FORMAT_FEATURE_MEM_TOPOLOGY,
		      "# memory nodes (nr 1, block size 0x8000000):\n#    0 [512M]: 0-1,3-4\n");
}
END_TEST

START_TEST(only_a_monotonic_clock_pair_tells_t0)
{
	put32(1, false);
	put32(4, false); /* CLOCK_MONOTONIC_RAW */
	put64(2000, false);
	put64(1000, false);
	ck_assert_int_eq(decode(FORMAT_FEATURE_CLOCK_DATA, false), 0);
	ck_assert(!back.has_t0);
}
END_TEST

/* Before Linux 4.1 there were only the lists, before 5.3 no dies. */
START_TEST(older_topologies_are_read)
{
	back.features.cpus_available = 2;
	put32(1, false);
	put_text("0-1", false);
	put32(2, false);
	put_text("0", false);
	put_text("1", false);
	ck_assert_int_eq(decode(FORMAT_FEATURE_CPU_TOPOLOGY, false), 0);
	check_printed(&back, FORMAT_FEATURE_CPU_TOPOLOGY,
		      "# sibling sockets : 0-1\n# sibling threads : 0\n# sibling threads : 1\n"
		      "# Core ID and Socket ID information is not available\n");
	for (uint32_t i = 0; i < 4; i++)
		put32(i, false);
	ck_assert_int_eq(decode(FORMAT_FEATURE_CPU_TOPOLOGY, false), 0);
	check_printed(&back, FORMAT_FEATURE_CPU_TOPOLOGY,
		      "# sibling sockets : 0-1\n# sibling threads : 0\n# sibling threads : 1\n"
		      "# CPU 0: Core ID 0, Socket ID 1\n# CPU 1: Core ID 2, Socket ID 3\n");
	put32(0, false); /* padding of a record in a stream */
	ck_assert_int_eq(decode(FORMAT_FEATURE_CPU_TOPOLOGY, false), 0);
	ck_assert_uint_eq(back.features.topology[1].package, 3);
}
END_TEST

START_TEST(a_build_id_without_its_length_has_20_bytes)
{
	const struct feature_build_id *ids;

	add_rest(&meta.features);
	ck_assert_int_eq(feature_encode(&meta, FORMAT_FEATURE_BUILD_ID, &payload, NULL), 0);
	ck_assert_uint_eq(payload.len, 2 * 100);
	payload.data[5] &= 0x7f; /* misc of the first */
	payload.data[32] = 3;
	ck_assert_int_eq(decode(FORMAT_FEATURE_BUILD_ID, false), 0);
	ids = back.features.build_ids;
	ck_assert_uint_eq(back.features.n_build_ids, 2);
	ck_assert(ids[0].id_bytes == 20 && ids[0].misc == PERF_RECORD_MISC_USER && ids[0].pid == -1);
	ck_assert_str_eq(ids[0].path, "/bin/x");
	ck_assert(ids[1].id_bytes == 8 && ids[1].id[0] == 9 && ids[1].misc == PERF_RECORD_MISC_KERNEL);
}
END_TEST

START_TEST(event_names_go_to_the_events_in_order)
{
	ck_assert_int_eq(feature_encode(&meta, FORMAT_FEATURE_EVENT_DESC, &payload, NULL), 0);
	free(back.events[0].ids);
	back.events[0].ids = NULL;
	back.events[0].n_ids = 0;
	back.events[1].ids[0] = 4711; /* the attr entry's ids are the ones that count */
	ck_assert_int_eq(decode(FORMAT_FEATURE_EVENT_DESC, false), 0);
	for (size_t i = 0; i < meta.n_events; i++)
		ck_assert_str_eq(back.events[i].name, meta.events[i].name);
	ck_assert_uint_eq(back.events[0].n_ids, 2);
	ck_assert_uint_eq(back.events[0].ids[1], 12);
	ck_assert_uint_eq(back.events[1].ids[0], 4711);
	back.n_events--; /* fewer events than names, and the other way round */
	ck_assert_int_eq(decode(FORMAT_FEATURE_EVENT_DESC, false), 0);
	back.n_events++;
	ck_assert_ptr_nonnull(meta_add_event(&back, NULL, NULL));
	ck_assert_int_eq(decode(FORMAT_FEATURE_EVENT_DESC, false), 0);
	ck_assert_ptr_null(back.events[back.n_events - 1].name);
}
END_TEST

START_TEST(lines_are_those_of_perf)
{
	static const struct {
		uint32_t number;
		const char *lines;
	} rows[] = {
		{ FORMAT_FEATURE_HOSTNAME, "# hostname : somewhere\n" },
		{ FORMAT_FEATURE_VERSION, "# perf version : pstat 0.1.0\n" },
		{ FORMAT_FEATURE_NRCPUS, "# nrcpus online : 2\n# nrcpus avail : 2\n" },
		{ FORMAT_FEATURE_TOTAL_MEM, "# total memory : 24683548 kB\n" },
		{ FORMAT_FEATURE_CMDLINE, "# cmdline : pstat it\\'s \n" },
		{ FORMAT_FEATURE_NUMA_TOPOLOGY,
		  "# node0 meminfo  : total = 5334776 kB, free = 4657732 kB\n# node0 cpu list : 0-1\n" },
		{ FORMAT_FEATURE_PMU_MAPPINGS, "# pmu mappings: software = 1\n" },
		{ FORMAT_FEATURE_GROUP_DESC, "# group: {task-clock,page-faults}\n" },
		{ FORMAT_FEATURE_STAT, "# contains stat data\n" },
		{ FORMAT_FEATURE_SAMPLE_TIME, "# time of first sample : 1.001000\n# time of last sample : 2.501000\n"
					      "# sample duration :   1500.000 ms\n" },
		{ FORMAT_FEATURE_CLOCKID, "# clockid frequency: 1000 MHz\n" },
		{ FORMAT_FEATURE_COMPRESSED, "# compressed : Zstd, level = 6, ratio = 11\n" },
		{ FORMAT_FEATURE_CLOCK_DATA,
		  "# clockid: monotonic (1)\n# reference time: 2026-12-01 16:13:27.000000 = "
		  "1796141607.000000 (TOD) = 1000.000000000 (monotonic)\n" },
		{ FORMAT_FEATURE_TRACING_DATA, "" },
	};

	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	add_rest(&meta.features);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_printed(&meta, rows[i].number, rows[i].lines);
	meta.n_events = 1;
	meta.events[0].attr.size = FORMAT_ATTR_BYTES;
	meta.events[0].attr.read_format = 3;
	meta.events[0].attr.config1 = 0x10;
	check_printed(&meta, FORMAT_FEATURE_EVENT_DESC,
		      "# event : name = task-clock, , id = { 11, 12 }, type = 1, size = 128, config = 0x1, sample_type = "
		      "IP|TID|TIME|CPU|PERIOD|IDENTIFIER, read_format = TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING, "
		      "inherit = 1, { bp_addr, config1 } = 0x10\n");
	meta.n_events = 7;
}
END_TEST

START_TEST(kept_payloads_print_and_their_lengths_are_checked)
{
	put32(1, false);
	put32(1, false);
	for (uint32_t i = 1; i <= 4; i++)
		put32(i, false);
	put_text("Data", false);
	put_text("48K", false);
	put_text("0-1", false);
	for (size_t len = 1; len < payload.len; len++)
		ck_assert_int_eq(decode_part(FORMAT_FEATURE_CACHE, len, false), -EBADMSG);
	ck_assert_int_eq(decode(FORMAT_FEATURE_CACHE, false), 0);
	ck_assert_int_eq(decode(FORMAT_FEATURE_CACHE, false), 0); /* the second takes the place of the first */
	ck_assert_uint_eq(back.features.n_raw, 1);
	check_printed(&back, FORMAT_FEATURE_CACHE, "# CPU cache info:\n#  L1 Data                 48K [0-1]\n");
	payload.len = 0;
	put32(1, false);
	put32(1, false);
	put_text("branches", false);
	put_text("32", false);
	put_text("cpu_core", false);
	for (size_t len = 1; len < payload.len; len++)
		ck_assert_int_eq(decode_part(FORMAT_FEATURE_PMU_CAPS, len, false), -EBADMSG);
	ck_assert_int_eq(decode(FORMAT_FEATURE_PMU_CAPS, false), 0);
	check_printed(&back, FORMAT_FEATURE_PMU_CAPS, "# cpu_core pmu capabilities: branches=32\n");
	ck_assert_int_eq(feature_encode(&back, FORMAT_FEATURE_PMU_CAPS, &payload, NULL), -ENOSYS);
}
END_TEST

START_TEST(bpf_programs_are_named_by_their_tag)
{
	size_t info;

	put32(1, false); /* programs */
	put32(192, false);
	put32(24, false);
	put64(0, false);
	info = payload.len;
	ck_assert_int_eq(buffer_append_zero(&payload, 192, NULL), 0);
	put64(0xffffffffc0001000, false); /* ksyms */
	put32(99, false);                 /* lengths */
	put32(0, false);
	put64(0x0807060504030201, false); /* tags */
	payload.data[info + 4] = 13;
	memcpy(payload.data + info + 64, "prog", 4);
	payload.data[info + 104] = payload.data[info + 108] = payload.data[info + 180] = 1;
	payload.data[info + 120] = 8;
	payload.data[info + 184] = 16;
	for (size_t len = 1; len < payload.len; len++)
		ck_assert_int_eq(decode_part(FORMAT_FEATURE_BPF_PROG_INFO, len, false), -EBADMSG);
	ck_assert_int_eq(decode(FORMAT_FEATURE_BPF_PROG_INFO, false), 0);
	check_printed(&back, FORMAT_FEATURE_BPF_PROG_INFO,
		      "# bpf_prog_info 13: bpf_prog_0102030405060708_prog addr 0xffffffffc0001000 size 99\n");
	payload.data[info + 113] = 0xff; /* an offset beyond the data */
	ck_assert_int_eq(decode(FORMAT_FEATURE_BPF_PROG_INFO, false), 0);
	check_printed(&back, FORMAT_FEATURE_BPF_PROG_INFO, "");
}
END_TEST

START_TEST(unknown_numbers_are_kept_and_empty_payloads_accepted)
{
	put64(1, false);
	ck_assert_int_eq(decode(200, false), 0);
	ck_assert(back.features.present[200]);
	ck_assert_uint_eq(back.features.raw[0].number, 200);
	ck_assert_uint_eq(back.features.raw[0].len, 8);
	ck_assert_int_eq(decode(FORMAT_FEATURE_BITS, false), -EBADMSG);
	ck_assert_ptr_null(feature_find(0));
	ck_assert_ptr_null(feature_find(32));
	ck_assert_ptr_null(feature_name(UINT32_MAX));
	ck_assert_int_eq(feature_encode(&meta, 200, &payload, NULL), -ENOSYS);
	for (uint32_t n = 1; n < 32; n++) {
		ck_assert_uint_eq(feature_find(n)->number, n);
		ck_assert_int_eq(decode_part(n, 0, false), 0);
		free(printed(&back, n));
	}
	ck_assert(back.is_stat);
	ck_assert(!back.has_t0);
}
END_TEST

START_TEST(text_of_a_file_cannot_drive_a_terminal)
{
	put_text("\033[2J\tx\177", false);
	ck_assert_int_eq(decode(FORMAT_FEATURE_HOSTNAME, false), 0);
	check_printed(&back, FORMAT_FEATURE_HOSTNAME, "# hostname : ?[2J?x?\n");
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, what_is_encoded_decodes_to_what_prints_the_same, 0, ARRAY_SIZE(written));
	tcase_add_loop_test(tcase, every_truncation_is_refused_or_harmless, 0, ARRAY_SIZE(written));
	tcase_add_loop_test(tcase, every_wrong_word_is_refused_or_harmless, 0, ARRAY_SIZE(written));
	tcase_add_test(tcase, a_refused_payload_leaves_what_was_there);
	tcase_add_test(tcase, the_other_byte_order_is_read);
	tcase_add_test(tcase, only_a_monotonic_clock_pair_tells_t0);
	tcase_add_test(tcase, older_topologies_are_read);
	tcase_add_test(tcase, a_build_id_without_its_length_has_20_bytes);
	tcase_add_test(tcase, event_names_go_to_the_events_in_order);
	tcase_add_test(tcase, lines_are_those_of_perf);
	tcase_add_test(tcase, kept_payloads_print_and_their_lengths_are_checked);
	tcase_add_test(tcase, bpf_programs_are_named_by_their_tag);
	tcase_add_test(tcase, unknown_numbers_are_kept_and_empty_payloads_accepted);
	tcase_add_test(tcase, text_of_a_file_cannot_drive_a_terminal);
}

int main(void)
{
	return unit_main("feature", add);
}
