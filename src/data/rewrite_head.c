/* What the rewriter puts around the records: header, ids, attrs, features and their table. */
#include <errno.h>
#include <string.h>

#include "data/codec.h"
#include "data/feature_internal.h"
#include "data/rewrite_private.h"
#include "data/turn.h"

#define ALIGN_BYTES 8
#define ATTR_CONFIG3_BYTES (FORMAT_ATTR_BYTES + (uint32_t)sizeof(uint64_t))
#define MMAP_LEN 65536      /* at least what one frame yields */
#define KNOWN_FEATURES 32   /* stock perf (6.1) has numbers below this */

/* The smallest attr that loses nothing: perf 6.1 reads no larger ones. */
static uint32_t attr_bytes(const struct meta *meta)
{
	for (size_t i = 0; i < meta->n_events; i++)
		if (meta->events[i].config3)
			return ATTR_CONFIG3_BYTES;
	return FORMAT_ATTR_BYTES;
}

static int align(struct buffer *out, struct ps_error *err)
{
	size_t over = out->len % ALIGN_BYTES;

	return over ? buffer_append_zero(out, ALIGN_BYTES - over, err) : 0;
}

static int put_attr(const struct meta *meta, size_t i, struct buffer *out, struct ps_error *err)
{
	return codec_copy_attr(&meta->events[i].attr, attr_bytes(meta), meta->events[i].config3, out, err);
}

static int put_ids_and_attrs(const struct meta *meta, struct buffer *out, struct format_file_header *header,
			     struct ps_error *err)
{
	struct format_section ids = { out->len, 0 };
	int rc = 0;

	for (size_t i = 0; i < meta->n_events && rc >= 0; i++)
		rc = buffer_append(out, meta->events[i].ids, meta->events[i].n_ids * sizeof(uint64_t), err);
	header->attr_size = attr_bytes(meta) + sizeof(ids);
	header->attrs.offset = out->len;
	for (size_t i = 0; i < meta->n_events && rc >= 0; i++) {
		rc = put_attr(meta, i, out, err);
		ids.offset += ids.size;
		ids.size = meta->events[i].n_ids * sizeof(uint64_t);
		if (rc >= 0)
			rc = buffer_append(out, &ids, sizeof(ids), err);
	}
	header->attrs.size = out->len - header->attrs.offset;
	return rc;
}

static int put_event_desc(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	int rc = feature_put_u32(out, (uint32_t)meta->n_events, err);

	if (rc >= 0)
		rc = feature_put_u32(out, attr_bytes(meta), err);
	for (size_t i = 0; i < meta->n_events && rc >= 0; i++) {
		const struct meta_event *event = &meta->events[i];

		rc = put_attr(meta, i, out, err);
		if (rc >= 0)
			rc = feature_put_u32(out, (uint32_t)event->n_ids, err);
		if (rc >= 0)
			rc = feature_put_string(out, event->name, err);
		if (rc >= 0)
			rc = buffer_append(out, event->ids, event->n_ids * sizeof(*event->ids), err);
	}
	return rc;
}

static int put_sample_time(const struct rewrite *rw, struct buffer *out, struct ps_error *err)
{
	const struct feature_set *features = &rw->meta->features;
	int rc = feature_put_u64(out, rw->has_times ? rw->first_ns : features->sample_first_ns, err);

	return rc < 0 ? rc : feature_put_u64(out, rw->has_times ? rw->last_ns : features->sample_last_ns, err);
}

/* As it was read; what pstat writes by itself is always of t0. */
static int put_clock_data(const struct feature_set *set, struct buffer *out, struct ps_error *err)
{
	int rc = feature_put_u32(out, set->clock_data_version, err);

	if (rc >= 0)
		rc = feature_put_u32(out, set->clock_data_clockid, err);
	if (rc >= 0)
		rc = feature_put_u64(out, set->clock_data_wall_ns, err);
	return rc < 0 ? rc : feature_put_u64(out, set->clock_data_mono_ns, err);
}

static int put_compressed(const struct rewrite_out *out, struct buffer *to, struct ps_error *err)
{
	uint64_t ratio = out->frame_bytes ? (out->framed_bytes + out->frame_bytes / 2) / out->frame_bytes : 1;
	const uint32_t words[] = { 0, FORMAT_COMPRESS_ZSTD, out->level, (uint32_t)ratio, MMAP_LEN };

	return buffer_append(to, words, sizeof(words), err);
}

static int put_build_ids(const struct rewrite *rw, struct buffer *out, struct ps_error *err)
{
	int rc = feature_encode(rw->meta, FORMAT_FEATURE_BUILD_ID, out, err);

	return rc < 0 ? rc : buffer_append(out, rw->build_ids.data, rw->build_ids.len, err);
}

