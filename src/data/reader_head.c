/* The head of a file: which kind it is, its byte order, its attrs and ids, its features. */
#include <errno.h>
#include <string.h>

#include "data/reader_private.h"

#define HEADER_BYTES_OLD 72 /* before there were features */
#define ATTR_ENTRY_MAX 8192 /* far above any attr.size there has been */
#define IDS_SECTION_BYTES sizeof(struct format_section)
#define EVENT_TYPE_BYTES 72 /* u64 config, char name[64]: a list that perf wrote until Linux 3.0 */

/* Reads exactly len bytes at an offset into payload. 1 done, 0 the file ends before, -errno. */
static int read_at(struct reader *reader, uint64_t offset, uint64_t len, struct ps_error *err)
{
	struct buffer *buf = &reader->payload;
	ssize_t got;
	int rc;

	if (len > READER_PAYLOAD_MAX)
		return 0;
	buf->len = 0;
	rc = buffer_reserve(buf, (size_t)len, err);
	if (rc == 0)
		rc = source_seek(reader->source, offset, err);
	if (rc < 0)
		return rc;
	got = source_read(reader->source, buf->data, (size_t)len, err);
	if (got < 0)
		return (int)got;
	buf->len = (size_t)got;
	return buf->len == len;
}

/* Without an overflow: whether the section lies inside of the file. */
static bool in_file(const struct reader *reader, uint64_t offset, uint64_t size)
{
	uint64_t bytes = source_bytes(reader->source);

	return offset <= bytes && size <= bytes - offset;
}

static bool host_is_big_endian(void)
{
	const uint16_t probe = 1;

	return *(const uint8_t *)&probe == 0;
}

static void set_swapped(struct reader *reader, bool swapped)
{
	reader->swapped = swapped;
	reader->big_endian = host_is_big_endian() != swapped;
}

static bool magic_is(const uint8_t *bytes, const char *magic, bool reversed)
{
	for (size_t i = 0; i < FORMAT_MAGIC_BYTES; i++)
		if (bytes[i] != (uint8_t)magic[reversed ? FORMAT_MAGIC_BYTES - 1 - i : i])
			return false;
	return true;
}

/* The first 16 bytes: is it ours at all? */
static int check_magic(struct reader *reader, const uint8_t *bytes, size_t len, struct ps_error *err)
{
	if (!len)
		return ps_fail(err, "reader", EBADMSG, "the file is empty");
	if (len < FORMAT_PIPE_HEADER_BYTES)
		return ps_fail(err, "reader", EBADMSG, "the file is too short (%zu bytes)", len);
	/* written as a number: a machine of this byte order leaves the text as it is */
	if (magic_is(bytes, FORMAT_MAGIC, false) || magic_is(bytes, FORMAT_MAGIC, true)) {
		set_swapped(reader, magic_is(bytes, FORMAT_MAGIC, true));
		return 0;
	}
	reader->old_magic = magic_is(bytes, FORMAT_MAGIC_OLD, false);
	if (reader->old_magic)
		return 0;
	return ps_fail(err, "reader", EBADMSG, "not a perf.data file (it begins with %02x %02x %02x %02x)", bytes[0],
		       bytes[1], bytes[2], bytes[3]);
}

static bool plausible_attr_size(uint64_t size)
{
	return size >= FORMAT_ATTR_MIN_BYTES + IDS_SECTION_BYTES && size <= ATTR_ENTRY_MAX;
}

static void swap_header(struct format_file_header *header)
{
	uint64_t *words = &header->size;

	for (size_t i = 0; i < (sizeof(*header) - FORMAT_MAGIC_BYTES) / sizeof(*words); i++)
		words[i] = bytes_u64(&words[i], true);
}

/* The whole header of a seekable file into host order. */
static int read_header(struct reader *reader, struct format_file_header *header, struct ps_error *err)
{
	int rc = read_at(reader, 0, sizeof(*header), err);
	size_t got = reader->payload.len;

	if (rc < 0)
		return rc;
	memset(header, 0, sizeof(*header));
	if (got < HEADER_BYTES_OLD)
		return ps_fail(err, "reader", EBADMSG, "the header is cut: %zu of %d bytes", got, FORMAT_HEADER_BYTES);
	memcpy(header, reader->payload.data, got < sizeof(*header) ? got : sizeof(*header));
	if (reader->old_magic)
		set_swapped(reader, !plausible_attr_size(header->attr_size));
	if (reader->swapped)
		swap_header(header);
	if (header->size != HEADER_BYTES_OLD && header->size < FORMAT_HEADER_BYTES)
		return ps_fail(err, "reader", EBADMSG, "a header of %llu bytes is neither that of a file nor of a stream",
			       (unsigned long long)header->size);
	if (header->size > got)
		return ps_fail(err, "reader", EBADMSG, "the header is cut: %zu of %llu bytes", got,
			       (unsigned long long)header->size);
	if (header->size == HEADER_BYTES_OLD)
		memset(header->flags, 0, sizeof(header->flags));
	return 0;
}

