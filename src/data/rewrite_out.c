/* The rewriter's way out: records in batches to a temporary file, then all of it into place. */
#include <errno.h>
#include <string.h>

#include "base/tempfile.h"
#include "data/cursor.h"
#include "data/rewrite_private.h"

#define COPY_BYTES (256u << 10)

int out_open(struct rewrite_out *out, const char *path, const struct rewrite_options *options, struct ps_error *err)
{
	int rc;

	*out = (struct rewrite_out){ .io = options->io, .spool = -1, .level = (uint32_t)options->zstd_level };
	rc = outfile_open(&out->file, path, err);
	if (rc < 0)
		return rc;
	if (options->zstd_level) {
		rc = compressor_new(&out->compressor, options->zstd_level, err);
		if (rc < 0)
			return rc;
	}
	out->spool = tempfile_open(err);
	return out->spool < 0 ? out->spool : 0;
}

void out_close(struct rewrite_out *out)
{
	if (out->spool >= 0)
		(void)close(out->spool); /* a temporary file: nothing can be lost */
	out->spool = -1;
	ps_ignore(outfile_close(&out->file, NULL)); /* only one that was not put into place is left to remove */
	compressor_free(out->compressor);
	out->compressor = NULL;
	buffer_fini(&out->batch);
	buffer_fini(&out->chunk);
	buffer_fini(&out->index);
}

static int out_write(struct rewrite_out *out, const struct buffer *bytes, struct ps_error *err)
{
	int rc = io_write_full(out->io, out->spool, bytes->data, bytes->len, err);

	if (rc >= 0)
		out->bytes += bytes->len;
	return rc;
}

/* The batch as one COMPRESSED record. */
static int write_frame(struct rewrite_out *out, struct ps_error *err)
{
	struct perf_event_header header = { .type = FORMAT_COMPRESSED };
	int rc;

	out->chunk.len = 0;
	rc = buffer_append_zero(&out->chunk, sizeof(header), err);
	if (rc >= 0)
		rc = compressor_frame(out->compressor, out->batch.data, out->batch.len, &out->chunk, err);
	if (rc < 0)
		return rc;
	header.size = (uint16_t)out->chunk.len;
	memcpy(out->chunk.data, &header, sizeof(header));
	out->framed_bytes += out->batch.len;
	out->frame_bytes += out->chunk.len;
	return out_write(out, &out->chunk, err);
}

int out_flush(struct rewrite_out *out, struct ps_error *err)
{
	int rc;

	if (!out->batch.len)
		return 0;
	if (out->compressor && out->batch.len <= FORMAT_FRAME_PLAIN_BYTES)
		rc = write_frame(out, err);
	else
		rc = out_write(out, &out->batch, err);
	out->batch.len = 0;
	return rc;
}

int out_put(struct rewrite_out *out, const void *bytes, size_t len, bool plain, struct ps_error *err)
{
	int rc = 0;

	plain &= out->compressor != NULL;
	if (plain || out->batch.len + len > FORMAT_FRAME_PLAIN_BYTES)
		rc = out_flush(out, err);
	if (rc >= 0)
		rc = buffer_append(&out->batch, bytes, len, err);
	if (rc < 0 || !plain)
		return rc;
	rc = out_write(out, &out->batch, err);
	out->batch.len = 0;
	return rc;
}

/* As if nothing had been written since. */
static int go_back(struct rewrite_out *out, uint64_t bytes, struct ps_error *err)
{
	out->bytes = bytes;
	if (lseek(out->spool, (off_t)bytes, SEEK_SET) < 0)
		return ps_fail(err, "rewrite", errno, "going back in the temporary file");
	return 0;
}

int out_put_aux(struct rewrite_out *out, struct reader *reader, const struct buffer *rec, struct ps_error *err)
{
	uint64_t left = bytes_u64(rec->data + sizeof(struct perf_event_header), false);
	struct format_section entry;
	const uint8_t *bytes;
	size_t len;
	int rc = out_flush(out, err);

	entry = (struct format_section){ out->bytes, rec->len };
	if (rc >= 0)
		rc = out_write(out, rec, err);
	while (rc >= 0 && (rc = reader_payload(reader, &bytes, &len, err)) > 0) {
		rc = io_write_full(out->io, out->spool, bytes, len, err);
		out->bytes += len;
		left -= len;
	}
	if (rc < 0)
		return rc;
	if (left)
		return go_back(out, entry.offset, err);
	rc = buffer_append(&out->index, &entry, sizeof(entry), err);
	return rc < 0 ? rc : 1;
}

static int copy_spool(struct rewrite_out *out, int to, struct ps_error *err)
{
	_cleanup_free_ uint8_t *bytes = malloc(COPY_BYTES);
	uint64_t at = 0;

	if (!bytes)
		return ps_fail(err, "rewrite", ENOMEM, "copying the records");
	while (at < out->bytes) {
		size_t want = out->bytes - at < COPY_BYTES ? (size_t)(out->bytes - at) : COPY_BYTES;
		ssize_t n = io_pread_full(out->io, out->spool, bytes, want, (off_t)at, err);
		int rc;

		if (n < 0)
			return (int)n;
		if ((size_t)n < want)
			return ps_fail(err, "rewrite", EIO, "the temporary file has become shorter");
		rc = io_write_full(out->io, to, bytes, want, err);
		if (rc < 0)
			return rc;
		at += want;
	}
	return 0;
}

int out_publish(struct rewrite_out *out, const struct buffer *head, const struct buffer *table, struct ps_error *err)
{
	int closed, rc = io_write_full(out->io, out->file.fd, head->data, head->len, err);

	if (rc >= 0)
		rc = copy_spool(out, out->file.fd, err);
	if (rc >= 0)
		rc = io_write_full(out->io, out->file.fd, table->data, table->len, err);
	if (rc >= 0)
		rc = outfile_publish(&out->file, false, err);
	closed = outfile_close(&out->file, rc < 0 ? NULL : err);
	return rc < 0 ? rc : closed;
}
