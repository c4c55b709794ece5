/* What a session has to tell, as records. */
#include "record/emit.h"

#include <sched.h>
#include <string.h>

void emit_init(struct emit *emit, const struct meta *meta, const struct consumer *consumer, pid_t marker_pid)
{
	memset(emit, 0, sizeof(*emit));
	emit->meta = meta;
	emit->consumer = consumer;
	emit->marker_pid = marker_pid;
	emit->last_role = META_RESUME;
	for (size_t i = 0; i < meta->n_events; i++)
		if (meta->events[i].role == META_MARK)
			emit->last_role = META_MARK;
}

int emit_start(struct emit *emit, struct ps_error *err)
{
	emit->started = true;
	return emit->consumer->start(emit->consumer->ctx, emit->meta, err);
}

int emit_checkpoint(struct emit *emit, struct ps_error *err)
{
	return emit->consumer->checkpoint(emit->consumer->ctx, err);
}

int emit_tick(struct emit *emit, struct ps_error *err)
{
	return emit->consumer->tick(emit->consumer->ctx, err);
}

int emit_finish(struct emit *emit, struct ps_error *err)
{
	if (!emit->started)
		return 0;
	emit->started = false;
	return emit->consumer->finish(emit->consumer->ctx, err);
}

static int put(const struct emit *emit, const struct record *rec, struct ps_error *err)
{
	return emit->consumer->put(emit->consumer->ctx, rec, err);
}

static uint64_t marker_id(enum meta_role role)
{
	return role == META_PAUSE  ? FORMAT_MARKER_ID_PAUSE :
	       role == META_RESUME ? FORMAT_MARKER_ID_RESUME :
				     FORMAT_MARKER_ID_MARK;
}

static uint32_t this_cpu(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? 0 : (uint32_t)cpu; /* only ENOSYS */
}

int emit_marker(struct emit *emit, enum meta_role role, enum marker_cause cause, uint64_t request_ns,
		uint64_t done_ns, const char *label, struct ps_error *err)
{
	struct record detail = { .type = FORMAT_HEADER_EVENT_TYPE };
	struct record sample = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER };
	int rc;

	emit->seq++;
	emit->markers[role - META_PAUSE]++;
	detail.detail = (struct record_marker_detail){
		.id = marker_id(role),
		.seq = emit->seq,
		.cause = cause,
		.request_ns = request_ns,
		.done_ns = done_ns,
		.label = label,
	};
	sample.sample = (struct record_sample){
		.id = marker_id(role),
		.pid = (uint32_t)emit->marker_pid,
		.tid = (uint32_t)emit->marker_pid,
		.time_ns = done_ns,
		.cpu = this_cpu(),
		.period = 1,
	};
	rc = put(emit, &detail, err);
	return rc < 0 ? rc : put(emit, &sample, err);
}

static int put_cells(const struct emit *emit, const struct counter_set_event *event, struct ps_error *err)
{
	for (size_t i = 0; i < event->n_cells; i++) {
		const struct cell *cell = &event->cells[i];
		struct record rec = { .type = FORMAT_STAT };
		int rc;

		rec.stat = (struct format_stat){
			.id = cell->id,
			.cpu = cell->cpu,
			.thread = cell->thread,
			.val = cell->val,
			.enabled_ns = cell->enabled_ns,
			.running_ns = cell->running_ns,
		};
		rc = put(emit, &rec, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/*
 * A marker event counts its markers in its first cell; perf wants the others too, in every round. Of the CPUs it has one
 * (describe.c), of the threads all.
 */
static int put_marker_cells(const struct emit *emit, enum meta_role role, uint64_t time_ns, struct ps_error *err)
{
	const struct meta *meta = emit->meta;
	uint64_t val = emit->markers[role - META_PAUSE];

	for (size_t thread = 0; thread < meta->n_threads; thread++) {
		struct record rec = { .type = FORMAT_STAT };
		int rc;

		rec.stat = (struct format_stat){
			.id = marker_id(role),
			.cpu = meta->cpus[0],
			.thread = (uint32_t)thread,
			.val = val,
			.enabled_ns = time_ns,
			.running_ns = time_ns,
		};
		val = 0;
		rc = put(emit, &rec, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int put_round(struct emit *emit, uint64_t time_ns, struct ps_error *err)
{
	struct record round = { .type = FORMAT_STAT_ROUND };
	struct record finished = { .type = FORMAT_FINISHED_ROUND };
	int rc;

	round.round.type = emit->last_round ? FORMAT_ROUND_FINAL : FORMAT_ROUND_INTERVAL;
	round.round.time_ns = time_ns;
	emit->rounds++;
	rc = put(emit, &round, err);
	return rc < 0 ? rc : put(emit, &finished, err);
}

int emit_reading(struct emit *emit, const struct counter_set *counters, uint64_t time_ns, struct ps_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < counter_set_n_events(counters); i++)
		rc = put_cells(emit, counter_set_event(counters, i), err);
	for (enum meta_role role = META_PAUSE; rc == 0 && role <= emit->last_role; role++)
		rc = put_marker_cells(emit, role, time_ns, err);
	return rc < 0 ? rc : put_round(emit, time_ns, err);
}
