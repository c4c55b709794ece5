/* pstat-report: reads recordings through a view, or rewrites one. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/outfile.h"
#include "cli/message.h"
#include "cli/report_files.h"
#include "cli/report_input.h"
#include "cli/report_options.h"
#include "cli/report_rewrite.h"
#include "cli/report_status.h"
#include "cli/standard.h"
#include "report/text.h"

#define DEFAULT_INPUT "pstat.data"

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
		fprintf(stderr, REPORT_PROGRAM ": output: writing standard output: %s\n", strerror(errno));
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
		message_error(REPORT_PROGRAM, &err);
		return STATUS_UNREADABLE;
	}
	out = fdopen(file.fd, "w");
	if (!out) {
		ps_fail(&err, "output", errno, "writing %s", options->output);
		message_error(REPORT_PROGRAM, &err);
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
		message_error(REPORT_PROGRAM, &err);
		status = STATUS_UNREADABLE;
	}
	ps_ignore(outfile_close(&file, NULL)); /* only a file that was not put into place is left to remove */
	return status;
}

int main(int argc, char *argv[])
{
	char input[] = DEFAULT_INPUT, *standard[] = { input, NULL };
	struct report_options options;
	struct ps_error err = PS_ERROR_INIT;
	int first;

	if (standard_hold() < 0)
		return STATUS_UNREADABLE; /* there is no place to say why */
	first = report_options_parse(&options, argc, argv, &err);
	if (first < 0) {
		message_error(REPORT_PROGRAM, &err);
		if (!err.hint[0])
			fputs("hint: " REPORT_PROGRAM " --help lists the options\n", stderr);
		return STATUS_UNREADABLE;
	}
	if (options.help) {
		report_options_help();
		return 0;
	}
	if (options.version) {
		puts(REPORT_PROGRAM " " PACKAGE_VERSION);
		return 0;
	}
	if (first == argc) {
		argv = standard;
		argc = 1;
		first = 0;
	}
	if (options.convert || options.repair)
		return report_rewrite(&options, argv[first]);
	if (options.follow)
		options.stop_fd = report_input_stop(&err);
	if (options.follow && options.stop_fd < 0) {
		message_error(REPORT_PROGRAM, &err);
		return STATUS_UNREADABLE;
	}
	return options.output ? report_to_file(&options, argc - first, argv + first) :
				report_to_stdout(&options, argc - first, argv + first);
}
