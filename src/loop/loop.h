/*
 * The poll loop: descriptors with callbacks, nothing else. poll(2), so that any kind of descriptor can be watched. Callbacks
 * run in the order in which their descriptors were added.
 */
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include <poll.h>
#include <stdbool.h>

#include "base/error.h"

/*
 * revents as from poll(2). A return < 0 ends loop_run with that error. It may add, change and remove any descriptor. One that
 * turned out not to be open (POLLNVAL) is told once and then removed, for poll would report it for ever.
 */
typedef int (*loop_fn)(void *data, int fd, short revents, struct ps_error *err);

struct loop_slot;

struct loop {
	struct pollfd *fds;       /* parallel arrays, owned; fd -1: removed, squeezed out after the callbacks */
	struct loop_slot *slots;
	size_t n, cap;
	unsigned int depth;       /* callbacks that are running: places must not move */
	bool stopped;
};

void loop_init(struct loop *loop);
void loop_fini(struct loop *loop); /* the descriptors stay open, they are the callers' */

/* Watches fd. data is borrowed. 0, -EEXIST when it is watched already, -EBADF for a negative fd, -ENOMEM. */
int loop_add(struct loop *loop, int fd, short events, loop_fn fn, void *data, struct ps_error *err) _must_check_;

/* Changes what is watched for. 0, -ENOENT when fd is not watched. */
int loop_change(struct loop *loop, int fd, short events);

/* Stops watching; nothing happens when fd is not watched. */
void loop_remove(struct loop *loop, int fd);

/* Makes loop_run return 0 after the callback that runs now, or at once when it is not running yet. */
void loop_stop(struct loop *loop);

/* Until loop_stop or an error. With nothing left to watch it is -EDEADLK, for it would never return. */
int loop_run(struct loop *loop, struct ps_error *err) _must_check_;

/*
 * One poll(2), waiting timeout_ms at most (-1: for ever), and the callbacks due. For tests and drains. 0 or -errno; a signal
 * that interrupts the wait is 0.
 */
int loop_step(struct loop *loop, int timeout_ms, struct ps_error *err) _must_check_;

#endif
