/* One end of a control connection: a pipe, a socket or something else that is read and written without ever blocking. */
#ifndef CONTROL_ENDPOINT_H
#define CONTROL_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

enum endpoint_kind {
	ENDPOINT_NONBLOCK, /* its file description is in non-blocking mode */
	ENDPOINT_SOCKET,   /* told not to block with each call */
	ENDPOINT_POLLED,   /* a call is made only when poll(2) promised that it will not block: terminals, devices, files */
};

struct endpoint {
	int fd; /* borrowed; -1: there is none */
	enum endpoint_kind kind;
};

/*
 * Prepares a descriptor that endpoint_check passed. A pipe in blocking mode gets a file description of its own under the
 * same number, so that it can be non-blocking here without becoming so for the process that shares the old one (a shell
 * that reads the answers from the same FIFO).
 */
void endpoint_init(struct endpoint *end, int fd);

/*
 * Checks that a descriptor is open and has the right direction, and makes it close-on-exec. 0 or -EBADF with a message that
 * calls it name.
 */
int endpoint_check(int fd, bool write, const char *name, struct ps_error *err) _must_check_;

/*
 * Opens a FIFO in non-blocking mode. mode O_RDWR: the other ends may come and go. O_WRONLY fails with -ENXIO when nobody
 * reads. The descriptor, or -errno with a hint.
 */
int endpoint_open_fifo(const char *path, int mode, struct ps_error *err) _must_check_;

/* Reads what there is, once. Only after poll(2) said so. > 0 bytes, 0 at the end, -EAGAIN nothing there, -errno. */
ssize_t endpoint_read(const struct endpoint *end, void *buf, size_t len) _must_check_;

/* Writes what there is room for, once. > 0 bytes, -EAGAIN no room, -EPIPE the reader is gone, -errno. */
ssize_t endpoint_write(const struct endpoint *end, const void *buf, size_t len) _must_check_;

#endif
