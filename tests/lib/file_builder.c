/* Makes perf.data files from a description. */
#include "lib/file_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define HEADER_BYTES 104
#define STREAM_HEADER_BYTES 16
#define RECORD_HEADER_BYTES 8
#define TYPE_HEADER_ATTR 64
#define TYPE_HEADER_FEATURE 80
#define TYPE_COMPRESSED2 83
#define SAMPLE_ID_ALL_BIT 18
#define STRING_ALIGN 64

static void grow(struct builder_bytes *bytes, const void *more, size_t len)
{
	bytes->at = realloc(bytes->at, bytes->len + len + 1);
	if (!bytes->at)
		abort();
	if (more && len)
		memcpy(bytes->at + bytes->len, more, len);
	else
		memset(bytes->at + bytes->len, 0, len);
	bytes->len += len;
}

static void drop(struct builder_bytes *bytes, size_t len)
{
	memmove(bytes->at, bytes->at + len, bytes->len - len);
	bytes->len -= len;
}

void builder_init(struct file_builder *builder)
{
	memset(builder, 0, sizeof(*builder));
}

void builder_fini(struct file_builder *builder)
{
	for (size_t i = 0; i < builder->n_features; i++)
		free(builder->features[i].payload.at);
	free(builder->body.at);
	free(builder->records.at);
	free(builder->packed.at);
	ZSTD_freeCCtx(builder->chain);
}

static void put(struct builder_bytes *to, uint64_t v, size_t bytes, bool big_endian)
{
	uint8_t out[8];

	for (size_t i = 0; i < bytes; i++)
		out[big_endian ? bytes - 1 - i : i] = (uint8_t)(v >> 8 * i);
	grow(to, out, bytes);
}

void builder_u8(struct file_builder *builder, uint8_t v)
{
	put(&builder->body, v, 1, builder->big_endian);
}

void builder_u16(struct file_builder *builder, uint16_t v)
{
	put(&builder->body, v, 2, builder->big_endian);
}

void builder_u32(struct file_builder *builder, uint32_t v)
{
	put(&builder->body, v, 4, builder->big_endian);
}

void builder_u64(struct file_builder *builder, uint64_t v)
{
	put(&builder->body, v, 8, builder->big_endian);
}

void builder_raw(struct file_builder *builder, const void *bytes, size_t len)
{
	grow(&builder->body, bytes, len);
}

void builder_text(struct file_builder *builder, const char *text, size_t align)
{
	size_t len = strlen(text) + 1;

	grow(&builder->body, text, len);
	grow(&builder->body, NULL, (align - len % align) % align);
}

void builder_string(struct file_builder *builder, const char *text)
{
	builder_u32(builder, (uint32_t)((strlen(text) / STRING_ALIGN + 1) * STRING_ALIGN));
	builder_text(builder, text, STRING_ALIGN);
}

/* attr_bytes of a perf_event_attr; a larger one ends in zeros, a smaller one is cut. */
static void put_attr(struct builder_bytes *to, const struct file_builder *builder, const struct builder_event *event)
{
	struct builder_bytes attr = { NULL, 0 };
	uint32_t bytes = builder->attr_bytes ? builder->attr_bytes : 128;
	bool big = builder->big_endian;

	put(&attr, event->type, 4, big);
	put(&attr, bytes, 4, big);
	put(&attr, event->config, 8, big);
	put(&attr, event->sample_period, 8, big);
	put(&attr, event->sample_type, 8, big);
	put(&attr, event->read_format, 8, big);
	/* single bits: the first one is the lowest of a little-endian u64 and the highest of a big-endian one */
	put(&attr, event->sample_id_all ? UINT64_C(1) << (big ? 63 - SAMPLE_ID_ALL_BIT : SAMPLE_ID_ALL_BIT) : 0, 8, big);
	grow(&attr, NULL, 8 + 16); /* wakeup, bp_type, config1, config2 */
	put(&attr, event->branch_sample_type, 8, big);
	put(&attr, event->sample_regs_user, 8, big);
	grow(&attr, NULL, 8); /* sample_stack_user, clockid */
	put(&attr, event->sample_regs_intr, 8, big);
	grow(&attr, NULL, bytes > attr.len ? bytes - attr.len : 0);
	grow(to, attr.at, bytes);
	free(attr.at);
}

