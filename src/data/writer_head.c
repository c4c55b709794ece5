/* The head of a recording: file header, ids, attrs and features, seekable or as a stream. */
#include "data/writer_head.h"

#include <errno.h>
#include <string.h>

#include "data/codec.h"
#include "data/feature.h"

#define ALIGN_BYTES 8
/*
 * The buffer perf takes for what one record yields. Twice a frame: perf 6.1 and 6.12 count what the frame gave a second time
 * when they come to the skippable frame behind it, and complain that there is no room.
 */
#define MMAP_LEN 131072

static int align(struct buffer *out, struct ps_error *err)
{
	size_t over = out->len % ALIGN_BYTES;

	return over ? buffer_append_zero(out, ALIGN_BYTES - over, err) : 0;
}

/* Whether a file has a feature; a stream has those of them that a stream can have. */
static bool is_written(const struct meta *meta, uint32_t number, bool compressed)
{
	const struct feature *feature = feature_find(number);

	switch (number) {
	case FORMAT_FEATURE_EVENT_DESC:
	case FORMAT_FEATURE_STAT:
	case FORMAT_FEATURE_SAMPLE_TIME:
		return true;
	case FORMAT_FEATURE_COMPRESSED:
		return compressed;
	case FORMAT_FEATURE_CLOCK_DATA:
		return meta->has_t0;
	default:
		return feature && feature->encode && meta->features.present[number];
	}
}

int writer_head_live(const struct writer_live *live, struct buffer *out, struct ps_error *err)
{
	struct meta meta = {
		.features = {
			.sample_first_ns = live->first_ns,
			.sample_last_ns = live->last_ns,
			.compressed_type = FORMAT_COMPRESS_ZSTD,
			.compressed_level = live->level,
			.compressed_ratio = live->ratio,
			.compressed_mmap_len = MMAP_LEN,
		},
	};
	int rc = feature_encode(&meta, FORMAT_FEATURE_SAMPLE_TIME, out, err);

	if (rc >= 0 && live->compressed)
		rc = feature_encode(&meta, FORMAT_FEATURE_COMPRESSED, out, err);
	return rc < 0 ? rc : align(out, err);
}

static int put_ids(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < meta->n_events && rc >= 0; i++)
		rc = buffer_append(out, meta->events[i].ids, meta->events[i].n_ids * sizeof(uint64_t), err);
	return rc;
}

/* Each attr with the place of its ids, which follow one another from the end of the header. */
static int put_attrs(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	struct format_section ids = { FORMAT_HEADER_BYTES, 0 };
	int rc = 0;

	for (size_t i = 0; i < meta->n_events && rc >= 0; i++) {
		rc = codec_encode_attr(&meta->events[i].attr, out, err);
		ids.offset += ids.size;
		ids.size = meta->events[i].n_ids * sizeof(uint64_t);
		if (rc >= 0)
			rc = buffer_append(out, &ids, sizeof(ids), err);
	}
	return rc;
}

static int put_feature(const struct meta *meta, uint32_t number, struct buffer *out,
		       struct format_section *section, struct ps_error *err)
{
	int rc;

	section->offset = out->len;
	rc = feature_encode(meta, number, out, err);
	section->size = out->len - section->offset;
	return rc < 0 ? rc : align(out, err);
}

/* The payloads, those that change in front, and the table that will point at them. */
static int put_features(const struct meta *meta, const struct writer_live *live, struct buffer *out,
			struct writer_layout *layout, struct format_file_header *header, struct ps_error *err)
{
	int rc;

	layout->live_at = out->len;
	rc = writer_head_live(live, out, err);
	for (uint32_t n = 0; n < FORMAT_FEATURE_BITS && rc >= 0; n++) {
		struct format_section *section = &layout->table[layout->n_table];

		if (!is_written(meta, n, live->compressed))
			continue;
		if (n == FORMAT_FEATURE_SAMPLE_TIME)
			*section = (struct format_section){ layout->live_at, 2 * sizeof(uint64_t) };
		else if (n == FORMAT_FEATURE_COMPRESSED)
			*section = (struct format_section){ layout->live_at + 2 * sizeof(uint64_t),
							    5 * sizeof(uint32_t) };
		else
			rc = put_feature(meta, n, out, section, err);
		layout->n_table++;
		header->flags[n / 64] |= UINT64_C(1) << n % 64;
	}
	return rc;
}

