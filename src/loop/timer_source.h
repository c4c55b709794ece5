/* A timer as a descriptor (timerfd, CLOCK_MONOTONIC), on an absolute grid, so that ticks never drift. */
#ifndef LOOP_TIMER_SOURCE_H
#define LOOP_TIMER_SOURCE_H

#include <stdint.h>

#include "base/error.h"

struct timer_source {
	int fd; /* owned, CLOEXEC, non-blocking; -1: none */
};

/* A timer that is not armed. 0 or -errno. */
int timer_source_open(struct timer_source *timer, struct ps_error *err) _must_check_;

/* First expiry at an absolute time, then every period_ns (0: once). A time in the past expires at once. 0 or -errno. */
int timer_source_arm(struct timer_source *timer, uint64_t first_ns, uint64_t period_ns, struct ps_error *err) _must_check_;

/* No more expiries, those not yet taken are forgotten. 0 or -errno. */
int timer_source_disarm(struct timer_source *timer, struct ps_error *err) _must_check_;

/* Expiries since the last call: 0 none (a stale wake-up), n > 1: n - 1 ticks were missed. -errno. */
int64_t timer_source_take(struct timer_source *timer, struct ps_error *err) _must_check_;

/* Safe to call twice. */
void timer_source_close(struct timer_source *timer);

#endif
