/* What the files of the session share. */
#ifndef RECORD_SESSION_PRIVATE_H
#define RECORD_SESSION_PRIVATE_H

#include "loop/timer_source.h"
#include "record/emit.h"
#include "record/outlet.h"
#include "record/session.h"

struct session {
	struct session_options options;
	struct counter_set *counters;
	struct meta *meta;
	struct loop *loop;
	struct emit emit;
	struct outlet outlet;
	enum session_state state;
	enum marker_cause end_cause;
	struct timer_source tick, delay, timeout, checkpoint;
	uint64_t t0_ns;
	unsigned windows;
	uint64_t missed;
	struct ps_error failure; /* the first one; code 0: none */
};

/* CLOCK_MONOTONIC by the session's clock. */
uint64_t session_now_ns(const struct session *session);

/* One line for -v, with the time since t0. */
void session_step(const struct session *session, uint64_t at_ns, const char *fmt, ...) _printf_(3, 4);

/* Answers a command; reply NULL: there is none. */
void session_answer(struct reply *reply, int result);

/* These fail the session, which ends recording, and do nothing once it has failed. session_read tells whether it could. */
bool session_read(struct session *session);
void session_put_marker(struct session *session, enum meta_role role, enum marker_cause cause, uint64_t request_ns,
			uint64_t done_ns, const char *label);
void session_put_reading(struct session *session, uint64_t at_ns);

/* The switches; the state is the other one. Each answers as soon as the counters have changed state. */
void session_resume(struct session *session, enum marker_cause cause, uint64_t request_ns, const char *label,
		    struct reply *reply);
void session_pause(struct session *session, enum marker_cause cause, uint64_t request_ns, struct reply *reply);

/* The end, from either state. */
void session_end_now(struct session *session, enum marker_cause cause, uint64_t request_ns, struct reply *reply);

/* The timers: expiries of the interval since the last call, 0 after a stale wake-up; the delay is over. */
void session_tick(struct session *session, uint64_t expiries);
void session_delay_over(struct session *session);

/* Readings that --interval-count still allows. */
uint64_t session_intervals_left(const struct session *session);

#endif
