/* Full reads and writes over a seam: short counts and EINTR are dealt with here and nowhere else. */
#ifndef BASE_IO_H
#define BASE_IO_H

#include <sys/types.h>
#include <sys/uio.h>

#include "base/error.h"

/* The system calls below base/; tests put faults here. Each behaves as the call of its name: -1 and errno. */
struct io_ops {
	void *ctx;
	ssize_t (*read)(void *ctx, int fd, void *buf, size_t len);
	ssize_t (*pread)(void *ctx, int fd, void *buf, size_t len, off_t at);
	ssize_t (*write)(void *ctx, int fd, const void *buf, size_t len);
	ssize_t (*pwritev)(void *ctx, int fd, const struct iovec *iov, int n, off_t at);
};

extern const struct io_ops io_system;

/* Reads until len bytes, end of file or an error. Returns the bytes read (short only at the end) or -errno. */
ssize_t io_read_full(const struct io_ops *io, int fd, void *buf, size_t len, struct ps_error *err)
	_must_check_;
ssize_t io_pread_full(const struct io_ops *io, int fd, void *buf, size_t len, off_t at,
		      struct ps_error *err) _must_check_;

/*
 * Writes all of it. 0 or -errno; a write that makes no progress is -EIO. On a descriptor in non-blocking mode EAGAIN is
 * waited out with poll(2). After an error an unknown part may have been written.
 */
int io_write_full(const struct io_ops *io, int fd, const void *buf, size_t len,
		  struct ps_error *err) _must_check_;

/* Writes all the pieces at an offset. iov is used up (its entries are changed). 0 or -errno. */
int io_pwritev_full(const struct io_ops *io, int fd, struct iovec *iov, int n, off_t at,
		    struct ps_error *err) _must_check_;

#endif
