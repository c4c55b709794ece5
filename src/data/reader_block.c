/* The reader's input as one large block that slides over the records' section. */
#include "data/reader_private.h"

#include <errno.h>
#include <string.h>

#define BLOCK_BYTES (512u << 10)
#define TAKE_STEP_BYTES (64u << 10) /* payload grows with what is there, not with what a length claims */

int block_init(struct reader *reader, struct ps_error *err)
{
	struct reader_block *block = &reader->block;

	block->offset = reader->data_start;
	block->left = reader->data_end == UINT64_MAX ? UINT64_MAX : reader->data_end - reader->data_start;
	block->cap = block->left < BLOCK_BYTES ? READER_RECORD_LIMIT + (size_t)block->left : BLOCK_BYTES;
	block->bytes = malloc(block->cap);
	if (!block->bytes)
		return ps_fail(err, "reader", ENOMEM, "reading the input");
	return source_seek(reader->source, reader->data_start, err);
}

void block_restart(struct reader *reader)
{
	struct reader_block *block = &reader->block;

	block->offset = reader->data_start;
	block->left = reader->data_end - reader->data_start;
	block->at = block->end = 0;
}

/* Moves what is left to the front, so that the rest of the block is free. */
static void block_slide(struct reader_block *block)
{
	size_t left = block_left(block);

	if (left && block->at)
		memmove(block->bytes, block->bytes + block->at, left);
	block->offset += block->at;
	block->at = 0;
	block->end = left;
}

int block_fill(struct reader *reader, size_t n, struct ps_error *err)
{
	struct reader_block *block = &reader->block;

	block_slide(block);
	while (block->end < n) {
		size_t room = block->cap - block->end;
		ssize_t got = source_read_some(reader->source, block->bytes + block->end,
					       room < block->left ? room : (size_t)block->left, err);

		if (got == 0 && reader->follow.on) {
			int more = follow_more(reader, err);

			if (more <= 0)
				return more;
			continue;
		}
		if (got <= 0)
			return (int)got;
		block->end += (size_t)got;
		if (block->left != UINT64_MAX)
			block->left -= (uint64_t)got;
	}
	return 1;
}

int block_skip(struct reader *reader, uint64_t n, struct ps_error *err)
{
	struct reader_block *block = &reader->block;
	uint64_t beyond, offset;
	int rc;

	if (n <= block_left(block)) {
		block->at += (size_t)n;
		return 1;
	}
	beyond = n - block_left(block);
	offset = block->offset + block->end;
	block->at = block->end;
	block_slide(block);
	if (beyond > block->left || __builtin_add_overflow(offset, beyond, &offset)) {
		block->left = 0;
		return 0;
	}
	rc = source_seek(reader->source, offset, err);
	if (rc < 0)
		return rc;
	block->offset = offset;
	if (block->left != UINT64_MAX)
		block->left -= beyond;
	return source_offset(reader->source) == offset;
}

int block_take(struct reader *reader, uint64_t n, struct ps_error *err)
{
	reader->payload.len = 0;
	while (n) {
		size_t step = n < TAKE_STEP_BYTES ? (size_t)n : TAKE_STEP_BYTES;
		int there = block_need(reader, step, err);
		size_t have = there > 0 ? step : block_left(&reader->block);
		const uint8_t *from = reader->block.bytes + reader->block.at;
		int rc = there < 0 ? there : buffer_append(&reader->payload, from, have, err);

		if (rc < 0)
			return rc;
		reader->block.at += have;
		if (!there)
			return 0;
		n -= step;
	}
	return 1;
}
