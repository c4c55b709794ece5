/* pstat-report: reads recordings through a view. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/outfile.h"
#include "cli/message.h"
#include "cli/option.h"
#include "cli/standard.h"
#include "report/report.h"
#include "report/text.h"

#define PROGRAM "pstat-report"
#define DEFAULT_INPUT "pstat.data"

enum { STATUS_GOOD = 0, STATUS_DAMAGED = 1, STATUS_UNREADABLE = 2 };

struct report_options {
	const struct view *view;
	struct view_options viewing;
	const char *output;
	bool help, version;
};

static int set_format(void *config, const char *value, struct ps_error *err)
{
	struct report_options *options = config;

	options->view = view_find(value);
	if (options->view)
		return 0;
	ps_fail(err, "usage", EINVAL, "there is no format \"%s\"", value);
	ps_hint(err, PROGRAM " --help lists them");
	return -EINVAL;
}

/* The index of value among words, which end with NULL. */
static int set_word(const char *const words[], const char *value, struct ps_error *err)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], value))
			return i;
	return ps_fail(err, "usage", EINVAL, "\"%s\" is none of %s, %s, %s", value, words[0], words[1], words[2]);
}

static int set_per(void *config, const char *value, struct ps_error *err)
{
	static const char *const words[] = { "total", "cpu", "thread", NULL };
	int rc = set_word(words, value, err);

	if (rc >= 0)
		((struct report_options *)config)->viewing.per = (enum timeline_per)rc;
	return rc;
}

static int set_time(void *config, const char *value, struct ps_error *err)
{
	static const char *const words[] = { "rel", "mono", "wall", NULL };
	int rc = set_word(words, value, err);

	if (rc >= 0)
		((struct report_options *)config)->viewing.time = (enum view_time)rc;
	return rc;
}

/* "N" or "N-M" */
static int set_window(void *config, const char *value, struct ps_error *err)
{
	struct view_options *viewing = &((struct report_options *)config)->viewing;
	_cleanup_free_ char *text = strdup(value);
	char *dash = text ? strchr(text, '-') : NULL;
	long first, last;
	int rc;

	if (!text)
		return ps_fail(err, "usage", ENOMEM, "reading \"%s\"", value);
	if (dash)
		*dash++ = '\0';
	rc = option_number(text, 1, INT_MAX, &first, err);
	last = first;
	if (rc == 0 && dash)
		rc = option_number(dash, first, INT_MAX, &last, err);
	viewing->window_first = (unsigned)first;
	viewing->window_last = (unsigned)last;
	return rc;
}

#define AT(field) NULL, offsetof(struct report_options, field)

static const struct option_row rows[] = {
	{ "format", 'f', "FORMAT", "how to show it (default summary); the formats are below", set_format, 0 },
	{ "output", 'o', "FILE", "write to FILE, which appears only when it is complete", AT(output) },
	{ "per", 0, "total|cpu|thread", "one row per event, per event and CPU, or per event and thread", set_per, 0 },
	{ "time", 0, "rel|mono|wall", "times since the start, of CLOCK_MONOTONIC, or of the wall clock", set_time, 0 },
	{ "window", 0, "N[-M]", "only these windows", set_window, 0 },
	{ "version", 0, NULL, "show the version and exit", AT(version) },
	{ "help", 'h', NULL, "show this and exit", AT(help) },
	{ NULL, 0, NULL, NULL, NULL, 0 },
};

static void help(void)
{
	puts("Usage: pstat-report [options] [FILE ...]\n\n"
	     "Reads recordings of pstat and of perf (default pstat.data; - is standard input).\n");
	option_help(rows, stdout);
	puts("\nFormats:");
	for (const struct view *const *view = views; *view; view++)
		printf("  %-25s %s\n", (*view)->name, (*view)->help);
	puts("\nExit status: 0 good, 1 damaged but shown as far as it goes, 2 nothing readable.");
}

