/* System calls that fail on order. */
#include "lib/fault_io.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

/* Whether this call fails; errno is set then. */
static bool fails(struct fault_io *io)
{
	bool now = ++io->calls == io->fail_at || (io->dead && io->calls > io->fail_at);

	errno = io->interrupted && io->calls % 2 ? EINTR : now ? io->code : 0;
	return errno != 0;
}

static size_t cut(const struct fault_io *io, size_t len)
{
	return io->at_most && len > io->at_most ? io->at_most : len;
}

static ssize_t fault_read(void *ctx, int fd, void *buf, size_t len)
{
	return fails(ctx) ? -1 : read(fd, buf, cut(ctx, len));
}

static ssize_t fault_pread(void *ctx, int fd, void *buf, size_t len, off_t at)
{
	return fails(ctx) ? -1 : pread(fd, buf, cut(ctx, len), at);
}

static ssize_t fault_write(void *ctx, int fd, const void *buf, size_t len)
{
	struct fault_io *io = ctx;

	io->writes++;
	return fails(io) ? -1 : write(fd, buf, cut(io, len));
}

/* The pieces up to `room` bytes, one after the other as a kernel may. */
static ssize_t write_pieces(int fd, const struct iovec *iov, int n, off_t at, size_t room)
{
	ssize_t done = 0;

	for (int i = 0; i < n && room; i++) {
		size_t len = iov[i].iov_len < room ? iov[i].iov_len : room;
		ssize_t got = pwrite(fd, iov[i].iov_base, len, at + done);

		if (got < 0)
			return done ? done : -1;
		done += got;
		room -= (size_t)got;
	}
	return done;
}

static ssize_t fault_pwritev(void *ctx, int fd, const struct iovec *iov, int n, off_t at)
{
	struct fault_io *io = ctx;
	size_t room = cut(io, SIZE_MAX);

	io->writes++;
	if (fails(io))
		return -1;
	if (io->disk_bytes && (size_t)at >= io->disk_bytes) {
		errno = ENOSPC;
		return -1;
	}
	if (io->disk_bytes && room > io->disk_bytes - (size_t)at)
		room = io->disk_bytes - (size_t)at;
	return write_pieces(fd, iov, n, at, room);
}

void fault_io_init(struct fault_io *io)
{
	memset(io, 0, sizeof(*io));
	io->ops = (struct io_ops){ io, fault_read, fault_pread, fault_write, fault_pwritev };
}
