/*
 * What samples tell of events that were not sampled themselves: with a group's values in every sample ("{a,b}:S" of perf
 * record) only the leader is sampled, and the others are read.
 */
#ifndef REPORT_GROUP_READS_H
#define REPORT_GROUP_READS_H

#include "report/cells.h"
#include "report/stat_cells.h"

/*
 * Takes a SAMPLE of event: what each other counter of its group did since the sample before counts as a sample of that one,
 * with the difference as its period. last keeps the values between calls. 0 or -ENOMEM; values that do not fit the record are
 * left out, as the reader has warned of them or will.
 */
int group_reads_take(struct stat_cells *last, struct cells *cells, const struct record *rec,
		     const struct meta_event *event, struct ps_error *err) _must_check_;

#endif
