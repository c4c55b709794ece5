/* One run of pstat, from the checked options to the exit status: wires targets, workload, controls, counters and session. */
#ifndef RECORD_RUN_H
#define RECORD_RUN_H

#include "data/consumer.h"
#include "event/spec.h"
#include "record/controls.h"

struct run_config {
	const struct event_list *events;
	const pid_t *pids;
	size_t n_pids;
	const pid_t *tids;
	size_t n_tids;
	const int32_t *cpus;  /* -C; or the online ones for -a */
	size_t n_cpus;
	bool inherit;
	bool strict;          /* an event that is not supported is an error */
	char *const *command; /* NULL-terminated; NULL: none */
	bool stdout_taken;    /* the recording goes there: what the command prints goes to standard error */

	uint64_t interval_ns; /* as in struct session_options */
	int64_t delay_ns;
	uint64_t timeout_ns;
	uint64_t interval_count;

	struct controls_config controls;
	const struct consumer *consumer; /* where the records go */
	int argc;                        /* pstat's own command line, for the file */
	char *const *argv;

	/* One line for the user; steps only when -v. data goes to all of them. */
	void (*on_note)(void *data, const char *text);
	void (*on_step)(void *data, const char *text); /* NULL: not wanted */
	void (*on_failure)(void *data, const struct ps_error *err); /* recording ended early; the workload goes on */
	void *data;
};

struct run_result {
	int status; /* the exit status, when run() returns 0 */
	unsigned windows;
	uint64_t readings, missed_ticks;
};

#define RUN_STATUS_USAGE 2
#define RUN_STATUS_FAILURE 125
#define RUN_STATUS_NOT_EXECUTABLE 126
#define RUN_STATUS_NOT_FOUND 127

/*
 * Everything in config is borrowed. 0 and *result filled; or -errno with err filled and result->status the exit status that
 * goes with it, when nothing was recorded.
 */
int run(const struct run_config *config, struct run_result *result, struct ps_error *err) _must_check_;

#endif
