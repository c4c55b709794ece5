/* zstd, both directions. Errors of the library become ps_error here and nowhere else. */
#ifndef DATA_COMPRESS_H
#define DATA_COMPRESS_H

#include "base/buffer.h"

struct compressor;
struct decompressor;

/* level 1-22. All memory is taken here. 0 or -errno. */
int compressor_new(struct compressor **compressor, int level, struct ps_error *err) _must_check_;

/*
 * One whole frame from len <= FORMAT_FRAME_PLAIN_BYTES bytes, followed by a skippable frame that makes the total a multiple
 * of 8. Appends to out; returns the bytes appended (never more than fit one record) or -errno.
 */
int compressor_frame(struct compressor *compressor, const void *plain, size_t len, struct buffer *out,
		     struct ps_error *err) _must_check_;

void compressor_free(struct compressor *compressor);

/* ceiling: most bytes one call may yield. 0 or -errno. */
int decompressor_new(struct decompressor **decompressor, size_t ceiling, struct ps_error *err) _must_check_;

/*
 * Feeds the payload of one COMPRESSED record and appends what comes out. State is kept: frames may span records and a record
 * may hold several frames. Returns the bytes appended, 0 when the frame needs the next record, -EBADMSG for damage, or
 * -EOVERFLOW beyond the ceiling; then out is as before and the state is reset, so that the next independent frame can be
 * read. The damage may lie in a frame that an earlier record left unfinished: after -EBADMSG the same payload is worth a
 * second try.
 */
ssize_t decompressor_feed(struct decompressor *decompressor, const void *bytes, size_t len,
			  struct buffer *out, struct ps_error *err) _must_check_;

void decompressor_free(struct decompressor *decompressor);

#endif
