/* Bytes of a record put together field by field, in either byte order. */
#ifndef TESTS_BYTE_BUILDER_H
#define TESTS_BYTE_BUILDER_H

#include <stdbool.h>

#include "base/buffer.h"
#include "data/meta.h"
#include "data/record.h"

struct byte_builder {
	uint8_t bytes[FORMAT_RECORD_MAX_BYTES];
	size_t len;
	bool swapped;
	uint8_t *copy; /* what the last decode read; owned */
};

/* Starts over, with room for a record's header in front. */
void byte_builder_begin(struct byte_builder *made, bool swapped);
void byte_builder_fini(struct byte_builder *made);

void put16(struct byte_builder *made, uint16_t v);
void put32(struct byte_builder *made, uint32_t v);
void put64(struct byte_builder *made, uint64_t v);

/* Text in a field of room bytes, the rest NUL; a longer text fills the field. */
void put_text(struct byte_builder *made, const char *text, size_t room);

/*
 * Decodes the first len bytes as a record of that size, at a place of its own so that a sanitizer notices reading past it.
 * Returns what codec_decode returned; rec is valid until the next call.
 */
int byte_builder_decode(struct byte_builder *made, const struct meta *meta, struct record *rec, size_t len,
			struct buffer *scratch);

#endif
