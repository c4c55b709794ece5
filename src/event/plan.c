/* Puts events into kernel groups. */
#include "event/plan.h"

#include <errno.h>
#include <stdlib.h>

/* For each {group}: does it hold an event that needs hardware? NULL: no memory. */
static bool *hardware_groups(const struct event_list *list)
{
	bool *hardware = calloc((size_t)list->n_groups + 1, sizeof(*hardware));

	for (size_t i = 0; hardware && i < list->n; i++) {
		const struct event *event = &list->events[i];

		if (event->group >= 0 && !event->software && !event->unsupported)
			hardware[event->group] = true;
	}
	return hardware;
}

static bool shares(const struct event *event, const bool *hardware)
{
	return event->software && (event->group < 0 || !hardware[event->group]);
}

/*
 * Begins a group with event i and takes all later ones that belong to it. taken: per event, not yet in a
 * group.
 */
static void gather(struct plan *plan, const struct event_list *list, const bool *hardware, bool *taken,
		   size_t i)
{
	const struct event *head = &list->events[i];
	struct plan_group *group = &plan->groups[plan->n_groups++];
	bool shared = shares(head, hardware);

	group->shared = shared;
	group->weak = !shared && head->group >= 0 && head->weak;
	for (size_t k = i; k < list->n; k++) {
		const struct event *event = &list->events[k];
		bool belongs = k == i || (shared ? shares(event, hardware) && group->n < PLAN_SHARED_MAX
						 : head->group >= 0 && event->group == head->group);

		if (taken[k] || event->unsupported || !belongs)
			continue;
		taken[k] = true;
		plan->order[group->first + group->n++] = k;
	}
}

int plan_make(struct plan *plan, const struct event_list *list, struct ps_error *err)
{
	_cleanup_free_ bool *hardware = hardware_groups(list);
	_cleanup_free_ bool *taken = calloc(list->n + 1, sizeof(*taken));
	size_t used = 0;

	plan->order = calloc(list->n + 1, sizeof(*plan->order));
	plan->groups = calloc(list->n + 1, sizeof(*plan->groups));
	plan->n_groups = 0;
	if (!hardware || !taken || !plan->order || !plan->groups) {
		plan_fini(plan);
		return ps_fail(err, "counters", ENOMEM, "grouping %zu events", list->n);
	}
	for (size_t i = 0; i < list->n; i++) {
		if (taken[i] || list->events[i].unsupported)
			continue;
		plan->groups[plan->n_groups].first = used;
		gather(plan, list, hardware, taken, i);
		used += plan->groups[plan->n_groups - 1].n;
	}
	return 0;
}

void plan_fini(struct plan *plan)
{
	free(plan->order);
	free(plan->groups);
	*plan = (struct plan){ 0 };
}
