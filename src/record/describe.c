/* What the file's head tells. */
#include "record/describe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/textfile.h"
#include "host/buildid.h"
#include "host/facts.h"

#define COMM_MAX 64

static int no_memory(struct ps_error *err)
{
	return ps_fail(err, "describe", ENOMEM, "describing the recording");
}

/* --- events --------------------------------------------------------------------------------------------------------- */

static int copy_ids(struct meta_event *to, const struct counter_set_event *from)
{
	to->ids = calloc(from->n_cells + 1, sizeof(*to->ids));
	if (!to->ids)
		return -ENOMEM;
	for (size_t i = 0; i < from->n_cells; i++)
		to->ids[i] = from->cells[i].id;
	to->n_ids = from->n_cells;
	return 0;
}

static int copy_cpus(struct meta_event *to, const struct event *from)
{
	if (!from->n_cpus)
		return 0;
	to->cpus = calloc(from->n_cpus, sizeof(*to->cpus));
	if (!to->cpus)
		return -ENOMEM;
	memcpy(to->cpus, from->cpus, from->n_cpus * sizeof(*to->cpus));
	to->n_cpus = from->n_cpus;
	return 0;
}

/* The same sample_type and clock in every attr, so that any perf finds its way (pstat.data(5)). */
static void file_attr(struct perf_event_attr *attr)
{
	attr->size = FORMAT_ATTR_BYTES;
	attr->sample_type = FORMAT_SAMPLE_TYPE;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

static int add_counter(struct meta *meta, const struct counter_set_event *counter, struct ps_error *err)
{
	struct meta_event *event = meta_add_event(meta, counter->name, err);

	if (!event)
		return -ENOMEM;
	event->attr = counter->attr;
	file_attr(&event->attr);
	event->attr_bytes = FORMAT_ATTR_BYTES;
	event->scale = counter->event->scale;
	if (counter->event->unit) {
		event->unit = strdup(counter->event->unit);
		if (!event->unit)
			return no_memory(err);
	}
	if (copy_ids(event, counter) < 0 || copy_cpus(event, counter->event) < 0)
		return no_memory(err);
	return 0;
}

/* System-wide, markers are counted on the first CPU alone: perf wants a record per CPU of an event in every reading. */
static int confine_marker(struct meta_event *event, const struct counter_set *counters)
{
	if (counter_set_n_cpus(counters) < 2)
		return 0;
	event->cpus = malloc(sizeof(*event->cpus));
	if (!event->cpus)
		return -ENOMEM;
	event->cpus[0] = counter_set_cpu(counters, 0);
	event->n_cpus = 1;
	return 0;
}

static int add_marker(struct meta *meta, const struct counter_set *counters, enum meta_role role, const char *name,
		      uint64_t id, struct ps_error *err)
{
	struct meta_event *event = meta_add_event(meta, name, err);

	if (!event)
		return -ENOMEM;
	event->role = role;
	event->attr.type = PERF_TYPE_SOFTWARE;
	event->attr.config = PERF_COUNT_SW_DUMMY;
	file_attr(&event->attr);
	event->attr_bytes = FORMAT_ATTR_BYTES;
	event->ids = malloc(sizeof(*event->ids));
	if (!event->ids || confine_marker(event, counters) < 0)
		return no_memory(err);
	event->ids[0] = id;
	event->n_ids = 1;
	return 0;
}

static int describe_events(struct meta *meta, const struct counter_set *counters, bool marks, struct ps_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < counter_set_n_events(counters); i++)
		rc = add_counter(meta, counter_set_event(counters, i), err);
	if (rc == 0)
		rc = add_marker(meta, counters, META_PAUSE, FORMAT_MARKER_NAME_PAUSE, FORMAT_MARKER_ID_PAUSE, err);
	if (rc == 0)
		rc = add_marker(meta, counters, META_RESUME, FORMAT_MARKER_NAME_RESUME, FORMAT_MARKER_ID_RESUME, err);
	if (rc == 0 && marks)
		rc = add_marker(meta, counters, META_MARK, FORMAT_MARKER_NAME_MARK, FORMAT_MARKER_ID_MARK, err);
	return rc;
}

/* --- CPUs, threads and executables ---------------------------------------------------------------------------------- */

