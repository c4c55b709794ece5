/* The last counter values of a recording, for any perf.data: one cell per id, CPU and thread. */
#ifndef REPORT_STAT_CELLS_H
#define REPORT_STAT_CELLS_H

#include "data/meta.h"
#include "pstat/format.h"

struct stat_cell_value {
	uint64_t val, enabled_ns, running_ns;
};

struct stat_cell {
	uint64_t id;
	int32_t cpu;
	uint32_t thread;
	uint64_t round;                       /* in which now was set */
	struct stat_cell_value now, before;   /* before: as of the end of the round before that */
	bool has_before;
};

struct stat_cells {
	struct stat_cell *cells; /* owned, in order of first appearance */
	size_t n, cap;
	uint32_t *slots; /* owned; index + 1 into cells, 0 = free */
	size_t n_slots;  /* a power of two, or 0 */
	size_t next;     /* where the last one was found, + 1: rounds repeat each other */
	uint64_t rounds; /* STAT_ROUND records seen */
};

void stat_cells_fini(struct stat_cells *cells);

/* Takes one STAT. 0 or -ENOMEM. */
int stat_cells_put(struct stat_cells *cells, const struct format_stat *stat, struct ps_error *err) _must_check_;

/* The value that was put last for the same id, CPU and thread; 0 when there was none. */
uint64_t stat_cells_last(const struct stat_cells *cells, const struct format_stat *stat);

/* A STAT_ROUND. */
void stat_cells_round(struct stat_cells *cells);

/* The cell's value as of the last round (of the last reading, when there was no round); false when it had none then. */
bool stat_cells_final(const struct stat_cells *cells, const struct stat_cell *cell, struct stat_cell_value *value);

#endif
