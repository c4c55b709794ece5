/* Reads any perf.data: the iterator over plain records, and what the caller is told. */
#include "data/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "data/event_name.h"
#include "data/reader_private.h"

void reader_warn(struct reader *reader, bool damage, const char *fmt, ...)
{
	va_list args;
	char *text = NULL;
	void *grown;

	reader->damaged |= damage;
	if (reader->n_warnings == READER_WARNINGS_MAX) {
		reader->more_warnings++;
		return;
	}
	grown = reallocarray(reader->warnings, reader->n_warnings + 1, sizeof(*reader->warnings));
	if (grown)
		reader->warnings = grown;
	va_start(args, fmt);
	if (!grown || vasprintf(&text, fmt, args) < 0)
		reader->more_warnings++; /* no memory for the text: at least it counts */
	else
		reader->warnings[reader->n_warnings++] = text;
	va_end(args);
}

static void no_more_warnings(struct reader *reader)
{
	char *text;

	if (!reader->more_warnings || !reader->n_warnings)
		return;
	if (asprintf(&text, "%llu more warnings are left out",
		     (unsigned long long)reader->more_warnings + 1) < 0)
		return;
	free(reader->warnings[reader->n_warnings - 1]);
	reader->warnings[reader->n_warnings - 1] = text;
	reader->more_warnings = 0;
}

int reader_open(struct reader **reader, struct source *source, struct ps_error *err)
{
	struct reader *made = calloc(1, sizeof(*made));
	int rc;

	if (!made) {
		source_free(source);
		return ps_fail(err, "reader", ENOMEM, "opening the recording");
	}
	made->source = source;
	made->scratch.ceiling = READER_PAYLOAD_MAX;
	made->payload.ceiling = READER_PAYLOAD_MAX;
	made->name_budget = EVENT_NAME_BUDGET;
	meta_init(&made->meta);
	rc = head_read(made, err);
	if (rc >= 0)
		rc = block_init(made, err);
	if (rc < 0) {
		reader_free(made);
		return rc;
	}
	*reader = made;
	return 0;
}

/* No record can follow for certain: whatever does is not at a known place. */
static int stop(struct reader *reader)
{
	reader->stopped = true;
	return 0;
}

static int input_ended(struct reader *reader)
{
	size_t left = block_left(&reader->block);

	if (left)
		reader_warn(reader, true,
			    "%zu bytes at offset %llu are too few for a record: the file is cut there", left,
			    (unsigned long long)block_offset(&reader->block));
	return stop(reader);
}

static int record_bad(struct reader *reader, const struct record *rec, const char *why)
{
	reader_warn(reader, true, "record %llu at offset %llu (type %u, size %u) %s: reading stops there",
		    (unsigned long long)reader->records, (unsigned long long)rec->offset, rec->type,
		    rec->bytes, why);
	return stop(reader);
}

/* The next record of the file itself: 1, 0 at the end, -errno. */
static int plain_next(struct reader *reader, struct record *rec, struct ps_error *err)
{
	struct reader_block *block = &reader->block;
	int rc = block_need(reader, READER_RECORD_HEADER_BYTES, err);

	if (rc <= 0)
		return rc < 0 ? rc : input_ended(reader);
	rec->offset = block_offset(block);
	rec->compressed = false;
	record_frame(rec, block->bytes + block->at, reader->swapped);
	if (rec->bytes < READER_RECORD_HEADER_BYTES)
		return record_bad(reader, rec, "is smaller than a record's header");
	rc = block_need(reader, rec->bytes, err);
	if (rc <= 0)
		return rc < 0 ? rc : record_bad(reader, rec, "runs past the end");
	rec->raw = block->bytes + block->at; /* the block may have moved */
	block->at += rec->bytes;
	return 1;
}

static bool tells_about_recording(uint32_t type)
{
	switch (type) {
	case FORMAT_HEADER_ATTR:
	case FORMAT_HEADER_EVENT_TYPE:
	case FORMAT_HEADER_TRACING_DATA:
	case FORMAT_HEADER_BUILD_ID:
	case FORMAT_HEADER_FEATURE:
	case FORMAT_EVENT_UPDATE:
	case FORMAT_THREAD_MAP:
	case FORMAT_CPU_MAP:
	case FORMAT_STAT_CONFIG:
	case FORMAT_ID_INDEX:
	case FORMAT_TIME_CONV:
	case FORMAT_COMPRESSED:
	case FORMAT_COMPRESSED2:
		return true;
	default:
		return false;
	}
}

static int finish(struct reader *reader, struct ps_error *err)
{
	reader->stopped = true;
	packed_finish(reader);
	no_more_warnings(reader);
	return meta_settle(reader, err);
}

/* The input ended within AUX data, which takes everything behind it along. */
static int pending_cut(struct reader *reader)
{
	reader_warn(reader, true, "record at offset %llu: %llu bytes of its payload are behind the end",
		    (unsigned long long)reader->pending_record, (unsigned long long)reader->pending);
	reader->pending = 0;
	return stop(reader);
}

