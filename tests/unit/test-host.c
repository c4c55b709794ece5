/* Facts about the machine: CPU lists, topology from a made-up sysfs, build ids of real and of broken files. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "host/buildid.h"
#include "host/facts.h"
#include "lib/tempdir.h"
#include "lib/unit.h"

static char dir[64];

static void setup(void)
{
	tempdir_make(dir);
}

static void teardown(void)
{
	tempdir_remove(dir);
}

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

START_TEST(cpu_lists_are_read)
{
	static const struct { const char *text; int n; int32_t cpus[6]; } cases[] = {
		{ "0", 1, { 0 } }, { "0-3", 4, { 0, 1, 2, 3 } }, { "0,2", 2, { 0, 2 } },
		{ "8,0-2", 4, { 0, 1, 2, 8 } }, { "1,1,0-1", 2, { 0, 1 } },
		{ "", -EINVAL, { 0 } }, { "a", -EINVAL, { 0 } }, { "1-", -EINVAL, { 0 } }, { "3-1", -EINVAL, { 0 } },
		{ "1,", -EINVAL, { 0 } }, { "-1", -EINVAL, { 0 } }, { "1 2", -EINVAL, { 0 } },
		{ "99999999999999", -EINVAL, { 0 } }, { "0-65535", -EINVAL, { 0 } },
	};
	int32_t *cpus = NULL;
	int n = host_parse_cpus(cases[_i].text, &cpus, NULL);

	ck_assert_int_eq(n, cases[_i].n);
	for (int i = 0; i < n; i++)
		ck_assert_int_eq(cpus[i], cases[_i].cpus[i]);
	free(cpus);
}
END_TEST

START_TEST(topology_comes_from_sysfs)
{
	struct host_facts facts;

	put("devices/system/cpu/present", "0-1\n");
	put("devices/system/cpu/online", "0-1\n");
	for (int cpu = 0; cpu < 2; cpu++) {
		char name[128];

		snprintf(name, sizeof(name), "devices/system/cpu/cpu%d/topology/core_id", cpu);
		put(name, cpu ? "5\n" : "4\n");
		snprintf(name, sizeof(name), "devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
		put(name, "7\n");
		snprintf(name, sizeof(name), "devices/system/cpu/cpu%d/topology/package_cpus_list", cpu);
		put(name, "0-1\n");
		snprintf(name, sizeof(name), "devices/system/cpu/cpu%d/topology/core_cpus_list", cpu);
		put(name, cpu ? "1\n" : "0\n");
	}
	put("devices/system/node/online", "0\n");
	put("devices/system/node/node0/meminfo", "Node 0 MemTotal:  1000 kB\nNode 0 MemFree:  300 kB\n");
	put("devices/system/node/node0/cpulist", "0-1\n");
	put("bus/event_source/devices/software/type", "1\n");

	ck_assert_int_eq(host_facts(&facts, dir, NULL), 0);
	ck_assert_uint_eq(facts.cpus_available, 2);
	ck_assert_uint_eq(facts.cpus_online, 2);
	ck_assert_uint_eq(facts.cpus[1].core, 5);
	ck_assert_uint_eq(facts.cpus[1].package, 7);
	ck_assert_uint_eq(facts.packages.n, 1);
	ck_assert_str_eq(facts.packages.texts[0], "0-1");
	ck_assert_uint_eq(facts.cores.n, 2);
	ck_assert_uint_eq(facts.n_nodes, 1);
	ck_assert_uint_eq(facts.nodes[0].total_kib, 1000);
	ck_assert_uint_eq(facts.nodes[0].free_kib, 300);
	ck_assert_uint_eq(facts.n_pmus, 1);
	ck_assert_str_eq(facts.pmus[0].name, "software");
	ck_assert_ptr_nonnull(facts.hostname);
	ck_assert_uint_gt(facts.total_mem_kib, 0);
	host_facts_fini(&facts);
}
END_TEST

START_TEST(missing_sysfs_leaves_facts_absent)
{
	struct host_facts facts;

	ck_assert_int_eq(host_facts(&facts, "no-such-folder", NULL), 0);
	ck_assert_uint_eq(facts.cpus_available, 0);
	ck_assert_uint_eq(facts.n_pmus, 0);
	host_facts_fini(&facts);
}
END_TEST

START_TEST(own_build_id_is_found)
{
	uint8_t id[20] = { 0 };
	int len = buildid_of_file("/proc/self/exe", id, NULL);

	ck_assert_int_ge(len, 0); /* 0: the compiler was told to make none */
	ck_assert_int_le(len, 20);
}
END_TEST

START_TEST(what_is_no_elf_has_no_id)
{
	char path[128];
	uint8_t id[20];

	put("text", "not an ELF file");
	snprintf(path, sizeof(path), "%s/text", dir);
	ck_assert_int_eq(buildid_of_file(path, id, NULL), 0);
	ck_assert_int_eq(buildid_of_file("no-such-file", id, NULL), -ENOENT);
}
END_TEST

/* Every cut of an ELF file is an id, no id or a refusal, never a crash. */
START_TEST(cut_elf_files_are_survived)
{
	char path[128];
	FILE *self = fopen("/proc/self/exe", "r");
	static char bytes[8192];
	size_t n;
	uint8_t id[20];

	ck_assert_ptr_nonnull(self);
	n = fread(bytes, 1, sizeof(bytes), self);
	fclose(self);
	snprintf(path, sizeof(path), "%s/cut", dir);
	for (size_t len = 0; len <= n; len += 61) {
		FILE *file = fopen(path, "w");

		ck_assert_ptr_nonnull(file);
		ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
		fclose(file);
		ck_assert_int_le(buildid_of_file(path, id, NULL), 20);
	}
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, cpu_lists_are_read, 0, 14);
	tcase_add_test(tcase, topology_comes_from_sysfs);
	tcase_add_test(tcase, missing_sysfs_leaves_facts_absent);
	tcase_add_test(tcase, own_build_id_is_found);
	tcase_add_test(tcase, what_is_no_elf_has_no_id);
	tcase_add_test(tcase, cut_elf_files_are_survived);
}

int main(void)
{
	return unit_main("host", add);
}
