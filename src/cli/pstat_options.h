/* The options of `pstat record` and `pstat stat`, parsed and checked, as what run() wants. */
#ifndef CLI_PSTAT_OPTIONS_H
#define CLI_PSTAT_OPTIONS_H

#include "cli/option.h"
#include "record/run.h"

struct view;

struct pstat_options {
	struct run_config run;     /* what is borrowed there is owned here */
	struct event_list events;
	pid_t *pids, *tids;
	int32_t *cpus;
	char *control;             /* the text behind fifo:, cut into its two paths */
	const char *cpu_list;      /* -C */
	bool all_cpus;             /* -a */
	const char *output;        /* -o; NULL: not given */
	int zstd_level;
	const struct view *view;   /* stat: NULL: by interval */
	bool interval_given, no_inherit;
	bool quiet, verbose, help;
};

/* is_stat: the table and the defaults of `pstat stat`. argv[0] is the verb. 0 or -errno; free in either case. */
int pstat_options_parse(struct pstat_options *options, bool is_stat, int argc, char *argv[], struct ps_error *err)
	_must_check_;
void pstat_options_free(struct pstat_options *options);

/* The option lines of --help. */
void pstat_options_help(bool is_stat, FILE *out);

#endif
