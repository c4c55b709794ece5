/* perf's names of generic events, raw codes, and what follows from an event's type. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/catalogue.h"
#include "event/resolve.h"
#include "event/resolve_pmu.h"
#include "event/sysfs.h"

struct alias {
	const char *name, *other; /* other: a second name, or NULL */
	uint32_t type;
	uint64_t config;
	const char *about;
};

#define HW(config) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config
#define SW(config) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config

/* libpfm4 knows most of them as well; those it does not know, and the list of all, come from here. */
static const struct alias aliases[] = {
	{ "task-clock", NULL, SW(TASK_CLOCK), "time the target spent on a CPU" },
	{ "cpu-clock", NULL, SW(CPU_CLOCK), "time counted by a timer of each CPU" },
	{ "context-switches", "cs", SW(CONTEXT_SWITCHES), "switches from one task to another" },
	{ "cpu-migrations", "migrations", SW(CPU_MIGRATIONS), "moves of a task to another CPU" },
	{ "page-faults", "faults", SW(PAGE_FAULTS), "page faults of both kinds" },
	{ "minor-faults", NULL, SW(PAGE_FAULTS_MIN), "page faults that needed no input" },
	{ "major-faults", NULL, SW(PAGE_FAULTS_MAJ), "page faults that waited for input" },
	{ "alignment-faults", NULL, SW(ALIGNMENT_FAULTS), "unaligned accesses the kernel had to mend" },
	{ "emulation-faults", NULL, SW(EMULATION_FAULTS), "instructions the kernel had to emulate" },
	{ "cgroup-switches", NULL, SW(CGROUP_SWITCHES), "switches to a task of another cgroup" },
	{ "bpf-output", NULL, SW(BPF_OUTPUT), "output of BPF programs" },
	{ "dummy", NULL, SW(DUMMY), "counts nothing" },
	{ "cycles", "cpu-cycles", HW(CPU_CYCLES), "cycles of the processor" },
	{ "instructions", NULL, HW(INSTRUCTIONS), "instructions retired" },
	{ "branches", "branch-instructions", HW(BRANCH_INSTRUCTIONS), "branches retired" },
	{ "branch-misses", NULL, HW(BRANCH_MISSES), "branches that were predicted wrongly" },
	{ "cache-references", NULL, HW(CACHE_REFERENCES), "accesses of the last-level cache" },
	{ "cache-misses", NULL, HW(CACHE_MISSES), "accesses the last-level cache could not serve" },
	{ "bus-cycles", NULL, HW(BUS_CYCLES), "cycles of the bus" },
	{ "ref-cycles", NULL, HW(REF_CPU_CYCLES), "cycles at a constant rate" },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", HW(STALLED_CYCLES_FRONTEND),
	  "cycles without instructions to do" },
	{ "stalled-cycles-backend", "idle-cycles-backend", HW(STALLED_CYCLES_BACKEND),
	  "cycles waiting for resources" },
};

/* Combinations of the kernel's generic cache events. */
static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node" };
static const char *const operations[] = { "load", "store", "prefetch" };

static bool is(struct span name, const char *text)
{
	return text && strlen(text) == name.len && !memcmp(text, name.at, name.len);
}

static const struct alias *find_alias(struct span name)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (is(name, aliases[i].name) || is(name, aliases[i].other))
			return &aliases[i];
	return NULL;
}

/* rNNN: the bits of the PMU's own event register, in hexadecimal. */
static bool parse_raw(struct span name, uint64_t *config)
{
	char digits[17];
	char *end;

	if (name.len < 2 || name.len > sizeof(digits) || name.at[0] != 'r')
		return false;
	memcpy(digits, name.at + 1, name.len - 1);
	digits[name.len - 1] = '\0';
	*config = strtoull(digits, &end, 16);
	return !*end && !digits[strspn(digits, "0123456789abcdefABCDEF")];
}

int resolve_alias(struct event_list *list, const struct event_roots *roots, struct span name,
		  struct ps_error *err)
{
	const struct alias *alias = find_alias(name);
	uint64_t config = 0;
	struct event *event;

	if (!alias && !parse_raw(name, &config))
		return -ENOENT;
	event = event_list_add(list, name);
	if (event) {
		event->attr.type = alias ? alias->type : PERF_TYPE_RAW;
		event->attr.config = alias ? alias->config : config;
		if (resolve_finish(event, roots) >= 0)
			return 0;
		event_list_cut(list, list->n - 1);
	}
	return ps_fail(err, "event", ENOMEM, "keeping '%.*s'", (int)name.len, name.at);
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->config == PERF_COUNT_SW_TASK_CLOCK || attr->config == PERF_COUNT_SW_CPU_CLOCK;
}

static bool is_switch(const struct perf_event_attr *attr)
{
	return attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
	       attr->config == PERF_COUNT_SW_CPU_MIGRATIONS || attr->config == PERF_COUNT_SW_CGROUP_SWITCHES;
}

int resolve_finish(struct event *event, const struct event_roots *roots)
{
	const struct perf_event_attr *attr = &event->attr;

	switch (attr->type) {
	case PERF_TYPE_SOFTWARE:
		event->software = true;
		event->kernel_only = is_switch(attr);
		if (!is_clock(attr) || event->unit)
			return 0;
		event->scale = 1e-6;
		event->unit = strdup("msec");
		return event->unit ? 0 : -ENOMEM;
	case PERF_TYPE_TRACEPOINT:
		event->software = true;
		event->kernel_only = true;
		return 0;
	case PERF_TYPE_BREAKPOINT:
		event->software = true;
		return 0;
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return 0;
	default:
		return resolve_pmu_facts(event, roots);
	}
}

static int offer_caches(const struct catalogue *out)
{
	int rc = 0;

	for (size_t c = 0; c < ARRAY_SIZE(caches); c++)
		for (size_t o = 0; o < ARRAY_SIZE(operations) && !rc; o++) {
			const char *plural = o == 2 ? "es" : "s";

			rc = catalogue_offer(out, "cache", "accesses", "%s-%s%s", caches[c], operations[o],
					     plural);
			if (!rc)
				rc = catalogue_offer(out, "cache", "misses", "%s-%s-misses", caches[c],
						     operations[o]);
		}
	return rc;
}

int catalogue_alias(const struct catalogue *out)
{
	int rc = 0;

	for (size_t i = 0; i < ARRAY_SIZE(aliases) && !rc; i++) {
		const struct alias *alias = &aliases[i];
		const char *what = alias->type == PERF_TYPE_SOFTWARE ? "software" : "hardware";

		if (alias->type == PERF_TYPE_HARDWARE && !sysfs_has_core_pmu(out->roots->sysfs))
			continue;
		rc = catalogue_offer(out, what, alias->about, "%s", alias->name);
		if (!rc && alias->other)
			rc = catalogue_offer(out, what, alias->about, "%s", alias->other);
	}
	if (!rc && sysfs_has_core_pmu(out->roots->sysfs))
		rc = offer_caches(out);
	return rc;
}
