/* The counters of a recording: readings to differences. */
#include "report/cells.h"

#include <errno.h>
#include <string.h>

#include "pstat/format.h"
#include "report/cells_rows.h"

#define FIRST_CELLS 64
#define N_MARKER_EVENTS 3 /* one id each, with a STAT for every CPU and thread */
#define SPARE_CELLS 65536     /* more than the ids in meta: files where one id stands for several CPUs or threads */
#define MOST_PLACES (1 << 20) /* CPUs times threads that a marker event is believed to have a cell for */

void cells_init(struct cells *cells, const struct meta *meta, enum timeline_per per)
{
	memset(cells, 0, sizeof(*cells));
	cells->meta = meta;
	cells->per = per;
}

void cells_fini(struct cells *cells)
{
	free(cells->cells);
	free(cells->index);
	free(cells->samples);
	cells_rows_fini(cells);
	memset(cells, 0, sizeof(*cells));
}

static bool same_cell(const struct cell *cell, const struct format_stat *stat)
{
	return cell->id == stat->id && cell->cpu == stat->cpu && cell->thread == stat->thread;
}

static size_t hash_cell(uint64_t id, int32_t cpu, uint32_t thread)
{
	uint64_t mixed = id ^ ((uint64_t)(uint32_t)cpu << 32) ^ ((uint64_t)thread << 12);

	mixed *= UINT64_C(0x9E3779B97F4A7C15); /* 2^64 over the golden ratio spreads runs of ids */
	return (size_t)(mixed ^ mixed >> 29);
}

/* The slot of a cell, or the empty one where it belongs. */
static uint32_t *find_slot(const struct cells *cells, const struct format_stat *stat)
{
	size_t mask = cells->n_index - 1;
	size_t at = hash_cell(stat->id, stat->cpu, stat->thread) & mask;

	while (cells->index[at] && !same_cell(&cells->cells[cells->index[at] - 1], stat))
		at = (at + 1) & mask;
	return &cells->index[at];
}

static int grow(struct cells *cells, struct ps_error *err)
{
	size_t cap = cells->cap_cells ? cells->cap_cells * 2 : FIRST_CELLS;
	struct cell *grown = realloc(cells->cells, cap * sizeof(*grown));
	uint32_t *index;

	if (!grown)
		return ps_fail(err, "timeline", ENOMEM, "keeping %zu counters", cap);
	cells->cells = grown;
	index = calloc(cap * 2, sizeof(*index));
	if (!index)
		return ps_fail(err, "timeline", ENOMEM, "keeping %zu counters", cap);
	free(cells->index);
	cells->index = index;
	cells->n_index = cap * 2;
	cells->cap_cells = cap;
	for (size_t i = 0; i < cells->n_cells; i++) {
		const struct cell *cell = &cells->cells[i];
		const struct format_stat key = { .id = cell->id, .cpu = cell->cpu, .thread = cell->thread };

		*find_slot(cells, &key) = (uint32_t)i + 1;
	}
	return 0;
}

/* The counters that the recording announced: a hostile file must not make more of them out of nothing. */
static size_t most_cells(const struct meta *meta)
{
	uint64_t places = (uint64_t)meta->n_cpus * meta->n_threads;
	size_t n = SPARE_CELLS + (places < MOST_PLACES ? (size_t)places : MOST_PLACES) * N_MARKER_EVENTS;

	for (size_t i = 0; i < meta->n_events; i++)
		n += meta->events[i].n_ids;
	return n < UINT32_MAX ? n : UINT32_MAX - 1;
}

static int add_cell(struct cells *cells, const struct meta_event *event, const struct format_stat *stat,
		    struct ps_error *err)
{
	struct cell *cell;
	int rc;

	if (cells->n_cells >= most_cells(cells->meta))
		return ps_fail(err, "timeline", EBADMSG,
			       "readings of more than %zu counters, far more than announced", cells->n_cells);
	rc = cells->n_cells == cells->cap_cells ? grow(cells, err) : 0;
	if (rc < 0)
		return rc;
	cell = &cells->cells[cells->n_cells];
	*cell = (struct cell){
		.id = stat->id, .cpu = stat->cpu, .thread = stat->thread,
		.event = (uint32_t)(event - cells->meta->events),
		.row = CELL_NO_ROW,
		.is_marker = timeline_role(event) != META_COUNTER,
	};
	*find_slot(cells, stat) = (uint32_t)++cells->n_cells;
	return 0;
}

