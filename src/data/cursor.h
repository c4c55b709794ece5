/* A bounded walk over bytes of a file in either byte order: a get beyond the end fails, it never reads. */
#ifndef DATA_CURSOR_H
#define DATA_CURSOR_H

#include <byteswap.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t bytes_u16(const void *at, bool swapped)
{
	uint16_t v;

	memcpy(&v, at, sizeof(v));
	return swapped ? bswap_16(v) : v;
}

static inline uint32_t bytes_u32(const void *at, bool swapped)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return swapped ? bswap_32(v) : v;
}

static inline uint64_t bytes_u64(const void *at, bool swapped)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return swapped ? bswap_64(v) : v;
}

struct cursor {
	const uint8_t *at;
	size_t left;  /* bytes from at on */
	bool swapped; /* the bytes are in the other byte order */
};

/* The next len bytes, or NULL when there are fewer. */
static inline const uint8_t *cursor_take(struct cursor *cur, size_t len)
{
	const uint8_t *at = cur->at;

	if (len > cur->left)
		return NULL;
	cur->at += len;
	cur->left -= len;
	return at;
}

/* The next integer into *v; false when there are too few bytes, then *v is as before. */
static inline bool cursor_u32(struct cursor *cur, uint32_t *v)
{
	const uint8_t *at = cursor_take(cur, sizeof(*v));

	if (at)
		*v = bytes_u32(at, cur->swapped);
	return at != NULL;
}

static inline bool cursor_u64(struct cursor *cur, uint64_t *v)
{
	const uint8_t *at = cursor_take(cur, sizeof(*v));

	if (at)
		*v = bytes_u64(at, cur->swapped);
	return at != NULL;
}

/* A count of things that need at least `each` bytes: false when the rest could not hold so many. */
static inline bool cursor_count(struct cursor *cur, size_t each, uint32_t *n)
{
	return cursor_u32(cur, n) && *n <= cur->left / each;
}

/* A header string (u32 length, text with NULs): its text, borrowed; NULL when it does not fit or has no NUL. */
static inline const char *cursor_string(struct cursor *cur)
{
	uint32_t len = 0;
	const uint8_t *text = cursor_u32(cur, &len) ? cursor_take(cur, len) : NULL;

	return text && len && memchr(text, '\0', len) ? (const char *)text : NULL;
}

#endif
