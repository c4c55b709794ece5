/*
 * The poll loop: descriptors with callbacks, nothing else. poll(2), so that any kind of descriptor can be watched. Callbacks
 * run in the order in which their descriptors were added.
 */
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include <poll.h>
#include <stdbool.h>

#include "base/error.h"

/* revents as from poll(2). A return < 0 ends loop_run with that error. It may add, change and remove any descriptor. */
typedef int (*loop_fn)(void *data, int fd, short revents, struct ps_error *err);

struct loop_slot;

struct loop {
	struct pollfd *fds;       /* parallel arrays, owned; fd -1: a free place */
	struct loop_slot *slots;
	size_t n, cap;
	bool stopped;
};

void loop_init(struct loop *loop);
void loop_fini(struct loop *loop); /* the descriptors stay open, they are the callers' */

/* Watches fd. data is borrowed. 0, -EEXIST when it is watched already, -ENOMEM. */
int loop_add(struct loop *loop, int fd, short events, loop_fn fn, void *data, struct ps_error *err) _must_check_;

/* Changes what is watched for. -ENOENT when fd is not watched. */
int loop_change(struct loop *loop, int fd, short events);

/* Stops watching; nothing happens when fd is not watched. */
void loop_remove(struct loop *loop, int fd);

/* Makes loop_run return 0 after the callback that runs now. */
void loop_stop(struct loop *loop);

/* Until loop_stop or an error. With nothing left to watch it is -EDEADLK, for it would never return. */
int loop_run(struct loop *loop, struct ps_error *err) _must_check_;

/* One poll(2), waiting timeout_ms at most (-1: for ever), and the callbacks due. For tests and drains. 0 or -errno. */
int loop_step(struct loop *loop, int timeout_ms, struct ps_error *err) _must_check_;

#endif
