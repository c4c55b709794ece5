/* What sysfs tells about the PMU an event belongs to. */
#ifndef EVENT_RESOLVE_PMU_H
#define EVENT_RESOLVE_PMU_H

#include "event/spec.h"

/*
 * Fills software, cpus and cpu_only from the PMU whose type the event's attr has. 0 (also when there is none)
 * or -ENOMEM.
 */
int resolve_pmu_facts(struct event *event, const struct event_roots *roots);

#endif
