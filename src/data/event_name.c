/* Names for events that a file leaves without one. */
#include "data/event_name.h"

#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <string.h>

#include "data/tracing.h"

#define CONFIG_PMU_SHIFT 32 /* the upper half of a generic event's config can name one PMU of several */

static const char *const hardware_names[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const software_names[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
	[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
	[PERF_COUNT_SW_DUMMY] = "dummy",
	[PERF_COUNT_SW_BPF_OUTPUT] = "bpf-output",
	[PERF_COUNT_SW_CGROUP_SWITCHES] = "cgroup-switches",
};

static const char *const cache_names[] = {
	[PERF_COUNT_HW_CACHE_L1D] = "L1-dcache", [PERF_COUNT_HW_CACHE_L1I] = "L1-icache",
	[PERF_COUNT_HW_CACHE_LL] = "LLC",        [PERF_COUNT_HW_CACHE_DTLB] = "dTLB",
	[PERF_COUNT_HW_CACHE_ITLB] = "iTLB",     [PERF_COUNT_HW_CACHE_BPU] = "branch",
	[PERF_COUNT_HW_CACHE_NODE] = "node",
};

static const char *const cache_op_names[][2] = { /* accesses, misses */
	[PERF_COUNT_HW_CACHE_OP_READ] = { "loads", "load-misses" },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { "stores", "store-misses" },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { "prefetches", "prefetch-misses" },
};

static const char *pmu_name(const struct meta *meta, uint64_t type)
{
	for (size_t i = 0; i < meta->features.n_pmus; i++)
		if (meta->features.pmus[i].type == type)
			return meta->features.pmus[i].name;
	return NULL;
}

/* A name out of a table, "pmu/name/" when config names the PMU; false when the table has none. */
static bool name_listed(const struct meta *meta, const char *const *names, size_t n, uint64_t config, char *name,
			size_t len)
{
	uint64_t pmu = config >> CONFIG_PMU_SHIFT, event = config & UINT32_MAX;
	const char *pmu_text = pmu ? pmu_name(meta, pmu) : NULL;

	if (event >= n || !names[event] || (pmu && !pmu_text))
		return false;
	if (pmu_text)
		(void)snprintf(name, len, "%s/%s/", pmu_text, names[event]);
	else
		(void)snprintf(name, len, "%s", names[event]);
	return true;
}

static bool name_cache(uint64_t config, char *name, size_t len)
{
	uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= ARRAY_SIZE(cache_names) || op >= ARRAY_SIZE(cache_op_names) || result > 1)
		return false;
	(void)snprintf(name, len, "%s-%s", cache_names[cache], cache_op_names[op][result]);
	return true;
}

static void name_breakpoint(const struct perf_event_attr *attr, char *name, size_t len)
{
	(void)snprintf(name, len, "mem:0x%llx:%s%s%s", (unsigned long long)attr->bp_addr,
		       attr->bp_type & HW_BREAKPOINT_R ? "r" : "", attr->bp_type & HW_BREAKPOINT_W ? "w" : "",
		       attr->bp_type & HW_BREAKPOINT_X ? "x" : "");
}

static bool name_tracepoint(const struct meta *meta, uint64_t id, char *name, size_t len)
{
	const struct feature_set *features = &meta->features;

	return tracing_find_name(features->tracing_data, features->tracing_data_bytes, id, name, len);
}

/* The value of a key in simpleperf's meta information; NULL without it. Both end with NUL, checked here. */
static const char *simpleperf_value(const struct feature_raw *raw, const char *key)
{
	const char *at = (const char *)raw->bytes, *end = at + raw->len;

	while (at < end) {
		const char *key_end = memchr(at, '\0', (size_t)(end - at));
		const char *value = key_end ? key_end + 1 : end;
		const char *value_end = value < end ? memchr(value, '\0', (size_t)(end - value)) : NULL;

		if (!value_end)
			return NULL;
		if (!strcmp(at, key))
			return value;
		at = value_end + 1;
	}
	return NULL;
}

/* Whether a line "name,type,config" is of this event; *name_bytes is then the length of the name. */
static bool line_matches(const char *line, size_t bytes, const struct perf_event_attr *attr, bool any_config,
			 size_t *name_bytes)
{
	char tail[48];
	size_t cut = bytes, tail_bytes;

	if (any_config)
		while (cut && line[cut - 1] != ',')
			cut--;
	if (any_config)
		(void)snprintf(tail, sizeof(tail), ",%u,", attr->type);
	else
		(void)snprintf(tail, sizeof(tail), ",%u,%llu", attr->type, (unsigned long long)attr->config);
	tail_bytes = strlen(tail);
	if (cut <= tail_bytes || memcmp(line + cut - tail_bytes, tail, tail_bytes) != 0)
		return false;
	*name_bytes = cut - tail_bytes;
	return true;
}

/* simpleperf lists its events, one per line; of a PMU found at run time it lists the config before the user's terms. */
static bool name_by_simpleperf(const struct meta *meta, const struct perf_event_attr *attr, char *name, size_t len)
{
	const struct feature_raw *raw = NULL;
	const char *line;

	for (size_t i = 0; i < meta->features.n_raw; i++)
		if (meta->features.raw[i].number == FORMAT_FEATURE_SIMPLEPERF_META)
			raw = &meta->features.raw[i];
	line = raw ? simpleperf_value(raw, "event_type_info") : NULL;
	while (line && *line) {
		size_t bytes = strcspn(line, "\n"), name_bytes;

		if (line_matches(line, bytes, attr, attr->type >= PERF_TYPE_MAX, &name_bytes) && name_bytes < len) {
			(void)snprintf(name, len, "%.*s", (int)name_bytes, line);
			return true;
		}
		line += bytes + (line[bytes] == '\n');
	}
	return false;
}

static void name_by_numbers(const struct perf_event_attr *attr, char *name, size_t len)
{
	if (attr->type == PERF_TYPE_TRACEPOINT)
		(void)snprintf(name, len, "tracepoint:%llu", (unsigned long long)attr->config);
	else if (attr->type == PERF_TYPE_RAW)
		(void)snprintf(name, len, "raw 0x%llx", (unsigned long long)attr->config);
	else
		(void)snprintf(name, len, "type=%u/config=0x%llx/", attr->type, (unsigned long long)attr->config);
}

static void name_by_pmu(const struct meta *meta, const struct perf_event_attr *attr, char *name, size_t len)
{
	const char *pmu = pmu_name(meta, attr->type);

	if (pmu)
		(void)snprintf(name, len, "%s/config=0x%llx/", pmu, (unsigned long long)attr->config);
	else
		name_by_numbers(attr, name, len);
}

/* ":u", ":kpp" and so on, when the event leaves something out or asks for precision. */
static void append_modifiers(const struct perf_event_attr *attr, char *name, size_t len)
{
	size_t used = strlen(name);
	bool some = attr->exclude_user || attr->exclude_kernel;
	char text[16] = "";
	char *to = text;

	if (some && !attr->exclude_user)
		*to++ = 'u';
	if (some && !attr->exclude_kernel)
		*to++ = 'k';
	if (some && !attr->exclude_hv)
		*to++ = 'h';
	for (unsigned i = 0; i < attr->precise_ip; i++)
		*to++ = 'p';
	if (attr->exclude_host && !attr->exclude_guest)
		*to++ = 'G';
	*to = '\0';
	if (*text)
		(void)snprintf(name + used, len - used, ":%s", text);
}

/* The most expensive searches of one name, in bytes to look at. */
static size_t search_cost(const struct feature_set *features, const struct perf_event_attr *attr)
{
	size_t cost = features->n_pmus + (attr->type == PERF_TYPE_TRACEPOINT ? features->tracing_data_bytes : 0);

	for (size_t i = 0; i < features->n_raw; i++)
		cost += features->raw[i].number == FORMAT_FEATURE_SIMPLEPERF_META ? features->raw[i].len : 0;
	return cost;
}

void event_name_make(const struct meta *meta, const struct meta_event *event, char *name, size_t len, size_t *budget)
{
	const struct perf_event_attr *attr = &event->attr;
	size_t cost = search_cost(&meta->features, attr);
	bool named = false;

	*budget = cost > *budget ? 0 : *budget - cost;
	if (!*budget) {
		name_by_numbers(attr, name, len);
		return;
	}
	if (name_by_simpleperf(meta, attr, name, len))
		return;
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		named = name_listed(meta, hardware_names, ARRAY_SIZE(hardware_names), attr->config, name, len);
		break;
	case PERF_TYPE_SOFTWARE:
		named = name_listed(meta, software_names, ARRAY_SIZE(software_names), attr->config, name, len);
		break;
	case PERF_TYPE_HW_CACHE:
		named = name_cache(attr->config, name, len);
		break;
	case PERF_TYPE_TRACEPOINT:
		if (name_tracepoint(meta, attr->config, name, len))
			return;
		break;
	case PERF_TYPE_BREAKPOINT:
		name_breakpoint(attr, name, len);
		named = true;
		break;
	default:
		break;
	}
	if (!named)
		name_by_pmu(meta, attr, name, len);
	append_modifiers(attr, name, len);
}
