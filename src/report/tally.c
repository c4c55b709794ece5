/* What a summary keeps about the windows. */
#include "report/tally.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "report/value.h"

#define INDEX_SLOTS 4096 /* a power of two above twice TALLY_LABELS */

void tally_init(struct tally *tally)
{
	memset(tally, 0, sizeof(*tally));
}

static void drop_window(struct tally_window *window)
{
	free(window->label);
	free(window->values);
	*window = (struct tally_window){ .number = 0 };
}

void tally_fini(struct tally *tally)
{
	free(tally->all.events);
	for (size_t i = 0; i < tally->n_groups; i++) {
		free(tally->groups[i].label);
		free(tally->groups[i].events);
	}
	free(tally->groups);
	free(tally->index);
	for (size_t i = 0; i < TALLY_EDGE; i++) {
		drop_window(&tally->first[i]);
		drop_window(&tally->last[i]);
	}
	tally_init(tally);
}

void tally_spread_add(struct tally_spread *spread, double value)
{
	double from_mean = value - spread->mean;

	spread->n++;
	spread->mean += from_mean / (double)spread->n;
	spread->m2 += from_mean * (value - spread->mean);
	if (spread->n == 1 || value < spread->min)
		spread->min = value;
	if (spread->n == 1 || value > spread->max)
		spread->max = value;
}

double tally_stddev(const struct tally_spread *spread)
{
	return spread->n > 1 ? sqrt(spread->m2 / (double)(spread->n - 1)) : 0;
}

static int no_memory(struct ps_error *err)
{
	return ps_fail(err, "report", ENOMEM, "keeping the windows");
}

/* The rows of an event added up, for every event. */
static struct timeline_value *collapse(const struct tally *tally, const struct meta *meta,
				       const struct timeline_span *span)
{
	struct timeline_value *values = calloc(tally->n_events + 1, sizeof(*values));

	for (size_t i = 0; values && i < span->n_rows; i++) {
		const struct timeline_row *row = &span->rows[i];

		if (row->event >= tally->n_events)
			continue;
		if (i && span->rows[i - 1].event == row->event)
			value_add(&values[row->event], &row->value, meta->scale);
		else
			values[row->event] = row->value;
	}
	return values;
}

/* Where a group of this label is noted, or the empty slot where it belongs. The first group has none. */
static uint16_t *find_slot(const struct tally *tally, const char *label)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	size_t at;

	for (const char *c = label; *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	at = (size_t)(hash ^ hash >> 32) & (INDEX_SLOTS - 1);
	while (tally->index[at] && strcmp(tally->groups[tally->index[at] - 1].label, label))
		at = (at + 1) & (INDEX_SLOTS - 1);
	return &tally->index[at];
}

static struct tally_group *add_group(struct tally *tally, const char *label)
{
	struct tally_group *grown = reallocarray(tally->groups, tally->n_groups + 1, sizeof(*grown));
	struct tally_group group = { .label = NULL };

	if (!grown)
		return NULL;
	tally->groups = grown;
	group.events = calloc(tally->n_events + 1, sizeof(*group.events));
	group.label = label ? strdup(label) : NULL;
	if (!group.events || (label && !group.label)) {
		free(group.events);
		free(group.label);
		return NULL;
	}
	grown[tally->n_groups] = group;
	return &grown[tally->n_groups++];
}

/* The group without a label (is_others: the one for too many labels); made when it is needed. */
static struct tally_group *find_unnamed(struct tally *tally, bool is_others)
{
	struct tally_group *made;

	for (size_t i = 0; i < tally->n_groups; i++)
		if (!tally->groups[i].label && tally->groups[i].is_others == is_others)
			return &tally->groups[i];
	made = add_group(tally, NULL);
	if (made)
		made->is_others = is_others;
	return made;
}

static struct tally_group *find_group(struct tally *tally, const char *label)
{
	struct tally_group *made;
	uint16_t *slot;

	if (!label)
		return find_unnamed(tally, false);
	tally->has_labels = true;
	if (!tally->index)
		tally->index = calloc(INDEX_SLOTS, sizeof(*tally->index));
	if (!tally->index)
		return NULL;
	slot = find_slot(tally, label);
	if (*slot)
		return &tally->groups[*slot - 1];
	if (tally->n_groups >= TALLY_LABELS)
		return find_unnamed(tally, true);
	made = add_group(tally, label);
	if (made)
		*slot = (uint16_t)tally->n_groups;
	return made;
}

static void add_to_group(const struct tally *tally, const struct meta *meta, struct tally_group *group,
			 const struct timeline_span *span, const struct timeline_value *values)
{
	bool is_first = group->n_windows++ == 0;

	group->time_ns += span->counted_ns;
	for (size_t i = 0; i < tally->n_events; i++) {
		struct tally_event *event = &group->events[i];

		if (is_first)
			event->sum = values[i];
		else
			value_add(&event->sum, &values[i], meta->scale);
		if (values[i].state == VALUE_COUNTED && !span->unread)
			tally_spread_add(&event->spread, (double)values[i].scaled);
	}
}

/* Takes values over. */
static int keep_window(struct tally *tally, const struct timeline_span *span, struct timeline_value *values)
{
	size_t i = (size_t)tally->n_windows;
	struct tally_window *window = i < TALLY_EDGE ? &tally->first[i] : &tally->last[i % TALLY_EDGE];

	drop_window(window);
	*window = (struct tally_window){
		.number = span->window, .start_ns = span->start_ns, .end_ns = span->end_ns,
		.unread = span->unread, .values = values,
	};
	tally->n_windows++;
	if (!span->label)
		return 0;
	window->label = strdup(span->label);
	return window->label ? 0 : -ENOMEM;
}

int tally_add(struct tally *tally, const struct meta *meta, const struct timeline_span *span, struct ps_error *err)
{
	struct tally_group *group;
	struct timeline_value *values;

	if (!tally->all.events) {
		tally->n_events = meta->n_events;
		tally->all.events = calloc(tally->n_events + 1, sizeof(*tally->all.events));
	}
	group = tally->all.events ? find_group(tally, span->label) : NULL;
	values = group ? collapse(tally, meta, span) : NULL;
	if (!values)
		return no_memory(err);
	add_to_group(tally, meta, &tally->all, span, values);
	add_to_group(tally, meta, group, span, values);
	return keep_window(tally, span, values) < 0 ? no_memory(err) : 0;
}

size_t tally_kept(const struct tally *tally)
{
	return tally->n_windows < 2 * TALLY_EDGE ? (size_t)tally->n_windows : 2 * TALLY_EDGE;
}

uint64_t tally_left_out(const struct tally *tally)
{
	return tally->n_windows - tally_kept(tally);
}

const struct tally_window *tally_window(const struct tally *tally, size_t i)
{
	if (i < TALLY_EDGE)
		return &tally->first[i];
	return &tally->last[(size_t)(tally->n_windows - tally_kept(tally) + i) % TALLY_EDGE];
}
