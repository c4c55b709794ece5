/* PMU terms, named events, uncore CPUs and tracepoints, from made-up sysfs and tracefs folders. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "event/catalogue.h"
#include "event/spec.h"
#include "lib/tree.h"
#include "lib/unit.h"

#define PMUS "sys/bus/event_source/devices/"

struct machine {
	struct tree tree;
	char sysfs[PATH_MAX + 8], tracefs[PATH_MAX + 8];
	struct event_roots roots;
	struct event_list list;
	struct ps_error err;
};

static const struct {
	const char *path, *text;
} files[] = {
	{ PMUS "cpu/type", "4\n" },
	{ PMUS "cpu/format/event", "config:0-7,32-35\n" },
	{ PMUS "cpu/format/umask", "config:8-15\n" },
	{ PMUS "cpu/format/inv", "config:23\n" },
	{ PMUS "cpu/format/offcore_rsp", "config1:0-63\n" },
	{ PMUS "cpu/format/ldlat", "config2:4-7\n" },
	{ PMUS "cpu/format/odd", "nonsense:1\n" },
	{ PMUS "cpu/events/cycles-x", "event=0x3c\n" },
	{ PMUS "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
	{ PMUS "cpu/events/param", "event=0x20,umask=?\n" },
	{ PMUS "msr/type", "9\n" },
	{ PMUS "msr/format/event", "config:0-63\n" },
	{ PMUS "msr/events/tsc", "event=0x00\n" },
	{ PMUS "power/type", "12\n" },
	{ PMUS "power/format/event", "config:0-7\n" },
	{ PMUS "power/cpumask", "0,4-5\n" },
	{ PMUS "power/events/energy-pkg", "event=0x02\n" },
	{ PMUS "power/events/energy-pkg.unit", "Joules\n" },
	{ PMUS "power/events/energy-pkg.scale", "2.5e-10\n" },
	{ PMUS "uncore_imc_0/type", "20\n" },
	{ PMUS "uncore_imc_0/format/event", "config:0-7\n" },
	{ PMUS "uncore_imc_0/cpumask", "0\n" },
	{ PMUS "uncore_imc_1/type", "21\n" },
	{ PMUS "uncore_imc_1/format/event", "config:0-7\n" },
	{ PMUS "uncore_imc_1/cpumask", "0\n" },
	{ PMUS "uncore_imc_free/type", "22\n" },
	{ PMUS "cpu_atom/type", "10\n" },
	{ PMUS "cpu_atom/cpus", "4-5\n" },
	{ PMUS "cpu_atom/format/event", "config:0-7\n" },
	{ "tracing/events/enable", "0\n" },
	{ "tracing/events/sched/enable", "0\n" },
	{ "tracing/events/sched/sched_switch/id", "316\n" },
	{ "tracing/events/sched/sched_wakeup/id", "318\n" },
	{ "tracing/events/sched/broken/id", "what\n" },
	{ "tracing/events/irq/irq_handler_entry/id", "140\n" },
};

static void machine_init(struct machine *m)
{
	memset(m, 0, sizeof(*m));
	tree_init(&m->tree);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		tree_write(&m->tree, files[i].path, files[i].text);
	snprintf(m->sysfs, sizeof(m->sysfs), "%s/sys", m->tree.root);
	snprintf(m->tracefs, sizeof(m->tracefs), "%s/tracing", m->tree.root);
	m->roots = (struct event_roots){ m->sysfs, m->tracefs };
}

static int parse(struct machine *m, const char *text)
{
	return event_list_parse_in(&m->list, &m->roots, text, &m->err);
}

static void machine_fini(struct machine *m)
{
	event_list_fini(&m->list);
	tree_fini(&m->tree);
}

static const struct {
	const char *text, *name;
	uint32_t type;
	uint64_t config, config1, config2;
} accepted[] = {
	{ "cpu/event=0x3c/", "cpu/event=0x3c/", 4, 0x3c, 0, 0 },
	{ "cpu/event=0x3c,umask=1/", "cpu/event=0x3c,umask=1/", 4, 0x13c, 0, 0 },
	{ "cpu/event=0xa3c/", "cpu/event=0xa3c/", 4, 0xa0000003cULL, 0, 0 },
	{ "cpu/event=60,inv/u", "cpu/event=60,inv/u", 4, 0x80003c, 0, 0 },
	{ "cpu/event=60,inv=0/:k", "cpu/event=60,inv=0/k", 4, 0x3c, 0, 0 },
	{ "cpu/offcore_rsp=0xffffffffffffffff,event=1/", "cpu/offcore_rsp=0xffffffffffffffff,event=1/", 4, 1,
	  UINT64_MAX, 0 },
	{ "cpu/mem-loads/", "cpu/mem-loads/", 4, 0x1cd, 0, 0x30 },
	{ "cpu/mem-loads,ldlat=15/", "cpu/mem-loads,ldlat=15/", 4, 0x1cd, 0, 0xf0 },
	{ "cpu/mem-loads,name=loads/", "loads", 4, 0x1cd, 0, 0x30 },
	{ "cpu/param,umask=7/", "cpu/param,umask=7/", 4, 0x720, 0, 0 },
	{ "cpu/config=0x1234,config1=5,config2=6/", "cpu/config=0x1234,config1=5,config2=6/", 4, 0x1234, 5,
	  6 },
	{ "msr/tsc/", "msr/tsc/", 9, 0, 0, 0 },
	{ "tsc", "tsc", 9, 0, 0, 0 },
	{ "energy-pkg", "energy-pkg", 12, 2, 0, 0 },
	{ "sched:sched_switch", "sched:sched_switch", 2, 316, 0, 0 },
	{ "irq:irq_handler_entry:k", "irq:irq_handler_entry:k", 2, 140, 0, 0 },
};

START_TEST(terms_become_bits)
{
	struct machine m;
	const struct event *event;

	machine_init(&m);
	ck_assert_msg(parse(&m, accepted[_i].text) == 0, "%s: %s", accepted[_i].text, m.err.what);
	ck_assert_uint_eq(m.list.n, 1);
	event = &m.list.events[0];
	ck_assert_str_eq(event->name, accepted[_i].name);
	ck_assert_uint_eq(event->attr.type, accepted[_i].type);
	ck_assert_uint_eq(event->attr.config, accepted[_i].config);
	ck_assert_uint_eq(event->attr.config1, accepted[_i].config1);
	ck_assert_uint_eq(event->attr.config2, accepted[_i].config2);
	machine_fini(&m);
}
END_TEST

static const struct {
	const char *text;
	int code;
	size_t caret;
	const char *says;
} refused[] = {
	{ "cpu/event=1,foo/", EINVAL, 12, "foo" },
	{ "cpu/event=1,foo=3/", EINVAL, 12, "foo=3" },
	{ "cpu/event=0x1000/", EINVAL, 4, "more bits" },
	{ "cpu/inv=2/", EINVAL, 4, "more bits" },
	{ "cpu/event=zz/", EINVAL, 4, "number" },
	{ "cpu/event=-1/", EINVAL, 4, "number" },
	{ "cpu/event=/", EINVAL, 4, "number" },
	{ "cpu/odd=1/", EINVAL, 4, "unknown way" },
	{ "cpu/,event=1/", EINVAL, 4, "empty" },
	{ "cpu/event=1,/", EINVAL, 4, "empty" },
	{ "cpu/param/", EINVAL, 4, "needs a value" },
	{ "cpu/period=100/", EINVAL, 4, "sampling" },
	{ "cpu/event=1", EINVAL, 3, "second '/'" },
	{ "cs,gpu/event=1/", ENOENT, 3, "gpu" },
	{ "../cpu/event=1/", ENOENT, 0, "" },
	{ "cpu/../../type/", EINVAL, 4, "no such term" },
	{ "sched:nope", ENOENT, 0, "sched:nope" },
	{ "nope:*", ENOENT, 0, "nope" },
	{ "sched:broken", EINVAL, 0, "no number" },
	{ "cs,sched:*", EINVAL, 3, "broken" },
};

START_TEST(bad_terms_are_refused_with_a_caret)
{
	struct machine m;
	const char *newline;

	machine_init(&m);
	ck_assert_msg(parse(&m, refused[_i].text) == -refused[_i].code, "%s: %s", refused[_i].text,
		      m.err.what);
	ck_assert_msg(strstr(m.err.what, refused[_i].says) != NULL, "%s: %s", refused[_i].text, m.err.what);
	newline = strchr(m.err.hint, '\n');
	ck_assert_ptr_nonnull(newline);
	ck_assert_msg(strspn(newline + 1, " ") == refused[_i].caret, "%s", m.err.hint);
	ck_assert_uint_eq(m.list.n, 0);
	machine_fini(&m);
}
END_TEST

START_TEST(uncore_event_has_unit_scale_and_cpus)
{
	struct machine m;
	const struct event *event;

	machine_init(&m);
	ck_assert_int_eq(parse(&m, "power/energy-pkg/"), 0);
	event = &m.list.events[0];
	ck_assert_str_eq(event->unit, "Joules");
	ck_assert_double_eq(event->scale, 2.5e-10);
	ck_assert(event->cpu_only);
	ck_assert(!event->software);
	ck_assert_uint_eq(event->n_cpus, 3);
	ck_assert_int_eq(event->cpus[0], 0);
	ck_assert_int_eq(event->cpus[1], 4);
	ck_assert_int_eq(event->cpus[2], 5);
	machine_fini(&m);
}
END_TEST

START_TEST(core_pmu_of_a_hybrid_machine_can_count_tasks)
{
	struct machine m;

	machine_init(&m);
	ck_assert_int_eq(parse(&m, "cpu_atom/event=1/,msr/tsc/,cpu/event=1/"), 0);
	ck_assert(!m.list.events[0].cpu_only);
	ck_assert_uint_eq(m.list.events[0].n_cpus, 2);
	ck_assert(m.list.events[1].software);
	ck_assert_uint_eq(m.list.events[1].n_cpus, 0);
	ck_assert(!m.list.events[2].software);
	machine_fini(&m);
}
END_TEST

START_TEST(one_name_stands_for_all_instances_of_an_uncore_pmu)
{
	static const char *const texts[] = { "uncore_imc/event=4/", "imc/event=4/",
					     "uncore_imc_[0-9]/event=4/" };
	struct machine m;

	machine_init(&m);
	ck_assert_int_eq(parse(&m, texts[_i]), 0);
	ck_assert_uint_eq(m.list.n, 2);
	ck_assert_str_eq(m.list.events[0].name, "uncore_imc_0/event=4/");
	ck_assert_uint_eq(m.list.events[1].attr.type, 21);
	machine_fini(&m);
}
END_TEST

START_TEST(tracepoint_pattern_stands_for_all_it_matches)
{
	struct machine m;

	machine_init(&m);
	ck_assert_int_eq(parse(&m, "{sched:sched_*,irq:*}:u"), 0);
	ck_assert_uint_eq(m.list.n, 3);
	ck_assert_str_eq(m.list.events[0].name, "sched:sched_switch:u");
	ck_assert_str_eq(m.list.events[1].tracepoint, "sched:sched_wakeup");
	ck_assert_str_eq(m.list.events[2].tracepoint, "irq:irq_handler_entry");
	ck_assert(m.list.events[1].software && m.list.events[1].kernel_only);
	ck_assert(m.list.events[2].attr.exclude_kernel);
	machine_fini(&m);
}
END_TEST

START_TEST(tracefs_that_is_not_mounted_is_told)
{
	struct machine m;

	machine_init(&m);
	m.roots.tracefs = "/nowhere";
	ck_assert_int_eq(parse(&m, "sched:sched_switch"), -ENODEV);
	ck_assert_int_eq(m.err.code, ENODEV);
	ck_assert_ptr_nonnull(strstr(m.err.what, "/nowhere/events"));
	ck_assert_ptr_nonnull(strstr(m.err.hint, "mount"));
	ck_assert_int_eq(parse(&m, "cycles:x"), -EINVAL); /* these are another matter */
	ck_assert_int_eq(event_tracepoints_check(&m.roots, &m.err), -ENODEV);
	ck_assert_ptr_nonnull(strstr(m.err.hint, "mount"));
	ck_assert_int_eq(parse(&m, "foo:u"), -ENOENT);
	ck_assert_int_eq(m.err.code, ENOENT);
	machine_fini(&m);
}
END_TEST

