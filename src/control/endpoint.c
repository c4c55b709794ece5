/* One end of a control connection: reads and writes that never block. */
#include "control/endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>

int endpoint_check(int fd, bool write, const char *name, struct ps_error *err)
{
	int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
	int mode;

	if (flags < 0) {
		(void)ps_fail(err, "control", EBADF, "%s: not open", name);
		ps_hint(err, "hand the descriptor over when starting pstat, and do not let it be close-on-exec");
		return -EBADF;
	}
	mode = flags & O_ACCMODE;
	if ((flags & O_PATH) || mode == (write ? O_RDONLY : O_WRONLY))
		return ps_fail(err, "control", EBADF, "%s: not open for %s", name, write ? "writing" : "reading");
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return ps_fail(err, "control", errno, "%s: making it close-on-exec", name);
	return 0;
}

int endpoint_open_fifo(const char *path, int mode, struct ps_error *err)
{
	_cleanup_close_ int fd = open(path, mode | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		int rc = ps_fail(err, "control", errno, "opening the FIFO %s", path);

		if (rc == -ENOENT && mode == O_RDWR)
			ps_hint(err, "make it first: mkfifo %s", path);
		else if (rc == -ENOENT || rc == -ENXIO)
			ps_hint(err, "is pstat running?");
		return rc;
	}
	if (fstat(fd, &st) < 0)
		return ps_fail(err, "control", errno, "looking at %s", path);
	if (!S_ISFIFO(st.st_mode))
		return ps_fail(err, "control", EINVAL, "%s is not a FIFO", path);
	return attr_take_fd(&fd);
}

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

void endpoint_init(struct endpoint *end, int fd)
{
	struct stat st;
	int flags;

	*end = (struct endpoint){ .fd = fd, .kind = ENDPOINT_POLLED };
	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	flags = fcntl(fd, F_GETFL);
	if (S_ISSOCK(st.st_mode))
		end->kind = ENDPOINT_SOCKET;
	else if (S_ISFIFO(st.st_mode) && flags >= 0 && ((flags & O_NONBLOCK) || reopen(fd, flags)))
		end->kind = ENDPOINT_NONBLOCK;
}

ssize_t endpoint_read(const struct endpoint *end, void *buf, size_t len)
{
	ssize_t n;

	do
		n = end->kind == ENDPOINT_SOCKET ? recv(end->fd, buf, len, MSG_DONTWAIT) : read(end->fd, buf, len);
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

ssize_t endpoint_write(const struct endpoint *end, const void *buf, size_t len)
{
	int rc = end->kind == ENDPOINT_POLLED ? await_room(end->fd) : 0;
	ssize_t n;

	if (rc < 0)
		return rc;
	do
		n = end->kind == ENDPOINT_SOCKET ? send(end->fd, buf, len, MSG_DONTWAIT | MSG_NOSIGNAL) :
						   write(end->fd, buf, len);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		return n;
	return n < 0 ? -errno : -EAGAIN;
}
