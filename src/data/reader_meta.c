/* What records tell about the recording, taken over into the reader's meta. */
#include <errno.h>
#include <string.h>

#include "data/codec.h"
#include "data/event_name.h"
#include "data/reader_private.h"

#define TRACING_RECORD_BYTES 16 /* of a TRACING_DATA record as perf writes it, a size and padding */
#define PAYLOAD_ALIGN 8 /* of what follows a TRACING_DATA record */

/* Damage becomes a warning; what is left of rc is a failure of this machine. */
static int warn_damage(struct reader *reader, const struct record *rec, int rc, const struct ps_error *damage,
		       struct ps_error *err)
{
	if (rc == -ENOMEM) {
		*err = *damage;
		return rc;
	}
	reader_warn(reader, true, "record %llu at offset %llu: %s", (unsigned long long)reader->records,
		    (unsigned long long)rec->offset, damage->what);
	return 0;
}

int meta_take_attr(struct reader *reader, const uint8_t *bytes, size_t len, uint64_t offset,
		   struct meta_event **event, struct ps_error *err)
{
	struct ps_error damage = PS_ERROR_INIT;
	struct perf_event_attr attr;
	uint32_t attr_bytes;

	*event = NULL;
	if (codec_decode_attr(bytes, len, reader->swapped, &attr, &attr_bytes, &damage) < 0) {
		reader_warn(reader, true, "event %zu at offset %llu: %s", reader->meta.n_events,
			    (unsigned long long)offset, damage.what);
		return 0;
	}
	if (reader->meta.n_events == READER_EVENTS_MAX) {
		reader_warn(reader, true, "the event at offset %llu is one too many",
			    (unsigned long long)offset);
		return 0;
	}
	*event = meta_add_event(&reader->meta, NULL, err);
	if (!*event)
		return -ENOMEM;
	(*event)->attr = attr;
	(*event)->attr_bytes = attr_bytes;
	if (attr_bytes >= FORMAT_ATTR_BYTES + sizeof(uint64_t))
		(*event)->config3 = bytes_u64(bytes + FORMAT_ATTR_BYTES, reader->swapped);
	return 0;
}

int meta_take_ids(struct reader *reader, struct meta_event *event, const uint8_t *bytes, size_t len,
		  struct ps_error *err)
{
	size_t n = len / sizeof(uint64_t);

	if (!n)
		return 0;
	event->ids = malloc(n * sizeof(*event->ids));
	if (!event->ids)
		return ps_fail(err, "reader", ENOMEM, "keeping %zu event ids", n);
	for (size_t i = 0; i < n; i++)
		event->ids[i] = bytes_u64(bytes + i * sizeof(uint64_t), reader->swapped);
	event->n_ids = n;
	meta_ids_changed(&reader->meta);
	return 0;
}

int meta_take_feature(struct reader *reader, uint64_t number, const uint8_t *bytes, size_t len,
		      struct ps_error *err)
{
	struct ps_error damage = PS_ERROR_INIT;
	uint32_t known = number < FORMAT_FEATURE_BITS ? (uint32_t)number : UINT32_MAX;
	const char *name = feature_name(known);
	int rc;

	if (known == UINT32_MAX)
		return 0; /* the mark that closes a stream's features has a number of its own in each version
			   */
	rc = feature_decode(&reader->meta, known, bytes, len, reader->swapped, &damage);
	if (rc == -ENOMEM) {
		*err = damage;
		return rc;
	}
	if (rc < 0 && len) /* without bytes: a bit that some recorders set when they found nothing to tell */
		reader_warn(reader, true, "header feature %u (%s): %s", known, name ? name : "unknown",
			    damage.what);
	return 0;
}

static int take_header_attr(struct reader *reader, const struct record *rec, struct ps_error *err)
{
	const uint8_t *body = rec->raw + READER_RECORD_HEADER_BYTES;
	size_t len = rec->bytes - READER_RECORD_HEADER_BYTES;
	struct meta_event *event;
	int rc = meta_take_attr(reader, body, len, rec->offset, &event, err);

	if (rc < 0 || !event)
		return rc;
	return meta_take_ids(reader, event, body + event->attr_bytes, len - event->attr_bytes, err);
}

