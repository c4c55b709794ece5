/* Which events are put into which kernel group. Pure. */
#ifndef EVENT_PLAN_H
#define EVENT_PLAN_H

#include "event/spec.h"

struct plan_group {
	size_t first, n; /* plan->order[first .. first + n): indices into the list */
	bool shared;     /* software events, put together by us: none needs the other */
	bool weak;       /* the user's group, which may be broken up */
	bool broken;     /* and it was */
};

struct plan {
	size_t *order;             /* owned */
	struct plan_group *groups; /* owned */
	size_t n_groups;
};

/*
 * All software events share one group (of at most PLAN_SHARED_MAX), for they take nothing from each other;
 * the user's {groups} with a hardware event in them stay what they are, every other event stands alone so
 * that the kernel can take turns with it. Events that are unsupported from the start are in no group. 0 or
 * -ENOMEM.
 */
int plan_make(struct plan *plan, const struct event_list *list, struct ps_error *err) _must_check_;
void plan_fini(struct plan *plan);

#define PLAN_SHARED_MAX 512 /* the kernel takes at most 16 KiB of values from one group */

#endif
