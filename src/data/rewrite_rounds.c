/* Readings on their way through the rewriter: whole ones only, and counted from where the part begins. */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "data/rewrite_private.h"

#define THREADS_MAX 2000 /* as many fit a THREAD_MAP */
#define CPUS_MAX 4096

void rounds_fini(struct rewrite_rounds *rounds)
{
	free(rounds->now);
	free(rounds->base);
	*rounds = (struct rewrite_rounds){ .now = NULL };
}

int rounds_put(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	struct rewrite_rounds *rounds = &rw->rounds;

	if (rounds->n_now == rounds->cap_now) {
		size_t cap = rounds->cap_now ? rounds->cap_now * 2 : 64;
		void *grown = reallocarray(rounds->now, cap, sizeof(*rounds->now));

		if (!grown)
			return ps_fail(err, "rewrite", ENOMEM, "keeping a reading of %zu counters", cap);
		rounds->now = grown;
		rounds->cap_now = cap;
	}
	rounds->now[rounds->n_now++] = rec->stat;
	return 0;
}

static bool same_cell(const struct format_stat *a, const struct format_stat *b)
{
	return a->id == b->id && a->cpu == b->cpu && a->thread == b->thread;
}

/* A cell as the part begins; readings list their cells in one order, so it is mostly found where it is looked for first. */
static const struct format_stat *find_base(const struct rewrite_rounds *rounds, const struct format_stat *stat,
					   size_t place)
{
	if (place < rounds->n_base && same_cell(&rounds->base[place], stat))
		return &rounds->base[place];
	for (size_t i = 0; i < rounds->n_base; i++)
		if (same_cell(&rounds->base[i], stat))
			return &rounds->base[i];
	return NULL;
}

/* A counter that was set back since counts from where it was set to. */
static uint64_t since(uint64_t now, uint64_t then)
{
	return now >= then ? now - then : now;
}

static int put_cell(struct rewrite *rw, size_t place, struct ps_error *err)
{
	struct record rec = { .type = FORMAT_STAT, .stat = rw->rounds.now[place] };
	const struct format_stat *base = find_base(&rw->rounds, &rec.stat, place);

	if (base) {
		rec.stat.val = since(rec.stat.val, base->val);
		rec.stat.enabled_ns = since(rec.stat.enabled_ns, base->enabled_ns);
		rec.stat.running_ns = since(rec.stat.running_ns, base->running_ns);
	}
	return rewrite_put_made(rw, &rec, err);
}

static int put_threads(struct rewrite *rw, struct ps_error *err)
{
	struct record rec = { .type = FORMAT_THREAD_MAP };
	struct format_thread_map_entry *threads;
	size_t n = 1;
	int rc;

	for (size_t i = 0; i < rw->rounds.n_now; i++)
		if (rw->rounds.now[i].thread >= n)
			n = (size_t)rw->rounds.now[i].thread + 1;
	threads = n <= THREADS_MAX ? calloc(n, sizeof(*threads)) : NULL;
	if (!threads)
		return ps_fail(err, "rewrite", ENOMEM, "making a map of %zu threads", n);
	for (size_t i = 0; i < n; i++)
		threads[i].pid = UINT64_MAX; /* nobody knows which */
	rec.thread_map.threads = threads;
	rec.thread_map.n = n;
	rc = rewrite_put_made(rw, &rec, err);
	free(threads);
	return rc;
}

static int put_cpus(struct rewrite *rw, struct ps_error *err)
{
	struct record rec = { .type = FORMAT_CPU_MAP };
	int32_t cpus[CPUS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < rw->rounds.n_now && n < CPUS_MAX; i++) {
		size_t k = 0;

		while (k < n && cpus[k] != rw->rounds.now[i].cpu)
			k++;
		if (k == n)
			cpus[n++] = rw->rounds.now[i].cpu;
	}
	rec.cpu_map.cpus = cpus;
	rec.cpu_map.n = n;
	return rewrite_put_made(rw, &rec, err);
}

