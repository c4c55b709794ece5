/* The rows that cells add up to. */
#include "report/cells_rows.h"

#include <errno.h>
#include <string.h>

#define NO_CELL UINT32_MAX

/* What decides a row, for one cell or for an event without any. */
struct row_key {
	uint32_t event;
	int32_t cpu;
	int64_t thread;
	uint32_t cell;
};

void cells_rows_fini(struct cells *cells)
{
	free(cells->rows);
	free(cells->out);
	cells->rows = NULL;
	cells->out = NULL;
	cells->n_rows = 0;
}

static int compare_places(uint32_t event_a, int32_t cpu_a, int64_t thread_a, uint32_t event_b, int32_t cpu_b,
			  int64_t thread_b)
{
	if (event_a != event_b)
		return event_a < event_b ? -1 : 1;
	if (cpu_a != cpu_b)
		return cpu_a < cpu_b ? -1 : 1;
	return (thread_a > thread_b) - (thread_a < thread_b);
}

static int compare_keys(const void *left, const void *right)
{
	const struct row_key *a = left, *b = right;

	return compare_places(a->event, a->cpu, a->thread, b->event, b->cpu, b->thread);
}

static int compare_key_to_row(const struct row_key *key, const struct cell_row *row)
{
	return compare_places(key->event, key->cpu, key->thread, row->event, row->cpu, row->thread);
}

/* One key per counter's cell, and one per event that has no cell. Returns how many. */
static size_t collect_keys(const struct cells *cells, struct row_key *keys, bool *has_cells)
{
	const struct meta *meta = cells->meta;
	size_t n = 0;

	for (size_t i = 0; i < cells->n_cells; i++) {
		const struct cell *cell = &cells->cells[i];

		if (cell->is_marker)
			continue;
		has_cells[cell->event] = true;
		keys[n++] = (struct row_key){
			.event = cell->event,
			.cpu = cells->per == TIMELINE_PER_CPU ? cell->cpu : -1,
			.thread = cells->per == TIMELINE_PER_THREAD ? (int64_t)cell->thread : -1,
			.cell = (uint32_t)i,
		};
	}
	for (size_t i = 0; i < meta->n_events; i++)
		if (!has_cells[i] && timeline_role(&meta->events[i]) == META_COUNTER)
			keys[n++] = (struct row_key){ (uint32_t)i, -1, -1, NO_CELL };
	return n;
}

/* Rows from sorted keys; the sums of rows that were there before come along. */
static size_t make_rows(struct cells *cells, const struct row_key *keys, size_t n_keys, struct cell_row *rows)
{
	size_t n = 0, old = 0;

	for (size_t i = 0; i < n_keys; i++) {
		const struct row_key *key = &keys[i];

		if (n == 0 || compare_key_to_row(key, &rows[n - 1])) {
			struct cell_row *row = &rows[n++];

			*row = (struct cell_row){ .event = key->event, .cpu = key->cpu, .thread = key->thread };
			while (old < cells->n_rows && compare_key_to_row(key, &cells->rows[old]) > 0)
				old++;
			if (old < cells->n_rows && compare_key_to_row(key, &cells->rows[old]) == 0)
				*row = cells->rows[old];
		}
		if (key->cell != NO_CELL)
			cells->cells[key->cell].row = (uint32_t)(n - 1);
	}
	return n;
}

int cells_rows_update(struct cells *cells, struct ps_error *err)
{
	size_t most = cells->n_cells + cells->meta->n_events;
	_cleanup_free_ struct row_key *keys = NULL;
	_cleanup_free_ bool *has_cells = NULL;
	struct cell_row *rows;
	struct timeline_row *out;
	size_t n;

	if (cells->rows && cells->rows_of_cells == cells->n_cells && cells->rows_of_events == cells->meta->n_events)
		return 0;
	keys = calloc(most + 1, sizeof(*keys));
	has_cells = calloc(cells->meta->n_events + 1, sizeof(*has_cells));
	rows = calloc(most + 1, sizeof(*rows));
	out = calloc(most + 1, sizeof(*out));
	if (!keys || !has_cells || !rows || !out) {
		free(rows);
		free(out);
		return ps_fail(err, "timeline", ENOMEM, "making rows of %zu counters", most);
	}
	n = collect_keys(cells, keys, has_cells);
	qsort(keys, n, sizeof(*keys), compare_keys);
	n = make_rows(cells, keys, n, rows);
	cells_rows_fini(cells);
	cells->rows = rows;
	cells->out = out;
	cells->n_rows = n;
	cells->rows_of_cells = cells->n_cells;
	cells->rows_of_events = cells->meta->n_events;
	return 0;
}

static void fill_value(const struct cells *cells, const struct cell_row *row, enum cells_span span,
		       struct timeline_value *value)
{
	const struct meta *meta = cells->meta;

	memset(value, 0, sizeof(*value));
	if (meta->events[row->event].n_ids == 0)
		value->state = VALUE_NOT_SUPPORTED;
	else if (!row->was_read)
		value->state = VALUE_NOT_COUNTED;
	else
		value_from_counts(value, &row->sums[span], meta->scale);
}

/* What is only sampled has no count of its own; the periods say how many events there were between the samples. */
static void take_samples(struct timeline_value *value)
{
	if (!value->samples || value->state == VALUE_COUNTED)
		return;
	value->state = VALUE_SAMPLED;
	value->scaled = value->period;
}

int cells_rows(struct cells *cells, enum cells_span span, const struct timeline_row **rows, size_t *n,
	       struct ps_error *err)
{
	const struct meta *meta = cells->meta;
	int rc = cells_rows_update(cells, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < cells->n_rows; i++) {
		const struct cell_row *row = &cells->rows[i];
		struct timeline_row *out = &cells->out[i];
		bool named = row->thread >= 0 && (size_t)row->thread < meta->n_threads;

		out->event = row->event;
		out->cpu = row->cpu;
		out->tid = named ? meta->threads[row->thread].tid : -1;
		out->comm = named && meta->threads[row->thread].comm[0] ? meta->threads[row->thread].comm : NULL;
		fill_value(cells, row, span, &out->value);
		if (span == CELLS_TOTAL && row->event < cells->n_samples &&
		    (i == 0 || cells->rows[i - 1].event != row->event)) {
			out->value.samples = cells->samples[row->event].samples;
			out->value.period = cells->samples[row->event].period;
			take_samples(&out->value);
		}
	}
	*rows = cells->out;
	*n = cells->n_rows;
	return 0;
}
