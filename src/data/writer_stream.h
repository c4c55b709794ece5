/*
 * Private to the writer: the stream form. Records are gathered into units, a unit is written or queued when it is whole, and
 * what a slow reader leaves no room for is given up and told of by a LOST record.
 */
#ifndef DATA_WRITER_STREAM_H
#define DATA_WRITER_STREAM_H

#include "base/buffer.h"
#include "data/meta.h"
#include "data/record.h"
#include "data/stream_queue.h"
#include "data/writer.h"

struct writer_stream {
	struct nonblock to;
	struct stream_queue queue;
	struct buffer unit;     /* records of the unit that is being put */
	enum stream_kind kind;  /* of that unit, as far as is known */
	uint64_t covers;        /* readings that the LOST record at its front tells of */
	uint64_t untold;        /* readings given up and not told of in the stream yet */
	bool paused;            /* by the last marker that was put */
	struct writer_dropped dropped;
	uint64_t sent_bytes;
};

/* The descriptor is borrowed. Queues the head, and writes of it what there is room for. 0 or -errno. */
int writer_stream_start(struct writer_stream *stream, int fd, const struct io_ops *io, const struct meta *meta,
			const struct buffer *head, struct ps_error *err) _must_check_;

/* One record. 0 or -errno: of the encoding, which leaves all as it was, or of a write. *wrote is its plain size. */
int writer_stream_put(struct writer_stream *stream, const struct record *rec, size_t *wrote, struct ps_error *err)
	_must_check_;

/* Writes what there is room for. 0 or -errno. */
int writer_stream_pump(struct writer_stream *stream, struct ps_error *err) _must_check_;

/* Waits for the reader, wait_ms at most. 0, or -errno; -ETIMEDOUT when it left some, which is counted as dropped then. */
int writer_stream_finish(struct writer_stream *stream, unsigned wait_ms, struct ps_error *err) _must_check_;

void writer_stream_fini(struct writer_stream *stream);

#endif