static int describe_places(struct meta *meta, const struct counter_set *counters, struct ps_error *err)
{
	size_t n_cpus = counter_set_n_cpus(counters), n_threads = counter_set_n_threads(counters);

	meta->cpus = calloc(n_cpus, sizeof(*meta->cpus));
	meta->threads = calloc(n_threads, sizeof(*meta->threads));
	if (!meta->cpus || !meta->threads)
		return no_memory(err);
	for (size_t i = 0; i < n_cpus; i++)
		meta->cpus[i] = counter_set_cpu(counters, i);
	for (size_t i = 0; i < n_threads; i++)
		meta->threads[i].tid = counter_set_thread(counters, i);
	meta->n_cpus = n_cpus;
	meta->n_threads = n_threads;
	return 0;
}

static bool have_build_id(const struct feature_set *set, const char *path)
{
	for (size_t i = 0; i < set->n_build_ids; i++)
		if (!strcmp(set->build_ids[i].path, path))
			return true;
	return false;
}

/* A program whose file cannot be read or has no id is simply not listed. */
static int add_build_id(struct feature_set *set, pid_t pid)
{
	char link[64], path[4096];
	struct feature_build_id found = { .misc = PERF_RECORD_MISC_USER, .pid = -1 };
	struct feature_build_id *grown;
	ssize_t n;
	int len;

	(void)snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return 0;
	path[n] = '\0';
	if (have_build_id(set, path))
		return 0;
	len = buildid_of_file(link, found.id, NULL); /* through the link: right even when the file was replaced */
	if (len <= 0)
		return 0;
	grown = realloc(set->build_ids, (set->n_build_ids + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	set->build_ids = grown;
	found.id_bytes = (uint8_t)len;
	found.path = strdup(path);
	if (!found.path)
		return -ENOMEM;
	grown[set->n_build_ids++] = found;
	set->present[FORMAT_FEATURE_BUILD_ID] = true;
	return 0;
}

int describe_programs(struct meta *meta, struct ps_error *err)
{
	for (size_t i = 0; i < meta->n_threads; i++) {
		struct meta_thread *thread = &meta->threads[i];
		_cleanup_free_ char *comm = NULL;

		if (thread->tid < 0)
			continue;
		if (textfile_readf(COMM_MAX, &comm, "/proc/%d/comm", (int)thread->tid) >= 0)
			(void)snprintf(thread->comm, sizeof(thread->comm), "%s", comm);
		if (add_build_id(&meta->features, (pid_t)thread->tid) < 0)
			return no_memory(err);
	}
	return 0;
}

/* --- the machine ---------------------------------------------------------------------------------------------------- */

static void take_text(struct feature_set *set, uint32_t number, char **to, char **from)
{
	*to = attr_take(from);
	set->present[number] = *to != NULL;
}

static void take_list(char ***to, size_t *n, struct host_list *from)
{
	*n = from->n;
	*to = attr_take(&from->texts);
	from->n = 0;
}

static int take_topology(struct feature_set *set, struct host_facts *facts)
{
	if (!facts->n_cpus)
		return 0;
	set->topology = calloc(facts->n_cpus, sizeof(*set->topology));
	if (!set->topology)
		return -ENOMEM;
	for (size_t i = 0; i < facts->n_cpus; i++) {
		set->topology[i].core = facts->cpus[i].core;
		set->topology[i].package = facts->cpus[i].package;
		set->topology[i].die = facts->cpus[i].die;
	}
	set->n_topology = facts->n_cpus;
	take_list(&set->core_lists, &set->n_core_lists, &facts->cores);
	take_list(&set->package_lists, &set->n_package_lists, &facts->packages);
	take_list(&set->die_lists, &set->n_die_lists, &facts->dies);
	set->present[FORMAT_FEATURE_CPU_TOPOLOGY] = true;
	return 0;
}

static int take_nodes(struct feature_set *set, struct host_facts *facts)
{
	if (!facts->n_nodes)
		return 0;
	set->numa = calloc(facts->n_nodes, sizeof(*set->numa));
	if (!set->numa)
		return -ENOMEM;
	for (size_t i = 0; i < facts->n_nodes; i++) {
		set->numa[i].node = facts->nodes[i].node;
		set->numa[i].total_kib = facts->nodes[i].total_kib;
		set->numa[i].free_kib = facts->nodes[i].free_kib;
		set->numa[i].cpulist = attr_take(&facts->nodes[i].cpulist);
	}
	set->n_numa = facts->n_nodes;
	set->present[FORMAT_FEATURE_NUMA_TOPOLOGY] = true;
	return 0;
}

static int take_pmus(struct feature_set *set, struct host_facts *facts)
{
	if (!facts->n_pmus)
		return 0;
	set->pmus = calloc(facts->n_pmus, sizeof(*set->pmus));
	if (!set->pmus)
		return -ENOMEM;
	for (size_t i = 0; i < facts->n_pmus; i++) {
		set->pmus[i].type = facts->pmus[i].type;
		set->pmus[i].name = attr_take(&facts->pmus[i].name);
	}
	set->n_pmus = facts->n_pmus;
	set->present[FORMAT_FEATURE_PMU_MAPPINGS] = true;
	return 0;
}

static int take_facts(struct feature_set *set, struct host_facts *facts)
{
	take_text(set, FORMAT_FEATURE_HOSTNAME, &set->hostname, &facts->hostname);
	take_text(set, FORMAT_FEATURE_OSRELEASE, &set->osrelease, &facts->osrelease);
	take_text(set, FORMAT_FEATURE_ARCH, &set->arch, &facts->arch);
	take_text(set, FORMAT_FEATURE_CPUDESC, &set->cpudesc, &facts->cpudesc);
	take_text(set, FORMAT_FEATURE_CPUID, &set->cpuid, &facts->cpuid);
	set->cpus_available = facts->cpus_available;
	set->cpus_online = facts->cpus_online;
	set->present[FORMAT_FEATURE_NRCPUS] = facts->cpus_available > 0;
	set->total_mem_kib = facts->total_mem_kib;
	set->present[FORMAT_FEATURE_TOTAL_MEM] = facts->total_mem_kib > 0;
	set->clock_res_ns = facts->clock_res_ns;
	set->present[FORMAT_FEATURE_CLOCKID] = facts->clock_res_ns > 0;
	if (take_topology(set, facts) < 0 || take_nodes(set, facts) < 0 || take_pmus(set, facts) < 0)
		return -ENOMEM;
	return 0;
}

static int describe_command(struct feature_set *set, const struct describe_options *options)
{
	set->cmdline = calloc((size_t)options->argc + 1, sizeof(*set->cmdline));
	if (!set->cmdline)
		return -ENOMEM;
	for (int i = 0; i < options->argc; i++) {
		set->cmdline[i] = strdup(options->argv[i]);
		if (!set->cmdline[i])
			return -ENOMEM;
		set->n_cmdline++;
	}
	set->present[FORMAT_FEATURE_CMDLINE] = true;
	set->version = strdup("pstat " PACKAGE_VERSION);
	set->present[FORMAT_FEATURE_VERSION] = true;
	return set->version ? 0 : -ENOMEM;
}

static int describe_machine(struct meta *meta, const struct describe_options *options, struct ps_error *err)
{
	struct host_facts facts;
	int rc = host_facts(&facts, options->sysfs, err);

	if (rc < 0)
		return rc;
	rc = take_facts(&meta->features, &facts);
	host_facts_fini(&facts);
	if (rc == 0)
		rc = describe_command(&meta->features, options);
	return rc < 0 ? no_memory(err) : 0;
}

/*
 * perf prints one block per round when the interval is not 0 and a summary of one final round when it is. Where several
 * readings are to be expected without a timer (pauses), 1 asks for the blocks.
 */
static uint64_t interval_tag_ms(const struct describe_options *options)
{
	uint64_t ms = (options->interval_ns + NS_PER_MS / 2) / NS_PER_MS;

	if (options->single_summary)
		return 0;
	return ms ? ms : 1;
}

int describe(struct meta *meta, const struct counter_set *counters, const struct describe_options *options,
	     struct ps_error *err)
{
	int rc = describe_events(meta, counters, options->marks, err);

	if (rc == 0)
		rc = describe_places(meta, counters, err);
	if (rc == 0)
		rc = describe_machine(meta, options, err);
	meta->interval_ms = interval_tag_ms(options);
	meta->scale = true;
	meta->is_stat = true;
	return rc;
}
