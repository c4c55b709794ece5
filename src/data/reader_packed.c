/* Records inside COMPRESSED ones, split over several, and finding back after damage. */
#include <errno.h>
#include <string.h>

#include "data/reader_private.h"

/*
 * Most bytes that one compressed record may yield. perf compresses at most what fits one ring buffer (512 KiB
 * unless asked otherwise) into a record; more than this is made to exhaust memory.
 */
#define PACKED_CEILING (64u << 20)
#define ZSTD_FRAME_MAGIC UINT32_C(0xFD2FB528)

static bool starts_frame(const uint8_t *bytes, size_t len)
{
	uint32_t magic = 0;

	for (size_t i = 0; i < sizeof(magic) && len >= sizeof(magic); i++)
		magic |= (uint32_t)bytes[i] << 8 * i; /* zstd is little-endian everywhere */
	return magic == ZSTD_FRAME_MAGIC;
}

/* Whatever comes next is not in step with what came before; the decompressor starts anew with the next frame.
 */
static void packed_drop(struct reader *reader)
{
	decompressor_free(reader->packed.decompressor);
	reader->packed.decompressor = NULL;
	reader->packed.plain.len = 0;
	reader->packed.at = 0;
	reader->packed.lost = true;
}

int packed_next(struct reader *reader, struct record *rec)
{
	struct reader_packed *packed = &reader->packed;
	size_t left = packed_left(packed);

	if (left < READER_RECORD_HEADER_BYTES)
		return 0;
	rec->offset = packed->offset;
	rec->compressed = true;
	record_frame(rec, packed->plain.data + packed->at, reader->swapped);
	if (rec->bytes < READER_RECORD_HEADER_BYTES) {
		reader_warn(
			reader, true,
			"in the compressed record at offset %llu: a record of size %u; %zu bytes are lost",
			(unsigned long long)packed->offset, rec->bytes, left);
		packed_drop(reader);
		return 0;
	}
	if (rec->bytes > left)
		return 0; /* the next compressed record has the rest */
	packed->at += rec->bytes;
	return 1;
}

/* The compressed bytes of a record; false after a warning. */
static bool find_payload(struct reader *reader, const struct record *rec, const uint8_t **bytes, size_t *len)
{
	const size_t v2_head = READER_RECORD_HEADER_BYTES + sizeof(uint64_t);
	uint64_t size;

	if (rec->type == FORMAT_COMPRESSED) {
		*bytes = rec->raw + READER_RECORD_HEADER_BYTES;
		*len = rec->bytes - READER_RECORD_HEADER_BYTES;
		return true;
	}
	size = rec->bytes < v2_head ? UINT64_MAX
				    : bytes_u64(rec->raw + READER_RECORD_HEADER_BYTES, rec->raw_swapped);
	if (size > rec->bytes - v2_head || rec->bytes < v2_head) {
		reader_warn(reader, true,
			    "compressed record at offset %llu: its data size %llu exceeds the record",
			    (unsigned long long)rec->offset, (unsigned long long)size);
		packed_drop(reader);
		return false;
	}
	*bytes = rec->raw + v2_head;
	*len = (size_t)size;
	return true;
}

/* After damage: true when the bytes from `from` on are whole records, but for the last, and so in step again.
 */
static bool in_step(const struct reader *reader, size_t from)
{
	const struct buffer *plain = &reader->packed.plain;
	size_t at = from;

	while (plain->len - at >= READER_RECORD_HEADER_BYTES) {
		struct record rec;

		record_frame(&rec, plain->data + at, reader->swapped);
		if (rec.bytes < READER_RECORD_HEADER_BYTES || !record_type_name(rec.type))
			return false;
		if (rec.bytes > plain->len - at)
			break;
		at += rec.bytes;
	}
	return at > from;
}

static void report_skipped(struct reader *reader)
{
	struct reader_packed *packed = &reader->packed;

	if (packed->skipped)
		reader_warn(reader, true,
			    "%llu records after the damage depend on what was lost with it and were skipped",
			    (unsigned long long)packed->skipped);
	packed->skipped = 0;
}

static bool is_zstd(struct reader *reader, const struct record *rec)
{
	const struct feature_set *features = &reader->meta.features;

	if (!features->present[FORMAT_FEATURE_COMPRESSED] ||
	    features->compressed_type == FORMAT_COMPRESS_ZSTD)
		return true;
	if (!reader->packed.refused)
		reader_warn(reader, true,
			    "compressed record at offset %llu: compression type %u is not known",
			    (unsigned long long)rec->offset, features->compressed_type);
	reader->packed.refused = true;
	return false;
}

static int feed(struct reader *reader, const struct record *rec, const uint8_t *bytes, size_t len,
		struct ps_error *err)
{
	struct reader_packed *packed = &reader->packed;
	struct ps_error damage = PS_ERROR_INIT;
	size_t before = packed->plain.len;
	ssize_t n = decompressor_feed(packed->decompressor, bytes, len, &packed->plain, &damage);

	if (n == -ENOMEM) {
		*err = damage;
		return -ENOMEM;
	}
	if (n < 0) {
		reader_warn(reader, true, "compressed record %llu at offset %llu does not decompress: %s",
			    (unsigned long long)reader->records, (unsigned long long)rec->offset,
			    damage.what);
		packed_drop(reader);
		return 0;
	}
	if (packed->lost && !in_step(reader, before)) {
		packed_drop(reader);
		return 0;
	}
	report_skipped(reader);
	packed->lost = false;
	return 0;
}

int packed_feed(struct reader *reader, const struct record *rec, struct ps_error *err)
{
	struct reader_packed *packed = &reader->packed;
	const uint8_t *bytes;
	size_t len;
	int rc;

	if (!is_zstd(reader, rec) || !find_payload(reader, rec, &bytes, &len))
		return 0;
	if (packed->lost && !starts_frame(bytes, len))
		return 0;
	if (!packed->decompressor) {
		rc = decompressor_new(&packed->decompressor, PACKED_CEILING, err);
		if (rc < 0)
			return rc;
	}
	buffer_drop(&packed->plain, packed->at);
	packed->at = 0;
	packed->offset = rec->offset;
	return feed(reader, rec, bytes, len, err);
}

void packed_finish(struct reader *reader)
{
	struct reader_packed *packed = &reader->packed;

	report_skipped(reader);
	if (packed_left(packed))
		reader_warn(reader, true,
			    "the last record in the compressed one at offset %llu is cut: %zu bytes are lost",
			    (unsigned long long)packed->offset, packed_left(packed));
	packed->plain.len = 0;
	packed->at = 0;
}

void packed_restart(struct reader *reader)
{
	packed_finish(reader);
	packed_drop(reader);
	reader->packed.lost = false;
}
