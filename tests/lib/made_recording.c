/* A recording made from a description. */
#include "lib/made_recording.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/record.h"

/* Tests that cannot have memory cannot go on. */
static void *must(void *got)
{
	if (!got)
		abort();
	return got;
}

static char *text(const char *words)
{
	return must(strdup(words));
}

static struct meta_event *add_event(struct meta *meta, const char *name, uint32_t type, uint64_t config)
{
	struct meta_event *event = must(meta_add_event(meta, name, NULL));

	event->attr.type = type;
	event->attr.config = config;
	event->attr_bytes = FORMAT_ATTR_BYTES;
	event->attr.sample_type = FORMAT_SAMPLE_TYPE;
	event->attr.inherit = 1;
	return event;
}

static void give_ids(struct meta_event *event, uint64_t first, size_t n)
{
	event->ids = must(calloc(n, sizeof(*event->ids)));
	event->n_ids = n;
	for (size_t i = 0; i < n; i++)
		event->ids[i] = first + i;
}

static void add_marker(struct meta *meta, const char *name, enum meta_role role, uint64_t id)
{
	struct meta_event *event = add_event(meta, name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);

	event->role = role;
	give_ids(event, id, 1);
}

static void add_events(struct meta *meta, const struct made *made)
{
	struct meta_event *event;

	give_ids(add_event(meta, "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK), 11, MADE_CELLS);
	meta->events[0].unit = text("msec");
	meta->events[0].scale = 1e-6;
	give_ids(add_event(meta, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS), 21, MADE_CELLS);
	(void)add_event(meta, "cycles:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	if (!made->per_task) { /* like an uncore event: CPU 0 only */
		event = add_event(meta, "uncore/reads/", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
		give_ids(event, 31, 1);
		event->cpus = must(calloc(1, sizeof(*event->cpus)));
		event->n_cpus = 1;
	}
	if (made->tracing_data)
		give_ids(add_event(meta, "sched:sched_switch", PERF_TYPE_TRACEPOINT, made->tracepoint_id), 41,
			 MADE_CELLS);
	add_marker(meta, FORMAT_MARKER_NAME_PAUSE, META_PAUSE, FORMAT_MARKER_ID_PAUSE);
	add_marker(meta, FORMAT_MARKER_NAME_RESUME, META_RESUME, FORMAT_MARKER_ID_RESUME);
	add_marker(meta, FORMAT_MARKER_NAME_MARK, META_MARK, FORMAT_MARKER_ID_MARK);
}

static char **list(const char *a, const char *b, size_t *n)
{
	char **strings = must(calloc(2, sizeof(*strings)));

	*n = b ? 2 : 1;
	strings[0] = text(a);
	strings[1] = b ? text(b) : NULL;
	return strings;
}

static void add_topology(struct feature_set *set)
{
	set->package_lists = list("0-1", NULL, &set->n_package_lists);
	set->core_lists = list("0", "1", &set->n_core_lists);
	set->die_lists = list("0-1", NULL, &set->n_die_lists);
	set->topology = must(calloc(2, sizeof(*set->topology)));
	set->n_topology = 2;
	set->topology[1].core = 1;
	set->numa = must(calloc(1, sizeof(*set->numa)));
	set->n_numa = 1;
	set->numa[0].total_kib = 5334776;
	set->numa[0].free_kib = 4657732;
	set->numa[0].cpulist = text("0-1");
	set->pmus = must(calloc(1, sizeof(*set->pmus)));
	set->n_pmus = 1;
	set->pmus[0].type = PERF_TYPE_SOFTWARE;
	set->pmus[0].name = text("software");
}

static void add_features(struct feature_set *set, const struct made *made)
{
	static const uint32_t present[] = {
		FORMAT_FEATURE_HOSTNAME, FORMAT_FEATURE_OSRELEASE, FORMAT_FEATURE_VERSION, FORMAT_FEATURE_ARCH,
		FORMAT_FEATURE_NRCPUS, FORMAT_FEATURE_CPUDESC, FORMAT_FEATURE_CPUID, FORMAT_FEATURE_TOTAL_MEM,
		FORMAT_FEATURE_CMDLINE, FORMAT_FEATURE_CPU_TOPOLOGY, FORMAT_FEATURE_NUMA_TOPOLOGY,
		FORMAT_FEATURE_PMU_MAPPINGS, FORMAT_FEATURE_CLOCKID,
	};

	for (size_t i = 0; i < ARRAY_SIZE(present); i++)
		set->present[present[i]] = true;
	set->hostname = text("somewhere");
	set->osrelease = text("6.18.44");
	set->version = text("pstat 0.1.0");
	set->arch = text("x86_64");
	set->cpudesc = text("Some CPU");
	set->cpuid = text("GenuineIntel,6,85,4");
	set->cpus_available = set->cpus_online = 2;
	set->total_mem_kib = 24683548;
	set->cmdline = list("pstat", "it's", &set->n_cmdline);
	set->clock_res_ns = 1;
	add_topology(set);
	if (!made->tracing_data)
		return;
	set->present[FORMAT_FEATURE_TRACING_DATA] = true;
	set->tracing_data = must(malloc(made->tracing_bytes));
	memcpy(set->tracing_data, made->tracing_data, made->tracing_bytes);
	set->tracing_data_bytes = made->tracing_bytes;
}

void made_meta(struct meta *meta, const struct made *made)
{
	meta_init(meta);
	add_events(meta, made);
	meta->n_cpus = made->per_task ? 1 : MADE_CELLS;
	meta->n_threads = made->per_task ? MADE_CELLS : 1;
	meta->cpus = must(calloc(meta->n_cpus, sizeof(*meta->cpus)));
	meta->threads = must(calloc(meta->n_threads, sizeof(*meta->threads)));
	for (size_t i = 0; i < meta->n_cpus; i++)
		meta->cpus[i] = made->per_task ? -1 : (int32_t)i;
	for (size_t i = 0; i < meta->n_threads; i++) {
		meta->threads[i].tid = made->per_task ? 4711 + (int64_t)i : -1;
		if (made->per_task)
			strcpy(meta->threads[i].comm, i ? "work1" : "work0");
	}
	meta->has_t0 = true;
	meta->t0_mono_ns = MADE_T0_NS;
	meta->t0_wall_ns = MADE_WALL_NS;
	meta->interval_ms = 100;
	meta->scale = true;
	meta->is_stat = true;
	add_features(&meta->features, made);
}

uint64_t made_value(size_t event, size_t cell, size_t i)
{
	return (i + 1) * (1000 * (event + 1) + 10 * cell + 1);
}

static int put_marker(struct consumer *consumer, const struct meta *meta, const struct made *made, uint64_t id,
		      uint64_t time_ns, uint64_t seq, const char *label, struct ps_error *err)
{
	struct record rec = { .type = FORMAT_HEADER_EVENT_TYPE };
	int rc;

	rec.detail = (struct record_marker_detail){
		.id = id, .seq = seq, .cause = label ? MARKER_MARK : MARKER_COMMAND,
		.request_ns = time_ns - 5000, .done_ns = time_ns, .label = label,
	};
	rc = consumer->put(consumer->ctx, &rec, err);
	if (rc < 0)
		return rc;
	rec = (struct record){ .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER };
	rec.sample = (struct record_sample){ .id = id, .time_ns = time_ns, .period = 1 };
	rec.sample.pid = rec.sample.tid = made->per_task ? (uint32_t)meta->threads[0].tid : (uint32_t)getpid();
	return consumer->put(consumer->ctx, &rec, err);
}

static int put_readings(struct consumer *consumer, const struct meta *meta, const struct made *made, size_t i,
			struct ps_error *err)
{
	uint64_t ns = (i + 1) * MADE_ROUND_NS;
	int rc = 0;

	for (size_t e = 0; e < meta->n_events; e++)
		for (size_t k = 0; k < meta->events[e].n_ids && rc >= 0; k++) {
			struct record rec = { .type = FORMAT_STAT };

			rec.stat = (struct format_stat){
				.id = meta->events[e].ids[k],
				.cpu = made->per_task ? -1 : (int32_t)k,
				.thread = made->per_task ? (uint32_t)k : 0,
				.val = made_value(e, k, i),
				.enabled_ns = ns,
				.running_ns = ns,
			};
			rc = consumer->put(consumer->ctx, &rec, err);
		}
	return rc;
}

int made_round(struct consumer *consumer, const struct meta *meta, const struct made *made, size_t i,
	       struct ps_error *err)
{
	const struct record done = { .type = FORMAT_FINISHED_ROUND };
	struct record round = { .type = FORMAT_STAT_ROUND };
	uint64_t ns = (i + 1) * MADE_ROUND_NS;
	uint64_t window = made->rounds / 3 ? made->rounds / 3 : 1;
	bool last = (i + 1) % window == 0;
	int rc = 0;

	if (i % window == 0)
		rc = put_marker(consumer, meta, made, FORMAT_MARKER_ID_RESUME, MADE_T0_NS + ns - MADE_ROUND_NS + 1,
				2 * (i / window) + 1, NULL, err);
	if (rc >= 0 && last)
		rc = put_marker(consumer, meta, made, FORMAT_MARKER_ID_PAUSE, MADE_T0_NS + ns,
				2 * (i / window) + 2, NULL, err);
	if (rc >= 0)
		rc = put_readings(consumer, meta, made, i, err);
	round.round.time_ns = ns;
	if (rc >= 0)
		rc = consumer->put(consumer->ctx, &round, err);
	return rc < 0 ? rc : consumer->put(consumer->ctx, &done, err);
}

int made_write(struct consumer *consumer, const struct meta *meta, const struct made *made, struct ps_error *err)
{
	int rc = consumer->start(consumer->ctx, meta, err);
	int finished;

	for (size_t i = 0; i < made->rounds && rc >= 0; i++) {
		rc = made_round(consumer, meta, made, i, err);
		if (rc >= 0 && i % 10 == 9)
			rc = consumer->checkpoint(consumer->ctx, err);
	}
	if (rc >= 0)
		rc = put_marker(consumer, meta, made, FORMAT_MARKER_ID_MARK,
				MADE_T0_NS + made->rounds * MADE_ROUND_NS, 99, "the end of it", err);
	finished = consumer->finish(consumer->ctx, rc < 0 ? NULL : err);
	return rc < 0 ? rc : finished;
}
