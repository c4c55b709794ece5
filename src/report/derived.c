/* Figures that follow from several events. */
#include "report/derived.h"

#include <string.h>

#include "report/quantity.h"

enum kind {
	KIND_NONE,
	KIND_CLOCK,
	KIND_CYCLES,
	KIND_INSTRUCTIONS,
	KIND_BRANCHES,
	KIND_BRANCH_MISSES,
	KIND_CACHE_REFERENCES,
	KIND_CACHE_MISSES,
	KIND_STALLED_FRONTEND,
	KIND_STALLED_BACKEND,
};

/* By the kernel's number for generic events, by name for the same thing asked of a PMU directly. */
static const struct {
	uint64_t config;
	enum kind kind;
	const char *names[3];
} kinds[] = {
	{ PERF_COUNT_HW_CPU_CYCLES, KIND_CYCLES, { "cycles", "cpu-cycles", "PERF_COUNT_HW_CPU_CYCLES" } },
	{ PERF_COUNT_HW_INSTRUCTIONS, KIND_INSTRUCTIONS, { "instructions", "PERF_COUNT_HW_INSTRUCTIONS", NULL } },
	{ PERF_COUNT_HW_BRANCH_INSTRUCTIONS, KIND_BRANCHES, { "branches", "branch-instructions", NULL } },
	{ PERF_COUNT_HW_BRANCH_MISSES, KIND_BRANCH_MISSES, { "branch-misses", NULL, NULL } },
	{ PERF_COUNT_HW_CACHE_REFERENCES, KIND_CACHE_REFERENCES, { "cache-references", NULL, NULL } },
	{ PERF_COUNT_HW_CACHE_MISSES, KIND_CACHE_MISSES, { "cache-misses", NULL, NULL } },
	{ PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, KIND_STALLED_FRONTEND, { "stalled-cycles-frontend", NULL, NULL } },
	{ PERF_COUNT_HW_STALLED_CYCLES_BACKEND, KIND_STALLED_BACKEND, { "stalled-cycles-backend", NULL, NULL } },
};

static const struct {
	const char *name, *unit;
	enum kind above, below; /* KIND_NONE below: window time */
	double factor;
	int decimals;
} ratios[] = {
	{ "CPUs utilised", "", KIND_CLOCK, KIND_NONE, 1, 3 },
	{ "clock rate", "GHz", KIND_CYCLES, KIND_CLOCK, 1, 3 },
	{ "instructions per cycle", "", KIND_INSTRUCTIONS, KIND_CYCLES, 1, 2 },
	{ "branch misses", "%", KIND_BRANCH_MISSES, KIND_BRANCHES, 100, 2 },
	{ "cache misses", "%", KIND_CACHE_MISSES, KIND_CACHE_REFERENCES, 100, 2 },
	{ "frontend cycles stalled", "%", KIND_STALLED_FRONTEND, KIND_CYCLES, 100, 2 },
	{ "backend cycles stalled", "%", KIND_STALLED_BACKEND, KIND_CYCLES, 100, 2 },
};

_Static_assert(ARRAY_SIZE(ratios) <= DERIVED_MAX, "every ratio has room");

/* The name up to its modifiers. */
static bool is_named(const struct meta_event *event, const char *name)
{
	size_t len = strlen(name);

	return event->name && !strncmp(event->name, name, len) && (event->name[len] == '\0' || event->name[len] == ':');
}

static enum kind kind_of(const struct meta_event *event)
{
	if (quantity_is_clock(event))
		return KIND_CLOCK;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (event->attr.type == PERF_TYPE_HARDWARE && (event->attr.config & UINT32_MAX) == kinds[i].config)
			return kinds[i].kind;
		for (size_t n = 0; n < ARRAY_SIZE(kinds[i].names) && kinds[i].names[n]; n++)
			if (is_named(event, kinds[i].names[n]))
				return kinds[i].kind;
	}
	return KIND_NONE;
}

static bool same_levels(const struct meta_event *a, const struct meta_event *b)
{
	return a->attr.exclude_user == b->attr.exclude_user && a->attr.exclude_kernel == b->attr.exclude_kernel &&
	       a->attr.exclude_hv == b->attr.exclude_hv;
}

/* The first event of a kind that counted, at the privilege levels of another one; n_events when there is none. */
static size_t find_event(const struct meta *meta, const struct timeline_value *values, enum kind kind,
			 const struct meta_event *like)
{
	size_t i;

	for (i = 0; i < meta->n_events; i++) {
		const struct meta_event *event = &meta->events[i];

		if (values[i].state != VALUE_COUNTED || timeline_role(event) != META_COUNTER || kind_of(event) != kind)
			continue;
		if (!like || kind == KIND_CLOCK || same_levels(event, like))
			break;
	}
	return i;
}

size_t derived_figures(const struct meta *meta, const struct timeline_value *values, uint64_t counted_ns,
		       struct derived figures[DERIVED_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(ratios); i++) {
		size_t above = find_event(meta, values, ratios[i].above, NULL);
		uint64_t below = counted_ns;

		if (above == meta->n_events)
			continue;
		if (ratios[i].below != KIND_NONE) {
			size_t at = find_event(meta, values, ratios[i].below, &meta->events[above]);

			below = at < meta->n_events ? values[at].scaled : 0;
		}
		if (!below)
			continue;
		figures[n++] = (struct derived){ ratios[i].name, ratios[i].unit, ratios[i].decimals,
						 ratios[i].factor * (double)values[above].scaled / (double)below };
	}
	return n;
}
