/* SAMPLE records: the fields that every sample_type places in the same order. */
#include <errno.h>

#include "data/codec_layout.h"

/* A sample of FORMAT_SAMPLE_TYPE as it is written. */
struct written_sample {
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, reserved;
	uint64_t period;
};

_Static_assert(sizeof(struct written_sample) == 48, "SAMPLE is 56 bytes with its header");

/* The event a sample belongs to; the first one when it does not tell. There is at least one. */
static const struct meta_event *event_of(const struct codec_in *in, const struct meta_sample_key *key)
{
	const struct meta *meta = in->meta;
	const struct meta_event *event = NULL;

	if (meta->n_events > 1 && key->has_id && in->rest.left >= key->id_at + sizeof(uint64_t))
		event = meta_find_id(meta, bytes_u64(in->rest.at + key->id_at, in->rest.swapped));
	return event ? event : &meta->events[0];
}

static inline uint64_t take_u64(const uint8_t **at, bool swapped, uint64_t present)
{
	uint64_t v;

	if (!present)
		return 0;
	v = bytes_u64(*at, swapped);
	*at += sizeof(v);
	return v;
}

/* Two halves of 8 bytes; they stay in this order when each is swapped. */
static inline void take_u32s(const uint8_t **at, bool swapped, uint64_t present, uint32_t *first,
			     uint32_t *second)
{
	*first = *second = 0;
	if (!present)
		return;
	*first = bytes_u32(*at, swapped);
	*second = bytes_u32(*at + sizeof(*first), swapped);
	*at += 2 * sizeof(*first);
}

/* The kernel's order. Written out, because most records of a large file come through here. */
static void take_fields(struct record_sample *sample, const uint8_t *at, bool swapped, uint64_t type)
{
	uint32_t reserved;

	sample->id = take_u64(&at, swapped, type & PERF_SAMPLE_IDENTIFIER);
	sample->ip = take_u64(&at, swapped, type & PERF_SAMPLE_IP);
	take_u32s(&at, swapped, type & PERF_SAMPLE_TID, &sample->pid, &sample->tid);
	sample->time_ns = take_u64(&at, swapped, type & PERF_SAMPLE_TIME);
	sample->addr = take_u64(&at, swapped, type & PERF_SAMPLE_ADDR);
	if (type & PERF_SAMPLE_ID)
		sample->id = take_u64(&at, swapped, true);
	sample->stream_id = take_u64(&at, swapped, type & PERF_SAMPLE_STREAM_ID);
	take_u32s(&at, swapped, type & PERF_SAMPLE_CPU, &sample->cpu, &reserved);
	if (type & PERF_SAMPLE_PERIOD)
		sample->period = take_u64(&at, swapped, true);
}

int codec_unpack_sample(struct codec_in *in)
{
	const struct meta_event *event;
	const struct meta_sample_key *key;
	struct meta_sample_key room;
	uint64_t type;

	if (!in->meta->n_events)
		return codec_damaged(in, "there is no event that it could belong to");
	key = meta_sample_key(in->meta, &room);
	event = &in->meta->events[0];
	if (!key->uniform || !(event->attr.sample_type & PERF_SAMPLE_PERIOD))
		event = event_of(in, key);
	type = event->attr.sample_type;
	if (in->rest.left < (key->uniform ? key->leading_bytes : meta_leading_bytes(type)))
		return codec_damaged(in, "too short for its event's sample_type");
	in->rec->sample.period = event->attr.sample_period;
	take_fields(&in->rec->sample, in->rest.at, in->rest.swapped, type);
	return 1;
}

int codec_pack_sample(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	const struct record_sample *sample = &rec->sample;
	const struct written_sample written = {
		.id = sample->id,
		.ip = sample->ip,
		.pid = sample->pid,
		.tid = sample->tid,
		.time_ns = sample->time_ns,
		.cpu = sample->cpu,
		.period = sample->period,
	};

	return buffer_append(out, &written, sizeof(written), err);
}
