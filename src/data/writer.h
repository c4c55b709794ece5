/*
 * Writes a recording: header, attrs and features in front, then records, batched into independent zstd frames; complete at
 * every checkpoint. Nothing here allocates after start.
 *
 * A full batch is written like a checkpoint. A checkpoint writes the records and a new feature table over the old table,
 * then SAMPLE_TIME and COMPRESSED in place, and data.size last. When one of these fails, the old table and data.size are put
 * back, so that the file stays what it was at the checkpoint before; every later call returns the same error.
 *
 * A stream is never waited for: every marker and reading is written as soon as it is whole, and what its reader leaves no
 * room for waits in a queue of 4 MiB (more where four readings need more). When that is full readings are dropped, whole
 * ones and not those that close a window; markers only when nothing else is left to drop. The next reading covers what was
 * dropped, for counts are cumulative, and is preceded by a LOST record with the id FORMAT_MARKER_ID_PAUSE and the number of
 * readings dropped.
 */
#ifndef DATA_WRITER_H
#define DATA_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io.h"
#include "base/outfile.h"
#include "data/consumer.h"

struct writer;

struct writer_options {
	int zstd_level;           /* 1-22; 0 = plain records. A stream is never compressed: stock perf cannot read that */
	bool keep_old;            /* an existing FILE becomes FILE.old */
	const struct io_ops *io;  /* &io_system outside of tests */
	unsigned finish_wait_ms;  /* how long finish waits for a stream's reader; 0: WRITER_FINISH_WAIT_MS */
	void (*on_drop)(void *data); /* the first time that something of a stream is dropped; NULL: not wanted */
	void *data;
};

/* What a stream's reader was too slow for. */
struct writer_dropped {
	uint64_t readings, markers;
};

#define WRITER_FINISH_WAIT_MS 5000

/*
 * Opens the output (see outfile_open for what path may be); the seekable form for a regular file, the stream form for
 * everything else. Nothing is written and nothing of that name is touched before writer_start. 0 or -errno.
 */
int writer_open(struct writer **writer, const char *path, const struct writer_options *options,
		struct ps_error *err) _must_check_;

/*
 * The consumer that feeds it: start writes the head and publishes the file, finish closes it. Valid as long as writer.
 * meta gives the events in file order, marker events with FORMAT_MARKER_ID_ ids included; STAT, EVENT_DESC, SAMPLE_TIME and
 * CLOCK_DATA (of t0) are written by themselves, other features where they are present. A record that put refuses (-EMSGSIZE,
 * -ENOSYS) leaves the recording as it was.
 */
struct consumer writer_consumer(struct writer *writer);

/* Complete when finish has returned (-ETIMEDOUT when the end of a stream was dropped too). */
struct writer_dropped writer_dropped(const struct writer *writer);

/* Bytes in the file so far, and of records before compression; for messages. */
uint64_t writer_file_bytes(const struct writer *writer);
uint64_t writer_plain_bytes(const struct writer *writer);

/* Frees it; a file that was never started is removed. NULL is fine. */
void writer_free(struct writer *writer);

#endif