static int put_payload(const struct rewrite *rw, uint32_t number, struct buffer *out, struct ps_error *err)
{
	const struct meta *meta = rw->meta;
	const struct feature *feature = feature_find(number);
	const struct feature_raw *raw;

	switch (number) {
	case FORMAT_FEATURE_TRACING_DATA:
		return meta->features.tracing_data_bytes ? feature_encode(meta, number, out, err) :
							   head_make_tracing(meta, out, err);
	case FORMAT_FEATURE_BUILD_ID:
		return put_build_ids(rw, out, err);
	case FORMAT_FEATURE_EVENT_DESC:
		return put_event_desc(meta, out, err);
	case FORMAT_FEATURE_SAMPLE_TIME:
		return put_sample_time(rw, out, err);
	case FORMAT_FEATURE_CLOCK_DATA:
		return put_clock_data(&meta->features, out, err);
	case FORMAT_FEATURE_COMPRESSED:
		return put_compressed(&rw->out, out, err);
	default:
		if (feature && feature->encode)
			return feature_encode(meta, number, out, err);
		raw = feature_find_raw(&meta->features, number);
		return raw ? turn_feature(raw, out, err) : 0;
	}
}

static bool has_tracepoints(const struct meta *meta)
{
	for (size_t i = 0; i < meta->n_events; i++)
		if (meta->events[i].attr.type == PERF_TYPE_TRACEPOINT)
			return true;
	return false;
}

/* 1 it is written, 0 it has no meaning there, -1 it has no place. */
static int has_place(const struct rewrite *rw, uint32_t number)
{
	const bool present = rw->meta->features.present[number];
	const struct feature_raw *raw;

	switch (number) {
	case FORMAT_FEATURE_EVENT_DESC:
		return 1;
	case FORMAT_FEATURE_TRACING_DATA:
		return present || has_tracepoints(rw->meta);
	case FORMAT_FEATURE_STAT:
		return present || rw->meta->is_stat || rw->rounds.begun;
	case FORMAT_FEATURE_SAMPLE_TIME:
		return present || rw->has_times;
	case FORMAT_FEATURE_COMPRESSED:
		return rw->out.compressor != NULL;
	case FORMAT_FEATURE_BUILD_ID:
		return present || rw->build_ids.len;
	case FORMAT_FEATURE_DIR_FORMAT: /* of several files this made one */
		return 0;
	case FORMAT_FEATURE_AUXTRACE: /* an index of offsets in the old file */
		return 0;
	default:
		if (!present)
			return 0;
		if (number < KNOWN_FEATURES)
			return 1;
		raw = feature_find_raw(&rw->meta->features, number);
		return raw && raw->len ? -1 : 0; /* empty: the mark that closes a stream's features */
	}
}

static void note_lost(struct rewrite_result *result, uint32_t number)
{
	if (result->n_features < ARRAY_SIZE(result->features))
		result->features[result->n_features] = number;
	result->n_features++;
}

static int put_features(struct rewrite *rw, struct buffer *out, struct buffer *table,
			struct format_file_header *header, struct ps_error *err)
{
	int rc = align(out, err);

	for (uint32_t n = 0; n < FORMAT_FEATURE_BITS && rc >= 0; n++) {
		struct format_section section = { out->len, 0 };
		int place = has_place(rw, n);

		rc = place > 0 ? put_payload(rw, n, out, err) : 0;
		if (place < 0 || rc == -ENOTSUP) {
			note_lost(rw->result, n);
			ps_error_clear(err);
			rc = 0;
			continue;
		}
		if (!place || rc < 0)
			continue;
		section.size = out->len - section.offset;
		header->flags[n / 64] |= UINT64_C(1) << n % 64;
		rc = buffer_append(table, &section, sizeof(section), err);
		if (rc >= 0)
			rc = align(out, err);
	}
	return rc;
}

int head_build(struct rewrite *rw, struct buffer *head, struct buffer *table, struct ps_error *err)
{
	struct format_file_header header = {
		.magic = { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' }, .size = FORMAT_HEADER_BYTES,
	};
	int rc = buffer_append_zero(head, sizeof(header), err);

	if (rc >= 0)
		rc = put_ids_and_attrs(rw->meta, head, &header, err);
	if (rc >= 0)
		rc = put_features(rw, head, table, &header, err);
	if (rc < 0)
		return rc;
	header.data.offset = head->len;
	header.data.size = rw->out.bytes;
	memcpy(head->data, &header, sizeof(header));
	return 0;
}

/* The record and the feature's entry are the same but for the type, which is 0 there. */
int head_take_build_id(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	struct perf_event_header header = { 0, rec->misc, (uint16_t)rec->bytes };
	size_t start = rw->build_ids.len;
	uint32_t pid;
	int rc;

	if (rec->bytes < sizeof(header) + sizeof(pid) ||
	    !memchr(rec->raw + sizeof(header), '\0', rec->bytes - sizeof(header))) {
		rw->result->damaged++;
		return 0;
	}
	rc = buffer_append(&rw->build_ids, rec->raw, rec->bytes, err);
	if (rc < 0)
		return rc;
	pid = bytes_u32(rec->raw + sizeof(header), rec->raw_swapped);
	memcpy(rw->build_ids.data + start, &header, sizeof(header));
	memcpy(rw->build_ids.data + start + sizeof(header), &pid, sizeof(pid));
	return 0;
}
