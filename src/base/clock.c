/* The one time source. */
#include "base/clock.h"

#include <time.h>

#define PAIR_TRIES 5

/* clock_gettime on these two clocks fails only for a bad pointer. */
static uint64_t gettime_ns(clockid_t id)
{
	struct timespec now = { 0, 0 };

	(void)clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t system_mono_ns(void *ctx)
{
	(void)ctx;
	return gettime_ns(CLOCK_MONOTONIC);
}

static uint64_t system_wall_ns(void *ctx)
{
	(void)ctx;
	return gettime_ns(CLOCK_REALTIME);
}

const struct clock clock_system = { NULL, system_mono_ns, system_wall_ns };

void clock_pair(const struct clock *clock, uint64_t *mono_ns, uint64_t *wall_ns)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < PAIR_TRIES; i++) {
		uint64_t before = clock->mono_ns(clock->ctx);
		uint64_t wall = clock->wall_ns(clock->ctx);
		uint64_t span = clock->mono_ns(clock->ctx) - before;

		if (span >= best)
			continue;
		best = span;
		*mono_ns = before + span / 2;
		*wall_ns = wall;
	}
}
