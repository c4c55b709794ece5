/* Several recordings through one view: each alone, or some at once in processes of their own. */
#include "cli/report_files.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/tempfile.h"
#include "cli/message.h"
#include "cli/report_input.h"
#include "cli/report_status.h"
#include "report/report.h"

#define COPY_BYTES 65536

/* A file that is read by a child; what it says waits in files without a name until its turn comes. */
struct job {
	pid_t pid; /* 0: none was started */
	int out, messages; /* owned; -1: none */
};

/* One input. first: it begins the output. Returns the exit status. */
static int report_file(const struct report_options *options, bool first, const char *path, FILE *out)
{
	struct view_options viewing = options->viewing;
	struct ps_error err = PS_ERROR_INIT;
	struct reader *reader = NULL;
	size_t warnings;
	int rc;

	viewing.first = first;
	rc = report_input_open(&reader, path, options->stop_fd, out, &err);
	if (rc == 0)
		rc = report_run(options->view, &viewing, path, reader, out, &err);
	if (rc < 0) {
		message_error(REPORT_PROGRAM, &err);
		reader_free(reader);
		return STATUS_UNREADABLE;
	}
	warnings = reader_warnings(reader);
	for (size_t i = 0; i < warnings; i++)
		fprintf(stderr, REPORT_PROGRAM ": %s: %s\n", path, reader_warning(reader, i));
	reader_free(reader);
	if (options->strict && warnings)
		return STATUS_WARNED;
	return rc > 0 ? STATUS_DAMAGED : STATUS_GOOD;
}

static int report_in_turn(const struct report_options *options, int n, char *const paths[], FILE *out)
{
	int worst = STATUS_GOOD;
	bool first = true;

	for (int i = 0; i < n; i++) {
		int status = report_file(options, first, paths[i], out);

		first &= status == STATUS_UNREADABLE;
		if (status > worst)
			worst = status;
	}
	return worst;
}

/* The child: reads one file into the job's files. Never returns. */
static void run_job(const struct report_options *options, bool first, const char *path, const struct job *job)
{
	FILE *out = fdopen(job->out, "w");
	int status = STATUS_UNREADABLE;

	if (out && dup2(job->messages, STDERR_FILENO) >= 0)
		status = report_file(options, first, path, out);
	if (!out || fclose(out) != 0) {
		fprintf(stderr, REPORT_PROGRAM ": output: keeping what %s gives: %s\n", path, strerror(errno));
		status = STATUS_UNREADABLE;
	}
	_exit(status); /* what the parent has buffered is the parent's to write */
}

/* Starts a job for path. False: it could not be, and the file is to be read when its turn comes. */
static bool start_job(const struct report_options *options, bool first, const char *path, struct job *job)
{
	*job = (struct job){ 0, -1, -1 };
	if (!strcmp(path, "-")) /* nobody else may read from it */
		return false;
	job->out = tempfile_open(NULL);
	job->messages = job->out < 0 ? -1 : tempfile_open(NULL);
	if (job->messages < 0)
		return false;
	job->pid = fork();
	if (job->pid == 0)
		run_job(options, first, path, job);
	if (job->pid < 0)
		job->pid = 0;
	return job->pid > 0;
}

static void close_job(struct job *job)
{
	if (job->out >= 0)
		(void)close(job->out); /* a temporary file */
	if (job->messages >= 0)
		(void)close(job->messages);
	*job = (struct job){ 0, -1, -1 };
}

/* The exit status of a job; what ended it otherwise is told. */
static int wait_job(const struct job *job, const char *path)
{
	int status;

	while (waitpid(job->pid, &status, 0) < 0)
		if (errno != EINTR)
			return STATUS_UNREADABLE;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	fprintf(stderr, REPORT_PROGRAM ": %s: reading it was ended by signal %d\n", path, WTERMSIG(status));
	return STATUS_UNREADABLE;
}

static int copy_out(int from, FILE *to, struct ps_error *err)
{
	char bytes[COPY_BYTES];
	off_t at = 0;
	ssize_t n;

	while ((n = io_pread_full(&io_system, from, bytes, sizeof(bytes), at, err)) > 0) {
		at += n;
		if (fwrite(bytes, 1, (size_t)n, to) != (size_t)n)
			return ps_fail(err, "output", errno, "writing what was read");
	}
	return (int)n;
}

/* Waits for a job and shows what it gave. Returns its exit status. */
static int finish_job(struct job *job, const char *path, FILE *out)
{
	struct ps_error err = PS_ERROR_INIT;
	int status = wait_job(job, path);
	int rc = copy_out(job->out, out, &err);

	if (rc >= 0)
		rc = copy_out(job->messages, stderr, &err);
	if (rc < 0) {
		message_error(REPORT_PROGRAM, &err);
		status = STATUS_UNREADABLE;
	}
	close_job(job);
	return status;
}

/*
 * At most jobs files are being read or wait for their turn, so what they have in temporary files is bounded. A job is told
 * whether it begins the output before that is certain: where files before it turn out to be unreadable it is done again.
 */
static int report_at_once(const struct report_options *options, int n, char *const paths[], FILE *out)
{
	_cleanup_free_ struct job *jobs = calloc((size_t)options->jobs, sizeof(*jobs));
	int worst = STATUS_GOOD, started = 0;
	bool first = true;

	if (!jobs)
		return report_in_turn(options, n, paths, out);
	for (int i = 0; i < n; i++) {
		struct job *job = &jobs[i % options->jobs];
		int status;

		for (; started < n && started < i + options->jobs; started++)
			(void)start_job(options, started == 0, paths[started], &jobs[started % options->jobs]);
		if (job->pid && first == (i == 0)) {
			status = finish_job(job, paths[i], out);
		} else {
			if (job->pid)
				(void)wait_job(job, paths[i]);
			close_job(job);
			status = report_file(options, first, paths[i], out);
		}
		first &= status == STATUS_UNREADABLE;
		if (status > worst)
			worst = status;
	}
	return worst;
}

int report_files(const struct report_options *options, int n, char *const paths[], FILE *out)
{
	bool at_once = options->jobs > 1 && n > 1;
	int worst = at_once ? report_at_once(options, n, paths, out) : report_in_turn(options, n, paths, out);

	return worst == STATUS_WARNED ? STATUS_UNREADABLE : worst;
}
