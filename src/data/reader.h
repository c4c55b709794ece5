/*
 * Reads any perf.data: seekable or stream, plain or compressed, either byte order. Every length is checked before it is
 * believed; damage ends or interrupts the records with a warning and never crashes.
 */
#ifndef DATA_READER_H
#define DATA_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "data/meta.h"
#include "data/record.h"
#include "data/source.h"

struct reader;

/*
 * Checks the header, reads attrs and features (seekable) and gets ready for the first record. A seekable recording that
 * comes through a pipe is copied to a temporary file first. Takes ownership of source,
 * also on error. 0, or -errno when nothing can be read (-EBADMSG: not a perf.data, with what is wrong).
 */
int reader_open(struct reader **reader, struct source *source, struct ps_error *err) _must_check_;

/*
 * The next record: 1 and *rec filled, 0 at the end, -errno when reading itself fails (I/O, memory). Every type that the
 * codec knows is decoded; a record that has no decoded form, or does not fit its type (a warning says so), comes with
 * raw_only. Damage is not an error: it becomes a warning, records that can still be had follow, and then the end. Records
 * come out of COMPRESSED ones, and those wrappers too (before what they hold); after damage to a compressed one nothing
 * comes until a frame starts that does not depend on it. Records that tell about the recording (EVENT_UPDATE, THREAD_MAP,
 * CPU_MAP, STAT_CONFIG, HEADER_*) have changed reader_meta() by the time they are handed out. rec and what it points at
 * stay until the next call.
 */
int reader_next(struct reader *reader, struct record *rec, struct ps_error *err) _must_check_;

/*
 * After an AUXTRACE record: the next piece of the data behind it, as it is in the file. 1 and *bytes, valid until the next
 * call (rec is not any more); 0 after the last piece, also when the input ended too early, which is then a warning; -errno.
 * What is not asked for is skipped.
 */
int reader_payload(struct reader *reader, const uint8_t **bytes, size_t *len, struct ps_error *err) _must_check_;

/*
 * What is known so far. Complete from the first STAT or SAMPLE record on: every event then has a name, made from its type and
 * config where the file has none. Borrowed.
 */
const struct meta *reader_meta(const struct reader *reader);

/*
 * Follows a recording that is still being written: from now on the end of its records is the end only when its recorder has
 * let go of it (pstat holds a lock on the file, which goes with it however it ends), or when stop_fd (borrowed; -1: none)
 * becomes readable; until then reader_next waits for more. Nothing happens to input that is not a regular file: a pipe ends by
 * itself.
 */
void reader_follow(struct reader *reader, int stop_fd);

/* Where things are in a seekable file; offsets in bytes. */
struct reader_place {
	bool known;               /* false: a stream */
	uint32_t version;         /* of the header: 1, as perf counts */
	uint64_t data_offset, data_bytes;
	uint64_t features_offset; /* of their table */
	int64_t changed_s;        /* as source_changed_s */
};
struct reader_place reader_place(const struct reader *reader);

bool reader_is_stream(const struct reader *reader);
bool reader_is_big_endian(const struct reader *reader);

/*
 * What was wrong, in words with offsets; text i < n, borrowed; at most 100, the last one then counts the rest. Complete when
 * reader_next has returned 0. damaged: something of the file (records, a feature) was lost, so the status is 1.
 */
size_t reader_warnings(const struct reader *reader);
const char *reader_warning(const struct reader *reader, size_t i);
bool reader_damaged(const struct reader *reader);

/* Records of types this version does not know, skipped and counted. */
uint64_t reader_unknown_records(const struct reader *reader);

void reader_free(struct reader *reader);

#endif
