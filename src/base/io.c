/* Full reads and writes. */
#include "base/io.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

static ssize_t system_read(void *ctx, int fd, void *buf, size_t len)
{
	(void)ctx;
	return read(fd, buf, len);
}

static ssize_t system_pread(void *ctx, int fd, void *buf, size_t len, off_t at)
{
	(void)ctx;
	return pread(fd, buf, len, at);
}

static ssize_t system_write(void *ctx, int fd, const void *buf, size_t len)
{
	(void)ctx;
	return write(fd, buf, len);
}

static ssize_t system_pwritev(void *ctx, int fd, const struct iovec *iov, int n, off_t at)
{
	(void)ctx;
	return pwritev(fd, iov, n, at);
}

const struct io_ops io_system = {
	NULL, system_read, system_pread, system_write, system_pwritev,
};

/* What to do after a call returned -1: 0 = try again, otherwise -errno. */
static int retry(int fd, short events, int code)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	if (code == EINTR)
		return 0;
	if (code != EAGAIN && code != EWOULDBLOCK)
		return -code;
	while (poll(&pfd, 1, -1) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

/* at < 0 reads at the descriptor's own position. */
static ssize_t read_full(const struct io_ops *io, int fd, void *buf, size_t len, off_t at,
			 struct ps_error *err)
{
	size_t done = 0;

	while (done < len) {
		char *to = (char *)buf + done;
		ssize_t n = at < 0 ? io->read(io->ctx, fd, to, len - done) :
				     io->pread(io->ctx, fd, to, len - done, at + (off_t)done);

		if (n == 0)
			break;
		if (n > 0) {
			done += (size_t)n;
			continue;
		}
		int rc = retry(fd, POLLIN, errno);

		if (rc < 0)
			return ps_fail(err, "io", -rc, "reading %zu bytes", len - done);
	}
	return (ssize_t)done;
}

ssize_t io_read_full(const struct io_ops *io, int fd, void *buf, size_t len, struct ps_error *err)
{
	return read_full(io, fd, buf, len, -1, err);
}

ssize_t io_pread_full(const struct io_ops *io, int fd, void *buf, size_t len, off_t at,
		      struct ps_error *err)
{
	if (at < 0)
		return ps_fail(err, "io", EINVAL, "reading at a negative offset");
	return read_full(io, fd, buf, len, at, err);
}

int io_write_full(const struct io_ops *io, int fd, const void *buf, size_t len,
		  struct ps_error *err)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = io->write(io->ctx, fd, (const char *)buf + done, len - done);

		if (n > 0) {
			done += (size_t)n;
			continue;
		}
		int rc = n == 0 ? -EIO : retry(fd, POLLOUT, errno);

		if (rc < 0)
			return ps_fail(err, "io", -rc, "writing %zu bytes", len - done);
	}
	return 0;
}

/* Steps over n written bytes. Returns the number of pieces that are done. */
static int iov_advance(struct iovec *iov, int pieces, size_t n)
{
	int i = 0;

	while (i < pieces && n >= iov[i].iov_len)
		n -= iov[i++].iov_len;
	if (i < pieces) {
		iov[i].iov_base = (char *)iov[i].iov_base + n;
		iov[i].iov_len -= n;
	}
	return i;
}

int io_pwritev_full(const struct io_ops *io, int fd, struct iovec *iov, int n, off_t at,
		    struct ps_error *err)
{
	int skip = iov_advance(iov, n, 0); /* pieces of no bytes at the front */

	while (skip < n) {
		int count = n - skip < IOV_MAX ? n - skip : IOV_MAX;
		ssize_t done = io->pwritev(io->ctx, fd, iov + skip, count, at);

		if (done > 0) {
			at += done;
			skip += iov_advance(iov + skip, n - skip, (size_t)done);
			continue;
		}
		int rc = done == 0 ? -EIO : retry(fd, POLLOUT, errno);

		if (rc < 0)
			return ps_fail(err, "io", -rc, "writing at offset %lld", (long long)at);
	}
	return 0;
}
