/*
 * Writes a recording: header, attrs and features in front, then records, batched into independent zstd frames; complete at
 * every checkpoint. Nothing here allocates after start.
 *
 * A full batch is written like a checkpoint. A checkpoint writes the records and a new feature table over the old table,
 * then SAMPLE_TIME and COMPRESSED in place, and data.size last. When one of these fails, the old table and data.size are put
 * back, so that the file stays what it was at the checkpoint before; every later call returns the same error.
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
};

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

/* Bytes in the file so far, and of records before compression; for messages. */
uint64_t writer_file_bytes(const struct writer *writer);
uint64_t writer_plain_bytes(const struct writer *writer);

/* Frees it; a file that was never started is removed. NULL is fine. */
void writer_free(struct writer *writer);

#endif
