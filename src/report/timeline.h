/*
 * Records to intervals, pauses, windows and totals. A machine that is fed one record after the other and calls out for what
 * is complete, so that its memory depends on the number of counters and not on the length of the recording, and a live
 * session and a file are the same to it.
 */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "data/meta.h"
#include "data/record.h"

enum value_state {
	VALUE_COUNTED,       /* also a true 0: the counter was on, or the task it follows slept */
	VALUE_NOT_COUNTED,   /* enabled time grew and running time did not */
	VALUE_NOT_SUPPORTED, /* could not be opened on the machine that recorded */
};

/* What one event did in a span, summed over the cells that the row stands for. */
struct timeline_value {
	enum value_state state;
	uint64_t raw;        /* difference of the raw counts */
	uint64_t enabled_ns; /* differences of the times, summed over the cells */
	uint64_t running_ns;
	uint64_t scaled;     /* raw * enabled / running, 128-bit arithmetic; raw when it ran all the time */
	bool is_scaled;      /* running < enabled: scaled is an estimate */
};

struct timeline_row {
	size_t event;     /* index into meta.events; markers have no rows */
	int32_t cpu;      /* -1: all */
	int64_t tid;      /* -1: all */
	const char *comm; /* of tid, or NULL */
	struct timeline_value value;
};

struct timeline_span {
	uint64_t start_ns, end_ns; /* since t0 */
	unsigned window;           /* from 1; 0: the total over all windows */
	const char *label;         /* the window's, or NULL */
	const struct timeline_row *rows; /* events in meta order, then CPU, then thread; borrowed for the call */
	size_t n_rows;
	uint64_t counted_ns;       /* window time in it: end - start for intervals and windows */
};

struct timeline_marker {
	enum meta_role role; /* META_PAUSE, META_RESUME, META_MARK */
	uint64_t time_ns;    /* since t0 */
	bool has_detail;     /* the rest is known */
	uint64_t seq;
	enum marker_cause cause;
	uint64_t request_ns, done_ns; /* CLOCK_MONOTONIC */
	const char *label;
};

/* Each may be NULL. A return < 0 ends the feeding with that error. Calls come in order of time. */
struct timeline_ops {
	int (*interval)(void *ctx, const struct timeline_span *span, struct ps_error *err);
	int (*pause)(void *ctx, uint64_t start_ns, uint64_t end_ns, struct ps_error *err); /* a paused span is over */
	int (*marker)(void *ctx, const struct timeline_marker *marker, struct ps_error *err);
	int (*window)(void *ctx, const struct timeline_span *span, struct ps_error *err); /* a window is over */
	int (*total)(void *ctx, const struct timeline_span *span, struct ps_error *err);  /* once, last */
};

enum timeline_per {
	TIMELINE_PER_TOTAL,
	TIMELINE_PER_CPU,
	TIMELINE_PER_THREAD,
};

struct timeline;

/* meta is borrowed and may grow until the first reading. 0 or -ENOMEM. */
int timeline_new(struct timeline **timeline, const struct meta *meta, enum timeline_per per,
		 const struct timeline_ops *ops, void *ctx, struct ps_error *err) _must_check_;

/* Feeds one record; those that do not concern it are ignored. 0 or -errno. */
int timeline_put(struct timeline *timeline, const struct record *rec, struct ps_error *err) _must_check_;

/* The end of the recording: closes what is open and calls total. 0 or -errno. */
int timeline_finish(struct timeline *timeline, struct ps_error *err) _must_check_;

void timeline_free(struct timeline *timeline);

#endif
