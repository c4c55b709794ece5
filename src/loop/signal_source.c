/* Signals as a descriptor, and the way back to how they were. */
#include "loop/signal_source.h"

#include <errno.h>
#include <stdbool.h>

/* Dispositions a recorder needs, in the order of signal_source.old. */
static const struct {
	int signo;
	void (*handler)(int);
} needed[] = {
	{ SIGPIPE, SIG_IGN },
	{ SIGXFSZ, SIG_IGN },
	{ SIGCHLD, SIG_DFL },
};

/* Gives back the first n. Async-signal-safe. 0 or -errno. */
static int restore_dispositions(const struct signal_source *source, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sigaction(needed[i].signo, &source->old[i], NULL) < 0)
			return -errno;
	return 0;
}

/* 0 or -errno; on error none is changed. */
static int set_dispositions(struct signal_source *source)
{
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		struct sigaction act = { .sa_handler = needed[i].handler };
		int code;

		if (sigaction(needed[i].signo, &act, &source->old[i]) == 0)
			continue;
		code = errno;
		ps_ignore(restore_dispositions(source, i)); /* what they were is valid */
		return -code;
	}
	return 0;
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
	int rc = restore_dispositions(source, ARRAY_SIZE(needed));

	if (rc < 0)
		return rc;
	return sigprocmask(SIG_SETMASK, &source->old_mask, NULL) < 0 ? -errno : 0;
}

void signal_source_close(struct signal_source *source)
{
	if (source->fd < 0)
		return;
	(void)signal_source_restore_child(source); /* what was valid before is valid now */
	attr_close(&source->fd);
	source->fd = -1;
}
