/* The ends of a control connection: opening them, and checking what was handed over. */
#include "control/endpoint.h"

#include <errno.h>
#include <fcntl.h>
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
