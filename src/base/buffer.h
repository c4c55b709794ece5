/* Growing bytes with a ceiling, so that hostile input cannot ask for all memory. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdint.h>

#include "base/error.h"

struct buffer {
	unsigned char *data; /* owned */
	size_t len;          /* bytes in use */
	size_t cap;          /* bytes allocated */
	size_t ceiling;      /* never more than this many bytes; 0 = no limit */
};

#define BUFFER_INIT(limit) { NULL, 0, 0, (limit) }

void buffer_fini(struct buffer *buf);

/* Makes room for `more` bytes behind len. 0, -ENOMEM, or -EOVERFLOW when the ceiling is in the way. */
int buffer_reserve(struct buffer *buf, size_t more, struct ps_error *err) _must_check_;

/* Appends a copy of len bytes. Errors as buffer_reserve. */
int buffer_append(struct buffer *buf, const void *bytes, size_t len, struct ps_error *err)
	_must_check_;

/* Appends len zero bytes. */
int buffer_append_zero(struct buffer *buf, size_t len, struct ps_error *err) _must_check_;

/* Drops n bytes from the front, n <= len; the rest moves up. */
void buffer_drop(struct buffer *buf, size_t n);

#endif