/* One input. Returns the exit status. */
static int report_file(const struct report_options *options, const char *path, FILE *out)
{
	struct ps_error err = PS_ERROR_INIT;
	struct source *source;
	struct reader *reader = NULL;
	int rc = source_open(&source, path, &io_system, &err);

	if (rc == 0)
		rc = reader_open(&reader, source, &err);
	if (rc == 0)
		rc = report_run(options->view, &options->viewing, path, reader, out, &err);
	if (rc < 0) {
		message_error(PROGRAM, &err);
		reader_free(reader);
		return STATUS_UNREADABLE;
	}
	for (size_t i = 0; i < reader_warnings(reader); i++)
		fprintf(stderr, PROGRAM ": %s: %s\n", path, reader_warning(reader, i));
	reader_free(reader);
	return rc > 0 ? STATUS_DAMAGED : STATUS_GOOD;
}

static int report_files(struct report_options *options, int n, char *paths[], FILE *out)
{
	static const char *const standard[] = { DEFAULT_INPUT };
	int worst = STATUS_GOOD;

	options->viewing.first = true;
	for (int i = 0; i < (n ? n : 1); i++) {
		int status = report_file(options, n ? paths[i] : standard[0], out);

		if (status != STATUS_UNREADABLE)
			options->viewing.first = false;
		if (status > worst)
			worst = status;
	}
	return worst;
}

static int report_to_stdout(struct report_options *options, int n, char *paths[])
{
	struct winsize size;
	int status;

	if (isatty(STDOUT_FILENO)) {
		options->viewing.utf8 = text_locale_is_utf8();
		if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
			options->viewing.columns = size.ws_col;
	}
	status = report_files(options, n, paths, stdout);
	if (fflush(stdout) != 0 && status != STATUS_UNREADABLE) {
		fprintf(stderr, PROGRAM ": output: writing standard output: %s\n", strerror(errno));
		return STATUS_UNREADABLE;
	}
	return status;
}

/* A file is put into place only when all of it was written: no half a table is left behind. */
static int report_to_file(struct report_options *options, int n, char *paths[])
{
	struct outfile file;
	struct ps_error err = PS_ERROR_INIT;
	int status, rc = outfile_open(&file, options->output, &err);
	FILE *out;

	if (rc < 0) {
		message_error(PROGRAM, &err);
		return STATUS_UNREADABLE;
	}
	out = fdopen(file.fd, "w");
	if (!out) {
		ps_fail(&err, "output", errno, "writing %s", options->output);
		message_error(PROGRAM, &err);
		ps_ignore(outfile_close(&file, NULL)); /* the failure above is the one to tell */
		return STATUS_UNREADABLE;
	}
	rc = outfile_share(&file, &err);
	file.fd = -1; /* out's now */
	status = rc < 0 ? STATUS_UNREADABLE : report_files(options, n, paths, out);
	if (fclose(out) != 0 && rc == 0)
		rc = ps_fail(&err, "output", errno, "writing %s", options->output);
	if (rc == 0 && status != STATUS_UNREADABLE)
		rc = outfile_publish(&file, true, &err);
	if (rc < 0) {
		message_error(PROGRAM, &err);
		status = STATUS_UNREADABLE;
	}
	ps_ignore(outfile_close(&file, NULL)); /* only a file that was not put into place is left to remove */
	return status;
}

int main(int argc, char *argv[])
{
	struct report_options options = { .view = views[0] };
	struct ps_error err = PS_ERROR_INIT;
	int first;

	if (standard_hold() < 0)
		return STATUS_UNREADABLE; /* there is no place to say why */
	first = option_parse(rows, argc, argv, true, &options, &err);
	if (first < 0) {
		message_error(PROGRAM, &err);
		if (!err.hint[0])
			fputs("hint: " PROGRAM " --help lists the options\n", stderr);
		return STATUS_UNREADABLE;
	}
	if (options.help) {
		help();
		return 0;
	}
	if (options.version) {
		puts(PROGRAM " " PACKAGE_VERSION);
		return 0;
	}
	return options.output ? report_to_file(&options, argc - first, argv + first) :
				report_to_stdout(&options, argc - first, argv + first);
}
