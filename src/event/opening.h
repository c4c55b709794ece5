/* The state of opening a counter set, shared by the files that do it. */
#ifndef EVENT_OPENING_H
#define EVENT_OPENING_H

#include "event/counter_set_priv.h"
#include "event/explain.h"
#include "event/open_event.h"
#include "event/plan.h"

struct opening {
	struct counter_set *set;
	const struct event_list *list;
	const struct target *target;
	struct plan plan;
	struct event_state *states; /* one per event of the list; owned */
	bool *gone;                 /* per thread: it ended before it was counted; owned */
	size_t n_named; /* so many threads, the first ones, were named one by one: they must be there */
};

/* What opening a place came to, besides -errno. */
enum {
	OPENING_DONE = 0,
	OPENING_AGAIN = 1, /* close everything and start from the beginning */
};

static inline bool opening_per_cpu(const struct opening *o)
{
	return o->target->n_cpus > 0;
}

/* How many places there are: CPUs, or threads. */
static inline size_t opening_places(const struct opening *o)
{
	return opening_per_cpu(o) ? o->set->n_cpus : o->set->n_tids;
}

/*
 * Opens all groups at one place. OPENING_DONE (also when the thread is gone: then o->gone says so),
 * OPENING_AGAIN, or -errno. What was opened before an error stays open.
 */
int opening_place(struct opening *o, size_t place, struct ps_error *err) _must_check_;

/* Makes room for that many descriptors, up to the hard limit. 0 or -EMFILE with need, limit and remedy. */
int opening_limit(size_t need, struct ps_error *err) _must_check_;

#endif
