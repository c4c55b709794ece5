/* The launched command. */
#include "record/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* 0 when path is a file that may be executed, else -errno. */
static int executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EACCES;
	return access(path, X_OK) < 0 ? -errno : 0;
}

/* The search of execvp(3): the first that can be executed; EACCES is remembered over ENOENT. */
static int search_path(const char *file)
{
	const char *path = getenv("PATH");
	int found = -ENOENT;

	if (!path)
		path = "/bin:/usr/bin";
	for (;;) {
		size_t len = strcspn(path, ":");
		_cleanup_free_ char *full = NULL;
		int rc;

		if (asprintf(&full, "%.*s%s%s", (int)len, path, len ? "/" : "./", file) < 0) {
			full = NULL;
			return -ENOMEM;
		}
		rc = executable(full);
		if (rc == 0)
			return 0;
		if (rc == -EACCES)
			found = rc;
		if (!path[len])
			return found;
		path += len + 1;
	}
}

int workload_check(const char *file, struct ps_error *err)
{
	int rc = strchr(file, '/') ? executable(file) : *file ? search_path(file) : -ENOENT;

	return rc < 0 ? ps_fail(err, "workload", -rc, "starting %s", file) : 0;
}

/* --- the child, between fork and exec: only async-signal-safe calls ------------------------------------------------- */

static void child_fail(int status_fd, int code)
{
	while (write(status_fd, &code, sizeof(code)) < 0 && errno == EINTR)
		;
	_exit(127);
}

static int child_inherit(int fd)
{
	return fd < 0 ? 0 : fcntl(fd, F_SETFD, 0);
}

static void child_run(int go_fd, int status_fd, const struct workload_start *start)
{
	const struct workload_control *control = start->control;
	int rc = signal_source_restore_child(start->signals);
	char go;
	ssize_t n;

	if (rc < 0)
		child_fail(status_fd, -rc);
	if (control && (child_inherit(control->cmd_fd) < 0 || child_inherit(control->ack_fd) < 0))
		child_fail(status_fd, errno);
	if (start->stdout_to_stderr && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		child_fail(status_fd, errno);
	do {
		n = read(go_fd, &go, 1);
	} while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(127); /* pstat gave up or died */
	execvp(start->argv[0], start->argv);
	child_fail(status_fd, errno);
}

/* --- the parent ----------------------------------------------------------------------------------------------------- */

/* Environment for the child; set before fork since setenv(3) is not safe behind it, and taken back after. */
static int control_environment(const struct workload_control *control, bool set)
{
	char number[16];

	if (!control)
		return 0;
	if (!set)
		return unsetenv("PSTAT_CMD_FD") < 0 || unsetenv("PSTAT_ACK_FD") < 0 ? -errno : 0;
	(void)snprintf(number, sizeof(number), "%d", control->cmd_fd);
	if (setenv("PSTAT_CMD_FD", number, 1) < 0)
		return -errno;
	(void)snprintf(number, sizeof(number), "%d", control->ack_fd);
	return setenv("PSTAT_ACK_FD", number, 1) < 0 ? -errno : 0;
}

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0u); /* close-on-exec by itself */
}

static void close_pair(int fds[2])
{
	for (int i = 0; i < 2; i++) {
		if (fds[i] >= 0)
			(void)close(fds[i]);
		fds[i] = -1;
	}
}

/* Both pipes are there; forks over them. The ends of the child are closed in the parent. */
static int fork_over(struct workload *workload, int go[2], int status[2], const struct workload_start *start,
		     struct ps_error *err)
{
	const char *name = start->argv[0];
	pid_t pid = fork();

