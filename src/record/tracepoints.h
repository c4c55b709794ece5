/* The formats of counted tracepoints, which perf wants in the file before it reads anything else of it. */
#ifndef RECORD_TRACEPOINTS_H
#define RECORD_TRACEPOINTS_H

#include "data/meta.h"
#include "event/counter_set.h"

/* Adds TRACING_DATA to meta when one of the events is a tracepoint. 0, or -errno when tracefs cannot be read. */
int describe_tracepoints(struct meta *meta, const struct counter_set *counters, const char *tracefs,
			 struct ps_error *err) _must_check_;

#endif
