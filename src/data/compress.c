/* zstd, both directions. */
#include "data/compress.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <zstd.h>

#include "pstat/format.h"

#define ALIGN_BYTES 8
#define SKIPPABLE_HEADER_BYTES 8
#define STEP_BYTES ((size_t)65536) /* out grows by this much when it is full */

struct compressor {
	ZSTD_CCtx *ctx;
};

struct decompressor {
	ZSTD_DCtx *ctx;
	size_t ceiling;
	bool unfinished; /* a frame goes on in the next record */
};

static int fail_zstd(struct ps_error *err, int code, size_t result, const char *what)
{
	return ps_fail(err, "zstd", code, "%s: %s", what, ZSTD_getErrorName(result));
}

/* Compresses nothing of use once, so that zstd takes its memory now and not during the recording. */
static int take_memory(struct compressor *compressor, struct ps_error *err)
{
	_cleanup_free_ void *zeros = calloc(1, FORMAT_FRAME_PLAIN_BYTES);
	struct buffer out = BUFFER_INIT(0);
	int rc;

	if (!zeros)
		return ps_fail(err, "zstd", ENOMEM, "trying the compressor");
	rc = compressor_frame(compressor, zeros, FORMAT_FRAME_PLAIN_BYTES, &out, err);
	buffer_fini(&out);
	return rc < 0 ? rc : 0;
}

int compressor_new(struct compressor **compressor, int level, struct ps_error *err)
{
	struct compressor *made;
	size_t result;
	int rc;

	*compressor = NULL;
	if (level < 1 || level > ZSTD_maxCLevel())
		return ps_fail(err, "zstd", EINVAL, "compression level %d is not within 1-%d", level,
			       ZSTD_maxCLevel());
	made = calloc(1, sizeof(*made));
	if (made)
		made->ctx = ZSTD_createCCtx();
	if (!made || !made->ctx) {
		compressor_free(made);
		return ps_fail(err, "zstd", ENOMEM, "making a compressor");
	}
	result = ZSTD_CCtx_setParameter(made->ctx, ZSTD_c_compressionLevel, level);
	if (!ZSTD_isError(result)) /* four bytes that tell a damaged frame from a good one */
		result = ZSTD_CCtx_setParameter(made->ctx, ZSTD_c_checksumFlag, 1);
	rc = ZSTD_isError(result) ? fail_zstd(err, EINVAL, result, "setting up") : take_memory(made, err);
	if (rc < 0) {
		compressor_free(made);
		return rc;
	}
	*compressor = made;
	return 0;
}

/* A skippable frame whose own 8 bytes of header do not change the remainder, so n is simply what is missing. */
static size_t put_padding(unsigned char *to, size_t frame_bytes)
{
	uint32_t n = (uint32_t)((ALIGN_BYTES - frame_bytes % ALIGN_BYTES) % ALIGN_BYTES);
	const uint32_t magic = FORMAT_SKIPPABLE_MAGIC;
	const unsigned char head[SKIPPABLE_HEADER_BYTES] = {
		magic & 0xff, magic >> 8 & 0xff, magic >> 16 & 0xff, magic >> 24, (unsigned char)n,
	};

	if (!n)
		return 0;
	memcpy(to, head, sizeof(head));
	memset(to + sizeof(head), 0, n);
	return sizeof(head) + n;
}

int compressor_frame(struct compressor *compressor, const void *plain, size_t len, struct buffer *out,
		     struct ps_error *err)
{
	size_t room = ZSTD_compressBound(len), result;
	int rc;

	if (!len || len > FORMAT_FRAME_PLAIN_BYTES)
		return ps_fail(err, "zstd", EINVAL, "%zu bytes for one frame", len);
	rc = buffer_reserve(out, room + SKIPPABLE_HEADER_BYTES + ALIGN_BYTES, err);
	if (rc < 0)
		return rc;
	result = ZSTD_compress2(compressor->ctx, out->data + out->len, room, plain, len);
	if (ZSTD_isError(result))
		return fail_zstd(err, EIO, result, "compressing");
	result += put_padding(out->data + out->len + result, result);
	out->len += result;
	return (int)result;
}

