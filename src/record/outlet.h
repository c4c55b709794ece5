/* The consumer's descriptor in the loop, watched only while it has no room for what was put. */
#ifndef RECORD_OUTLET_H
#define RECORD_OUTLET_H

#include "data/consumer.h"
#include "loop/loop.h"

struct outlet {
	const struct consumer *consumer;
	struct loop *loop;
	int fd; /* that is watched; -1: none */
	void (*on_failure)(void *data, const struct ps_error *err);
	void *data;
};

/* All is borrowed. on_failure: writing failed while nothing was being put. */
void outlet_init(struct outlet *outlet, const struct consumer *consumer, struct loop *loop,
		 void (*on_failure)(void *data, const struct ps_error *err), void *data);

/* To be called when something was put: watches, or no longer, as the consumer needs it. 0 or -errno. */
int outlet_watch(struct outlet *outlet, struct ps_error *err) _must_check_;

/* Out of the loop; the consumer's descriptor must still be open. */
void outlet_fini(struct outlet *outlet);

#endif
