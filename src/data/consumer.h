/*
 * Where records go: the one interface behind the session. The writer (a file) and the live report (a timeline and a view)
 * implement it, so a recording and its live display come from the same code.
 */
#ifndef DATA_CONSUMER_H
#define DATA_CONSUMER_H

#include "base/clock.h"
#include "base/error.h"

#define CONSUMER_TICK_NS (300 * NS_PER_MS)
#define CONSUMER_AGE_TICKS 3 /* after these, what was put is durable: within a second, with room for a late wake-up */

struct meta;
struct record;

struct consumer {
	void *ctx;
	/* Once, before the first record. meta is borrowed until finish. 0 or -errno. */
	int (*start)(void *ctx, const struct meta *meta, struct ps_error *err);
	/* One record in host order; it is borrowed for the call. 0 or -errno; after an error nothing more is put. */
	int (*put)(void *ctx, const struct record *rec, struct ps_error *err);
	/* Makes everything put so far durable against the death of this process. 0 or -errno. */
	int (*checkpoint)(void *ctx, struct ps_error *err);
	/* Every CONSUMER_TICK_NS: the same for what was put CONSUMER_AGE_TICKS ago or earlier. 0 or -errno. */
	int (*tick)(void *ctx, struct ps_error *err);
	/* Once, at the end, also after an error of put; releases what start took. 0 or -errno. */
	int (*finish)(void *ctx, struct ps_error *err);

	/*
	 * Both NULL for a consumer that is never without room. waits: the descriptor that has no room for what was put, or -1
	 * while there is none; asked after every other call. ready: it may have room now (POLLOUT), or an error. 0 or -errno.
	 */
	int (*waits)(void *ctx);
	int (*ready)(void *ctx, struct ps_error *err);
};

#endif
