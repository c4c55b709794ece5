/* `pstat record` and `pstat stat`: wires a session to a writer or to a live view. */
#include "cli/record_main.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/outfile.h"
#include "cli/message.h"
#include "cli/pstat_options.h"
#include "data/writer.h"
#include "report/report.h"
#include "report/text.h"

#define DEFAULT_OUTPUT "pstat.data"
#define STATUS_USAGE 2

struct say {
	const char *program, *verb;
	const char *output; /* the recording as the user names it; NULL when there is none */
	bool quiet;
	bool failed;        /* recording ended before its time */
};

static void on_note(void *data, const char *text)
{
	const struct say *say = data;

	if (!say->quiet)
		message_note(say->program, text);
}

static void on_step(void *data, const char *text)
{
	const struct say *say = data;

	message_note(say->program, text);
}

/* What writes, and knows descriptors only. */
static bool knows_no_name(const char *where)
{
	return !strcmp(where, "io") || !strcmp(where, "stream");
}

static void on_failure(void *data, const struct ps_error *err)
{
	struct say *say = data;
	struct ps_error named = *err;

	say->failed = true;
	if (say->output && knows_no_name(err->where))
		(void)ps_fail(&named, "output", err->code, "%s: %s", say->output, err->what);
	if (err->hint[0])
		ps_hint(&named, "%s", err->hint);
	message_error(say->program, &named);
}

/* Runs the session into consumer. Returns the exit status. */
static int run_into(struct pstat_options *options, const struct consumer *consumer, struct say *say,
		    struct run_result *result)
{
	struct ps_error err = PS_ERROR_INIT;

	options->run.consumer = consumer;
	options->run.on_note = on_note;
	options->run.on_step = options->verbose ? on_step : NULL;
	options->run.on_failure = on_failure;
	options->run.data = say;
	if (run(&options->run, result, &err) < 0)
		on_failure(say, &err);
	return result->status;
}

/* Usage errors end with 2, the rest with 125. */
static int refused(const struct say *say, const struct ps_error *err)
{
	bool usage = !strcmp(err->where, "usage");

	message_error(say->program, err);
	if (usage && !err->hint[0])
		fprintf(stderr, "hint: %s %s --help lists the options\n", say->program, say->verb);
	return usage || err->code == EINVAL ? STATUS_USAGE : RUN_STATUS_FAILURE;
}

static void help(bool is_stat)
{
	if (is_stat)
		puts("Usage: pstat stat [options] [--] command [arg ...]\n"
		     "       pstat stat [options] -p PID,... | -t TID,... | -a | -C CPUS [-- command ...]\n\n"
		     "Counts events while counting is resumed and prints what was counted.\n");
	else
		puts("Usage: pstat record [options] [--] command [arg ...]\n"
		     "       pstat record [options] -p PID,... | -t TID,... | -a | -C CPUS [-- command ...]\n\n"
		     "Counts events while counting is resumed and writes readings and markers to a file.\n");
	pstat_options_help(is_stat, stdout);
}

/* Lost data is told of even to those who want it quiet. */
static void on_drop(void *data)
{
	const struct say *say = data;

	message_note(say->program, "the reader of the stream is too slow: readings are dropped; the next one covers them");
}

static void tell_dropped(const struct say *say, struct writer_dropped dropped)
{
	char text[256];
	int used = snprintf(text, sizeof(text), "%" PRIu64 " reading%s", dropped.readings, dropped.readings == 1 ? "" : "s");

	if (!dropped.readings && !dropped.markers)
		return;
	if (dropped.markers)
		used += snprintf(text + used, sizeof(text) - (size_t)used, " and %" PRIu64 " marker%s", dropped.markers,
				 dropped.markers == 1 ? "" : "s");
	(void)snprintf(text + used, sizeof(text) - (size_t)used, " dropped: the reader of the stream was too slow");
	message_note(say->program, text);
}

/* --- record ---------------------------------------------------------------------------------------------------------- */

static void tell_result(const struct say *say, const struct run_result *result, const struct writer *writer,
			const char *output)
{
	char text[512];

	if (say->quiet || say->failed || result->readings == 0 || !strcmp(output, "-"))
		return;
	(void)snprintf(text, sizeof(text), "%s: %u window%s, %" PRIu64 " reading%s, %" PRIu64 " bytes", output,
		       result->windows, result->windows == 1 ? "" : "s", result->readings,
		       result->readings == 1 ? "" : "s", writer_file_bytes(writer));
	message_note(say->program, text);
	if (!result->missed_ticks)
		return;
	(void)snprintf(text, sizeof(text), "%" PRIu64 " ticks were late: their intervals are longer",
		       result->missed_ticks);
	message_note(say->program, text);
}