int reader_payload(struct reader *reader, const uint8_t **bytes, size_t *len, struct ps_error *err)
{
	struct reader_block *block = &reader->block;
	int rc;

	if (!reader->pending)
		return 0;
	rc = block_need(reader, 1, err);
	if (rc <= 0)
		return rc < 0 ? rc : pending_cut(reader);
	*bytes = block->bytes + block->at;
	*len = block_left(block) < reader->pending ? block_left(block) : (size_t)reader->pending;
	block->at += *len;
	reader->pending -= *len;
	return 1;
}

static int skip_pending(struct reader *reader, struct ps_error *err)
{
	int rc = block_skip(reader, reader->pending, err);

	if (rc == 0)
		return pending_cut(reader);
	reader->pending = 0;
	return rc < 0 ? rc : 0;
}

/* The next file of a folder: records that go on where nothing of the file before it reaches. 1, 0 at the end, -errno. */
static int open_part(struct reader *reader, struct ps_error *err)
{
	struct ps_error missing = PS_ERROR_INIT;
	int rc = source_next_part(reader->source, &missing);

	if (rc == 0 || rc == -ENOMEM) {
		if (rc < 0)
			*err = missing;
		return rc;
	}
	packed_restart(reader);
	if (rc < 0) {
		reader_warn(reader, true, "a file of the folder cannot be read: %s: %s", missing.what, strerror(-rc));
		return open_part(reader, err);
	}
	reader->stopped = false;
	reader->data_start = 0;
	reader->data_end = source_bytes(reader->source);
	block_restart(reader);
	return 1;
}

/* The next record, plain or out of a compressed one: 1, 0 at the end, -errno. */
static int next_of_any(struct reader *reader, struct record *rec, struct ps_error *err)
{
	int rc = packed_left(&reader->packed) ? packed_next(reader, rec) : 0;

	while (rc == 0) {
		int more;

		rc = reader->stopped ? 0 : plain_next(reader, rec, err);
		if (rc)
			break;
		more = open_part(reader, err);
		if (more <= 0)
			return more;
	}
	return rc;
}

/* One record, whether it is handed out or not: 1, 0 at the end, -errno. */
static int take_next(struct reader *reader, struct record *rec, struct ps_error *err)
{
	int rc = reader->pending ? skip_pending(reader, err) : 0;

	if (rc < 0)
		return rc;
	rc = next_of_any(reader, rec, err);
	if (rc <= 0)
		return rc < 0 ? rc : finish(reader, err);
	if (reader->n_settled < reader->meta.n_events && !tells_about_recording(rec->type)) {
		rc = meta_settle(reader, err);
		if (rc < 0)
			return rc;
	}
	rc = meta_digest(reader, rec, err);
	if (rc < 0)
		return rc;
	reader->records++;
	return 1;
}

/*
 * After damage to compressed records nothing is handed out until a frame starts that does not depend on what
 * was lost: the plain records between them (ends of rounds, for the most part) would claim an order that the
 * rest no longer has.
 */
int reader_next(struct reader *reader, struct record *rec, struct ps_error *err)
{
	for (;;) {
		bool was_lost = reader->packed.lost;
		int rc = take_next(reader, rec, err);

		if (rc <= 0 || !was_lost || !reader->packed.lost)
			return rc;
		reader->packed.skipped++;
	}
}

const struct meta *reader_meta(const struct reader *reader)
{
	return &reader->meta;
}

struct reader_place reader_place(const struct reader *reader)
{
	return (struct reader_place){
		.known = !reader->stream && reader->data_end != UINT64_MAX,
		.version = 1,
		.data_offset = reader->data_start,
		.data_bytes = reader->data_end - reader->data_start,
		.features_offset = reader->data_end,
		.changed_s = source_changed_s(reader->source),
	};
}

bool reader_is_stream(const struct reader *reader)
{
	return reader->stream;
}

bool reader_is_big_endian(const struct reader *reader)
{
	return reader->big_endian;
}

size_t reader_warnings(const struct reader *reader)
{
	return reader->n_warnings;
}

const char *reader_warning(const struct reader *reader, size_t i)
{
	return reader->warnings[i];
}

bool reader_damaged(const struct reader *reader)
{
	return reader->damaged;
}

uint64_t reader_unknown_records(const struct reader *reader)
{
	return reader->unknown;
}

void reader_free(struct reader *reader)
{
	if (!reader)
		return;
	follow_fini(reader);
	source_free(reader->source);
	meta_fini(&reader->meta);
	free(reader->block.bytes);
	decompressor_free(reader->packed.decompressor);
	buffer_fini(&reader->packed.plain);
	buffer_fini(&reader->scratch);
	buffer_fini(&reader->payload);
	for (size_t i = 0; i < reader->n_warnings; i++)
		free(reader->warnings[i]);
	free(reader->warnings);
	free(reader);
}