static void put_record(struct builder_bytes *to, const struct file_builder *builder, uint32_t type, uint16_t misc,
		       const struct builder_bytes *body)
{
	put(to, type, 4, builder->big_endian);
	put(to, misc, 2, builder->big_endian);
	put(to, body->len + RECORD_HEADER_BYTES, 2, builder->big_endian);
	grow(to, body->at, body->len);
}

/* In a stream the head is records, in front of all others. */
static void put_stream_attrs(struct file_builder *builder)
{
	for (size_t i = 0; builder->stream && !builder->head_done && i < builder->n_events; i++) {
		const struct builder_event *event = &builder->events[i];
		struct builder_bytes body = { NULL, 0 };

		put_attr(&body, builder, event);
		for (size_t k = 0; k < event->n_ids; k++)
			put(&body, event->ids[k], 8, builder->big_endian);
		put_record(&builder->records, builder, TYPE_HEADER_ATTR, 0, &body);
		free(body.at);
	}
	builder->head_done = true;
}

void builder_record(struct file_builder *builder, uint32_t type, uint16_t misc)
{
	put_stream_attrs(builder);
	put_record(builder->packing ? &builder->packed : &builder->records, builder, type, misc, &builder->body);
	builder->body.len = 0;
}

void builder_loose(struct file_builder *builder, const void *bytes, size_t len)
{
	grow(&builder->records, bytes, len);
}

void builder_feature(struct file_builder *builder, uint32_t number)
{
	struct builder_bytes payload = { NULL, 0 };

	if (builder->n_features == BUILDER_FEATURES)
		abort();
	grow(&payload, builder->body.at, builder->body.len);
	builder->body.len = 0;
	if (!builder->stream) {
		builder->features[builder->n_features].number = number;
		builder->features[builder->n_features++].payload = payload;
		return;
	}
	builder_u64(builder, number);
	grow(&builder->body, payload.at, payload.len);
	free(payload.at);
	builder_record(builder, TYPE_HEADER_FEATURE, 0);
}

void builder_pack(struct file_builder *builder)
{
	put_stream_attrs(builder);
	builder->packing = true;
}

static size_t compress(struct file_builder *builder, const uint8_t *plain, size_t len, enum builder_packing packing,
		       uint8_t *to, size_t room)
{
	ZSTD_inBuffer in = { plain, len, 0 };
	ZSTD_outBuffer out = { to, room, 0 };

	if (!builder->chain)
		builder->chain = ZSTD_createCCtx();
	if (!builder->chain)
		abort();
	ZSTD_CCtx_setParameter(builder->chain, ZSTD_c_checksumFlag, packing == BUILDER_FRAMES);
	if (ZSTD_compressStream2(builder->chain, &out, &in, packing == BUILDER_FRAMES ? ZSTD_e_end : ZSTD_e_flush) != 0)
		abort();
	return out.pos;
}

void builder_flush(struct file_builder *builder, uint32_t type, size_t len, enum builder_packing packing)
{
	size_t plain = len ? len : builder->packed.len, room = ZSTD_compressBound(plain) + 64, n;
	uint8_t *bytes = malloc(room);
	struct builder_bytes body = { NULL, 0 };

	if (!bytes || plain > builder->packed.len)
		abort();
	n = compress(builder, builder->packed.at, plain, packing, bytes, room);
	if (type == TYPE_COMPRESSED2)
		put(&body, n, 8, builder->big_endian);
	grow(&body, bytes, n);
	if (type == TYPE_COMPRESSED2)
		grow(&body, NULL, (8 - body.len % 8) % 8);
	put_record(&builder->records, builder, type, 0, &body);
	drop(&builder->packed, plain);
	free(body.at);
	free(bytes);
}

void builder_unpack(struct file_builder *builder)
{
	if (builder->packed.len)
		abort();
	builder->packing = false;
}

static void put_magic(struct builder_bytes *to, const struct file_builder *builder)
{
	const char *magic = builder->old_magic ? "PERFFILE" : "PERFILE2";

	for (size_t i = 0; i < 8; i++) /* a number in the file, but for the old one */
		grow(to, magic + (builder->big_endian && !builder->old_magic ? 7 - i : i), 1);
}