static int record(struct pstat_options *options, struct say *say)
{
	struct writer_options writing = {
		.zstd_level = options->zstd_level,
		.keep_old = true,
		.io = &io_system,
		.on_drop = on_drop,
		.data = say,
	};
	const char *output = options->output ? options->output : DEFAULT_OUTPUT;
	struct ps_error err = PS_ERROR_INIT;
	struct run_result result;
	struct consumer consumer;
	struct writer *writer;
	int status;

	if (writer_open(&writer, output, &writing, &err) < 0)
		return refused(say, &err);
	options->run.stdout_taken = !strcmp(output, "-");
	say->output = options->run.stdout_taken ? "standard output" : output;
	consumer = writer_consumer(writer);
	status = run_into(options, &consumer, say, &result);
	tell_dropped(say, writer_dropped(writer));
	tell_result(say, &result, writer, output);
	writer_free(writer);
	return status;
}

/* --- stat ------------------------------------------------------------------------------------------------------------ */

static unsigned terminal_columns(int fd)
{
	struct winsize size;

	return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* A live report into a file gets the file's name when counting starts: from then on it can be watched. */
static int publish(void *data, struct ps_error *err)
{
	return outfile_publish(data, true, err);
}

/* What is left to write when the session is over. The signals are the user's again: a terminal that is held up can be left. */
static int drain(struct live_report *live, struct say *say, int status)
{
	struct live_backlog backlog = live_report_backlog(live);
	struct ps_error err = PS_ERROR_INIT;
	char text[128];

	(void)signal(SIGPIPE, SIG_IGN); /* errors with a name */
	(void)signal(SIGXFSZ, SIG_IGN);
	if (live_report_drain(live, &err) < 0) {
		on_failure(say, &err);
		return RUN_STATUS_FAILURE;
	}
	if (backlog.merged || backlog.dropped) {
		(void)snprintf(text, sizeof(text), "the output was taken too slowly: %" PRIu64
			       " intervals are part of the next one, %" PRIu64 " are missing", backlog.merged, backlog.dropped);
		message_note(say->program, text);
	}
	return status;
}

/* The view on fd, which is file's, or standard error when file is NULL. Returns the exit status. */
static int stat_into(struct pstat_options *options, struct say *say, int fd, struct outfile *file)
{
	const struct view_options viewing = {
		.columns = terminal_columns(fd),
		.utf8 = isatty(fd) && text_locale_is_utf8(),
		.flush = true,
		.first = true,
	};
	struct live_options living = {
		.view = options->view ? options->view : view_find(options->interval_given ? "timeline" : "summary"),
		.viewing = &viewing,
		.fd = fd,
		.io = &io_system,
		.on_start = file ? publish : NULL,
		.data = file,
	};
	struct ps_error err = PS_ERROR_INIT;
	struct run_result result;
	struct consumer consumer;
	struct live_report *live;
	int status;

	if (live_report_new(&live, &living, &err) < 0)
		return refused(say, &err);
	consumer = live_report_consumer(live);
	status = drain(live, say, run_into(options, &consumer, say, &result));
	live_report_free(live);
	return status;
}

static int stat_into_file(struct pstat_options *options, struct say *say, struct outfile *file)
{
	struct ps_error err = PS_ERROR_INIT;
	int status;

	if (outfile_share(file, &err) < 0)
		return refused(say, &err);
	status = stat_into(options, say, file->fd, file);
	if (outfile_close(file, &err) == 0)
		return status;
	return refused(say, &err);
}

static int stat(struct pstat_options *options, struct say *say)
{
	struct outfile file = OUTFILE_INIT;
	struct ps_error err = PS_ERROR_INIT;
	int status;

	options->run.stdout_taken = options->output && !strcmp(options->output, "-");
	if (!options->output)
		return stat_into(options, say, STDERR_FILENO, NULL);
	if (outfile_open(&file, options->output, &err) < 0)
		return refused(say, &err);
	status = stat_into_file(options, say, &file);
	ps_ignore(outfile_close(&file, NULL)); /* closed before, unless it was refused */
	return status;
}

/* --- both ------------------------------------------------------------------------------------------------------------ */

static int session_main(bool is_stat, int argc, char *argv[], int whole_argc, char *whole_argv[])
{
	struct say say = { .program = "pstat", .verb = is_stat ? "stat" : "record" };
	struct ps_error err = PS_ERROR_INIT;
	struct pstat_options options;
	int status;

	if (pstat_options_parse(&options, is_stat, argc, argv, &err) < 0) {
		status = refused(&say, &err);
	} else if (options.help) {
		help(is_stat);
		status = 0;
	} else {
		say.quiet = options.quiet;
		options.run.argc = whole_argc;
		options.run.argv = whole_argv;
		status = is_stat ? stat(&options, &say) : record(&options, &say);
	}
	pstat_options_free(&options);
	return status;
}

int record_main(int argc, char *argv[], int whole_argc, char *whole_argv[])
{
	return session_main(false, argc, argv, whole_argc, whole_argv);
}

int stat_main(int argc, char *argv[], int whole_argc, char *whole_argv[])
{
	return session_main(true, argc, argv, whole_argc, whole_argv);
}
