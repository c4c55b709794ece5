/* The options of pstat-report: one table, and what goes together. */
#include "cli/report_options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/option.h"

#define JOBS_MAX 256
#define LEVEL_MAX 22

static int set_format(void *config, const char *value, struct ps_error *err)
{
	struct report_options *options = config;

	options->view = view_find(value);
	if (options->view)
		return 0;
	ps_fail(err, "usage", EINVAL, "there is no format \"%s\"", value);
	ps_hint(err, REPORT_PROGRAM " --help lists them");
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

static int set_jobs(void *config, const char *value, struct ps_error *err)
{
	long jobs;
	int rc = option_number(value, 1, JOBS_MAX, &jobs, err);

	((struct report_options *)config)->jobs = (int)jobs;
	return rc;
}

static int set_level(void *config, const char *value, struct ps_error *err)
{
	struct report_options *options = config;
	long level;
	int rc = option_number(value, 0, LEVEL_MAX, &level, err);

	options->has_level = true;
	options->rewriting.zstd_level = (int)level;
	return rc;
}

/* Seconds up to the end of the text or to `end`, which is stepped over. */
static int take_seconds(const char **text, char end, uint64_t *ns, struct ps_error *err)
{
	char *behind;
	double s = strtod(*text, &behind);

	if (behind == *text || *behind != end || !(isdigit((unsigned char)**text) || **text == '.') || !isfinite(s) ||
	    s >= (double)(UINT64_MAX / NS_PER_S))
		return ps_fail(err, "usage", EINVAL, "\"%s\" does not begin with a number of seconds", *text);
	*ns = (uint64_t)llround(s * (double)NS_PER_S);
	*text = behind + (end != '\0');
	return 0;
}

/* "T1,T2"; either may be left out. */
static int set_cut(void *config, const char *value, struct ps_error *err)
{
	struct rewrite_options *rewriting = &((struct report_options *)config)->rewriting;
	const char *at = value, *comma = strchr(value, ',');
	int rc = 0;

	if (!comma || !value[1])
		return ps_fail(err, "usage", EINVAL, "\"%s\" is not a span like 1.5,3", value);
	rewriting->cut = true;
	rewriting->from_ns = 0;
	rewriting->to_ns = UINT64_MAX;
	if (at < comma)
		rc = take_seconds(&at, ',', &rewriting->from_ns, err);
	at = comma + 1;
	if (rc == 0 && *at)
		rc = take_seconds(&at, '\0', &rewriting->to_ns, err);
	if (rc == 0 && rewriting->to_ns < rewriting->from_ns)
		rc = ps_fail(err, "usage", EINVAL, "\"%s\" ends before it begins", value);
	return rc;
}

#define AT(field) NULL, offsetof(struct report_options, field)

static const struct option_row rows[] = {
	{ "format", 'f', "FORMAT", "how to show it (default summary); the formats are below", set_format, 0 },
	{ "output", 'o', "FILE", "write to FILE, which appears only when it is complete", AT(output) },
	{ "per", 0, "total|cpu|thread", "one row per event, per event and CPU, or per event and thread", set_per, 0 },
	{ "time", 0, "rel|mono|wall", "times since the start, of CLOCK_MONOTONIC, or of the wall clock", set_time, 0 },
	{ "window", 0, "N[-M]", "only these windows", set_window, 0 },
	{ "jobs", 'j', "N", "read N files at once; the output keeps their order", set_jobs, 0 },
	{ "follow", 0, NULL, "go on while FILE is being recorded; Ctrl-C ends it with what there is", AT(follow) },
	{ "strict", 0, NULL, "any warning makes the exit status 2", AT(strict) },
	{ "convert", 0, "OUT", "write the recording to OUT as a file that any perf reads", AT(convert) },
	{ "repair", 0, "OUT", "write what is left of a damaged recording to OUT, likewise", AT(repair) },
	{ "compress", 'z', "LEVEL", "with --convert or --repair: compress with zstd, 1-22", set_level, 0 },
	{ "cut", 0, "T1,T2", "with --convert or --repair: keep what happened between these times,\n"
			     "in seconds since the start", set_cut, 0 },
	{ "version", 0, NULL, "show the version and exit", AT(version) },
	{ "help", 'h', NULL, "show this and exit", AT(help) },
	{ NULL, 0, NULL, NULL, NULL, 0 },
};

void report_options_help(void)
{
	puts("Usage: pstat-report [options] [FILE ...]\n"
	     "       pstat-report --convert OUT [-z LEVEL] [--cut T1,T2] [--window N[-M]] [FILE]\n"
	     "       pstat-report --repair OUT [-z LEVEL] [--cut T1,T2] [--window N[-M]] [FILE]\n\n"
	     "Reads recordings of pstat and of perf (default pstat.data; - is standard input).\n");
	option_help(rows, stdout);
	puts("\nFormats:");
	for (const struct view *const *view = views; *view; view++)
		printf("  %-25s %s\n", (*view)->name, (*view)->help);
	puts("\nExit status: 0 good, 1 damaged but shown as far as it goes, 2 nothing readable.");
}

static int check_rewriting(const struct report_options *options, int n_files, struct ps_error *err)
{
	const char *name = options->convert ? "--convert" : "--repair";

	if (options->convert && options->repair)
		return ps_fail(err, "usage", EINVAL, "--convert and --repair exclude each other");
	if (!options->convert && !options->repair) {
		if (options->has_level || options->rewriting.cut)
			return ps_fail(err, "usage", EINVAL, "%s goes with --convert or --repair only",
				       options->has_level ? "-z" : "--cut");
		return 0;
	}
	if (options->follow)
		return ps_fail(err, "usage", EINVAL, "%s reads a whole recording: --follow has no meaning there", name);
	if (n_files > 1)
		return ps_fail(err, "usage", EINVAL, "%s takes one file, not %d", name, n_files);
	if (options->output)
		return ps_fail(err, "usage", EINVAL, "%s names its output itself: -o has no meaning there", name);
	if (options->rewriting.cut && options->viewing.window_first)
		return ps_fail(err, "usage", EINVAL, "--cut and --window exclude each other");
	return 0;
}

int report_options_parse(struct report_options *options, int argc, char *argv[], struct ps_error *err)
{
	int first, rc;

	*options = (struct report_options){ .view = views[0], .jobs = 1, .stop_fd = -1, .rewriting = { .io = &io_system } };
	first = option_parse(rows, argc, argv, true, options, err);
	if (first < 0)
		return first;
	rc = check_rewriting(options, argc - first, err);
	if (rc == 0 && options->follow && (options->convert || options->repair || options->jobs > 1))
		rc = ps_fail(err, "usage", EINVAL, "--follow shows files one after the other: no %s with it",
			     options->jobs > 1 ? "-j" : "--convert or --repair");
	options->rewriting.keep_damaged = options->repair != NULL;
	options->rewriting.window_first = options->viewing.window_first;
	options->rewriting.window_last = options->viewing.window_last;
	return rc < 0 ? rc : first;
}