	if (pid < 0)
		return ps_fail(err, "workload", errno, "forking for %s", name);
	if (pid == 0) {
		(void)close(go[1]); /* or it would keep its own pipe open when pstat dies */
		child_run(go[0], status[1], start);
	}
	workload->pid = pid;
	workload->go_fd = attr_take_fd(&go[1]);
	workload->status_fd = attr_take_fd(&status[0]);
	workload->pidfd = open_pidfd(pid);
	if (workload->pidfd < 0) {
		int code = errno;

		workload_fini(workload);
		ps_fail(err, "workload", code, "watching for the end of %s", name);
		if (code == ENOSYS)
			ps_hint(err, "pidfd_open(2) needs Linux 5.3 or newer");
		return -code;
	}
	return 0;
}

int workload_fork(struct workload *workload, const struct workload_start *start, struct ps_error *err)
{
	int go[2] = { -1, -1 }, status[2] = { -1, -1 };
	const char *name = start->argv[0];
	int rc;

	*workload = (struct workload)WORKLOAD_NONE;
	if (pipe2(go, O_CLOEXEC) < 0 || pipe2(status, O_CLOEXEC) < 0) {
		rc = ps_fail(err, "workload", errno, "making pipes for %s", name);
	} else {
		rc = control_environment(start->control, true);
		rc = rc < 0 ? ps_fail(err, "workload", -rc, "setting the environment of %s", name) :
			      fork_over(workload, go, status, start, err);
		if (control_environment(start->control, false) < 0 && rc == 0)
			rc = ps_fail(err, "workload", ENOMEM, "resetting the environment");
	}
	close_pair(go);
	close_pair(status);
	return rc;
}

void workload_wait(struct workload *workload)
{
	while (!workload->reaped) {
		if (waitpid(workload->pid, &workload->wait_status, 0) == workload->pid)
			workload->reaped = true;
		else if (errno != EINTR)
			break;
	}
}

int workload_go(struct workload *workload, const char *file, struct ps_error *err)
{
	int code = 0;
	ssize_t n;

	do {
		n = write(workload->go_fd, "g", 1);
	} while (n < 0 && errno == EINTR);
	if (n < 0) {
		code = errno == EPIPE ? ECHILD : errno; /* it was killed before it began */
	} else {
		do {
			n = read(workload->status_fd, &code, sizeof(code));
		} while (n < 0 && errno == EINTR);
		if (n != sizeof(code))
			code = n < 0 ? errno : 0; /* end of file: the exec closed it */
	}
	(void)close(attr_take_fd(&workload->go_fd));
	(void)close(attr_take_fd(&workload->status_fd));
	if (code == 0)
		return 0;
	workload_wait(workload);
	(void)ps_fail(err, "workload", code, "starting %s", file);
	if (code == ENOENT) /* workload_check saw the file */
		ps_hint(err, "the file is there; the interpreter or the loader that it names is not");
	return -code;
}

int workload_kill(struct workload *workload, int signo)
{
	if (!workload->pid || workload->reaped)
		return 0;
	/* It is our own child and not reaped, so the number is still its own. */
	return kill(workload->pid, signo) < 0 ? -errno : 0;
}

int workload_reap(struct workload *workload, struct ps_error *err)
{
	pid_t got;

	if (workload->reaped)
		return 1;
	do {
		got = waitpid(workload->pid, &workload->wait_status, WNOHANG);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return ps_fail(err, "workload", errno, "waiting for process %d", (int)workload->pid);
	workload->reaped = got == workload->pid;
	return workload->reaped;
}

int workload_exit_status(const struct workload *workload)
{
	if (WIFSIGNALED(workload->wait_status))
		return 128 + WTERMSIG(workload->wait_status);
	return WEXITSTATUS(workload->wait_status);
}

void workload_fini(struct workload *workload)
{
	bool waiting = workload->go_fd >= 0;

	if (workload->go_fd >= 0)
		(void)close(workload->go_fd);
	if (workload->status_fd >= 0)
		(void)close(workload->status_fd);
	if (workload->pidfd >= 0)
		(void)close(workload->pidfd);
	if (waiting && workload->pid)
		workload_wait(workload); /* end of file on its pipe ends it */
	*workload = (struct workload)WORKLOAD_NONE;
}
