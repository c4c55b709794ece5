/* The options of pstat-report. */
#ifndef CLI_REPORT_OPTIONS_H
#define CLI_REPORT_OPTIONS_H

#include "data/rewrite.h"
#include "report/view.h"

#define REPORT_PROGRAM "pstat-report"

struct report_options {
	const struct view *view;
	struct view_options viewing;
	const char *output;
	int jobs;     /* inputs that are read at once, from 1 */
	bool follow;
	int stop_fd;  /* ends the following; -1 without it, and until main has made it */
	bool strict;  /* any warning is a failure */
	const char *convert, *repair; /* the file to write, or NULL */
	bool has_level;
	struct rewrite_options rewriting;
	bool help, version;
};

/*
 * Fills options from the command line. Returns the index of the first file, or -errno with err saying what is wrong, also
 * with a combination.
 */
int report_options_parse(struct report_options *options, int argc, char *argv[], struct ps_error *err) _must_check_;

/* --help, on standard output. */
void report_options_help(void);

#endif
