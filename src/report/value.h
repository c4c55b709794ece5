/* Counts and their times: adding up, scaling for multiplexing, and what state they amount to. */
#ifndef REPORT_VALUE_H
#define REPORT_VALUE_H

#include "report/timeline.h"

/* A count with its enabled and running times, as read(2) gives them or as a difference. */
struct counts {
	uint64_t raw, enabled_ns, running_ns;
	uint64_t off_ns; /* of differences: FORMAT_OFF_NS for each reading while it was switched off; not in enabled_ns */
};

/* Adds, saturating. */
void counts_add(struct counts *sum, const struct counts *more);

/* raw * enabled / running, to the nearest, saturating; raw when running is 0 or not below enabled. */
uint64_t value_scale(uint64_t raw, uint64_t enabled_ns, uint64_t running_ns);

/* Fills value from counts that were read. scale: estimate what multiplexing left out. */
void value_from_counts(struct timeline_value *value, const struct counts *counts, bool scale);

/* Adds the counts of more to sum and settles state and estimate anew. A value that did not count adds nothing. */
void value_add(struct timeline_value *sum, const struct timeline_value *more, bool scale);

#endif
