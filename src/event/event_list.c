/* The event list: grows, is cut, and starts with perf stat's default events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/resolve.h"
#include "event/sysfs.h"

struct event *event_list_add(struct event_list *list, struct span name)
{
	struct event *events = reallocarray(list->events, list->n + 1, sizeof(*events));
	struct event *event;

	if (!events)
		return NULL;
	list->events = events;
	event = &events[list->n];
	*event = (struct event){
		.name = strndup(name.at, name.len),
		.scale = 1,
		.attr = { .size = sizeof(event->attr) },
		.group = -1,
	};
	if (!event->name)
		return NULL;
	list->n++;
	return event;
}

void event_list_cut(struct event_list *list, size_t n)
{
	while (list->n > n) {
		struct event *event = &list->events[--list->n];

		free(event->name);
		free(event->unit);
		free(event->cpus);
		free(event->tracepoint);
	}
}

void event_list_fini(struct event_list *list)
{
	event_list_cut(list, 0);
	free(list->events);
	*list = (struct event_list){ 0 };
}

int event_list_default(struct event_list *list, struct ps_error *err)
{
	/* As perf stat: the stalled cycles only where the PMU says it has them. */
	static const struct {
		const char *name;
		bool if_listed;
	} defaults[] = {
		{ "task-clock", false },
		{ "context-switches", false },
		{ "cpu-migrations", false },
		{ "page-faults", false },
		{ "cycles", false },
		{ "stalled-cycles-frontend", true },
		{ "stalled-cycles-backend", true },
		{ "instructions", false },
		{ "branches", false },
		{ "branch-misses", false },
	};
	size_t before = list->n;
	int rc = 0;

	for (size_t i = 0; i < ARRAY_SIZE(defaults) && !rc; i++)
		if (!defaults[i].if_listed ||
		    sysfs_exists("/sys/" SYSFS_PMUS "/cpu/events/%s", defaults[i].name))
			rc = event_list_parse(list, defaults[i].name, err);
	if (rc < 0)
		event_list_cut(list, before);
	for (size_t i = before; i < list->n; i++)
		list->events[i].is_default = true;
	return rc;
}