static int check_sections(struct reader *reader, const struct format_file_header *header, struct ps_error *err)
{
	if (!plausible_attr_size(header->attr_size))
		return ps_fail(err, "reader", EBADMSG, "attrs of %llu bytes: the header is damaged",
			       (unsigned long long)header->attr_size);
	if (!in_file(reader, header->attrs.offset, header->attrs.size))
		return ps_fail(err, "reader", EBADMSG, "the attrs (offset %llu, %llu bytes) reach beyond the end of the file",
			       (unsigned long long)header->attrs.offset, (unsigned long long)header->attrs.size);
	if (header->attrs.size / header->attr_size > READER_EVENTS_MAX)
		return ps_fail(err, "reader", EBADMSG, "%llu events are more than any recording has",
			       (unsigned long long)(header->attrs.size / header->attr_size));
	if (header->data.offset < FORMAT_PIPE_HEADER_BYTES || !in_file(reader, header->data.offset, 0))
		return ps_fail(err, "reader", EBADMSG, "the records (offset %llu) begin beyond the end of the file",
			       (unsigned long long)header->data.offset);
	return 0;
}

/*
 * The ids of one event. budget: bytes of ids that the file can hold; many attrs that point at the same large array must
 * not multiply it.
 */
static int read_ids(struct reader *reader, size_t index, struct format_section ids, uint64_t *budget,
		    struct ps_error *err)
{
	int rc;

	if (!ids.size)
		return 0;
	if (!in_file(reader, ids.offset, ids.size) || ids.size > *budget || ids.size > READER_PAYLOAD_MAX) {
		reader_warn(reader, true, "the ids of event %zu (offset %llu, %llu bytes) reach beyond the end of the file",
			    index, (unsigned long long)ids.offset, (unsigned long long)ids.size);
		return 0;
	}
	*budget -= ids.size;
	rc = read_at(reader, ids.offset, ids.size, err);
	if (rc < 0)
		return rc;
	return meta_take_ids(reader, &reader->meta.events[index], reader->payload.data, reader->payload.len, err);
}

static int read_attr(struct reader *reader, const struct format_file_header *header, uint64_t i, uint64_t *budget,
		     struct ps_error *err)
{
	uint64_t at = header->attrs.offset + i * header->attr_size;
	size_t attr_room = (size_t)header->attr_size - IDS_SECTION_BYTES;
	struct format_section ids;
	struct meta_event *event;
	int rc = read_at(reader, at, header->attr_size, err);

	if (rc <= 0)
		return rc < 0 ? rc : ps_fail(err, "reader", EBADMSG, "the attrs are cut at offset %llu",
					     (unsigned long long)at);
	ids.offset = bytes_u64(reader->payload.data + attr_room, reader->swapped);
	ids.size = bytes_u64(reader->payload.data + attr_room + sizeof(uint64_t), reader->swapped);
	rc = meta_take_attr(reader, reader->payload.data, attr_room, at, &event, err);
	if (rc < 0 || !event)
		return rc;
	return read_ids(reader, reader->meta.n_events - 1, ids, budget, err);
}

static int read_attrs(struct reader *reader, const struct format_file_header *header, struct ps_error *err)
{
	uint64_t n = header->attrs.size / header->attr_size;
	uint64_t budget = source_bytes(reader->source);

	for (uint64_t i = 0; i < n; i++) {
		int rc = read_attr(reader, header, i, &budget, err);

		if (rc < 0)
			return rc;
	}
	return 0;
}

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

	if (!in_file(reader, at.offset, at.size) || at.size > *budget || at.size > READER_PAYLOAD_MAX) {
		reader_warn(reader, true,
			    "header feature %u (%s): offset %llu, %llu bytes reach beyond the end of the file", number,
			    name ? name : "unknown", (unsigned long long)at.offset, (unsigned long long)at.size);
		return 0;
	}
	*budget -= at.size;
	rc = read_at(reader, at.offset, at.size, err);
	if (rc < 0)
		return rc;
	return meta_take_feature(reader, number, reader->payload.data, reader->payload.len, err);
}