static int take_header_feature(struct reader *reader, const struct record *rec, struct ps_error *err)
{
	const size_t head = READER_RECORD_HEADER_BYTES + sizeof(uint64_t);

	if (rec->bytes < head) {
		reader_warn(reader, true, "record %llu at offset %llu: too short for a header feature",
			    (unsigned long long)reader->records, (unsigned long long)rec->offset);
		return 0;
	}
	return meta_take_feature(reader, bytes_u64(rec->raw + READER_RECORD_HEADER_BYTES, rec->raw_swapped),
				 rec->raw + head, rec->bytes - head, err);
}

static struct meta_event *find_event(struct reader *reader, uint64_t id)
{
	const struct meta_event *found = meta_find_id(&reader->meta, id);

	return found ? &reader->meta.events[found - reader->meta.events] : NULL;
}

static int replace_text(char **slot, const char *text, struct ps_error *err)
{
	char *copy = strdup(text);

	if (!copy)
		return ps_fail(err, "reader", ENOMEM, "keeping \"%s\"", text);
	free(*slot);
	*slot = copy;
	return 0;
}

/* Takes a copy of n things over into an owned array. 0 or -ENOMEM, then nothing has changed. */
static int replace_cpus(int32_t **slot, size_t *n_slot, const int32_t *cpus, size_t n, struct ps_error *err)
{
	int32_t *copy = malloc(n ? n * sizeof(*copy) : 1);

	if (!copy)
		return ps_fail(err, "reader", ENOMEM, "keeping %zu CPUs", n);
	if (n)
		memcpy(copy, cpus, n * sizeof(*copy));
	free(*slot);
	*slot = copy;
	*n_slot = n;
	return 0;
}

static enum meta_role role_of(const struct meta_event *event)
{
	const bool made_up = event->attr.type == PERF_TYPE_SOFTWARE &&
			     event->attr.config == PERF_COUNT_SW_DUMMY;

	if (made_up && !strcmp(event->name, FORMAT_MARKER_NAME_PAUSE))
		return META_PAUSE;
	if (made_up && !strcmp(event->name, FORMAT_MARKER_NAME_RESUME))
		return META_RESUME;
	if (made_up && !strcmp(event->name, FORMAT_MARKER_NAME_MARK))
		return META_MARK;
	return META_COUNTER;
}

/* CLOCK_DATA is read at t0 by pstat; other recorders read it when they start. */
static void settle_clock(struct reader *reader)
{
	struct meta *meta = &reader->meta;
	const struct feature_set *features = &meta->features;

	meta->is_stat |= features->present[FORMAT_FEATURE_STAT];
	if (meta->has_t0 || !reader->has_markers || !features->present[FORMAT_FEATURE_CLOCK_DATA])
		return;
	meta->has_t0 = true;
	meta->t0_mono_ns = features->clock_data_mono_ns;
	meta->t0_wall_ns = features->clock_data_wall_ns;
}

static void settle_role(struct reader *reader, struct meta_event *event)
{
	event->role = role_of(event);
	reader->has_markers |= event->role != META_COUNTER;
}

static int take_name(struct reader *reader, struct meta_event *event, const char *name, struct ps_error *err)
{
	int rc = *name ? replace_text(&event->name, name, err) : 0;

	if (rc == 0 && event->name) {
		settle_role(reader, event);
		settle_clock(reader);
	}
	return rc;
}

static int take_update(struct reader *reader, const struct record *rec, struct ps_error *err)
{
	const struct record_update *update = &rec->update;
	struct meta_event *event = find_event(reader, update->id);

	if (!event)
		return 0;
	switch (update->kind) {
	case FORMAT_UPDATE_UNIT:
		return replace_text(&event->unit, update->text, err);
	case FORMAT_UPDATE_NAME:
		return take_name(reader, event, update->text, err);
	case FORMAT_UPDATE_SCALE:
		event->scale = update->scale;
		return 0;
	case FORMAT_UPDATE_CPUS:
		return replace_cpus(&event->cpus, &event->n_cpus, update->cpus, update->n_cpus, err);
	default:
		return 0;
	}
}

