/*
 * Records to intervals, pauses, windows and totals. A machine that is fed one record after the other and calls out for what
 * is complete, so that its memory depends on the number of counters and not on the length of the recording, and a live
 * session and a file are the same to it.
 *
 * What it makes of a recording:
 * - A window opens at a resume marker and closes with the reading taken at its pause. A recording without markers (perf's
 *   own) is one window from 0 to its last reading.
 * - An interval is the span between two readings of one window; the sum of the raw counts over all intervals of all windows
 *   is the total, exactly. Counters that a reading leaves out keep their last value.
 * - A reading while paused makes no interval. Should its counts differ from the last ones nevertheless, then a resume
 *   was lost (damage), and a window is opened where the pause began. A resume while running says that a pause was
 *   lost: the window ends at its last reading.
 * - A reading that was cut off (no STAT_ROUND) is dropped, a window without its last reading ends with the reading it had.
 *   Where it is the only one of a recording without markers it is shown, as a window of no length.
 * - A count or time that went backwards was set back: what it shows now is what it counted since.
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
	VALUE_SAMPLED,       /* no reading of it, but samples: scaled is the sum of their periods. In totals only */
};

/* What one event did in a span, summed over the cells that the row stands for. */
struct timeline_value {
	enum value_state state;
	uint64_t raw;        /* difference of the raw counts */
	uint64_t enabled_ns; /* differences of the times, summed over the cells */
	uint64_t running_ns;
	uint64_t off_ns;     /* not 0: it was switched off alone for some of the time, and is not scaled for that */
	uint64_t scaled;     /* raw * enabled / running, 128-bit arithmetic; raw when it ran all the time */
	bool is_scaled;      /* running < enabled: scaled is an estimate */
	uint64_t samples;    /* SAMPLE records of the event and the sum of their periods; in totals only, with the first */
	uint64_t period;     /* row of the event */
};

/* Whether scaled is a number of events. */
static inline bool timeline_has_number(const struct timeline_value *value)
{
	return value->state == VALUE_COUNTED || value->state == VALUE_SAMPLED;
}

struct timeline_row {
	size_t event;     /* index into meta.events; markers have no rows */
	int32_t cpu;      /* -1: all */
	int64_t tid;      /* -1: all */
	const char *comm; /* of tid, or NULL */
	struct timeline_value value;
};

struct timeline_span {
	uint64_t start_ns, end_ns; /* since t0; a damaged clock can make them equal */
	unsigned window;           /* from 1; 0: of the total, and of what was only sampled */
	const char *label;         /* the window's: that of its resume marker, or NULL */
	const struct timeline_row *rows; /* events in meta order, then CPU, then thread; borrowed for the call */
	size_t n_rows;
	uint64_t counted_ns;       /* window time in it: end - start for intervals and windows */
	bool unread;               /* a window that was cut off before its first reading: its rows say nothing */
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

struct timeline_options {
	enum timeline_per per;
	unsigned window_first, window_last; /* calls and totals are about these windows only; 0, 0: all */
};

struct timeline;

/*
 * meta is borrowed and may grow until the first reading; so are ops' functions' ctx. options and ops are copied. 0 or
 * -ENOMEM.
 */
int timeline_new(struct timeline **timeline, const struct meta *meta, const struct timeline_options *options,
		 const struct timeline_ops *ops, void *ctx, struct ps_error *err) _must_check_;

/*
 * Feeds one record; those that do not concern it are ignored. 0, -ENOMEM, -EBADMSG (readings of far more counters than
 * the recording announced) or what an op returned.
 */
int timeline_put(struct timeline *timeline, const struct record *rec, struct ps_error *err) _must_check_;

/* The end of the recording: closes what is open and calls total. 0 or -errno. */
int timeline_finish(struct timeline *timeline, struct ps_error *err) _must_check_;

/* CLOCK_MONOTONIC at t0: meta's, else the first marker's time. False while neither is known. */
bool timeline_t0(const struct timeline *timeline, uint64_t *mono_ns);

/* What did not fit, for the notes of a report. */
uint64_t timeline_strays(const struct timeline *timeline);      /* STAT records of no known event, ignored */
uint64_t timeline_set_back(const struct timeline *timeline);    /* times a count went backwards */
uint64_t timeline_lost_markers(const struct timeline *timeline); /* pauses and resumes that had to be assumed */

/* The role of an event: what the reader said, or by kind and name where it did not say. */
enum meta_role timeline_role(const struct meta_event *event);

void timeline_free(struct timeline *timeline);

#endif
