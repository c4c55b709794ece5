/* Signals as a descriptor (signalfd), and the mask and dispositions from before, to hand to the workload. */
#ifndef LOOP_SIGNAL_SOURCE_H
#define LOOP_SIGNAL_SOURCE_H

#include <signal.h>
#include <sys/signalfd.h>

#include "base/error.h"

struct signal_source {
	int fd; /* owned, CLOEXEC, non-blocking; -1: none */
	sigset_t old_mask;
	struct sigaction old[3]; /* of SIGPIPE, SIGXFSZ and SIGCHLD */
};

/*
 * Blocks the signals of set and gets a descriptor for them. SIGPIPE and SIGXFSZ are ignored, so that a write that fails says
 * so; SIGCHLD has its default, for where it is ignored exit statuses are lost. A SIGHUP that is being ignored (nohup) stays
 * ignored and is not reported. Call it before any thread is started. 0 or -errno, then nothing has changed.
 */
int signal_source_open(struct signal_source *source, const sigset_t *set, struct ps_error *err) _must_check_;

/* The next pending signal: 1 and *info filled, 0 none, -errno. */
int signal_source_next(struct signal_source *source, struct signalfd_siginfo *info, struct ps_error *err) _must_check_;

/* In a forked child, async-signal-safe: mask and dispositions as before open. 0 or -errno. */
int signal_source_restore_child(const struct signal_source *source);

/* Restores mask and dispositions, closes. Signals still pending take effect as they would have. Safe to call twice. */
void signal_source_close(struct signal_source *source);

#endif
