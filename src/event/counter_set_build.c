/* Makes events, cells and notes of a counter set from the descriptors that were opened. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/counter.h"
#include "event/counter_set_priv.h"
#include "event/explain.h"
#include "event/open_event.h"

#define DROPPED UINT32_MAX

int counter_set_add_note(struct counter_set *set, struct ps_error *err, const char *fmt, ...)
{
	char **notes = reallocarray(set->notes, set->n_notes + 1, sizeof(*notes));
	va_list args;
	int n = -1;

	if (notes) {
		set->notes = notes;
		va_start(args, fmt);
		n = vasprintf(&notes[set->n_notes], fmt, args);
		va_end(args);
	}
	if (n < 0)
		return ps_fail(err, "counters", ENOMEM, "making a note");
	set->n_notes++;
	return 0;
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* Groups in the order of places, and for each CPU where its groups are. */
static int sort_groups(struct counter_set *set, struct ps_error *err)
{
	bool per_cpu = set->cpus[0] >= 0;
	size_t at = 0, words = SINGLE_WORDS;

	if (set->n_groups)
		qsort(set->groups, set->n_groups, sizeof(*set->groups), compare_groups);
	for (size_t i = 0; i < set->n_groups; i++)
		if (group_words(&set->groups[i]) > words)
			words = group_words(&set->groups[i]);
	set->buf_words = words;
	set->buf = malloc(words * sizeof(*set->buf));
	set->cpu_groups = calloc(set->n_cpus + 1, sizeof(*set->cpu_groups));
	if (!set->buf || !set->cpu_groups)
		return ps_fail(err, "counters", ENOMEM, "sorting %zu groups", set->n_groups);
	for (size_t cpu = 0; cpu < set->n_cpus; cpu++) {
		while (at < set->n_groups && (!per_cpu || set->groups[at].place <= cpu))
			at++;
		set->cpu_groups[cpu + 1] = at;
	}
	return 0;
}

/*
 * The recorded name tells that only user space is counted: "cycles" becomes "cycles:u", "cycles:p" becomes
 * "cycles:pu".
 */
static char *event_name(const struct event *event, bool user_only)
{
	const char *colon = strrchr(event->name, ':');
	bool modifiers = colon && colon[1] && !colon[1 + strspn(colon + 1, "ukhGHpPSDWIe")];
	char *name;

	if (!user_only)
		return strdup(event->name);
	return asprintf(&name, "%s%s", event->name, modifiers ? "u" : ":u") < 0 ? NULL : name;
}

/*
 * Which of the list's events the set has: default ones that could not be opened are dropped. index: list to
 * set.
 */
static int make_events(struct counter_set *set, const struct event_list *list,
		       const struct event_state *states, uint32_t *index, struct ps_error *err)
{
	set->events = calloc(list->n + 1, sizeof(*set->events));
	if (!set->events)
		return ps_fail(err, "counters", ENOMEM, "keeping %zu events", list->n);
	for (size_t i = 0; i < list->n; i++) {
		const struct event *event = &list->events[i];
		const struct event_state *state = &states[i];
		struct counter_set_event *out = &set->events[set->n_events];

		index[i] = DROPPED;
		if (event->is_default && !state->opened)
			continue;
		index[i] = (uint32_t)set->n_events++;
		out->event = event;
		open_event_attr(&out->attr, event, &state->concession);
		out->name = event_name(event, state->opened && state->concession.user_only);
		if (!out->name)
			return ps_fail(err, "counters", ENOMEM, "keeping %s", event->name);
		if (!state->opened)
			out->unsupported = state->code ? state->code : ENODEV;
	}
	return 0;
}

/*
 * Gives each member its id and its cell. Groups are sorted, so an event's cells come in the order of places.
 */
static int make_cells(struct counter_set *set, const struct event_state *states, const uint32_t *index,
		      const struct event_list *list, struct ps_error *err)
{
	bool per_cpu = set->cpus[0] >= 0;
	struct cell *next;

	set->cells = next = calloc(set->n_members + 1, sizeof(*set->cells));
	if (!set->cells)
		return ps_fail(err, "counters", ENOMEM, "keeping %zu counters", set->n_members);
	for (size_t i = 0; i < list->n; i++) {
		if (index[i] == DROPPED)
			continue;
		set->events[index[i]].cells = next;
		next += states[i].opened;
	}
	for (size_t g = 0; g < set->n_groups; g++) {
		const struct group *group = &set->groups[g];

		for (size_t m = group->first; m < group->first + group->n; m++) {
			struct member *member = &set->members[m];
			struct counter_set_event *event = &set->events[member->event = index[member->event]];
			int rc = counter_id(set->sys, member->fd, &member->id);

			if (rc < 0)
				return ps_fail(err, "counters", -rc, "asking for the id of %s", event->name);
			member->cell = &event->cells[event->n_cells++];
			member->cell->id = member->id;
			member->cell->cpu = per_cpu ? set->cpus[group->place] : -1;
			member->cell->thread = per_cpu ? 0 : (uint32_t)group->place;
		}
	}
	return 0;
}