static int collect(void *ctx, const char *name, const char *what, const char *about)
{
	char *all = ctx;

	ck_assert_ptr_nonnull(about);
	sprintf(all + strlen(all), "%s (%s)\n", name, what);
	return 0;
}

static int stop_at_first(void *ctx, const char *name, const char *what, const char *about)
{
	(void)ctx;
	(void)name;
	(void)what;
	(void)about;
	return 17;
}

START_TEST(catalogue_lists_each_source)
{
	struct machine m;
	char all[200000] = "";

	machine_init(&m);
	ck_assert_int_eq(event_catalogue_in(&m.roots, NULL, collect, all, &m.err), 0);
	ck_assert_ptr_nonnull(strstr(all, "task-clock (software)\n"));
	ck_assert_ptr_nonnull(strstr(all, "cycles (hardware)\n"));
	ck_assert_ptr_nonnull(strstr(all, "L1-dcache-load-misses (cache)\n"));
	ck_assert_ptr_nonnull(strstr(all, "power/energy-pkg/ (pmu power)\n"));
	ck_assert_ptr_nonnull(strstr(all, "sched:sched_switch (tracepoint)\n"));
	ck_assert_ptr_null(strstr(all, "energy-pkg.unit"));
	ck_assert_ptr_null(strstr(all, "enable"));
	machine_fini(&m);
}
END_TEST

