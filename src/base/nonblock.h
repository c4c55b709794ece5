/* Reads and writes that never block, also where a descriptor is shared with a process that wants it to block. */
#ifndef BASE_NONBLOCK_H
#define BASE_NONBLOCK_H

#include "base/io.h"

enum nonblock_kind {
	NONBLOCK_MODE,   /* its file description is in non-blocking mode, or it is a regular file */
	NONBLOCK_SOCKET, /* told not to block with each call */
	NONBLOCK_POLLED, /* a call is made only when poll(2) promised that it will not block: terminals, devices */
};

struct nonblock {
	int fd; /* borrowed; -1: there is none */
	enum nonblock_kind kind;
	const struct io_ops *io;
};

/*
 * Prepares a descriptor. A pipe in blocking mode gets a file description of its own under the same number, so that it can be
 * non-blocking here without becoming so for the process that shares the old one (a shell, a workload that writes to the same
 * pipe). io: &io_system outside of tests; sockets bypass it.
 */
void nonblock_init(struct nonblock *nb, int fd, const struct io_ops *io);

/* Reads what there is, once. Only after poll(2) said so. > 0 bytes, 0 at the end, -EAGAIN nothing there, -errno. */
ssize_t nonblock_read(const struct nonblock *nb, void *buf, size_t len) _must_check_;

/* Writes what there is room for, once. > 0 bytes, -EAGAIN no room, -EPIPE the reader is gone, -errno. */
ssize_t nonblock_write(const struct nonblock *nb, const void *buf, size_t len) _must_check_;

#endif
