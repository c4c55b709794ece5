/* Signals as a descriptor, and the way back to how they were. */
#include "loop/signal_source.h"

#include <errno.h>
#include <stdbool.h>

/* SIGPIPE and SIGCHLD as a recorder needs them. 0 or -errno; on error neither is changed. */
static int set_dispositions(struct signal_source *source)
{
	struct sigaction act = { .sa_handler = SIG_IGN };
	int code;

	if (sigaction(SIGPIPE, &act, &source->old_pipe) < 0)
		return -errno;
	act.sa_handler = SIG_DFL;
	if (sigaction(SIGCHLD, &act, &source->old_child) == 0)
		return 0;
	code = errno;
	(void)sigaction(SIGPIPE, &source->old_pipe, NULL); /* what it was is valid */
	return -code;
}

/* Whether the parent asked (nohup) that a hang-up is of no concern. A blocked signal reaches a signalfd even so. */
static bool ignores_hangup(void)
{
	struct sigaction act;

	return sigaction(SIGHUP, NULL, &act) == 0 && !(act.sa_flags & SA_SIGINFO) && act.sa_handler == SIG_IGN;
}

int signal_source_open(struct signal_source *source, const sigset_t *set, struct ps_error *err)
{
	sigset_t wanted = *set;
	int rc;

	source->fd = -1;
	if (ignores_hangup())
		(void)sigdelset(&wanted, SIGHUP); /* fails only for a bad number */
	if (sigprocmask(SIG_BLOCK, &wanted, &source->old_mask) < 0)
		return ps_fail(err, "signals", errno, "blocking signals");
	source->fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	rc = source->fd < 0 ? -errno : set_dispositions(source);
	if (rc == 0)
		return 0;
	attr_close(&source->fd);
	source->fd = -1;
	(void)sigprocmask(SIG_SETMASK, &source->old_mask, NULL);
	return ps_fail(err, "signals", -rc, "making a descriptor for signals");
}

int signal_source_next(struct signal_source *source, struct signalfd_siginfo *info, struct ps_error *err)
{
	ssize_t n;

	do
		n = read(source->fd, info, sizeof(*info));
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)sizeof(*info))
		return 1;
	if (n < 0 && errno == EAGAIN)
		return 0;
	return ps_fail(err, "signals", n < 0 ? errno : EIO, "reading signals");
}

int signal_source_restore_child(const struct signal_source *source)
{
	if (sigaction(SIGPIPE, &source->old_pipe, NULL) < 0 || sigaction(SIGCHLD, &source->old_child, NULL) < 0 ||
	    sigprocmask(SIG_SETMASK, &source->old_mask, NULL) < 0)
		return -errno;
	return 0;
}

void signal_source_close(struct signal_source *source)
{
	if (source->fd < 0)
		return;
	(void)signal_source_restore_child(source); /* what was valid before is valid now */
	attr_close(&source->fd);
	source->fd = -1;
}
