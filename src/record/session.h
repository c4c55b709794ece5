/*
 * The session: running or paused, what each event does in either state, and the records that come of it. It knows counters
 * and a consumer of records, and neither descriptors of controllers nor the command that is measured.
 */
#ifndef RECORD_SESSION_H
#define RECORD_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "control/command.h"
#include "data/consumer.h"
#include "data/record.h"
#include "event/counter_set.h"
#include "loop/loop.h"

struct meta;
struct session;

enum session_state {
	SESSION_NEW,     /* begin was not called */
	SESSION_PAUSED,
	SESSION_RUNNING,
	SESSION_ENDED,   /* nothing is counted or written any more; commands are still answered */
};

struct session_options {
	uint64_t interval_ns;    /* 0: readings only at pauses and at the end */
	int64_t delay_ns;        /* start counting this long after t0; 0 at once; -1: wait for a resume */
	uint64_t timeout_ns;     /* end this long after t0; 0: never */
	uint64_t interval_count; /* end after so many intervals; 0: never */
	bool counters_running;    /* at t0 the counters are on already: by their exec, or by the caller */
	bool single_summary;      /* one reading in all: it is written as perf's final round */
	pid_t marker_pid;         /* whom the marker samples name */
	const struct clock *clock;
	/* The session has ended by itself (timeout, count, stop, failure): called once, may stop the loop. */
	void (*on_end)(void *data);
	/* Steps for -v: one line. NULL: silent. */
	void (*on_step)(void *data, const char *text);
	void *data;
};

/*
 * Takes its timers and puts them into the loop. Everything is borrowed until session_free; meta must be complete but for t0.
 * 0 or -errno.
 */
int session_new(struct session **session, const struct session_options *options, struct counter_set *counters,
		struct meta *meta, const struct consumer *consumer, struct loop *loop, struct ps_error *err) _must_check_;

/*
 * t0: starts the consumer, counts or is paused as the options say, writes the first marker. t0_mono_ns and t0_wall_ns are
 * the moment the command was let go; 0: now. 0, or -errno when the consumer or the counters failed.
 */
int session_begin(struct session *session, uint64_t t0_mono_ns, uint64_t t0_wall_ns, struct ps_error *err) _must_check_;

/* A command from a controller; a command_fn, data is the session. Always 0: failures are answered, and kept (below). */
int session_command(void *data, const struct command *command, struct reply *reply, struct ps_error *err);

/* Switches by other means than a command (a signal, a key): as the command would, without an answer. */
void session_switch(struct session *session, bool run, enum marker_cause cause, uint64_t request_ns);

/* Ends it: as a pause with that cause. Nothing happens when it has ended already. */
void session_end(struct session *session, enum marker_cause cause);

/* Recording ends here because of err, which becomes the session's failure unless it has one. */
void session_abort(struct session *session, const struct ps_error *err);

/*
 * Lets the consumer finish. 0, or the first failure of the session (-errno, err filled): recording ended there, and the
 * file is whole up to it.
 */
int session_finish(struct session *session, struct ps_error *err) _must_check_;

enum session_state session_state(const struct session *session);

/* Why it failed, or NULL. Borrowed. */
const struct ps_error *session_failure(const struct session *session);

/* What ended it; MARKER_UNKNOWN before that and after a failure. */
enum marker_cause session_end_cause(const struct session *session);

/* For messages and tests: windows begun, readings written, ticks missed. */
unsigned session_windows(const struct session *session);
uint64_t session_readings(const struct session *session);
uint64_t session_missed_ticks(const struct session *session);

void session_free(struct session *session);

#endif
