/* The rows of a span turned: one line per CPU or thread, one cell per event. */
#ifndef REPORT_PIVOT_H
#define REPORT_PIVOT_H

#include "report/timeline.h"

struct pivot_line {
	const struct timeline_row *place; /* any row of its CPU and thread */
	/* per event in meta; NULL where the event has no row here; owned by the pivot */
	const struct timeline_row **cells;
};

struct pivot {
	struct pivot_line *lines; /* by CPU, thread; owned */
	size_t n_lines, cap_lines, n_events;
};

/* Zeroed memory is a fresh pivot. */
void pivot_fini(struct pivot *pivot);

/*
 * Fills lines from span, whose rows they point into. Events that are not supported have no CPU or thread: they get a
 * line of their own only when there is no other. 0 or -ENOMEM.
 */
int pivot_turn(struct pivot *pivot, const struct meta *meta, const struct timeline_span *span, struct ps_error *err)
	_must_check_;

#endif
