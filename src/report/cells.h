/*
 * The counters of a recording ("cells": an event on one CPU and/or thread) and the rows of a report they add up to. Takes
 * readings, makes differences, and adds them up for the interval, the window and the total.
 */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "report/value.h"

enum cells_span {
	CELLS_INTERVAL,
	CELLS_WINDOW,
	CELLS_TOTAL,
	CELLS_SPANS
};

struct cell;
struct cell_row;

struct cells {
	const struct meta *meta; /* borrowed */
	enum timeline_per per;
	struct cell *cells; /* in the order they were first seen; owned */
	size_t n_cells, cap_cells;
	size_t next;        /* readings have one order: the cell that is expected next */
	uint32_t *index;    /* hash table of cell number + 1, 0 = empty; size is a power of two; owned */
	size_t n_index;
	struct cell_row *rows;    /* by event, CPU, thread; owned */
	struct timeline_row *out; /* what callers see of rows; owned */
	size_t n_rows;
	size_t rows_of_cells, rows_of_events; /* how many cells and events the rows were made for */
	struct event_samples *samples;        /* per event; owned */
	size_t n_samples;
	uint64_t strays, set_back;
};

/* meta is borrowed and may grow until the first cells_put. */
void cells_init(struct cells *cells, const struct meta *meta, enum timeline_per per);
void cells_fini(struct cells *cells);

/* One STAT record. 0, -ENOMEM, or -EBADMSG when there are far more cells than the recording has counters. */
int cells_put(struct cells *cells, const struct format_stat *stat, struct ps_error *err) _must_check_;

/* Whether any counter was put at all. */
bool cells_any(const struct cells *cells);

/* Whether any count differs from the last reading that was taken. */
bool cells_moved(const struct cells *cells);

/*
 * Takes what was put as a reading: the differences to the last one become the interval, and are added to the window and,
 * with in_total, to the total. 0 or -ENOMEM.
 */
int cells_take(struct cells *cells, bool in_total, struct ps_error *err) _must_check_;

/* A new window: its sums are 0. */
void cells_start_window(struct cells *cells);

/* A SAMPLE of an event (its number in meta). 0 or -ENOMEM. */
int cells_sample(struct cells *cells, size_t event, uint64_t period, struct ps_error *err) _must_check_;

/* The rows with their values of a span, borrowed until the next call. 0 or -ENOMEM. */
int cells_rows(struct cells *cells, enum cells_span span, const struct timeline_row **rows, size_t *n,
	       struct ps_error *err) _must_check_;

#endif
