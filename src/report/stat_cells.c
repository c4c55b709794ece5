/* The last counter values of a recording. */
#include "report/stat_cells.h"

#include <errno.h>

#define CELLS_FIRST 64

void stat_cells_fini(struct stat_cells *cells)
{
	free(cells->cells);
	free(cells->slots);
}

static bool is_cell(const struct stat_cell *cell, const struct format_stat *stat)
{
	return cell->id == stat->id && cell->cpu == stat->cpu && cell->thread == stat->thread;
}

/* Seeded with an address, so that no file can be made whose cells all meet in one slot. */
static size_t slot_of(const struct stat_cells *cells, uint64_t id, int32_t cpu, uint32_t thread)
{
	uint64_t h = (id ^ (uintptr_t)cells->slots) * UINT64_C(0x9E3779B97F4A7C15);

	h = (h ^ h >> 29 ^ (uint64_t)(uint32_t)cpu << 32 ^ thread) * UINT64_C(0xBF58476D1CE4E5B9);
	return (size_t)(h ^ h >> 32) & (cells->n_slots - 1);
}

/* The slot that holds the cell, or the free one where it belongs. */
static uint32_t *find_slot(const struct stat_cells *cells, const struct format_stat *stat)
{
	size_t i = slot_of(cells, stat->id, stat->cpu, stat->thread);

	while (cells->slots[i] && !is_cell(&cells->cells[cells->slots[i] - 1], stat))
		i = (i + 1) & (cells->n_slots - 1);
	return &cells->slots[i];
}

static int grow(struct stat_cells *cells, struct ps_error *err)
{
	size_t cap = cells->cap ? cells->cap * 2 : CELLS_FIRST;
	void *grown = cap > UINT32_MAX / 2 ? NULL : reallocarray(cells->cells, cap, sizeof(*cells->cells));
	uint32_t *slots = grown ? calloc(cap * 2, sizeof(*slots)) : NULL;

	if (grown)
		cells->cells = grown;
	if (!slots)
		return ps_fail(err, "stats", ENOMEM, "keeping %zu counters", cap);
	free(cells->slots);
	cells->slots = slots;
	cells->n_slots = cap * 2;
	cells->cap = cap;
	for (size_t i = 0; i < cells->n; i++) {
		const struct stat_cell *cell = &cells->cells[i];
		size_t at = slot_of(cells, cell->id, cell->cpu, cell->thread);

		while (cells->slots[at])
			at = (at + 1) & (cells->n_slots - 1);
		cells->slots[at] = (uint32_t)i + 1;
	}
	return 0;
}

static struct stat_cell *add(struct stat_cells *cells, const struct format_stat *stat)
{
	struct stat_cell *cell = &cells->cells[cells->n++];

	*cell = (struct stat_cell){
		.id = stat->id, .cpu = stat->cpu, .thread = stat->thread, .round = UINT64_MAX
	};
	*find_slot(cells, stat) = (uint32_t)cells->n;
	return cell;
}

/* NULL without memory. */
static struct stat_cell *find_or_add(struct stat_cells *cells, const struct format_stat *stat,
				     struct ps_error *err)
{
	uint32_t found;

	if (cells->next < cells->n && is_cell(&cells->cells[cells->next], stat))
		return &cells->cells[cells->next++];
	if (cells->n == cells->cap && grow(cells, err) < 0)
		return NULL;
	found = *find_slot(cells, stat);
	if (!found)
		return add(cells, stat);
	cells->next = found;
	return &cells->cells[found - 1];
}

int stat_cells_put(struct stat_cells *cells, const struct format_stat *stat, struct ps_error *err)
{
	struct stat_cell *cell = find_or_add(cells, stat, err);

	if (!cell)
		return -ENOMEM;
	if (cell->round != cells->rounds) {
		cell->before = cell->now;
		cell->has_before = cell->round != UINT64_MAX;
		cell->round = cells->rounds;
	}
	cell->now = (struct stat_cell_value){ stat->val, stat->enabled_ns, stat->running_ns };
	return 0;
}

uint64_t stat_cells_last(const struct stat_cells *cells, const struct format_stat *stat)
{
	uint32_t found = cells->n_slots ? *find_slot(cells, stat) : 0;

	return found ? cells->cells[found - 1].now.val : 0;
}

void stat_cells_round(struct stat_cells *cells)
{
	cells->rounds++;
	cells->next = 0;
}

bool stat_cells_final(const struct stat_cells *cells, const struct stat_cell *cell,
		      struct stat_cell_value *value)
{
	bool behind_last_round = cells->rounds && cell->round == cells->rounds;

	*value = behind_last_round ? cell->before : cell->now;
	return !behind_last_round || cell->has_before;
}
