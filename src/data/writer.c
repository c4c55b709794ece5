/* Writes a recording: batches records, and keeps the file complete at every checkpoint. */
#include "data/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "data/codec.h"
#include "data/compress.h"
#include "data/writer_head.h"
#include "data/writer_stream.h"

struct writer {
	struct outfile out;
	const struct io_ops *io;
	bool keep_old;
	bool is_stream;
	struct compressor *compressor; /* NULL: plain records */
	int failed;                    /* -errno of a write; nothing is written any more */

	struct writer_layout layout;
	struct writer_live live, live_written;
	uint64_t data_bytes; /* data.size as it is in the file */
	uint64_t file_bytes;

	struct buffer batch; /* whole plain records that are not in the file yet */
	unsigned batch_ticks; /* since the last of it went there */
	struct buffer chunk; /* the batch as a COMPRESSED record */
	struct buffer small; /* payloads that change */
	uint64_t plain_bytes, framed_bytes, frame_bytes;

	struct writer_stream stream; /* instead of most of the above */
	unsigned finish_wait_ms;
	void (*on_drop)(void *data); /* NULL once it was called */
	void *data;
};

/*
 * Held for as long as more may come, so that who follows the file knows. It goes with the descriptor, however this process
 * ends. Where files cannot be locked it is done without.
 */
static void hold(const struct writer *writer, bool on)
{
	struct flock lock = { .l_type = on ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET };

	(void)fcntl(writer->out.fd, F_OFD_SETLK, &lock);
}

int writer_open(struct writer **writer, const char *path, const struct writer_options *options,
		struct ps_error *err)
{
	struct writer *made = calloc(1, sizeof(*made));
	int rc;

	*writer = NULL;
	if (!made)
		return ps_fail(err, "writer", ENOMEM, "making a writer");
	made->io = options->io;
	made->keep_old = options->keep_old;
	made->finish_wait_ms = options->finish_wait_ms ? options->finish_wait_ms : WRITER_FINISH_WAIT_MS;
	made->on_drop = options->on_drop;
	made->data = options->data;
	rc = outfile_open(&made->out, path, err);
	made->is_stream = !made->out.seekable;
	if (rc >= 0)
		hold(made, true);
	if (rc >= 0 && !made->is_stream && options->zstd_level) {
		rc = compressor_new(&made->compressor, options->zstd_level, err);
		made->live.compressed = true;
		made->live.level = (uint32_t)options->zstd_level;
	}
	if (rc < 0) {
		writer_free(made);
		return rc;
	}
	*writer = made;
	return 0;
}

/* All memory that put and checkpoint need. */
static int take_memory(struct writer *writer, struct ps_error *err)
{
	int rc = buffer_reserve(&writer->batch, FORMAT_FRAME_PLAIN_BYTES + UINT16_MAX, err);

	if (rc >= 0)
		rc = buffer_reserve(&writer->chunk, 2 * (size_t)FORMAT_FRAME_PLAIN_BYTES, err);
	return rc < 0 ? rc : buffer_reserve(&writer->small, 2 * sizeof(struct format_section), err);
}

static size_t table_bytes(const struct writer *writer)
{
	return writer->layout.n_table * sizeof(writer->layout.table[0]);
}

static uint64_t data_end(const struct writer *writer)
{
	return writer->layout.data_at + writer->data_bytes;
}

/* Bytes and the feature table behind them, at an offset. */
static int write_with_table(struct writer *writer, void *bytes, size_t len, uint64_t at, struct ps_error *err)
{
	struct iovec iov[] = { { bytes, len }, { writer->layout.table, table_bytes(writer) } };

	return io_pwritev_full(writer->io, writer->out.fd, iov, ARRAY_SIZE(iov), (off_t)at, err);
}

static int write_data_size(struct writer *writer, uint64_t data_bytes, struct ps_error *err)
{
	struct iovec iov = { &data_bytes, sizeof(data_bytes) };

	return io_pwritev_full(writer->io, writer->out.fd, &iov, 1, FORMAT_DATA_SIZE_AT, err);
}

static int write_live(struct writer *writer, const struct writer_live *live, struct ps_error *err)
{
	struct iovec iov;
	int rc;

	writer->small.len = 0;
	rc = writer_head_live(live, &writer->small, err);
	if (rc < 0)
		return rc;
	iov = (struct iovec){ writer->small.data, writer->small.len };
	return io_pwritev_full(writer->io, writer->out.fd, &iov, 1, (off_t)writer->layout.live_at, err);
}

static bool live_changed(const struct writer_live *a, const struct writer_live *b)
{
	return a->ratio != b->ratio || a->first_ns != b->first_ns || a->last_ns != b->last_ns;
}