void compressor_free(struct compressor *compressor)
{
	if (!compressor)
		return;
	(void)ZSTD_freeCCtx(compressor->ctx); /* never fails for one of its own */
	free(compressor);
}

int decompressor_new(struct decompressor **decompressor, size_t ceiling, struct ps_error *err)
{
	struct decompressor *made = calloc(1, sizeof(*made));

	*decompressor = NULL;
	if (made)
		made->ctx = ZSTD_createDCtx();
	if (!made || !made->ctx) {
		decompressor_free(made);
		return ps_fail(err, "zstd", ENOMEM, "making a decompressor");
	}
	made->ceiling = ceiling;
	*decompressor = made;
	return 0;
}

/* One call of the library into what room there is behind out->len, at most `room` bytes. 0 or -EBADMSG. */
static int step(struct decompressor *decompressor, ZSTD_inBuffer *in, struct buffer *out, size_t room,
		struct ps_error *err)
{
	ZSTD_outBuffer to = { out->data + out->len, room, 0 };
	size_t before = in->pos;
	size_t result = ZSTD_decompressStream(decompressor->ctx, &to, in);

	if (ZSTD_isError(result))
		return fail_zstd(err, EBADMSG, result, "decompressing");
	if (in->pos == before && !to.pos && in->pos < in->size)
		return ps_fail(err, "zstd", EBADMSG, "decompressing: no progress at byte %zu of %zu", in->pos,
			       in->size);
	decompressor->unfinished = result != 0;
	out->len += to.pos;
	return 0;
}

/* What the library still holds back shows only as a full output, so it goes on until there is room left. */
static int feed(struct decompressor *decompressor, ZSTD_inBuffer *in, struct buffer *out, size_t start,
		struct ps_error *err)
{
	size_t room, before;

	do {
		size_t left = decompressor->ceiling + 1 - (out->len - start); /* one more shows that it is too much */
		int rc;

		if (!left)
			return ps_fail(err, "zstd", EOVERFLOW, "a record decompresses to more than %zu bytes",
				       decompressor->ceiling);
		room = out->cap - out->len > STEP_BYTES ? out->cap - out->len : STEP_BYTES;
		room = room < left ? room : left;
		before = out->len;
		rc = buffer_reserve(out, room, err);
		if (rc >= 0)
			rc = step(decompressor, in, out, room, err);
		if (rc < 0)
			return rc;
	} while (in->pos < in->size || out->len - before == room);
	return 0;
}

/* A record that begins with a frame's magic while another is unfinished: that one's length or end was damaged. */
static bool starts_anew(const struct decompressor *decompressor, const void *bytes, size_t len)
{
	const uint32_t magic = ZSTD_MAGICNUMBER;
	const unsigned char head[] = { magic & 0xff, magic >> 8 & 0xff, magic >> 16 & 0xff, magic >> 24 };

	return decompressor->unfinished && len >= sizeof(head) && !memcmp(bytes, head, sizeof(head));
}

ssize_t decompressor_feed(struct decompressor *decompressor, const void *bytes, size_t len, struct buffer *out,
			  struct ps_error *err)
{
	ZSTD_inBuffer in = { bytes, len, 0 };
	size_t start = out->len;
	int rc;

	if (starts_anew(decompressor, bytes, len))
		rc = ps_fail(err, "zstd", EBADMSG, "decompressing: the frame before has no end");
	else
		rc = feed(decompressor, &in, out, start, err);
	if (rc < 0) {
		(void)ZSTD_DCtx_reset(decompressor->ctx, ZSTD_reset_session_only); /* cannot fail */
		decompressor->unfinished = false;
		out->len = start;
		return rc;
	}
	return (ssize_t)(out->len - start);
}

void decompressor_free(struct decompressor *decompressor)
{
	if (!decompressor)
		return;
	(void)ZSTD_freeDCtx(decompressor->ctx); /* never fails for one of its own */
	free(decompressor);
}
