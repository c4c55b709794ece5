/* A bounded queue of whole units in front of a descriptor that may have no room. */
#include "data/stream_queue.h"

#include <errno.h>
#include <string.h>

#define UNIT_BYTES_MIN 128 /* of a marker or reading, or there would be more units than the queue knows of */
#define ROOM_SHARE 8       /* this part of the queue is cleared when something has to go: clearing costs a pass */

int stream_queue_init(struct stream_queue *queue, size_t cap, struct ps_error *err)
{
	memset(queue, 0, sizeof(*queue));
	queue->cap = cap;
	queue->units_cap = cap / UNIT_BYTES_MIN + 1;
	queue->bytes = reallocarray(NULL, cap, 2);
	queue->units = reallocarray(NULL, queue->units_cap, 2 * sizeof(*queue->units));
	if (queue->bytes && queue->units)
		return 0;
	stream_queue_fini(queue);
	return ps_fail(err, "stream", ENOMEM, "making a queue of %zu bytes", cap);
}

void stream_queue_fini(struct stream_queue *queue)
{
	free(queue->bytes);
	free(queue->units);
	memset(queue, 0, sizeof(*queue));
}

static bool has_room(const struct stream_queue *queue, size_t bytes)
{
	return queue->cap - stream_queue_waits(queue) >= bytes && queue->last - queue->first < queue->units_cap;
}

/* Everything to the front, so that all room is behind the tail. */
static void slide(struct stream_queue *queue)
{
	size_t n = queue->last - queue->first;

	memmove(queue->bytes, queue->bytes + queue->head, stream_queue_waits(queue));
	queue->tail -= queue->head;
	queue->head = 0;
	memmove(queue->units, queue->units + queue->first, n * sizeof(*queue->units));
	queue->first = 0;
	queue->last = n;
}

/*
 * Gives up readings, the oldest first, until `wanted` bytes are free. A unit that is written in part stays, or the reader
 * would get half of it.
 */
static void give_up(struct stream_queue *queue, size_t wanted)
{
	size_t from = 0, to = 0, kept = 0, spared = queue->sent ? 1 : 0, n;

	slide(queue);
	n = queue->last;
	for (size_t i = 0; i < n; i++) {
		struct stream_unit unit = queue->units[i];
		size_t bytes = unit.bytes - (i == 0 ? queue->sent : 0);
		bool enough = queue->cap - (queue->tail - (from - to)) >= wanted;

		if (i >= spared && unit.kind == STREAM_READING && !enough) {
			queue->given_up++;
			queue->untold += 1 + unit.covers;
			from += bytes;
			continue;
		}
		if (from != to)
			memmove(queue->bytes + to, queue->bytes + from, bytes);
		queue->units[kept++] = unit;
		from += bytes;
		to += bytes;
	}
	queue->tail = to;
	queue->last = kept;
}

bool stream_queue_push(struct stream_queue *queue, const void *bytes, struct stream_unit unit)
{
	if (!has_room(queue, unit.bytes) && unit.kind != STREAM_READING)
		give_up(queue, unit.bytes + queue->cap / ROOM_SHARE);
	if (!has_room(queue, unit.bytes))
		return false;
	if (2 * queue->cap - queue->tail < unit.bytes || queue->last == 2 * queue->units_cap)
		slide(queue);
	memcpy(queue->bytes + queue->tail, bytes, unit.bytes);
	queue->tail += unit.bytes;
	queue->units[queue->last++] = unit;
	return true;
}

/* n bytes from the head are written. */
static void advance(struct stream_queue *queue, size_t n)
{
	queue->head += n;
	queue->sent += n;
	while (queue->first < queue->last && queue->sent >= queue->units[queue->first].bytes)
		queue->sent -= queue->units[queue->first++].bytes;
	if (queue->head == queue->tail)
		queue->head = queue->tail = queue->first = queue->last = 0;
}

int stream_queue_pump(struct stream_queue *queue, const struct nonblock *to, uint64_t *sent, struct ps_error *err)
{
	while (stream_queue_waits(queue)) {
		ssize_t n = nonblock_write(to, queue->bytes + queue->head, stream_queue_waits(queue));

		if (n == -EAGAIN || n == -EWOULDBLOCK)
			return 0;
		if (n < 0)
			return ps_fail(err, "stream", (int)-n, "writing %zu bytes", stream_queue_waits(queue));
		advance(queue, (size_t)n);
		*sent += (uint64_t)n;
	}
	return 0;
}

size_t stream_queue_count(const struct stream_queue *queue, enum stream_kind kind)
{
	size_t n = 0;

	for (size_t i = queue->first; i < queue->last; i++)
		n += queue->units[i].kind == kind;
	return n;
}
