/* SAMPLE records: the fields that every sample_type places in the same order. */
#include <errno.h>

#include "data/codec_layout.h"

/* The order the kernel writes them in; each takes 8 bytes. */
struct sample_field {
	uint64_t bit;
	uint16_t record_at;
	uint16_t bytes;      /* 8, or 4: an u32 with 4 bytes behind it */
	uint16_t second_at;  /* those 4 bytes; 0 = nothing of interest */
};

#define SAMPLE(bit, member) { (bit), offsetof(struct record, sample.member), sizeof(((struct record *)NULL)->sample.member), 0 }

static const struct sample_field sample_fields[] = {
	SAMPLE(PERF_SAMPLE_IDENTIFIER, id),
	SAMPLE(PERF_SAMPLE_IP, ip),
	{ PERF_SAMPLE_TID, offsetof(struct record, sample.pid), 4, offsetof(struct record, sample.tid) },
	SAMPLE(PERF_SAMPLE_TIME, time_ns),
	SAMPLE(PERF_SAMPLE_ADDR, addr),
	SAMPLE(PERF_SAMPLE_ID, id),
	SAMPLE(PERF_SAMPLE_STREAM_ID, stream_id),
	SAMPLE(PERF_SAMPLE_CPU, cpu),
	SAMPLE(PERF_SAMPLE_PERIOD, period),
};

/* The event a sample belongs to; NULL only when there is none at all. */
static const struct meta_event *event_of(const struct codec_in *in, const struct meta_sample_key *key)
{
	const struct meta *meta = in->meta;
	const struct meta_event *event = NULL;

	if (!meta->n_events)
		return NULL;
	if (meta->n_events > 1 && key->has_id && in->rest.left >= key->id_at + sizeof(uint64_t))
		event = meta_find_id(meta, bytes_u64(in->rest.at + key->id_at, in->rest.swapped));
	return event ? event : &meta->events[0];
}

static void unpack_field(struct record *rec, const struct sample_field *field, const uint8_t *at)
{
	char *base = (char *)rec;

	if (field->bytes == sizeof(uint64_t)) {
		uint64_t v = bytes_u64(at, rec->raw_swapped);

		memcpy(base + field->record_at, &v, sizeof(v));
		return;
	}
	uint32_t v = bytes_u32(at, rec->raw_swapped);

	memcpy(base + field->record_at, &v, sizeof(v));
	if (field->second_at) {
		v = bytes_u32(at + sizeof(v), rec->raw_swapped);
		memcpy(base + field->second_at, &v, sizeof(v));
	}
}

int codec_unpack_sample(struct codec_in *in)
{
	struct meta_sample_key key;
	const struct meta_event *event;
	uint64_t type;

	meta_sample_key(in->meta, &key);
	if (!in->meta->n_events)
		return codec_damaged(in, "there is no event that it could belong to");
	type = in->meta->events[0].attr.sample_type;
	event = !key.uniform || !(type & PERF_SAMPLE_PERIOD) ? event_of(in, &key) : NULL;
	if (event) {
		type = event->attr.sample_type;
		in->rec->sample.period = event->attr.sample_period;
	}
	for (size_t i = 0; i < ARRAY_SIZE(sample_fields); i++) {
		const uint8_t *at;

		if (!(type & sample_fields[i].bit))
			continue;
		at = cursor_take(&in->rest, sizeof(uint64_t));
		if (!at)
			return codec_damaged(in, "too short for its event's sample_type");
		unpack_field(in->rec, &sample_fields[i], at);
	}
	return 1;
}

int codec_pack_sample(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	const char *base = (const char *)rec;

	for (size_t i = 0; i < ARRAY_SIZE(sample_fields); i++) {
		const struct sample_field *field = &sample_fields[i];
		uint8_t bytes[sizeof(uint64_t)] = { 0 };
		int rc;

		if (!(FORMAT_SAMPLE_TYPE & field->bit))
			continue;
		memcpy(bytes, base + field->record_at, field->bytes);
		if (field->second_at)
			memcpy(bytes + sizeof(uint32_t), base + field->second_at, sizeof(uint32_t));
		rc = buffer_append(out, bytes, sizeof(bytes), err);
		if (rc < 0)
			return rc;
	}
	return 0;
}
