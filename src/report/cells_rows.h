/* Inside of report/cells: what a cell and a row are made of, and how rows follow from cells. */
#ifndef REPORT_CELLS_ROWS_H
#define REPORT_CELLS_ROWS_H

#include "report/cells.h"

#define CELL_NO_ROW UINT32_MAX

struct cell {
	uint64_t id;
	int32_t cpu;
	uint32_t thread;
	uint32_t event;
	uint32_t row;
	bool is_marker; /* of a marker event: read like any other, but nobody's row */
	struct counts last, now;
};

struct cell_row {
	uint32_t event;
	int32_t cpu;       /* -1: all */
	int64_t thread;    /* number in THREAD_MAP; -1: all */
	bool was_read;     /* a reading of one of its cells was taken */
	struct counts sums[CELLS_SPANS];
};

struct event_samples {
	uint64_t samples, period;
};

/* Makes the rows fit the cells and events there are by now; sums stay with their rows. 0 or -ENOMEM. */
int cells_rows_update(struct cells *cells, struct ps_error *err) _must_check_;

void cells_rows_fini(struct cells *cells);

#endif
