/* What a recording is about: its lifetime, its events and the way from an id to its event. */
#include "data/meta.h"

#include <errno.h>
#include <string.h>

#include "pstat/format.h"

#define LEADING_TYPES                                                                                    \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define IMPRINT_EVENTS_MAX 1000 /* looking at more of them at every miss would show */

/*
 * Open addressing with the ids themselves left in the events: a slot names an event and a place in its ids, so that a hit
 * proves itself and only a miss has to ask whether the events changed.
 */
struct index_slot {
	uint32_t event; /* + 1; 0 = free */
	uint32_t place;
};

struct meta_index {
	struct index_slot *slots;
	size_t n_slots;    /* a power of two, or 0 before the first build */
	size_t n_events;   /* what it was built from */
	uint64_t imprint;

	struct meta_sample_key key;
	size_t key_events; /* what the key was made from */
	uint64_t key_first, key_last;
};

void meta_init(struct meta *meta)
{
	memset(meta, 0, sizeof(*meta));
	feature_set_init(&meta->features);
	meta->index = calloc(1, sizeof(*meta->index));
}

void meta_fini(struct meta *meta)
{
	for (size_t i = 0; i < meta->n_events; i++) {
		struct meta_event *event = &meta->events[i];

		free(event->name);
		free(event->unit);
		free(event->ids);
		free(event->cpus);
	}
	free(meta->events);
	free(meta->cpus);
	free(meta->threads);
	feature_set_fini(&meta->features);
	if (meta->index)
		free(meta->index->slots);
	free(meta->index);
	memset(meta, 0, sizeof(*meta));
}

static bool is_power_of_two(size_t n)
{
	return !(n & (n - 1));
}

struct meta_event *meta_add_event(struct meta *meta, const char *name, struct ps_error *err)
{
	_cleanup_free_ char *copy = name ? strdup(name) : NULL;
	struct meta_event *event;

	if (name && !copy)
		goto no_memory;
	if (is_power_of_two(meta->n_events)) { /* full: room for twice as many */
		size_t cap = meta->n_events ? meta->n_events * 2 : 1;
		void *grown = reallocarray(meta->events, cap, sizeof(*meta->events));

		if (!grown)
			goto no_memory;
		meta->events = grown;
	}
	event = &meta->events[meta->n_events++];
	memset(event, 0, sizeof(*event));
	event->name = attr_take(&copy);
	event->scale = 1;
	return event;
no_memory:
	(void)ps_fail(err, "meta", ENOMEM, "adding event %s", name ? name : "without a name");
	return NULL;
}

/* Seeded with an address, so that no file can be made whose ids all meet in one slot. */
static size_t slot_of(const struct meta_index *index, uint64_t id)
{
	uint64_t h = (id ^ (uintptr_t)index->slots) * UINT64_C(0x9E3779B97F4A7C15);

	return (size_t)(h ^ h >> 32) & (index->n_slots - 1);
}

/* Changes whenever ids were given to an event, taken away or moved. */
static uint64_t imprint_of(const struct meta *meta)
{
	uint64_t imprint = 0;

	for (size_t i = 0; i < meta->n_events; i++)
		imprint = imprint * 31 + (uintptr_t)meta->events[i].ids + meta->events[i].n_ids;
	return imprint;
}

static const struct meta_event *index_lookup(const struct meta *meta, uint64_t id)
{
	const struct meta_index *index = meta->index;

	if (!index->n_slots)
		return NULL;
	for (size_t i = slot_of(index, id);; i = (i + 1) & (index->n_slots - 1)) {
		const struct index_slot *slot = &index->slots[i];
		const struct meta_event *event;

		if (!slot->event)
			return NULL;
		if (slot->event > meta->n_events)
			continue;
		event = &meta->events[slot->event - 1];
		if (slot->place < event->n_ids && event->ids[slot->place] == id)
			return event;
	}
}

