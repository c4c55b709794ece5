/* The processes and threads that were there already. */
#include "record/targets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/textfile.h"

#define PIDFD_OF_THREAD O_EXCL /* PIDFD_THREAD of Linux 6.9 */

static int on_end(void *data, int fd, short revents, struct ps_error *err)
{
	struct targets *targets = data;

	(void)revents;
	(void)err;
	loop_remove(targets->loop, fd);
	for (size_t i = 0; i < targets->n; i++) {
		if (targets->fds[i] != fd)
			continue;
		targets->fds[i] = -1;
		targets->left--;
	}
	(void)close(fd);
	if (!targets->left)
		targets->on_gone(targets->data);
	return 0;
}

/* The process a thread belongs to, or -errno. */
static pid_t process_of(pid_t tid)
{
	_cleanup_free_ char *status = NULL;
	const char *at;
	int rc = textfile_readf(65536, &status, "/proc/%d/status", (int)tid);

	if (rc < 0)
		return rc == -ENOENT ? -ESRCH : rc;
	at = strstr(status, "\nTgid:");
	return at ? (pid_t)strtol(at + 6, NULL, 10) : -EBADMSG;
}

static int pidfd_of(pid_t pid, unsigned int flags)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, flags);

	return fd < 0 ? -errno : fd;
}

static int open_thread(pid_t tid)
{
	int fd = pidfd_of(tid, PIDFD_OF_THREAD);
	pid_t process;

	if (fd != -EINVAL)
		return fd;
	process = process_of(tid);
	return process < 0 ? process : pidfd_of(process, 0);
}

static int watch(struct targets *targets, pid_t id, bool thread, struct ps_error *err)
{
	int fd = thread ? open_thread(id) : pidfd_of(id, 0);
	int rc;

	if (fd == -EINVAL && !thread) { /* pidfd_open wants a process */
		ps_fail(err, "target", ESRCH, "%d is a thread, not a process", (int)id);
		ps_hint(err, "use -t %d to count that thread alone", (int)id);
		return -ESRCH;
	}
	if (fd < 0)
		return ps_fail(err, "target", -fd, "%s %d", thread ? "thread" : "process", (int)id);
	rc = loop_add(targets->loop, fd, POLLIN, on_end, targets, err);
	if (rc < 0) {
		(void)close(fd);
		return rc;
	}
	targets->fds[targets->n++] = fd;
	targets->left++;
	return 0;
}

int targets_open(struct targets *targets, struct loop *loop, const pid_t *pids, size_t n_pids, const pid_t *tids,
		 size_t n_tids, void (*on_gone)(void *data), void *data, struct ps_error *err)
{
	int rc = 0;

	memset(targets, 0, sizeof(*targets));
	targets->loop = loop;
	targets->on_gone = on_gone;
	targets->data = data;
	targets->fds = calloc(n_pids + n_tids + 1, sizeof(*targets->fds));
	if (!targets->fds)
		return ps_fail(err, "target", ENOMEM, "watching %zu targets", n_pids + n_tids);
	for (size_t i = 0; rc == 0 && i < n_pids; i++)
		rc = watch(targets, pids[i], false, err);
	for (size_t i = 0; rc == 0 && i < n_tids; i++)
		rc = watch(targets, tids[i], true, err);
	if (rc < 0)
		targets_close(targets);
	return rc;
}

void targets_close(struct targets *targets)
{
	for (size_t i = 0; i < targets->n; i++) {
		if (targets->fds[i] < 0)
			continue;
		loop_remove(targets->loop, targets->fds[i]);
		(void)close(targets->fds[i]);
	}
	free(targets->fds);
	memset(targets, 0, sizeof(*targets));
}
