/* The processes and threads that were there already: when the last one is gone, the session is over. */
#ifndef RECORD_TARGETS_H
#define RECORD_TARGETS_H

#include <sys/types.h>

#include "loop/loop.h"

struct targets {
	int *fds; /* one pidfd each, owned; -1 once it ended */
	size_t n, left;
	struct loop *loop;
	void (*on_gone)(void *data); /* the last one ended */
	void *data;
};

/*
 * Watches processes and threads. A thread that is not a process of its own needs Linux 6.9 to be watched; before that its
 * process is. 0, -ESRCH for one that does not exist, -errno.
 */
int targets_open(struct targets *targets, struct loop *loop, const pid_t *pids, size_t n_pids, const pid_t *tids,
		 size_t n_tids, void (*on_gone)(void *data), void *data, struct ps_error *err) _must_check_;

/* Nothing happens for a zeroed struct. */
void targets_close(struct targets *targets);

#endif
