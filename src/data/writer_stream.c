/* The stream form of a recording: units of records, and what is said about those that had to be given up. */
#include "data/writer_stream.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "data/codec.h"

#define QUEUE_BYTES ((size_t)4 << 20)
#define QUEUE_READINGS 4      /* at least so many fit, however large they are */
#define RECORD_SLACK 1024     /* of a reading beside its counts: LOST, ends of the round, a marker */

/* Most bytes that one reading takes. */
static size_t reading_bytes(const struct meta *meta)
{
	size_t places = (meta->n_cpus ? meta->n_cpus : 1) * (meta->n_threads ? meta->n_threads : 1);
	size_t counts = 0;

	for (size_t i = 0; i < meta->n_events; i++)
		counts += meta->events[i].n_ids > places ? meta->events[i].n_ids : places;
	return counts * (sizeof(struct perf_event_header) + sizeof(struct format_stat)) + RECORD_SLACK;
}

int writer_stream_start(struct writer_stream *stream, int fd, const struct io_ops *io, const struct meta *meta,
			const struct buffer *head, struct ps_error *err)
{
	size_t reading = reading_bytes(meta), cap = QUEUE_READINGS * reading;
	const struct stream_unit unit = { .bytes = (uint32_t)head->len, .kind = STREAM_HEAD };
	int rc;

	if (cap < QUEUE_BYTES)
		cap = QUEUE_BYTES;
	if (head->len > UINT32_MAX || reading > UINT32_MAX)
		return ps_fail(err, "stream", EFBIG, "a head of %zu bytes, readings of %zu", head->len, reading);
	rc = buffer_reserve(&stream->unit, reading, err);
	if (rc == 0)
		rc = stream_queue_init(&stream->queue, cap + head->len, err);
	if (rc < 0)
		return rc;
	nonblock_init(&stream->to, fd, io);
	if (!stream_queue_push(&stream->queue, head->data, unit))
		return ps_fail(err, "stream", EFBIG, "a head of %zu bytes", head->len);
	return writer_stream_pump(stream, err);
}

int writer_stream_pump(struct writer_stream *stream, struct ps_error *err)
{
	int rc = stream_queue_pump(&stream->queue, &stream->to, &stream->sent_bytes, err);

	if (rc == -EPIPE)
		ps_hint(err, "whatever read the stream ended before the recording did");
	return rc;
}

/* The unit that was put is not queued. */
static void give_up(struct writer_stream *stream)
{
	bool is_reading = stream->kind == STREAM_READING || stream->kind == STREAM_LAST_READING;

	stream->dropped.markers += stream->kind == STREAM_MARKER;
	stream->dropped.readings += is_reading;
	stream->untold += stream->covers + is_reading;
}

/* The unit is whole: into the queue, and on its way. */
static int end_unit(struct writer_stream *stream, struct ps_error *err)
{
	struct stream_queue *queue = &stream->queue;
	const struct stream_unit unit = {
		.bytes = (uint32_t)stream->unit.len, .kind = stream->kind, .covers = stream->covers,
	};

	if (!stream_queue_push(queue, stream->unit.data, unit))
		give_up(stream);
	stream->dropped.readings += queue->given_up;
	stream->untold += queue->untold;
	queue->given_up = queue->untold = 0;
	stream->unit.len = 0;
	stream->covers = 0;
	stream->kind = STREAM_READING;
	return writer_stream_pump(stream, err);
}

/* What is missing is told in front of what follows. */
static int begin_unit(struct writer_stream *stream, struct ps_error *err)
{
	const struct record lost = {
		.type = PERF_RECORD_LOST,
		.lost = { .id = FORMAT_MARKER_ID_PAUSE, .lost = stream->untold },
	};
	int rc;

	if (stream->unit.len || !stream->untold)
		return 0;
	rc = codec_encode(&lost, &stream->unit, err);
	if (rc < 0)
		return rc;
	stream->covers = stream->untold;
	stream->untold = 0;
	return 0;
}

