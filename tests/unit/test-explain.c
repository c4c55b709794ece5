/* The reason and remedy of a refused counter, for each kind of machine. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "event/explain.h"
#include "event/spec.h"
#include "lib/tree.h"
#include "lib/unit.h"

static const struct {
	int code;
	const char *event;
	int cpu, tid;
	struct explain_facts facts;
	const char *what, *hint; /* parts of them */
} cases[] = {
	{ EACCES, "cs", -1, 5, { .paranoid = 3 }, "opening cs on thread 5", "perf_event_paranoid is 3" },
	{ EACCES, "task-clock", -1, 5, { .paranoid = 2 }, "thread 5", "another user's process" },
	{ EACCES, "cycles:k", -1, 5, { .paranoid = 2 }, "cycles:k", "counting the kernel" },
	{ EACCES, "task-clock", 3, -1, { .paranoid = 1 }, "on CPU 3", "whole CPUs" },
	{ EACCES, "task-clock", 3, -1, { .paranoid = 1 }, "on CPU 3", "it is 1" },
	{ EACCES, "task-clock", 3, -1, { .paranoid = INT_MIN }, "on CPU 3", "CAP_PERFMON" },
	{ EPERM, "task-clock", -1, 5, { .seccomp = 2, .paranoid = 1 }, "thread 5", "seccomp" },
	{ EPERM, "task-clock", -1, 5, { .seccomp = 2, .has_perfmon_cap = 1 }, "thread 5", "seccomp" },
	{ EACCES, "task-clock", -1, 5, { .has_perfmon_cap = 1 }, "thread 5", "security module" },
	{ ENOENT, "cycles", -1, 5, { .is_virtual = 1 }, "cycles", "virtual machine" },
	{ ENOENT, "cycles", -1, 5, { .has_pmu = 0 }, "cycles", "no hardware PMU;" },
	{ ENOENT, "cycles", -1, 5, { .has_pmu = 1 }, "cycles", "does not have it" },
	{ EOPNOTSUPP, "cs", -1, 5, { .has_pmu = 1 }, "cs", "kernel does not have it" },
	{ EMFILE, "cs", -1, 5, { .file_limit = 90, .fds_needed = 500 }, "cs", "limit is 90, about 564" },
	{ ENFILE, "cs", -1, 5, { .file_limit = 1024 }, "cs", "file-max" },
	{ ENODEV, "cs", 9, -1, { .has_pmu = 1 }, "CPU 9", "CPU 9 is offline" },
	{ ENOSYS, "cs", -1, -1, { .has_pmu = 1 }, "opening cs", "CONFIG_PERF_EVENTS" },
	{ ESRCH, "cs", -1, 5, { .has_pmu = 1 }, "thread 5", "ended" },
	{ EBUSY, "cycles", -1, 5, { .has_pmu = 1 }, "cycles", "for itself" },
	{ EINVAL, "{cycles}", -1, 5, { .has_pmu = 1 }, "cycles", ":W" },
	{ EINVAL, "cycles:pp", -1, 5, { .has_pmu = 1 }, "cycles:pp", ":P" },
	{ EINVAL, "cycles:u", -1, 5, { .has_pmu = 1 }, "cycles:u", "leave :u" },
	{ EINVAL, "cycles", -1, 5, { .has_pmu = 1 }, "cycles", "use -a" },
	{ EINVAL, "cycles", 0, -1, { .has_pmu = 1 }, "cycles", "terms" },
};

START_TEST(refusal_has_its_reason_and_remedy)
{
	struct event_list list = { 0 };
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(event_list_parse(&list, cases[_i].event, &err), 0);
	ck_assert_int_eq(explain_open(&err, cases[_i].code, &list.events[0], cases[_i].cpu, cases[_i].tid,
				      &cases[_i].facts),
			 -cases[_i].code);
	ck_assert_int_eq(err.code, cases[_i].code);
	ck_assert_msg(strstr(err.what, cases[_i].what) != NULL, "%s", err.what);
	ck_assert_msg(strstr(err.hint, cases[_i].hint) != NULL, "%s", err.hint);
	ck_assert_ptr_null(strchr(err.hint, '\n'));
	event_list_fini(&list);
}
END_TEST

START_TEST(facts_are_read_from_proc_and_sysfs)
{
	struct explain_facts facts;
	struct tree tree;

	tree_init(&tree);
	tree_write(&tree, "sys/kernel/perf_event_paranoid", "-1\n");
	tree_write(&tree, "self/status", "Name:\tx\nCapEff:\t0000004000000000\nSeccomp:\t2\n");
	tree_write(&tree, "cpuinfo", "flags\t\t: fpu vme hypervisor lahf_lm\n");
	tree_write(&tree, "bus/event_source/devices/cpu/type", "4\n");
	explain_facts_in(&facts, tree.root, tree.root);
	ck_assert_int_eq(facts.paranoid, -1);
	ck_assert(facts.has_perfmon_cap);
	ck_assert_int_eq(facts.seccomp, 2);
	ck_assert(facts.is_virtual);
	ck_assert(facts.has_pmu);
	ck_assert_uint_gt(facts.file_limit, 0);
	tree_fini(&tree);
}
END_TEST

START_TEST(facts_that_cannot_be_read_are_unknown)
{
	struct explain_facts facts;

	explain_facts_in(&facts, "/nowhere", "/nowhere");
	ck_assert_int_eq(facts.paranoid, INT_MIN);
	ck_assert(!facts.has_perfmon_cap);
	ck_assert_int_eq(facts.seccomp, 0);
	ck_assert(!facts.is_virtual);
	ck_assert(!facts.has_pmu);
}
END_TEST

START_TEST(virtual_machine_is_known_by_its_product_name)
{
	struct explain_facts facts;
	struct tree tree;

	tree_init(&tree);
	tree_write(&tree, "class/dmi/id/product_name", "KVM Virtual Machine\n");
	tree_write(&tree, "bus/event_source/devices/armv8_pmuv3_0/cpus", "0-3\n");
	explain_facts_in(&facts, tree.root, tree.root);
	ck_assert(facts.is_virtual);
	ck_assert(facts.has_pmu);
	tree_fini(&tree);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, refusal_has_its_reason_and_remedy, 0, ARRAY_SIZE(cases));
	tcase_add_test(tcase, facts_are_read_from_proc_and_sysfs);
	tcase_add_test(tcase, facts_that_cannot_be_read_are_unknown);
	tcase_add_test(tcase, virtual_machine_is_known_by_its_product_name);
}

int main(void)
{
	return unit_main("explain", add);
}
