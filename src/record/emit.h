/* What a session has to tell, as records: markers with their detail, and readings as rounds. */
#ifndef RECORD_EMIT_H
#define RECORD_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "data/consumer.h"
#include "data/meta.h"
#include "data/record.h"
#include "event/counter_set.h"

struct emit {
	const struct meta *meta;
	const struct consumer *consumer;
	pid_t marker_pid;    /* whom marker samples name */
	uint64_t seq;        /* markers so far */
	uint64_t markers[3]; /* pauses, resumes, marks so far: the counts of the marker events */
	enum meta_role last_role; /* META_MARK, or META_RESUME where the recording has no marks */
	uint64_t rounds;     /* readings so far */
	bool last_round;     /* the next round is perf's final one */
	bool started;        /* the consumer's start was called */
};

/* meta has its events by now. */
void emit_init(struct emit *emit, const struct meta *meta, const struct consumer *consumer, pid_t marker_pid);

/* The consumer's start, checkpoint, tick and finish. finish does nothing when start was never called. 0 or -errno. */
int emit_start(struct emit *emit, struct ps_error *err) _must_check_;
int emit_checkpoint(struct emit *emit, struct ps_error *err) _must_check_;
int emit_tick(struct emit *emit, struct ps_error *err) _must_check_;
int emit_finish(struct emit *emit, struct ps_error *err) _must_check_;

/* A marker (META_PAUSE, META_RESUME, META_MARK) at done_ns, CLOCK_MONOTONIC. 0 or the consumer's -errno. */
int emit_marker(struct emit *emit, enum meta_role role, enum marker_cause cause, uint64_t request_ns,
		uint64_t done_ns, const char *label, struct ps_error *err) _must_check_;

/* The values of the last counter_set_read, as a round at time_ns since t0. 0 or the consumer's -errno. */
int emit_reading(struct emit *emit, const struct counter_set *counters, uint64_t time_ns,
		 struct ps_error *err) _must_check_;

#endif