static int put_config(struct rewrite *rw, const struct format_stat_round *round, struct ps_error *err)
{
	uint64_t ms = round->type == FORMAT_ROUND_INTERVAL ? round->time_ns / NS_PER_MS : 0;
	const struct format_stat_config_entry entries[] = {
		{ FORMAT_STAT_CONFIG_AGGR_MODE, FORMAT_AGGR_GLOBAL },
		{ FORMAT_STAT_CONFIG_INTERVAL, ms ? ms : round->type == FORMAT_ROUND_INTERVAL },
		{ FORMAT_STAT_CONFIG_SCALE, 1 },
	};
	const struct record rec = { .type = FORMAT_STAT_CONFIG, .stat_config = { entries, ARRAY_SIZE(entries) } };

	return rewrite_put_made(rw, &rec, err);
}

/* Stock perf reads no reading without maps and a configuration. What damage took of them is made of the first reading. */
static int put_missing(struct rewrite *rw, const struct format_stat_round *round, struct ps_error *err)
{
	int rc = 0;

	if (rw->rounds.begun || !rw->rounds.n_now)
		return 0;
	rw->rounds.begun = true;
	if (!rw->meta->n_threads)
		rc = put_threads(rw, err);
	if (rc >= 0 && !rw->meta->n_cpus)
		rc = put_cpus(rw, err);
	return rc < 0 || rw->rounds.configured ? rc : put_config(rw, round, err);
}

static int put_cells(struct rewrite *rw, struct ps_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < rw->rounds.n_now && rc >= 0; i++)
		rc = put_cell(rw, i, err);
	rw->rounds.n_now = 0;
	return rc;
}

static void drop_cells(struct rewrite *rw, uint64_t *counter)
{
	*counter += rw->rounds.n_now + 1;
	rw->rounds.n_now = 0;
}

/* The reading in hand becomes the one that later ones count from. */
static void take_base(struct rewrite_rounds *rounds)
{
	struct format_stat *bytes = rounds->base;
	size_t cap = rounds->cap_base;

	rounds->base = rounds->now;
	rounds->cap_base = rounds->cap_now;
	rounds->n_base = rounds->n_now;
	rounds->now = bytes;
	rounds->cap_now = cap;
	rounds->n_now = 0;
}

/* Without markers the part's times begin with it, as those of any recording do. */
static int put_round(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	struct record round = { .type = FORMAT_STAT_ROUND, .round = rec->round };

	if (rw->options->cut && rw->span.has_base && !rw->span.has_markers)
		round.round.time_ns -= rw->span.base_ns;
	return rewrite_put_made(rw, &round, err);
}

/*
 * Of a damaged recording a reading may have lost counters. Readers want each of them in each reading, and what the next
 * whole reading tells covers the gap exactly, so an incomplete one is left out.
 */
int rounds_close(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	struct rewrite_rounds *rounds = &rw->rounds;
	int rc;

	if (rounds->n_now < rounds->most && reader_damaged(rw->reader)) {
		rw->result->readings++;
		rounds->n_now = 0;
		return 0;
	}
	if (rounds->n_now > rounds->most)
		rounds->most = rounds->n_now;
	rc = span_round(rw, rec->round.time_ns, err);
	switch (rc) {
	case ROUND_KEEP:
		rc = put_missing(rw, &rec->round, err);
		if (rc >= 0)
			rc = put_cells(rw, err);
		return rc < 0 ? rc : put_round(rw, rec, err);
	case ROUND_BASE:
		rw->result->cut += rounds->n_now + 1;
		take_base(rounds);
		return 0;
	default:
		drop_cells(rw, &rw->result->cut);
		return rc;
	}
}

int rounds_finish(struct rewrite *rw, struct ps_error *err)
{
	const struct format_stat_round last = { .type = FORMAT_ROUND_FINAL };

	if (span_is_all(rw->options)) {
		int rc = put_missing(rw, &last, err);

		return rc < 0 ? rc : put_cells(rw, err);
	}
	rw->result->cut += rw->rounds.n_now;
	return 0;
}
