/* The rows of a span turned. */
#include "report/pivot.h"

#include <errno.h>
#include <string.h>

void pivot_fini(struct pivot *pivot)
{
	for (size_t i = 0; i < pivot->cap_lines; i++)
		free(pivot->lines[i].cells);
	free(pivot->lines);
	memset(pivot, 0, sizeof(*pivot));
}

static int compare_places(const struct timeline_row *a, const struct timeline_row *b)
{
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* Another line behind those in use. */
static int grow(struct pivot *pivot, struct ps_error *err)
{
	size_t cap = pivot->cap_lines ? pivot->cap_lines * 2 : 1;
	struct pivot_line *grown = reallocarray(pivot->lines, cap, sizeof(*grown));

	if (!grown)
		return ps_fail(err, "report", ENOMEM, "making %zu lines", cap);
	memset(grown + pivot->cap_lines, 0, (cap - pivot->cap_lines) * sizeof(*grown));
	pivot->lines = grown;
	pivot->cap_lines = cap;
	return 0;
}

/* Puts an empty line at a place; the ones from there on move up. */
static int insert_line(struct pivot *pivot, size_t at, const struct timeline_row *row, struct ps_error *err)
{
	struct pivot_line line;

	if (pivot->n_lines == pivot->cap_lines && grow(pivot, err) < 0)
		return -ENOMEM;
	line = pivot->lines[pivot->n_lines];
	if (!line.cells)
		line.cells = calloc(pivot->n_events + 1, sizeof(*line.cells));
	if (!line.cells)
		return ps_fail(err, "report", ENOMEM, "making a line of %zu columns", pivot->n_events);
	memset(line.cells, 0, pivot->n_events * sizeof(*line.cells));
	line.place = row;
	memmove(pivot->lines + at + 1, pivot->lines + at, (pivot->n_lines - at) * sizeof(*pivot->lines));
	pivot->lines[at] = line;
	pivot->n_lines++;
	return 0;
}

/* Where the line of a row's place is or belongs; rows of one event come in order, so it mostly is the expected one. */
static size_t find_line(const struct pivot *pivot, size_t expected, const struct timeline_row *row)
{
	size_t low = 0, high = pivot->n_lines;

	if (expected < high && compare_places(pivot->lines[expected].place, row) == 0)
		return expected;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_places(pivot->lines[middle].place, row) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Lines hold a cell per event: when meta grew they start over. */
static void fit(struct pivot *pivot, const struct meta *meta)
{
	if (pivot->n_events != meta->n_events)
		pivot_fini(pivot);
	pivot->n_events = meta->n_events;
	pivot->n_lines = 0;
}

int pivot_turn(struct pivot *pivot, const struct meta *meta, const struct timeline_span *span, struct ps_error *err)
{
	bool has_places = false;
	size_t at = 0;

	fit(pivot, meta);
	for (size_t i = 0; i < span->n_rows; i++)
		has_places |= span->rows[i].cpu >= 0 || span->rows[i].tid >= 0;
	for (size_t i = 0; i < span->n_rows; i++) {
		const struct timeline_row *row = &span->rows[i];

		if (has_places && row->value.state == VALUE_NOT_SUPPORTED)
			continue;
		at = find_line(pivot, at, row);
		if ((at == pivot->n_lines || compare_places(pivot->lines[at].place, row)) &&
		    insert_line(pivot, at, row, err) < 0)
			return -ENOMEM;
		pivot->lines[at++].cells[row->event] = row;
	}
	return 0;
}
