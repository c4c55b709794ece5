/* What a counter set tells about itself, and its end. */
#include <stdlib.h>

#include "event/counter.h"
#include "event/counter_set_priv.h"

size_t counter_set_n_events(const struct counter_set *set)
{
	return set->n_events;
}

const struct counter_set_event *counter_set_event(const struct counter_set *set, size_t i)
{
	return &set->events[i];
}

size_t counter_set_n_threads(const struct counter_set *set)
{
	return set->n_tids;
}

pid_t counter_set_thread(const struct counter_set *set, size_t i)
{
	return set->tids[i];
}

size_t counter_set_n_cpus(const struct counter_set *set)
{
	return set->n_cpus;
}

int32_t counter_set_cpu(const struct counter_set *set, size_t i)
{
	return set->cpus[i];
}

size_t counter_set_n_fds(const struct counter_set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->n_groups; i++)
		n += set->groups[i].n + group_dummies(&set->groups[i]);
	return n;
}

size_t counter_set_n_groups(const struct counter_set *set)
{
	return set->n_groups;
}

size_t counter_set_n_notes(const struct counter_set *set)
{
	return set->n_notes;
}

const char *counter_set_note(const struct counter_set *set, size_t i)
{
	return set->notes[i];
}

void counter_set_close_group(const struct counter_set *set, const struct group *group)
{
	for (size_t m = group->first; m < group->first + group->n; m++)
		counter_close(set->sys, set->members[m].fd);
	if (!group->dummies)
		return;
	counter_close(set->sys, group->kick);
	counter_close(set->sys, group->leader);
}

void counter_set_close_all(struct counter_set *set)
{
	for (size_t i = 0; i < set->n_groups; i++)
		counter_set_close_group(set, &set->groups[i]);
	set->n_groups = 0;
	set->n_members = 0;
}

void counter_set_free(struct counter_set *set)
{
	if (!set)
		return;
	counter_set_close_all(set);
	for (size_t i = 0; i < set->n_events; i++)
		free(set->events[i].name);
	for (size_t i = 0; i < set->n_notes; i++)
		free(set->notes[i]);
	free(set->events);
	free(set->notes);
	free(set->cells);
	free(set->buf);
	free(set->cpu_groups);
	free(set->groups);
	free(set->members);
	free(set->cpus);
	free(set->tids);
	free(set);
}