/*
 * Makes the file again what it was at the last checkpoint. The places were written before, so a full disk is no obstacle;
 * where even that fails, records up to data.size are still there and readers do without the table.
 */
static void restore(struct writer *writer)
{
	uint64_t end = data_end(writer);

	(void)write_with_table(writer, NULL, 0, end, NULL);
	(void)write_live(writer, &writer->live_written, NULL);
	(void)write_data_size(writer, writer->data_bytes, NULL);
	(void)ftruncate(writer->out.fd, (off_t)(end + table_bytes(writer)));
}

/* Appends len bytes of records to the file; they count only from the moment data.size covers them. */
static int append(struct writer *writer, void *bytes, size_t len, struct ps_error *err)
{
	int rc = write_with_table(writer, bytes, len, data_end(writer), err);

	if (rc >= 0 && live_changed(&writer->live, &writer->live_written))
		rc = write_live(writer, &writer->live, err);
	if (rc >= 0)
		rc = write_data_size(writer, writer->data_bytes + len, err);
	if (rc < 0) {
		restore(writer);
		ps_hint(err, "the recording is whole up to its last checkpoint");
		return rc;
	}
	writer->live_written = writer->live;
	writer->data_bytes += len;
	writer->file_bytes = data_end(writer) + table_bytes(writer);
	return 0;
}

/* The first len bytes of the batch as one COMPRESSED record in chunk. */
static int compress_batch(struct writer *writer, size_t len, struct ps_error *err)
{
	struct perf_event_header header = { .type = FORMAT_COMPRESSED };
	int rc;

	writer->chunk.len = 0;
	rc = buffer_append_zero(&writer->chunk, sizeof(header), err);
	if (rc >= 0)
		rc = compressor_frame(writer->compressor, writer->batch.data, len, &writer->chunk, err);
	if (rc < 0)
		return rc;
	header.size = (uint16_t)writer->chunk.len;
	memcpy(writer->chunk.data, &header, sizeof(header));
	writer->framed_bytes += len;
	writer->frame_bytes += writer->chunk.len;
	writer->live.ratio =
		(uint32_t)((writer->framed_bytes + writer->frame_bytes / 2) / writer->frame_bytes);
	return 0;
}

/* Brings the first len bytes of the batch, which are whole records, into the file. */
static int flush(struct writer *writer, size_t len, struct ps_error *err)
{
	int rc;

	if (!len)
		return 0;
	if (!writer->compressor || len > FORMAT_FRAME_PLAIN_BYTES) {
		rc = append(writer, writer->batch.data, len, err);
	} else {
		rc = compress_batch(writer, len, err);
		if (rc >= 0)
			rc = append(writer, writer->chunk.data, writer->chunk.len, err);
	}
	writer->batch_ticks = 0;
	if (rc >= 0)
		buffer_drop(&writer->batch, len);
	else
		writer->failed = rc;
	return rc;
}

static int refuse(const struct writer *writer, struct ps_error *err)
{
	return ps_fail(err, "writer", -writer->failed, "an earlier write failed, nothing more is written");
}

static void note_time(struct writer *writer, uint64_t time_ns)
{
	struct writer_live *live = &writer->live;

	if (!live->first_ns || time_ns < live->first_ns)
		live->first_ns = time_ns;
	if (time_ns > live->last_ns)
		live->last_ns = time_ns;
}

static int put_in_file(struct writer *writer, const struct record *rec, struct ps_error *err)
{
	size_t before = writer->batch.len;
	int rc;

	rc = codec_encode(rec, &writer->batch, err);
	if (rc < 0)
		return rc;
	if (rec->type == PERF_RECORD_SAMPLE)
		note_time(writer, rec->sample.time_ns);
	writer->plain_bytes += (uint64_t)rc;
	if (writer->batch.len <= FORMAT_FRAME_PLAIN_BYTES)
		return 0;
	rc = flush(writer, before, err);
	if (rc >= 0 && writer->batch.len > FORMAT_FRAME_PLAIN_BYTES)
		rc = flush(writer, writer->batch.len, err); /* one record larger than a frame may be */
	return rc;
}

/* What a step of the stream returned, with the first drop told. */
static int stream_did(struct writer *writer, int rc)
{
	const struct writer_dropped *dropped = &writer->stream.dropped;
	void (*on_drop)(void *) = writer->on_drop;

	if (on_drop && (dropped->readings || dropped->markers)) {
		writer->on_drop = NULL;
		on_drop(writer->data);
	}
	return rc;
}