static int take_thread_map(struct meta *meta, const struct record_thread_map *map, struct ps_error *err)
{
	struct meta_thread *threads = calloc(map->n ? map->n : 1, sizeof(*threads));

	if (!threads)
		return ps_fail(err, "reader", ENOMEM, "keeping %zu threads", map->n);
	for (size_t i = 0; i < map->n; i++) {
		threads[i].tid = (int64_t)map->threads[i].pid;
		memcpy(threads[i].comm, map->threads[i].comm, sizeof(threads[i].comm) - 1);
	}
	free(meta->threads);
	meta->threads = threads;
	meta->n_threads = map->n;
	return 0;
}

static void take_stat_config(struct meta *meta, const struct record_stat_config *config)
{
	meta->is_stat = true;
	for (size_t i = 0; i < config->n; i++) {
		if (config->entries[i].tag == FORMAT_STAT_CONFIG_INTERVAL)
			meta->interval_ms = config->entries[i].value;
		if (config->entries[i].tag == FORMAT_STAT_CONFIG_SCALE)
			meta->scale = config->entries[i].value != 0;
	}
}

/* The first marker stands at t0, should the header not have told. */
static void take_marker(struct meta *meta, const struct record_sample *sample)
{
	const struct meta_event *event = meta->has_t0 ? NULL : meta_find_id(meta, sample->id);

	if (!event || (event->role != META_RESUME && event->role != META_PAUSE))
		return;
	meta->has_t0 = true;
	meta->t0_mono_ns = sample->time_ns;
}

static int take_decoded(struct reader *reader, const struct record *rec, struct ps_error *err)
{
	struct meta *meta = &reader->meta;

	switch (rec->type) {
	case PERF_RECORD_SAMPLE:
		if (reader->has_markers)
			take_marker(meta, &rec->sample);
		return 0;
	case FORMAT_EVENT_UPDATE:
		return take_update(reader, rec, err);
	case FORMAT_THREAD_MAP:
		return take_thread_map(meta, &rec->thread_map, err);
	case FORMAT_CPU_MAP:
		return replace_cpus(&meta->cpus, &meta->n_cpus, rec->cpu_map.cpus, rec->cpu_map.n, err);
	case FORMAT_STAT_CONFIG:
		take_stat_config(meta, &rec->stat_config);
		return 0;
	default:
		return 0;
	}
}

/* A payload that runs past the end takes everything with it. */
static int payload_cut(struct reader *reader, const struct record *rec, uint64_t bytes)
{
	reader->stopped = true;
	reader_warn(reader, true, "record %llu at offset %llu: its payload of %llu bytes runs past the end",
		    (unsigned long long)reader->records, (unsigned long long)rec->offset,
		    (unsigned long long)bytes);
	return 0;
}

/*
 * Payloads stand behind their record, outside of its size. The record is handed out after them, so a copy of
 * it is kept from being overwritten in the block.
 */
static int take_payload(struct reader *reader, struct record *rec, uint64_t bytes, bool keep,
			struct ps_error *err)
{
	int rc;

	reader->scratch.len = 0;
	rc = buffer_append(&reader->scratch, rec->raw, rec->bytes, err);
	if (rc < 0)
		return rc;
	rec->raw = reader->scratch.data;
	keep &= bytes <= READER_PAYLOAD_MAX;
	rc = keep ? block_take(reader, bytes, err) : block_skip(reader, bytes, err);
	if (rc <= 0)
		return rc < 0 ? rc : payload_cut(reader, rec, bytes);
	if (!keep)
		return 0;
	return meta_take_feature(reader, FORMAT_FEATURE_TRACING_DATA, reader->payload.data,
				 reader->payload.len, err);
}