static void put_file_header(struct builder_bytes *to, const struct file_builder *builder, size_t entry, size_t attrs_at,
			    size_t data_at)
{
	uint64_t flags[4] = { 0 };
	const uint64_t words[] = {
		HEADER_BYTES, entry, attrs_at, entry * builder->n_events, data_at, builder->records.len, 0, 0,
	};

	for (size_t i = 0; i < builder->n_features; i++)
		flags[builder->features[i].number / 64] |= UINT64_C(1) << builder->features[i].number % 64;
	put_magic(to, builder);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		put(to, words[i], 8, builder->big_endian);
	for (size_t i = 0; i < 4; i++)
		put(to, flags[i], 8, builder->big_endian);
}

static void put_attrs(struct builder_bytes *to, const struct file_builder *builder)
{
	size_t ids_at = HEADER_BYTES;

	for (size_t i = 0; i < builder->n_events; i++)
		for (size_t k = 0; k < builder->events[i].n_ids; k++)
			put(to, builder->events[i].ids[k], 8, builder->big_endian);
	for (size_t i = 0; i < builder->n_events; i++) {
		put_attr(to, builder, &builder->events[i]);
		put(to, ids_at, 8, builder->big_endian);
		put(to, builder->events[i].n_ids * 8, 8, builder->big_endian);
		ids_at += builder->events[i].n_ids * 8;
	}
}

static void put_features(struct builder_bytes *to, const struct file_builder *builder)
{
	size_t at = to->len + builder->n_features * 16;

	for (size_t i = 0; i < builder->n_features; i++) {
		put(to, at, 8, builder->big_endian);
		put(to, builder->features[i].payload.len, 8, builder->big_endian);
		at += builder->features[i].payload.len;
	}
	for (size_t i = 0; i < builder->n_features; i++)
		grow(to, builder->features[i].payload.at, builder->features[i].payload.len);
}

uint8_t *builder_file(struct file_builder *builder, size_t *len, size_t *data_at)
{
	struct builder_bytes file = { NULL, 0 };
	size_t entry = (builder->attr_bytes ? builder->attr_bytes : 128) + 16, ids = 0, start;

	put_stream_attrs(builder);
	for (size_t i = 0; i < builder->n_events; i++)
		ids += builder->events[i].n_ids * 8;
	start = builder->stream ? STREAM_HEADER_BYTES : HEADER_BYTES + ids + entry * builder->n_events;
	if (builder->stream) {
		put_magic(&file, builder);
		put(&file, STREAM_HEADER_BYTES, 8, builder->big_endian);
	} else {
		put_file_header(&file, builder, entry, HEADER_BYTES + ids, start);
		put_attrs(&file, builder);
	}
	grow(&file, builder->records.at, builder->records.len);
	if (!builder->stream)
		put_features(&file, builder);
	*len = file.len;
	if (data_at)
		*data_at = start;
	return file.at;
}

void builder_comm(struct file_builder *builder, uint32_t pid, const char *comm)
{
	builder_u32(builder, pid);
	builder_u32(builder, pid);
	builder_text(builder, comm, 8);
	builder_record(builder, 3, 0);
}

void builder_stat(struct file_builder *builder, uint64_t id, uint64_t value)
{
	builder_u64(builder, id);
	builder_u32(builder, UINT32_MAX);
	builder_u32(builder, 0);
	for (int i = 0; i < 3; i++)
		builder_u64(builder, value);
	builder_record(builder, 76, 0);
}

void builder_round(struct file_builder *builder, uint64_t time_ns)
{
	builder_u64(builder, 0);
	builder_u64(builder, time_ns);
	builder_record(builder, 77, 0);
}

void builder_sample(struct file_builder *builder, uint64_t id, uint64_t time_ns, uint64_t period)
{
	builder_u64(builder, id);
	builder_u64(builder, 0x1000);
	builder_u32(builder, 10);
	builder_u32(builder, 11);
	builder_u64(builder, time_ns);
	builder_u32(builder, 1);
	builder_u32(builder, 0);
	builder_u64(builder, period);
	builder_record(builder, 9, 2);
}

void builder_two_events(struct file_builder *builder)
{
	for (uint64_t i = 0; i < 2; i++) {
		struct builder_event *event = &builder->events[builder->n_events++];

		event->type = 1;       /* software */
		event->config = i + 1; /* task-clock, page-faults */
		event->sample_type = 0x10187;
		event->ids[0] = i + 1;
		event->n_ids = 1;
	}
}
