/* Inputs of pstat-report. */
#include "cli/report_input.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>

#define TRIES 20                /* at a recording that was caught between two writes of a checkpoint */
#define TRY_AGAIN_NS 20000000L

static int flush(void *data, struct ps_error *err)
{
	errno = 0;
	if (fflush(data) == 0 && !ferror(data))
		return 0;
	return ps_fail(err, "report", errno ? errno : EIO, "writing the report");
}

static void pass_over(int signo)
{
	(void)signo;
}

/* The whole pipeline gets the signal; the recorder ends its stream properly then. The second one ends this too. */
static int spare_first_interrupt(struct ps_error *err)
{
	sigset_t set;
	struct sigaction action = { .sa_handler = pass_over, .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };
	struct sigaction old;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	if (sigprocmask(SIG_UNBLOCK, &set, NULL) < 0) /* a stream is not followed: report_input_stop is not for it */
		return ps_fail(err, "report", errno, "unblocking SIGINT");
	if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_DFL)
		return 0; /* ignored: somebody wants it so */
	return sigaction(SIGINT, &action, NULL) < 0 ? ps_fail(err, "report", errno, "preparing for SIGINT") : 0;
}

/* is_file: it can be opened again. */
static int open_once(struct reader **reader, const char *path, FILE *out, bool *is_file, struct ps_error *err)
{
	struct source *source;
	int rc = source_open(&source, path, &io_system, err);

	if (rc < 0)
		return rc;
	source_on_wait(source, flush, out);
	*is_file = source_seekable(source) && strcmp(path, "-") != 0;
	if (!source_seekable(source))
		rc = spare_first_interrupt(err);
	if (rc < 0) {
		source_free(source);
		return rc;
	}
	return reader_open(reader, source, err);
}

int report_input_open(struct reader **reader, const char *path, int stop_fd, FILE *out, struct ps_error *err)
{
	const struct timespec pause = { .tv_nsec = TRY_AGAIN_NS };

	for (int i = 1;; i++) {
		bool is_file = false;
		int rc = open_once(reader, path, out, &is_file, err);

		if (rc < 0 || stop_fd < 0)
			return rc;
		reader_follow(*reader, stop_fd);
		if (i == TRIES || !is_file || reader_warnings(*reader) == 0)
			return 0;
		reader_free(*reader);
		*reader = NULL;
		(void)nanosleep(&pause, NULL);
	}
}

int report_input_stop(struct ps_error *err)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return ps_fail(err, "report", errno, "blocking SIGINT");
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	return fd < 0 ? ps_fail(err, "report", errno, "waiting for SIGINT") : fd;
}