int writer_head_file(const struct meta *meta, const struct writer_live *live, struct buffer *out,
		     struct writer_layout *layout, struct ps_error *err)
{
	struct format_file_header header = {
		.magic = { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' },
		.size = FORMAT_HEADER_BYTES,
		.attr_size = FORMAT_ATTR_BYTES + sizeof(struct format_section),
	};
	int rc = buffer_append_zero(out, sizeof(header), err);

	memset(layout, 0, sizeof(*layout));
	if (rc >= 0)
		rc = put_ids(meta, out, err);
	header.attrs.offset = out->len;
	if (rc >= 0)
		rc = put_attrs(meta, out, err);
	header.attrs.size = out->len - header.attrs.offset;
	if (rc >= 0)
		rc = put_features(meta, live, out, layout, &header, err);
	layout->data_at = header.data.offset = out->len;
	if (rc >= 0)
		rc = writer_init_records(meta, out, err);
	if (rc < 0)
		return rc;
	layout->data_bytes = header.data.size = out->len - header.data.offset;
	memcpy(out->data, &header, sizeof(header));
	return 0;
}

/* Makes a record of what was appended from start on, its header being the first bytes. -EMSGSIZE when it is too long. */
static int close_record(uint32_t type, size_t start, struct buffer *out, struct ps_error *err)
{
	struct perf_event_header header = { .type = type };
	size_t bytes;
	int rc = align(out, err);

	if (rc < 0)
		return rc;
	bytes = out->len - start;
	if (bytes > FORMAT_RECORD_MAX_BYTES)
		return ps_fail(err, "writer", EMSGSIZE, "a %s of %zu bytes does not fit a record",
			       record_type_name(type), bytes);
	header.size = (uint16_t)bytes;
	memcpy(out->data + start, &header, sizeof(header));
	return 0;
}

static int put_attr_record(const struct meta_event *event, struct buffer *out, struct ps_error *err)
{
	size_t start = out->len;
	int rc = buffer_append_zero(out, sizeof(struct perf_event_header), err);

	if (rc >= 0)
		rc = codec_encode_attr(&event->attr, out, err);
	if (rc >= 0)
		rc = buffer_append(out, event->ids, event->n_ids * sizeof(uint64_t), err);
	return rc < 0 ? rc : close_record(FORMAT_HEADER_ATTR, start, out, err);
}

static int put_feature_record(const struct meta *meta, uint32_t number, struct buffer *out,
			      struct ps_error *err)
{
	uint64_t word = number;
	size_t start = out->len;
	int rc = buffer_append_zero(out, sizeof(struct perf_event_header), err);

	if (rc >= 0)
		rc = buffer_append(out, &word, sizeof(word), err);
	if (rc >= 0)
		rc = feature_encode(meta, number, out, err);
	if (rc >= 0)
		rc = close_record(FORMAT_HEADER_FEATURE, start, out, err);
	if (rc != -EMSGSIZE)
		return rc;
	out->len = start; /* on the largest machines; what it tells is not needed to read the rest */
	ps_error_clear(err);
	return 0;
}

/* Times of samples are not known yet, and stock perf reads no stream that has tracing data. */
static bool fits_stream(uint32_t number)
{
	return number != FORMAT_FEATURE_SAMPLE_TIME && number != FORMAT_FEATURE_TRACING_DATA &&
	       number != FORMAT_FEATURE_BUILD_ID;
}

int writer_head_stream(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	const uint64_t size = FORMAT_PIPE_HEADER_BYTES;
	int rc = buffer_append(out, FORMAT_MAGIC, FORMAT_MAGIC_BYTES, err);

	if (rc >= 0)
		rc = buffer_append(out, &size, sizeof(size), err);
	for (size_t i = 0; i < meta->n_events && rc >= 0; i++)
		rc = put_attr_record(&meta->events[i], out, err);
	for (uint32_t n = 0; n < FORMAT_FEATURE_BITS && rc >= 0; n++)
		if (is_written(meta, n, false) && fits_stream(n))
			rc = put_feature_record(meta, n, out, err);
	return rc < 0 ? rc : writer_init_records(meta, out, err);
}
