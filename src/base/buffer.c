/* Growing bytes with a ceiling. */
#include "base/buffer.h"

#include <errno.h>
#include <string.h>

#define BUFFER_FIRST_BYTES 256

void buffer_fini(struct buffer *buf)
{
	free(buf->data);
	buf->data = NULL;
	buf->len = buf->cap = 0;
}

int buffer_reserve(struct buffer *buf, size_t more, struct ps_error *err)
{
	size_t need, cap;
	void *grown;

	if (__builtin_add_overflow(buf->len, more, &need) || need > SIZE_MAX / 2 ||
	    (buf->ceiling && need > buf->ceiling))
		return ps_fail(err, "buffer", EOVERFLOW, "%zu bytes more than %zu pass the limit of %zu",
			       more, buf->len, buf->ceiling);
	if (need <= buf->cap)
		return 0;
	cap = buf->cap ? buf->cap : BUFFER_FIRST_BYTES;
	while (cap < need)
		cap *= 2;
	if (buf->ceiling && cap > buf->ceiling)
		cap = buf->ceiling;
	grown = realloc(buf->data, cap);
	if (!grown)
		return ps_fail(err, "buffer", ENOMEM, "growing to %zu bytes", cap);
	buf->data = grown;
	buf->cap = cap;
	return 0;
}

int buffer_append(struct buffer *buf, const void *bytes, size_t len, struct ps_error *err)
{
	int rc = buffer_reserve(buf, len, err);

	if (rc < 0)
		return rc;
	if (len) {
		memcpy(buf->data + buf->len, bytes, len);
		buf->len += len;
	}
	return 0;
}

int buffer_append_zero(struct buffer *buf, size_t len, struct ps_error *err)
{
	int rc = buffer_reserve(buf, len, err);

	if (rc < 0)
		return rc;
	if (len) {
		memset(buf->data + buf->len, 0, len);
		buf->len += len;
	}
	return 0;
}

void buffer_drop(struct buffer *buf, size_t n)
{
	if (n >= buf->len) {
		buf->len = 0;
		return;
	}
	memmove(buf->data, buf->data + n, buf->len - n);
	buf->len -= n;
}