/* A record that cannot be encoded is refused like in a file; everything else that fails ends the stream. */
static int put_in_stream(struct writer *writer, const struct record *rec, struct ps_error *err)
{
	size_t wrote = 0;
	int rc = stream_did(writer, writer_stream_put(&writer->stream, rec, &wrote, err));

	writer->plain_bytes += wrote;
	if (rc < 0 && wrote)
		writer->failed = rc;
	return rc;
}

static int writer_put(void *ctx, const struct record *rec, struct ps_error *err)
{
	struct writer *writer = ctx;

	if (writer->failed)
		return refuse(writer, err);
	return writer->is_stream ? put_in_stream(writer, rec, err) : put_in_file(writer, rec, err);
}

static int writer_ready(void *ctx, struct ps_error *err)
{
	struct writer *writer = ctx;

	if (writer->failed)
		return refuse(writer, err);
	writer->failed = writer_stream_pump(&writer->stream, err);
	return writer->failed;
}

static int writer_waits(void *ctx)
{
	const struct writer *writer = ctx;
	bool waits = writer->is_stream && !writer->failed && stream_queue_waits(&writer->stream.queue);

	return waits ? writer->out.fd : -1;
}

static int writer_checkpoint(void *ctx, struct ps_error *err)
{
	struct writer *writer = ctx;

	if (writer->is_stream)
		return writer_ready(ctx, err);
	return writer->failed ? refuse(writer, err) : flush(writer, writer->batch.len, err);
}

/* A frame that fills up in time is not cut short, for each frame begins with a reading that compresses badly. */
static int writer_tick(void *ctx, struct ps_error *err)
{
	struct writer *writer = ctx;
	bool due = writer->is_stream || ++writer->batch_ticks >= CONSUMER_AGE_TICKS;

	return due ? writer_checkpoint(ctx, err) : 0;
}

static int start_file(struct writer *writer, const struct meta *meta, struct buffer *head,
		      struct ps_error *err)
{
	int rc = take_memory(writer, err);

	if (rc >= 0)
		rc = writer_head_file(meta, &writer->live, head, &writer->layout, err);
	if (rc < 0)
		return rc;
	writer->live_written = writer->live;
	writer->data_bytes = writer->layout.data_bytes;
	rc = write_with_table(writer, head->data, head->len, 0, err);
	if (rc < 0)
		return rc;
	writer->file_bytes = data_end(writer) + table_bytes(writer);
	return outfile_publish(&writer->out, writer->keep_old, err);
}

static int start_stream(struct writer *writer, const struct meta *meta, struct buffer *head,
			struct ps_error *err)
{
	int rc = writer_head_stream(meta, head, err);

	return rc < 0 ? rc : writer_stream_start(&writer->stream, writer->out.fd, writer->io, meta, head, err);
}

static int writer_start(void *ctx, const struct meta *meta, struct ps_error *err)
{
	struct writer *writer = ctx;
	struct buffer head = BUFFER_INIT(0);
	int rc = writer->is_stream ? start_stream(writer, meta, &head, err) : start_file(writer, meta, &head, err);

	buffer_fini(&head);
	if (rc < 0)
		writer->failed = rc;
	return rc;
}

/* After a failed write there is nothing to add: whoever met it knows. */
static int writer_finish(void *ctx, struct ps_error *err)
{
	struct writer *writer = ctx;
	int rc = 0, closed;

	if (!writer->failed)
		rc = writer->is_stream ? writer_stream_finish(&writer->stream, writer->finish_wait_ms, err) :
					 flush(writer, writer->batch.len, err);
	hold(writer, false);
	closed = outfile_close(&writer->out, rc < 0 ? NULL : err);

	return rc < 0 ? rc : closed;
}

struct consumer writer_consumer(struct writer *writer)
{
	return (struct consumer){
		.ctx = writer,
		.start = writer_start,
		.put = writer_put,
		.checkpoint = writer_checkpoint,
		.tick = writer_tick,
		.finish = writer_finish,
		.waits = writer_waits,
		.ready = writer_ready,
	};
}

uint64_t writer_file_bytes(const struct writer *writer)
{
	return writer->is_stream ? writer->stream.sent_bytes : writer->file_bytes;
}

struct writer_dropped writer_dropped(const struct writer *writer)
{
	return writer->stream.dropped;
}

uint64_t writer_plain_bytes(const struct writer *writer)
{
	return writer->plain_bytes;
}

void writer_free(struct writer *writer)
{
	if (!writer)
		return;
	(void)outfile_close(&writer->out, NULL); /* after finish there is nothing left to close */
	compressor_free(writer->compressor);
	buffer_fini(&writer->batch);
	buffer_fini(&writer->chunk);
	buffer_fini(&writer->small);
	writer_stream_fini(&writer->stream);
	free(writer);
}