/* "a, b, c" of all events that pass; the caller's to free. *n: how many. NULL: no memory. */
static char *names_of(const struct event_list *list, const struct event_state *states,
		      bool (*passes)(const struct event *, const struct event_state *), size_t *n)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	*n = 0;
	if (!out)
		return NULL;
	for (size_t i = 0; i < list->n; i++)
		if (passes(&list->events[i], &states[i]))
			(void)fprintf(out, "%s%s", (*n)++ ? ", " : "", list->events[i].name);
	if (fclose(out) == 0) /* this tells of a failed fprintf as well */
		return text;
	free(text);
	return NULL;
}

static bool default_dropped(const struct event *event, const struct event_state *state)
{
	return event->is_default && !state->opened && !state->kernel_forbidden;
}

static bool narrowed(const struct event *event, const struct event_state *state)
{
	(void)event;
	return state->opened && state->concession.user_only;
}

static bool forbidden(const struct event *event, const struct event_state *state)
{
	(void)event;
	return state->kernel_forbidden;
}

static bool elsewhere(const struct event *event, const struct event_state *state)
{
	return !event->is_default && !state->opened && !state->code && !state->kernel_forbidden;
}

/* One note of all events that pass: "2 events WHY: a, b". */
static int note_names(struct counter_set *set, const struct event_list *list,
		      const struct event_state *states,
		      bool (*passes)(const struct event *, const struct event_state *), const char *kind,
		      const char *why, struct ps_error *err)
{
	size_t n;
	_cleanup_free_ char *names = names_of(list, states, passes, &n);

	if (!names)
		return ps_fail(err, "counters", ENOMEM, "making a note");
	return n ? counter_set_add_note(set, err, "%zu %s%s %s: %s", n, kind, n > 1 ? "s" : "", why, names)
		 : 0;
}

static int make_notes(struct counter_set *set, const struct event_list *list,
		      const struct event_state *states, struct ps_error *err)
{
	struct explain_facts facts;
	char lacks[120], kernel[120], user[120];
	int rc;

	explain_facts(&facts);
	(void)snprintf(lacks, sizeof(lacks), "left out, this machine %s%s",
		       facts.has_pmu ? "does not have them" : "has no hardware PMU",
		       !facts.has_pmu && facts.is_virtual ? " (virtual machine)" : "");
	(void)snprintf(user, sizeof(user), "counted in user space only (:u), perf_event_paranoid is %d",
		       facts.paranoid);
	(void)snprintf(kernel, sizeof(kernel),
		       "not counted, they happen in the kernel only and perf_event_paranoid is %d",
		       facts.paranoid);
	rc = note_names(set, list, states, default_dropped, "default event", lacks, err);
	if (!rc)
		rc = note_names(set, list, states, narrowed, "event", user, err);
	if (!rc)
		rc = note_names(set, list, states, forbidden, "event", kernel, err);
	if (!rc)
		rc = note_names(set, list, states, elsewhere, "event", "not counted, they belong to other CPUs",
				err);
	return rc;
}

/* A kernel that knows no event at all has no perf events, and a recording of nothing helps nobody. */
static int check_any(const struct counter_set *set, const struct event_list *list,
		     const struct event_state *states, struct ps_error *err)
{
	struct explain_facts facts;

	for (size_t i = 0; i < list->n; i++)
		if (states[i].opened || states[i].code != ENOSYS)
			return 0;
	if (!list->n)
		return 0;
	explain_facts(&facts);
	return explain_open(err, ENOSYS, &list->events[0], set->cpus[0], set->tids[0], &facts);
}

int counter_set_build(struct counter_set *set, const struct event_list *list,
		      const struct event_state *states, struct ps_error *err)
{
	_cleanup_free_ uint32_t *index = calloc(list->n + 1, sizeof(*index));
	int rc;

	if (!index)
		return ps_fail(err, "counters", ENOMEM, "keeping %zu events", list->n);
	rc = check_any(set, list, states, err);
	if (!rc)
		rc = sort_groups(set, err);
	if (!rc)
		rc = make_events(set, list, states, index, err);
	if (!rc)
		rc = make_cells(set, states, index, list, err);
	if (!rc)
		rc = make_notes(set, list, states, err);
	return rc;
}