/* The table's sections in order of feature numbers; *n is how many the file really has. */
static int read_table(struct reader *reader, uint64_t at, uint64_t want, struct format_section *table, uint64_t *n,
		      struct ps_error *err)
{
	int rc = read_at(reader, at, want * sizeof(*table), err);

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
static bool is_table(const struct reader *reader, const struct format_section *table, uint64_t n, uint64_t want)
{
	if (n < want)
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (table[i].offset < HEADER_BYTES_OLD || !in_file(reader, table[i].offset, table[i].size))
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
			reader_warn(reader, true, "the table of header features is cut at feature %u (%s)", number,
				    name ? name : "unknown");
			return 0;
		}
		rc = read_feature(reader, number, table[i++], &budget, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/*
 * A recorder that died between writing records over its old table and telling the header so leaves whole records behind
 * data_end and a fresh table behind them. Walks there. 1 found: table and data_end are those, 0 not, -errno.
 */
static int find_fresh_table(struct reader *reader, uint64_t want, struct format_section *table, struct ps_error *err)
{
	uint64_t at = reader->data_end, n = 0;
	int rc;

	for (;;) {
		struct record rec;

		rc = read_at(reader, at, READER_RECORD_HEADER_BYTES, err);
		if (rc <= 0)
			return rc;
		record_frame(&rec, reader->payload.data, reader->swapped);
		if (rec.bytes < READER_RECORD_HEADER_BYTES)
			break;
		if (!record_type_name(rec.type) || !in_file(reader, at, rec.bytes))
			return 0;
		at += rec.bytes;
	}
	if (at == reader->data_end)
		return 0;
	rc = read_table(reader, at, want, table, &n, err);
	if (rc < 0 || !is_table(reader, table, n, want) ||
	    at + want * sizeof(*table) != source_bytes(reader->source))
		return rc < 0 ? rc : 0;
	reader_warn(reader, false, "the last checkpoint was not completed: %llu bytes of records behind the %s are taken in",
		    (unsigned long long)(at - reader->data_end), "end that the header names");
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
static int take_unfinished(struct reader *reader, const struct format_file_header *header, struct ps_error *err)
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
	reader_warn(reader, true,
		    "the header tells no size of the records (data.size 0): the recorder was killed; read to the end of the file");
	return 0;
}

static int take_data(struct reader *reader, const struct format_file_header *header, struct ps_error *err)
{
	uint64_t bytes = source_bytes(reader->source);

	reader->data_start = header->data.offset;
	if (!header->data.size)
		return take_unfinished(reader, header, err);
	if (!in_file(reader, header->data.offset, header->data.size)) {
		reader->data_end = bytes;
		reader_warn(reader, true,
			    "the records are cut: the header says %llu bytes from offset %llu, the file has %llu of them",
			    (unsigned long long)header->data.size, (unsigned long long)header->data.offset,
			    (unsigned long long)(bytes - header->data.offset));
		return 0;
	}
	reader->data_end = header->data.offset + header->data.size;
	return take_features(reader, header, err);
}

static int head_read_file(struct reader *reader, struct ps_error *err)
{
	struct format_file_header header;
	int rc = read_header(reader, &header, err);

	if (rc < 0)
		return rc;
	rc = check_sections(reader, &header, err);
	if (rc < 0)
		return rc;
	rc = read_attrs(reader, &header, err);
	if (rc < 0)
		return rc;
	rc = take_data(reader, &header, err);
	return rc < 0 ? rc : meta_settle(reader, err);
}

int head_read(struct reader *reader, struct ps_error *err)
{
	uint8_t first[FORMAT_PIPE_HEADER_BYTES];
	ssize_t got = source_read(reader->source, first, sizeof(first), err);
	int rc = got < 0 ? (int)got : check_magic(reader, first, (size_t)got, err);

	if (rc < 0)
		return rc;
	if (!reader->old_magic &&
	    bytes_u64(first + FORMAT_MAGIC_BYTES, reader->swapped) == FORMAT_PIPE_HEADER_BYTES) {
		reader->stream = true;
		reader->data_start = FORMAT_PIPE_HEADER_BYTES;
		reader->data_end = source_bytes(reader->source);
		return 0;
	}
	if (!source_seekable(reader->source)) {
		rc = ps_fail(err, "reader", ESPIPE, "this form of recording cannot be read from a pipe");
		ps_hint(err, "give the file's name, or redirect it with <");
		return rc;
	}
	return head_read_file(reader, err);
}
