/* Figures that follow from several events: CPUs in use, instructions per cycle, miss rates. */
#ifndef REPORT_DERIVED_H
#define REPORT_DERIVED_H

#include "report/timeline.h"

struct derived {
	const char *name; /* "CPUs utilised" */
	const char *unit; /* "", "%", "GHz" */
	int decimals;
	double value;
};

#define DERIVED_MAX 16

/*
 * The figures whose events are there and counted, from values per event in meta (rows added up) over counted_ns of window
 * time. Events are only set against each other when they count the same privilege levels. Returns how many.
 */
size_t derived_figures(const struct meta *meta, const struct timeline_value *values, uint64_t counted_ns,
		       struct derived figures[DERIVED_MAX]);

#endif
