/* A session over the fake kernel, with a clock that stands still and a consumer that logs: what its tests share. */
#ifndef TESTS_SESSION_CASE_H
#define TESTS_SESSION_CASE_H

#include "lib/counters.h"
#include "record/session_private.h"

struct session_case {
	struct counters c; /* its log has the calls to the kernel, the answers and what was put, in their order */
	struct loop loop;
	struct meta meta;
	struct session *session;
	uint64_t now;  /* the session's clock: so far ahead that no real timer goes off */
	int ended;     /* calls of on_end */
	int puts_left; /* the consumer fails after so many records; -1: never */
	struct format_stat last[8]; /* by cell, as put: the n-th is at n % 8 */
	size_t n_last;
	uint64_t last_round_ns;
};

extern struct session_case t;

/* A checked fixture: nothing is open yet; and everything is freed, no descriptor left open. */
void session_case_setup(void);
void session_case_teardown(void);

/* A session of task-clock and page-faults on a target, or on thread 7; not begun. */
void session_case_open_on(const struct target *target, const struct session_options *wanted);
void session_case_open(const struct session_options *wanted);
void session_case_begin(void);

/* Time goes by, for the session and the kernel. */
void session_case_pass(uint64_t ns);

void session_case_command(enum command_kind kind, const char *text);

/* The log since the last call, separated by commas, with the calls to the kernel called what they do: start, stop, read. */
const char *session_case_actions(void);

#endif
