/* Reads and writes that never block. */
#include "base/nonblock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* Gives a pipe a non-blocking file description of its own, under the same number. Whether it worked. */
static bool reopen(int fd, int flags)
{
	char path[sizeof("/proc/self/fd/") + 3 * sizeof(fd)];
	int fresh, rc;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fresh = open(path, (flags & O_ACCMODE) | O_NONBLOCK | O_CLOEXEC);
	if (fresh < 0)
		return false;
	rc = dup3(fresh, fd, O_CLOEXEC);
	attr_close(&fresh);
	return rc == fd;
}

void nonblock_init(struct nonblock *nb, int fd, const struct io_ops *io)
{
	struct stat st;
	int flags;

	*nb = (struct nonblock){ .fd = fd, .kind = NONBLOCK_POLLED, .io = io };
	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	flags = fcntl(fd, F_GETFL);
	if (S_ISSOCK(st.st_mode))
		nb->kind = NONBLOCK_SOCKET;
	else if (S_ISREG(st.st_mode))
		nb->kind = NONBLOCK_MODE;
	else if (S_ISFIFO(st.st_mode) && flags >= 0 && ((flags & O_NONBLOCK) || reopen(fd, flags)))
		nb->kind = NONBLOCK_MODE;
}

ssize_t nonblock_read(const struct nonblock *nb, void *buf, size_t len)
{
	ssize_t n;

	do
		n = nb->kind == NONBLOCK_SOCKET ? recv(nb->fd, buf, len, MSG_DONTWAIT) :
						  nb->io->read(nb->io->ctx, nb->fd, buf, len);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* 0 when poll(2) promises room, or has an error to report that the write itself will name. */
static int await_room(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLOUT };
	int n = poll(&pfd, 1, 0);

	if (n < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	return n ? 0 : -EAGAIN;
}

ssize_t nonblock_write(const struct nonblock *nb, const void *buf, size_t len)
{
	int rc = nb->kind == NONBLOCK_POLLED ? await_room(nb->fd) : 0;
	ssize_t n;

	if (rc < 0)
		return rc;
	if (nb->kind == NONBLOCK_POLLED && len > PIPE_BUF)
		len = PIPE_BUF; /* the promise holds for so much */
	do
		n = nb->kind == NONBLOCK_SOCKET ? send(nb->fd, buf, len, MSG_DONTWAIT | MSG_NOSIGNAL) :
						  nb->io->write(nb->io->ctx, nb->fd, buf, len);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		return n;
	return n < 0 ? -errno : -EAGAIN;
}