/* The data of a TRACING_DATA record stands behind it, or (simpleperf) within it. */
static int take_tracing_data(struct reader *reader, struct record *rec, struct ps_error *err)
{
	const size_t head = READER_RECORD_HEADER_BYTES + sizeof(uint32_t);
	uint64_t bytes;

	if (rec->bytes < head)
		return 0;
	bytes = bytes_u32(rec->raw + READER_RECORD_HEADER_BYTES, rec->raw_swapped);
	if (rec->bytes > TRACING_RECORD_BYTES && bytes <= rec->bytes - head)
		return meta_take_feature(reader, FORMAT_FEATURE_TRACING_DATA, rec->raw + head, bytes, err);
	if (rec->compressed) /* what would be data cannot be told from records */
		return 0;
	return take_payload(reader, rec, (bytes + PAYLOAD_ALIGN - 1) & ~(uint64_t)(PAYLOAD_ALIGN - 1), true,
			    err);
}

static int take_auxtrace(struct reader *reader, struct record *rec, struct ps_error *err)
{
	if (rec->compressed || rec->bytes < READER_RECORD_HEADER_BYTES + sizeof(uint64_t))
		return 0;
	return take_payload(reader, rec, bytes_u64(rec->raw + READER_RECORD_HEADER_BYTES, rec->raw_swapped),
			    false, err);
}

/* Types that the codec leaves to the reader. */
static int take_raw(struct reader *reader, struct record *rec, struct ps_error *err)
{
	switch (rec->type) {
	case FORMAT_HEADER_ATTR:
		return take_header_attr(reader, rec, err);
	case FORMAT_HEADER_FEATURE:
		return take_header_feature(reader, rec, err);
	case FORMAT_HEADER_TRACING_DATA:
		return take_tracing_data(reader, rec, err);
	case FORMAT_AUXTRACE:
		return take_auxtrace(reader, rec, err);
	case FORMAT_COMPRESSED:
	case FORMAT_COMPRESSED2:
		return rec->compressed ? 0 : packed_feed(reader, rec, err);
	default:
		if (!record_type_name(rec->type))
			reader->unknown++;
		return 0;
	}
}

int meta_digest(struct reader *reader, struct record *rec, struct ps_error *err)
{
	struct ps_error damage; /* filled by a failure; clearing it for every record would show */
	int rc = codec_decode(&reader->meta, rec, &reader->scratch, &damage);

	rec->raw_only = rc <= 0;
	if (rc > 0)
		return take_decoded(reader, rec, err);
	memset(&rec->sample, 0, sizeof(*rec) - offsetof(struct record, sample));
	if (rc < 0)
		return warn_damage(reader, rec, rc, &damage, err);
	return take_raw(reader, rec, err);
}

/* In some streams the names come before the events. 0 or -ENOMEM. */
static int name_late_events(struct reader *reader, struct ps_error *err)
{
	const struct feature_set *features = &reader->meta.features;

	if (reader->n_settled || !reader->meta.n_events || reader->meta.events[0].name)
		return 0;
	for (size_t i = 0; i < features->n_raw; i++) {
		const struct feature_raw *raw = &features->raw[i];
		int rc;

		if (raw->number != FORMAT_FEATURE_EVENT_DESC)
			continue;
		reader->payload.len = 0; /* a copy: decoding replaces the raw bytes */
		rc = buffer_append(&reader->payload, raw->bytes, raw->len, err);
		return rc < 0 ? rc
			      : meta_take_feature(reader, FORMAT_FEATURE_EVENT_DESC, reader->payload.data,
						  reader->payload.len, err);
	}
	return 0;
}

/* Each event is settled once, so that a file full of attrs costs no more than their number. */
int meta_settle(struct reader *reader, struct ps_error *err)
{
	int rc = name_late_events(reader, err);

	if (rc < 0)
		return rc;
	for (; reader->n_settled < reader->meta.n_events; reader->n_settled++) {
		struct meta_event *event = &reader->meta.events[reader->n_settled];
		char name[EVENT_NAME_BYTES];

		if (!event->name) {
			event_name_make(&reader->meta, event, name, sizeof(name), &reader->name_budget);
			if (replace_text(&event->name, name, err) < 0)
				return -ENOMEM;
		}
		settle_role(reader, event);
	}
	settle_clock(reader);
	return 0;
}