START_TEST(catalogue_is_filtered_by_pattern_or_word)
{
	static const char *const patterns[] = { "*energy*", "energy", "ENERGY-P" };
	struct machine m;
	char all[20000] = "";

	machine_init(&m);
	ck_assert_int_eq(event_catalogue_in(&m.roots, patterns[_i], collect, all, &m.err), 0);
	ck_assert_ptr_nonnull(strstr(all, "power/energy-pkg/ (pmu power)\n"));
	ck_assert_ptr_null(strstr(all, "task-clock"));
	ck_assert_int_eq(event_catalogue_in(&m.roots, NULL, stop_at_first, NULL, &m.err), 17);
	machine_fini(&m);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, terms_become_bits, 0, ARRAY_SIZE(accepted));
	tcase_add_loop_test(tcase, bad_terms_are_refused_with_a_caret, 0, ARRAY_SIZE(refused));
	tcase_add_test(tcase, uncore_event_has_unit_scale_and_cpus);
	tcase_add_test(tcase, core_pmu_of_a_hybrid_machine_can_count_tasks);
	tcase_add_loop_test(tcase, one_name_stands_for_all_instances_of_an_uncore_pmu, 0, 3);
	tcase_add_test(tcase, tracepoint_pattern_stands_for_all_it_matches);
	tcase_add_test(tcase, tracefs_that_is_not_mounted_is_told);
	tcase_add_test(tcase, catalogue_lists_each_source);
	tcase_add_loop_test(tcase, catalogue_is_filtered_by_pattern_or_word, 0, 3);
}

int main(void)
{
	return unit_main("resolve", add);
}
