/*
 * What a stream's reader has not taken yet: whole units (a reading, a marker) in a bounded queue in front of a descriptor
 * that is never waited for. When the queue is full, readings are given up, whole ones, before markers are.
 */
#ifndef DATA_STREAM_QUEUE_H
#define DATA_STREAM_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nonblock.h"

enum stream_kind {
	STREAM_READING,      /* the next one covers it, as counts are cumulative */
	STREAM_LAST_READING, /* closes a window: kept as long as other readings can go */
	STREAM_MARKER,       /* the same */
	STREAM_HEAD,
	STREAM_KINDS,
};

struct stream_unit {
	uint32_t bytes;
	enum stream_kind kind;
	uint64_t covers; /* readings whose loss the unit tells of: they are lost with it, for the reader */
};

struct stream_queue {
	unsigned char *bytes; /* owned; [head, tail) waits, at most cap bytes of twice as many: sliding is rare then */
	size_t cap, head, tail;
	struct stream_unit *units; /* owned; [first, last) waits, in the order of bytes; twice units_cap */
	size_t units_cap, first, last;
	size_t sent; /* of the first unit */
	uint64_t given_up; /* readings that went for the sake of others; the caller takes and clears both */
	uint64_t untold;   /* these, and what they covered */
};

/* Room for cap bytes. 0 or -ENOMEM. Nothing is allocated later. */
int stream_queue_init(struct stream_queue *queue, size_t cap, struct ps_error *err) _must_check_;
void stream_queue_fini(struct stream_queue *queue);

/* A copy of a unit's bytes at the end; anything but a reading may push readings out. False: there is no room for it. */
bool stream_queue_push(struct stream_queue *queue, const void *bytes, struct stream_unit unit) _must_check_;

/*
 * Writes what there is room for. The bytes written are added to *sent. 0, also when some still waits (stream_queue_waits); -errno
 * when writing failed.
 */
int stream_queue_pump(struct stream_queue *queue, const struct nonblock *to, uint64_t *sent, struct ps_error *err)
	_must_check_;

static inline size_t stream_queue_waits(const struct stream_queue *queue)
{
	return queue->tail - queue->head;
}

/* Units of a kind that wait, also one that is written in part. */
size_t stream_queue_count(const struct stream_queue *queue, enum stream_kind kind);

#endif