/* The cell of a STAT record; made at its first one. *found is NULL for an id of no event. */
static int find_cell(struct cells *cells, const struct format_stat *stat, struct cell **found, struct ps_error *err)
{
	const struct meta_event *event;
	uint32_t slot = cells->n_index ? *find_slot(cells, stat) : 0;
	int rc;

	*found = NULL;
	if (!slot) {
		event = meta_find_id(cells->meta, stat->id);
		if (!event) {
			cells->strays++;
			return 0;
		}
		rc = add_cell(cells, event, stat, err);
		if (rc < 0)
			return rc;
		slot = (uint32_t)cells->n_cells;
	}
	*found = &cells->cells[slot - 1];
	return 0;
}

int cells_put(struct cells *cells, const struct format_stat *stat, struct ps_error *err)
{
	struct cell *cell = NULL;
	int rc;

	if (cells->next >= cells->n_cells)
		cells->next = 0;
	if (cells->n_cells && same_cell(&cells->cells[cells->next], stat)) {
		cell = &cells->cells[cells->next];
	} else {
		rc = find_cell(cells, stat, &cell, err);
		if (rc < 0 || !cell)
			return rc;
	}
	cell->now = (struct counts){ stat->val, stat->enabled_ns, stat->running_ns, 0 };
	cells->next = (size_t)(cell - cells->cells) + 1;
	return 0;
}

bool cells_any(const struct cells *cells)
{
	for (size_t i = 0; i < cells->n_cells; i++)
		if (!cells->cells[i].is_marker)
			return true;
	return false;
}

bool cells_moved(const struct cells *cells)
{
	for (size_t i = 0; i < cells->n_cells; i++) {
		const struct cell *cell = &cells->cells[i];

		if (!cell->is_marker && cell->now.raw != cell->last.raw)
			return true;
	}
	return false;
}

static uint64_t since(uint64_t now, uint64_t last)
{
	return now < last ? now : now - last;
}

/* What a cell did since the last reading. */
static struct counts difference(const struct cell *cell)
{
	struct counts delta = {
		since(cell->now.raw, cell->last.raw),
		since(cell->now.enabled_ns, cell->last.enabled_ns),
		since(cell->now.running_ns, cell->last.running_ns),
		0,
	};

	if (delta.enabled_ns == FORMAT_OFF_NS && delta.running_ns == 0) { /* nothing is to be estimated for this */
		delta.off_ns = delta.enabled_ns;
		delta.enabled_ns = 0;
	}
	return delta;
}

int cells_take(struct cells *cells, bool in_total, struct ps_error *err)
{
	int rc = cells_rows_update(cells, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < cells->n_rows; i++)
		cells->rows[i].sums[CELLS_INTERVAL] = (struct counts){ 0 };
	for (size_t i = 0; i < cells->n_cells; i++) {
		struct cell *cell = &cells->cells[i];
		const struct counts delta = difference(cell);

		if (cell->is_marker)
			continue;
		cells->set_back += cell->now.raw < cell->last.raw;
		counts_add(&cells->rows[cell->row].sums[CELLS_INTERVAL], &delta);
		cells->rows[cell->row].was_read = true;
		cell->last = cell->now;
	}
	for (size_t i = 0; i < cells->n_rows; i++) {
		struct cell_row *row = &cells->rows[i];

		counts_add(&row->sums[CELLS_WINDOW], &row->sums[CELLS_INTERVAL]);
		if (in_total)
			counts_add(&row->sums[CELLS_TOTAL], &row->sums[CELLS_INTERVAL]);
	}
	return 0;
}

void cells_start_window(struct cells *cells)
{
	for (size_t i = 0; i < cells->n_rows; i++)
		cells->rows[i].sums[CELLS_WINDOW] = (struct counts){ 0 };
}

int cells_sample(struct cells *cells, size_t event, uint64_t period, struct ps_error *err)
{
	if (event >= cells->n_samples) {
		size_t n = cells->meta->n_events;
		struct event_samples *grown = realloc(cells->samples, n * sizeof(*grown));

		if (!grown)
			return ps_fail(err, "timeline", ENOMEM, "counting the samples of %zu events", n);
		memset(grown + cells->n_samples, 0, (n - cells->n_samples) * sizeof(*grown));
		cells->samples = grown;
		cells->n_samples = n;
	}
	cells->samples[event].samples++;
	cells->samples[event].period += period;
	return 0;
}
