/*
 * Notices FIFOs that were removed and made anew under the same path: by a controller that cleans up, or with their whole
 * folder. By looking twice a second, which needs no watch on folders that may go away themselves.
 */
#ifndef CONTROL_FIFO_WATCH_H
#define CONTROL_FIFO_WATCH_H

#include "base/clock.h"
#include "loop/loop.h"

struct fifo_watch;

/*
 * There are new ones, open for both directions and without blocking; a descriptor of -1: that one is still the same. The
 * callee takes them over. They come together: when both were removed, nothing is said before both are there again, so that
 * the answer to a command that came through a new FIFO does not go to an old one. 0, or -errno: the session must end.
 */
typedef int (*fifo_watch_fn)(void *data, int cmd_fd, int ack_fd, struct ps_error *err);

/* Paths are copied. cmd_fd and ack_fd are what is open now; ack_path NULL: there is only one. 0 or -errno. */
int fifo_watch_new(struct fifo_watch **watch, struct loop *loop, const struct clock *clock, const char *cmd_path, int cmd_fd,
		   const char *ack_path, int ack_fd, fifo_watch_fn fn, void *data, struct ps_error *err) _must_check_;

/* NULL is fine. */
void fifo_watch_free(struct fifo_watch *watch);

#endif
