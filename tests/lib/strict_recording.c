/* A strict look at a whole recording in memory. */
#include "lib/strict_recording.h"

#include <stdio.h>
#include <string.h>

#include "data/codec.h"
#include "data/compress.h"

#define WHY(recording, ...) ((void)snprintf((recording)->why, sizeof((recording)->why), __VA_ARGS__), false)

static bool read_file(struct recording *recording, const char *path)
{
	FILE *file = fopen(path, "rb");
	char bytes[4096];
	size_t n;
	int rc = 0;

	if (!file)
		return WHY(recording, "cannot open %s", path);
	while (rc >= 0 && (n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		rc = buffer_append(&recording->file, bytes, n, NULL);
	(void)fclose(file);
	return rc >= 0 || WHY(recording, "cannot keep %s", path);
}

/* Whether a section lies inside the file; its bytes. */
static const uint8_t *section(struct recording *recording, const struct format_section *at)
{
	if (at->offset > recording->file.len || at->size > recording->file.len - at->offset)
		return NULL;
	return recording->file.data + at->offset;
}

static bool add_ids(struct recording *recording, struct meta_event *event, const struct format_section *ids)
{
	const uint8_t *from = section(recording, ids);

	if (!from || ids->size % sizeof(uint64_t))
		return WHY(recording, "ids at %llu do not fit", (unsigned long long)ids->offset);
	event->n_ids = ids->size / sizeof(uint64_t);
	event->ids = calloc(event->n_ids + 1, sizeof(uint64_t));
	if (event->ids && ids->size)
		memcpy(event->ids, from, ids->size);
	return event->ids || WHY(recording, "memory");
}

static bool load_attrs(struct recording *recording)
{
	const struct format_file_header *header = &recording->header;
	const uint8_t *attrs = section(recording, &header->attrs);

	if (!attrs || header->attr_size < FORMAT_ATTR_MIN_BYTES || header->attrs.size % header->attr_size)
		return WHY(recording, "attrs do not fit");
	for (size_t at = 0; at < header->attrs.size; at += header->attr_size) {
		struct meta_event *event = meta_add_event(&recording->meta, NULL, NULL);
		size_t attr_len = header->attr_size - sizeof(struct format_section);
		struct format_section ids;

		if (!event || codec_decode_attr(attrs + at, attr_len, false, &event->attr, &event->attr_bytes,
						NULL) < 0)
			return WHY(recording, "attr at %zu does not decode", at);
		memcpy(&ids, attrs + at + attr_len, sizeof(ids));
		if (!add_ids(recording, event, &ids))
			return false;
	}
	return true;
}

static bool load_features(struct recording *recording)
{
	const struct format_file_header *header = &recording->header;
	struct format_section at = { header->data.offset + header->data.size, sizeof(at) };

	for (uint32_t n = 0; n < FORMAT_FEATURE_BITS; n++) {
		const uint8_t *row, *payload;
		struct format_section where;

		if (!(header->flags[n / 64] >> n % 64 & 1))
			continue;
		row = section(recording, &at);
		if (!row)
			return WHY(recording, "the feature table is cut at bit %u", n);
		memcpy(&where, row, sizeof(where));
		payload = section(recording, &where);
		if (!payload)
			return WHY(recording, "feature %u does not fit", n);
		if (feature_decode(&recording->meta, n, payload, where.size, false, NULL) < 0)
			return WHY(recording, "feature %u does not decode", n);
		at.offset += sizeof(at);
	}
	return at.offset == recording->file.len || WHY(recording, "there is something behind the table");
}

/* The event that a record of a stream brings. */
static bool add_attr(struct recording *recording, const uint8_t *bytes, size_t len)
{
	struct meta_event *event = meta_add_event(&recording->meta, NULL, NULL);

	if (!event || codec_decode_attr(bytes, len, false, &event->attr, &event->attr_bytes, NULL) < 0)
		return WHY(recording, "an attr does not decode");
	return add_ids(recording, event,
		       &(struct format_section){ (uint64_t)(bytes - recording->file.data) + event->attr_bytes,
						 len - event->attr_bytes });
}

static bool add_frame(struct recording *recording, struct decompressor *decompressor, const uint8_t *at,
		      size_t len)
{
	size_t before = recording->plain.len;
	ssize_t got = decompressor_feed(decompressor, at, len, &recording->plain, NULL);

	if (got <= 0)
		return WHY(recording, "frame %zu does not decompress: %zd", recording->frames, got);
	recording->frames++;
	if (recording->plain.len - before > recording->largest_frame)
		recording->largest_frame = recording->plain.len - before;
	return true;
}

static bool load_records(struct recording *recording, size_t at, size_t end,
			 struct decompressor *decompressor)
{
	while (at < end) {
		struct perf_event_header header;
		const uint8_t *bytes = recording->file.data + at;

		if (end - at < sizeof(header))
			return WHY(recording, "a record is cut at %zu", at);
		memcpy(&header, bytes, sizeof(header));
		if (header.size < sizeof(header) || header.size > end - at)
			return WHY(recording, "a record of %u bytes at %zu", header.size, at);
		if (header.size % 8)
			return WHY(recording, "a record at %zu is not a multiple of 8", at);
		if (header.type == FORMAT_COMPRESSED) {
			if (!add_frame(recording, decompressor, bytes + sizeof(header),
				       header.size - sizeof(header)))
				return false;
		} else if (buffer_append(&recording->plain, bytes, header.size, NULL) < 0) {
			return WHY(recording, "memory");
		}
		if (header.type == FORMAT_HEADER_ATTR &&
		    !add_attr(recording, bytes + sizeof(header), header.size - sizeof(header)))
			return false;
		at += header.size;
	}
	return true;
}

static bool load(struct recording *recording, struct decompressor *decompressor)
{
	struct format_file_header *header = &recording->header;
	uint64_t size;

	if (recording->file.len < FORMAT_PIPE_HEADER_BYTES ||
	    memcmp(recording->file.data, FORMAT_MAGIC, FORMAT_MAGIC_BYTES) != 0)
		return WHY(recording, "no magic");
	memcpy(&size, recording->file.data + FORMAT_MAGIC_BYTES, sizeof(size));
	recording->is_stream = size == FORMAT_PIPE_HEADER_BYTES;
	if (recording->is_stream)
		return load_records(recording, FORMAT_PIPE_HEADER_BYTES, recording->file.len, decompressor);
	if (size != sizeof(*header) || recording->file.len < sizeof(*header))
		return WHY(recording, "a header of %llu bytes", (unsigned long long)size);
	memcpy(header, recording->file.data, sizeof(*header));
	if (!section(recording, &header->data) || header->data.offset % 8)
		return WHY(recording, "data does not fit");
	return load_attrs(recording) &&
	       load_records(recording, header->data.offset, header->data.offset + header->data.size,
			    decompressor) &&
	       load_features(recording);
}

bool recording_load(struct recording *recording, const char *path)
{
	struct decompressor *decompressor;
	bool good;

	memset(recording, 0, sizeof(*recording));
	meta_init(&recording->meta);
	if (decompressor_new(&decompressor, FORMAT_RECORD_MAX_BYTES, NULL) < 0)
		return WHY(recording, "memory");
	good = read_file(recording, path) && load(recording, decompressor);
	decompressor_free(decompressor);
	return good;
}

void recording_fini(struct recording *recording)
{
	buffer_fini(&recording->file);
	buffer_fini(&recording->plain);
	meta_fini(&recording->meta);
}

bool recording_next(const struct recording *recording, size_t *at, struct record *rec, struct buffer *scratch)
{
	struct perf_event_header header;

	if (recording->plain.len - *at < sizeof(header))
		return false;
	memcpy(&header, recording->plain.data + *at, sizeof(header));
	if (header.size < sizeof(header) || header.size > recording->plain.len - *at)
		return false;
	memset(rec, 0, sizeof(*rec));
	rec->type = header.type;
	rec->misc = header.misc;
	rec->bytes = header.size;
	rec->raw = recording->plain.data + *at;
	*at += header.size;
	if (codec_decode(&recording->meta, rec, scratch, NULL) < 0)
		abort();
	return true;
}

size_t recording_count(const struct recording *recording, uint32_t type)
{
	struct buffer scratch = BUFFER_INIT(0);
	struct record rec;
	size_t at = 0, n = 0;

	while (recording_next(recording, &at, &rec, &scratch))
		n += rec.type == type;
	buffer_fini(&scratch);
	return n;
}