static bool is_marker(const struct record *rec)
{
	return rec->type == PERF_RECORD_SAMPLE &&
	       (rec->sample.id == FORMAT_MARKER_ID_PAUSE || rec->sample.id == FORMAT_MARKER_ID_RESUME ||
		rec->sample.id == FORMAT_MARKER_ID_MARK);
}

/* Whether the unit ends with this record, and what it is then. */
static bool ends_unit(struct writer_stream *stream, const struct record *rec)
{
	if (is_marker(rec)) {
		stream->kind = STREAM_MARKER;
		if (rec->sample.id != FORMAT_MARKER_ID_MARK)
			stream->paused = rec->sample.id == FORMAT_MARKER_ID_PAUSE;
		return true;
	}
	if (rec->type == FORMAT_STAT_ROUND && (stream->paused || rec->round.type == FORMAT_ROUND_FINAL))
		stream->kind = STREAM_LAST_READING;
	return rec->type == FORMAT_FINISHED_ROUND;
}

int writer_stream_put(struct writer_stream *stream, const struct record *rec, size_t *wrote, struct ps_error *err)
{
	size_t before = stream->unit.len;
	int rc = begin_unit(stream, err);

	if (rc == 0)
		rc = codec_encode(rec, &stream->unit, err);
	if (rc < 0) {
		stream->unit.len = before;
		if (before == 0) {
			stream->untold += stream->covers;
			stream->covers = 0;
		}
		return rc;
	}
	*wrote = (size_t)rc;
	return ends_unit(stream, rec) ? end_unit(stream, err) : 0;
}

/* What nothing follows any more is told of at the very end. */
static int tell_rest(struct writer_stream *stream, struct ps_error *err)
{
	int rc = begin_unit(stream, err);

	if (rc < 0 || !stream->unit.len)
		return rc;
	stream->kind = STREAM_HEAD; /* neither a reading nor a marker, and worth as much as one */
	return end_unit(stream, err);
}

/* Until nothing waits, the time is over (0 all the same) or writing fails. */
static int drain(struct writer_stream *stream, unsigned wait_ms, struct ps_error *err)
{
	struct pollfd pfd = { .fd = stream->to.fd, .events = POLLOUT };
	uint64_t until = clock_mono_ns(&clock_system) + wait_ms * NS_PER_MS;
	int rc = writer_stream_pump(stream, err);

	while (rc == 0 && stream_queue_waits(&stream->queue)) {
		uint64_t now = clock_mono_ns(&clock_system);

		if (now >= until)
			return 0;
		if (poll(&pfd, 1, (int)((until - now) / NS_PER_MS) + 1) < 0 && errno != EINTR)
			return ps_fail(err, "stream", errno, "waiting for the reader");
		rc = writer_stream_pump(stream, err);
	}
	return rc;
}

int writer_stream_finish(struct writer_stream *stream, unsigned wait_ms, struct ps_error *err)
{
	const struct stream_queue *queue = &stream->queue;
	size_t readings, markers;
	int rc = tell_rest(stream, err);

	if (rc == 0)
		rc = drain(stream, wait_ms, err);
	if (rc < 0 || !stream_queue_waits(queue))
		return rc;
	readings = stream_queue_count(queue, STREAM_READING) + stream_queue_count(queue, STREAM_LAST_READING);
	markers = stream_queue_count(queue, STREAM_MARKER);
	stream->dropped.readings += readings;
	stream->dropped.markers += markers;
	rc = ps_fail(err, "stream", ETIMEDOUT, "its reader has not taken the last %zu readings and %zu markers in time",
		     readings, markers);
	ps_hint(err, "a recording into a file (-o FILE) does not depend on a reader; pstat-report --follow FILE watches it");
	return rc;
}

void writer_stream_fini(struct writer_stream *stream)
{
	stream_queue_fini(&stream->queue);
	buffer_fini(&stream->unit);
}
