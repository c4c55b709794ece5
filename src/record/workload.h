/*
 * The launched command: forked stopped, so that counters can be opened on it; let go; waited for. It gets the signal mask,
 * dispositions, limits and descriptors pstat was started with and nothing of pstat's own, unless it is asked for.
 */
#ifndef RECORD_WORKLOAD_H
#define RECORD_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "loop/signal_source.h"

struct workload {
	pid_t pid;      /* 0: none */
	int pidfd;      /* readable when it has ended; -1: none */
	int go_fd;      /* one byte lets it execute; -1 once done */
	int status_fd;  /* errno of a failed exec comes here */
	bool reaped;
	int wait_status; /* as from waitpid(2), once reaped */
};

#define WORKLOAD_NONE { 0, -1, -1, -1, false, 0 }

/* What the command finds in its environment besides pstat's own: the control descriptors. */
struct workload_control {
	int cmd_fd, ack_fd; /* -1: none; made inheritable in the child only */
};

/* argv[0] would be found and may be executed, as execvp(3) looks. 0, -ENOENT or -EACCES, with a message. */
int workload_check(const char *file, struct ps_error *err) _must_check_;

/* How the command is started; borrowed for the call. */
struct workload_start {
	char *const *argv;                       /* ends with NULL */
	const struct signal_source *signals;     /* what to restore */
	const struct workload_control *control;  /* or NULL */
	bool stdout_to_stderr; /* standard output carries the recording: what the command prints goes to standard error */
};

/* Forks the command, which waits. 0 or -errno. */
int workload_fork(struct workload *workload, const struct workload_start *start, struct ps_error *err) _must_check_;

/* Lets it execute and waits until it has. 0, or the -errno of its exec (the child is gone and reaped then). */
int workload_go(struct workload *workload, const char *file, struct ps_error *err) _must_check_;

/* Sends a signal unless it is reaped. 0 or -errno. */
int workload_kill(struct workload *workload, int signo);

/* Collects the status when it has ended: 1 reaped now or before, 0 still running, -errno. Never waits. */
int workload_reap(struct workload *workload, struct ps_error *err) _must_check_;

/* Waits for its end, however long it takes. */
void workload_wait(struct workload *workload);

/* The exit status a shell would give: the code, or 128+N for a signal. */
int workload_exit_status(const struct workload *workload);

/* Closes; a command that was never let go ends by itself and is collected. */
void workload_fini(struct workload *workload);

#endif
