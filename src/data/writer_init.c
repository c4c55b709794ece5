/* The records that every recording begins with: what the events are called, which CPUs and threads, how it was counted. */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "data/codec.h"
#include "data/writer_head.h"

#define COMM_BYTES 16

static int put(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	int rc = codec_encode(rec, out, err);

	return rc < 0 ? rc : 0;
}

/* Updates name their event by one of its ids; an event without any is named by EVENT_DESC alone. */
static int put_updates(const struct meta_event *event, struct buffer *out, struct ps_error *err)
{
	const struct record_update updates[] = {
		{ .kind = FORMAT_UPDATE_UNIT, .text = event->unit },
		{ .kind = FORMAT_UPDATE_SCALE, .scale = event->scale },
		{ .kind = FORMAT_UPDATE_NAME, .text = event->name },
		{ .kind = FORMAT_UPDATE_CPUS, .cpus = event->cpus, .n_cpus = event->n_cpus },
	};
	const bool wanted[] = { event->unit != NULL, event->scale < 1 || event->scale > 1, event->name != NULL,
				event->n_cpus > 0 };

	for (size_t i = 0; i < ARRAY_SIZE(updates) && event->n_ids; i++) {
		struct record rec = { .type = FORMAT_EVENT_UPDATE, .update = updates[i] };
		int rc;

		if (!wanted[i])
			continue;
		rec.update.id = event->ids[0];
		rc = put(&rec, out, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int put_thread_map(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	size_t n = meta->n_threads ? meta->n_threads : 1;
	_cleanup_free_ struct format_thread_map_entry *threads = calloc(n, sizeof(*threads));
	struct record rec = { .type = FORMAT_THREAD_MAP };
	int rc;

	if (!threads)
		return ps_fail(err, "writer", ENOMEM, "listing %zu threads", n);
	threads[0].pid = UINT64_MAX; /* no thread: system-wide */
	for (size_t i = 0; i < meta->n_threads; i++) {
		threads[i].pid = (uint64_t)meta->threads[i].tid;
		memcpy(threads[i].comm, meta->threads[i].comm, sizeof(threads[i].comm) - 1);
	}
	rec.thread_map.threads = threads;
	rec.thread_map.n = n;
	rc = put(&rec, out, err);
	if (rc == -EMSGSIZE)
		ps_hint(err, "the file format holds at most %zu threads; count fewer of them, or system-wide",
			(FORMAT_RECORD_MAX_BYTES - 2 * sizeof(uint64_t)) / sizeof(*threads));
	return rc;
}

static int put_cpu_map(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	static const int32_t any_cpu = -1;
	struct record rec = { .type = FORMAT_CPU_MAP, .cpu_map = { &any_cpu, 1 } };

	if (meta->n_cpus) {
		rec.cpu_map.cpus = meta->cpus;
		rec.cpu_map.n = meta->n_cpus;
	}
	return put(&rec, out, err);
}

static int put_stat_config(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	const struct format_stat_config_entry entries[] = {
		{ FORMAT_STAT_CONFIG_AGGR_MODE, FORMAT_AGGR_GLOBAL },
		{ FORMAT_STAT_CONFIG_INTERVAL, meta->interval_ms },
		{ FORMAT_STAT_CONFIG_SCALE, meta->scale },
	};
	const struct record rec = {
		.type = FORMAT_STAT_CONFIG,
		.stat_config = { entries, ARRAY_SIZE(entries) },
	};

	return put(&rec, out, err);
}

/* A name for the task that the markers are of: the first target, or pstat itself when there is none. */
static int put_comm(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	bool has_target = meta->n_threads && meta->threads[0].tid > 0;
	uint32_t tid = has_target ? (uint32_t)meta->threads[0].tid : (uint32_t)getpid();
	char comm[COMM_BYTES + 1] = "pstat";
	const struct record rec = {
		.type = PERF_RECORD_COMM,
		.misc = PERF_RECORD_MISC_USER,
		.comm = { tid, tid, comm },
	};

	if (has_target)
		memcpy(comm, meta->threads[0].comm, COMM_BYTES);
	else
		(void)prctl(PR_GET_NAME, comm); /* fails only for a bad pointer */
	return comm[0] ? put(&rec, out, err) : 0;
}

int writer_init_records(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	const struct record done = { .type = FORMAT_FINISHED_INIT };
	int rc = 0;

	for (size_t i = 0; i < meta->n_events && rc >= 0; i++)
		rc = put_updates(&meta->events[i], out, err);
	if (rc >= 0)
		rc = put_thread_map(meta, out, err);
	if (rc >= 0)
		rc = put_cpu_map(meta, out, err);
	if (rc >= 0)
		rc = put_stat_config(meta, out, err);
	if (rc >= 0)
		rc = put_comm(meta, out, err);
	return rc < 0 ? rc : put(&done, out, err);
}
