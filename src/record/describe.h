/* What the file's head tells: the counters, the machine, the command line and the executables' build ids, as meta. */
#ifndef RECORD_DESCRIBE_H
#define RECORD_DESCRIBE_H

#include <sys/types.h>

#include "data/meta.h"
#include "event/counter_set.h"

struct describe_options {
	int argc;           /* pstat's own command line */
	char *const *argv;
	uint64_t interval_ns;
	bool single_summary; /* see session_options */
	bool marks;          /* marks may come, so they need an event */
	const char *sysfs;   /* "/sys" */
};

/*
 * Fills meta (initialised by the caller, who also frees it) with all but the programs. 0 or -errno; facts that cannot be had
 * stay absent.
 */
int describe(struct meta *meta, const struct counter_set *counters, const struct describe_options *options,
	     struct ps_error *err) _must_check_;

/* Adds the names and build ids of the programs that are counted: once the command has been executed. 0 or -ENOMEM. */
int describe_programs(struct meta *meta, struct ps_error *err) _must_check_;

#endif
