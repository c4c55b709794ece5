/* Where the records of a seekable file end, and the header features behind them. */
#include <errno.h>

#include "data/reader_private.h"

#define CHECKPOINT_MAX_BYTES (64u << 20) /* far more than comes together between two checkpoints */

static bool has_feature(const struct format_file_header *header, uint32_t number)
{
	return header->flags[number / 64] >> number % 64 & 1;
}

static uint64_t count_features(const struct format_file_header *header)
{
	uint64_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(header->flags); i++)
		n += (uint64_t)__builtin_popcountll(header->flags[i]);
	return n;
}

/* One feature of a table; budget as for ids. */
static int read_feature(struct reader *reader, uint32_t number, struct format_section at, uint64_t *budget,
			struct ps_error *err)
{
	const char *name = feature_name(number);
	int rc;

	if (!head_in_file(reader, at.offset, at.size) || at.size > *budget || at.size > READER_PAYLOAD_MAX) {
		reader_warn(
			reader, true,
			"header feature %u (%s): offset %llu, %llu bytes reach beyond the end of the file",
			number, name ? name : "unknown", (unsigned long long)at.offset,
			(unsigned long long)at.size);
		return 0;
	}
	*budget -= at.size;
	rc = head_read_at(reader, at.offset, at.size, err);
	if (rc < 0)
		return rc;
	reader->meta.features.offset[number] = at.offset;
	return meta_take_feature(reader, number, reader->payload.data, reader->payload.len, err);
}

/* The table's sections in order of feature numbers; *n is how many the file really has. */
static int read_table(struct reader *reader, uint64_t at, uint64_t want, struct format_section *table,
		      uint64_t *n, struct ps_error *err)
{
	int rc = head_read_at(reader, at, want * sizeof(*table), err);

	if (rc < 0)
		return rc;
	*n = reader->payload.len / sizeof(*table);
	for (uint64_t i = 0; i < *n; i++) {
		const uint8_t *entry = reader->payload.data + i * sizeof(*table);

		table[i].offset = bytes_u64(entry, reader->swapped);
		table[i].size = bytes_u64(entry + sizeof(uint64_t), reader->swapped);
	}
	return 0;
}

/* Whether a place holds a table: every entry names a part of the file outside of its fixed header. */
static bool is_table(const struct reader *reader, const struct format_section *table, uint64_t n,
		     uint64_t want)
{
	if (n < want)
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (table[i].offset < READER_OLD_HEADER_BYTES || !head_in_file(reader, table[i].offset, table[i].size))
			return false;
	return true;
}

static int read_features(struct reader *reader, const struct format_file_header *header,
			 const struct format_section *table, uint64_t n, struct ps_error *err)
{
	uint64_t budget = source_bytes(reader->source), i = 0;

	for (uint32_t number = 0; number < FORMAT_FEATURE_BITS; number++) {
		const char *name = feature_name(number);
		int rc;

		if (!has_feature(header, number))
			continue;
		if (i == n) {
			reader_warn(reader, true, "the table of header features is cut at feature %u (%s)",
				    number, name ? name : "unknown");
			return 0;
		}
		rc = read_feature(reader, number, table[i++], &budget, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/*
 * A recorder that died between writing records over its old table and telling the header so leaves whole
 * records behind data_end and a fresh table behind them. Walks there. 1 found: table and data_end are those,
 * 0 not, -errno.
 */
static int find_fresh_table(struct reader *reader, uint64_t want, struct format_section *table,
			    struct ps_error *err)
{
	uint64_t at = reader->data_end, n = 0;
	int rc;

	for (;;) {
		struct record rec;

		rc = head_read_at(reader, at, READER_RECORD_HEADER_BYTES, err);
		if (rc <= 0)
			return rc;
		record_frame(&rec, reader->payload.data, reader->swapped);
		if (rec.bytes < READER_RECORD_HEADER_BYTES)
			break;
		if (at - reader->data_end > CHECKPOINT_MAX_BYTES || !record_type_name(rec.type) ||
		    !head_in_file(reader, at, rec.bytes))
			return 0;
		at += rec.bytes;
	}
	if (at == reader->data_end)
		return 0;
	rc = read_table(reader, at, want, table, &n, err);
	if (rc < 0 || !is_table(reader, table, n, want) ||
	    at + want * sizeof(*table) != source_bytes(reader->source))
		return rc < 0 ? rc : 0;
	reader_warn(reader, false,
		    "the last checkpoint was not completed: %llu bytes of records behind the end that the header names "
		    "are taken in",
		    (unsigned long long)(at - reader->data_end));
	reader->data_end = at;
	return 1;
}

static int take_features(struct reader *reader, const struct format_file_header *header, struct ps_error *err)
{
	struct format_section table[FORMAT_FEATURE_BITS];
	uint64_t want = count_features(header), n = 0;
	int rc;

	if (!want)
		return 0;
	rc = read_table(reader, reader->data_end, want, table, &n, err);
	if (rc < 0)
		return rc;
	if (!is_table(reader, table, n, want)) {
		struct format_section fresh[FORMAT_FEATURE_BITS];

		rc = find_fresh_table(reader, want, fresh, err);
		if (rc < 0)
			return rc;
		if (rc > 0)
			return read_features(reader, header, fresh, want, err);
	}
	return read_features(reader, header, table, n, err);
}

/* data.size 0: a recorder that was killed, or one that had nothing to write but finished its file. */
static int take_unfinished(struct reader *reader, const struct format_file_header *header,
			   struct ps_error *err)
{
	struct format_section table[FORMAT_FEATURE_BITS];
	uint64_t want = count_features(header), n = 0;
	int rc = read_table(reader, header->data.offset, want, table, &n, err);

	if (rc < 0)
		return rc;
	reader->data_end = header->data.offset;
	if (header->data.offset == source_bytes(reader->source) || (want && is_table(reader, table, n, want)))
		return read_features(reader, header, table, n, err);
	reader->data_end = source_bytes(reader->source);
	reader_warn(
		reader, true,
		"the header tells no size of the records (data.size 0): the recorder was killed; read to the end of the file");
	return 0;
}

int features_read(struct reader *reader, const struct format_file_header *header, struct ps_error *err)
{
	uint64_t bytes = source_bytes(reader->source);

	reader->data_start = header->data.offset;
	if (!header->data.size)
		return take_unfinished(reader, header, err);
	if (!head_in_file(reader, header->data.offset, header->data.size)) {
		reader->data_end = bytes;
		reader_warn(
			reader, true,
			"the records are cut: the header says %llu bytes from offset %llu, the file has %llu of them",
			(unsigned long long)header->data.size, (unsigned long long)header->data.offset,
			(unsigned long long)(bytes - header->data.offset));
		return 0;
	}
	reader->data_end = header->data.offset + header->data.size;
	return take_features(reader, header, err);
}