static void index_insert(const struct meta *meta, uint32_t event, uint32_t place)
{
	struct meta_index *index = meta->index;
	uint64_t id = meta->events[event].ids[place];
	size_t i = slot_of(index, id);

	for (; index->slots[i].event; i = (i + 1) & (index->n_slots - 1)) {
		const struct index_slot *slot = &index->slots[i];

		if (meta->events[slot->event - 1].ids[slot->place] == id)
			return; /* the first one has it */
	}
	index->slots[i].event = event + 1;
	index->slots[i].place = place;
}

/* False without memory; the index is then empty. */
static bool index_build(const struct meta *meta)
{
	struct meta_index *index = meta->index;
	size_t ids = 0, want = 16;

	for (size_t i = 0; i < meta->n_events; i++)
		ids += meta->events[i].n_ids;
	while (want < ids * 2)
		want *= 2;
	free(index->slots);
	index->slots = calloc(want, sizeof(*index->slots));
	index->n_slots = index->slots ? want : 0;
	if (!index->slots)
		return false;
	for (size_t i = 0; i < meta->n_events; i++)
		for (size_t k = 0; k < meta->events[i].n_ids; k++)
			index_insert(meta, (uint32_t)i, (uint32_t)k);
	index->n_events = meta->n_events;
	index->imprint = imprint_of(meta);
	return true;
}

static const struct meta_event *search_id(const struct meta *meta, uint64_t id)
{
	for (size_t i = 0; i < meta->n_events; i++)
		for (size_t k = 0; k < meta->events[i].n_ids; k++)
			if (meta->events[i].ids[k] == id)
				return &meta->events[i];
	return NULL;
}

const struct meta_event *meta_find_id(const struct meta *meta, uint64_t id)
{
	const struct meta_event *event;

	if (!meta->index)
		return search_id(meta, id);
	event = index_lookup(meta, id);
	if (event)
		return event;
	if (meta->index->n_slots && meta->index->n_events == meta->n_events &&
	    (meta->n_events > IMPRINT_EVENTS_MAX || meta->index->imprint == imprint_of(meta)))
		return NULL;
	return index_build(meta) ? index_lookup(meta, id) : search_id(meta, id);
}

void meta_ids_changed(struct meta *meta)
{
	if (meta->index)
		meta->index->n_events = SIZE_MAX; /* so many it never was built from */
}

/* Where the id stands in a sample of this type; false when it holds none. */
static bool id_position(uint64_t sample_type, size_t *at)
{
	const uint64_t before_id = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;

	*at = 0;
	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		return true;
	*at = (size_t)__builtin_popcountll(sample_type & before_id) * sizeof(uint64_t);
	return sample_type & PERF_SAMPLE_ID;
}

size_t meta_leading_bytes(uint64_t sample_type)
{
	return (size_t)__builtin_popcountll(sample_type & LEADING_TYPES) * sizeof(uint64_t);
}

static void make_sample_key(const struct meta *meta, struct meta_sample_key *key)
{
	uint64_t first;

	memset(key, 0, sizeof(*key));
	if (!meta->n_events)
		return;
	first = meta->events[0].attr.sample_type;
	key->leading_bytes = meta_leading_bytes(first);
	key->uniform = true;
	key->has_id = id_position(first, &key->id_at);
	for (size_t i = 1; i < meta->n_events; i++) {
		uint64_t type = meta->events[i].attr.sample_type;
		size_t at;

		if (type != first)
			key->uniform = false;
		if (!id_position(type, &at) || at != key->id_at)
			key->has_id = false;
	}
}

const struct meta_sample_key *meta_sample_key(const struct meta *meta, struct meta_sample_key *room)
{
	struct meta_index *index = meta->index;
	uint64_t first, last;

	if (!index || !meta->n_events) {
		make_sample_key(meta, room);
		return room;
	}
	first = meta->events[0].attr.sample_type;
	last = meta->events[meta->n_events - 1].attr.sample_type;
	if (index->key_events != meta->n_events || index->key_first != first || index->key_last != last) {
		make_sample_key(meta, &index->key);
		index->key_events = meta->n_events;
		index->key_first = first;
		index->key_last = last;
	}
	return &index->key;
}
