/* The one time source: CLOCK_MONOTONIC for everything, the wall clock only to pair with it. Injectable for tests. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

struct clock {
	void *ctx;
	uint64_t (*mono_ns)(void *ctx); /* CLOCK_MONOTONIC in ns; never fails */
	uint64_t (*wall_ns)(void *ctx); /* CLOCK_REALTIME in ns; never fails */
};

extern const struct clock clock_system;

static inline uint64_t clock_mono_ns(const struct clock *clock)
{
	return clock->mono_ns(clock->ctx);
}

/*
 * Reads both clocks at the same moment, as near as it gets: of a few tries the one in which the wall clock's reading was
 * enclosed most tightly by two monotonic ones. *mono_ns is the middle of these two.
 */
void clock_pair(const struct clock *clock, uint64_t *mono_ns, uint64_t *wall_ns);

#endif
