/* The terms between the slashes of pmu/term=value,.../. */
#ifndef EVENT_TERMS_H
#define EVENT_TERMS_H

#include "event/resolve.h"

/*
 * Applies terms to the event's attr (and name, unit, scale). device is the PMU's folder in sysfs; NULL: no
 * PMU, so only name= and config= can be used. 0, or -EINVAL/-ENOMEM with err filled and *bad at the term that
 * is wrong.
 */
int terms_apply(struct event *event, const char *device, struct span terms, const char **bad,
		struct ps_error *err);

#endif
