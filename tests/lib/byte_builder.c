/* Bytes of a record put together field by field. */
#include "lib/byte_builder.h"

#include <errno.h>
#include <string.h>

#include "data/codec.h"
#include "data/cursor.h"
#include "lib/unit.h"

void byte_builder_begin(struct byte_builder *made, bool swapped)
{
	made->swapped = swapped;
	made->len = sizeof(struct perf_event_header);
}

void byte_builder_fini(struct byte_builder *made)
{
	free(made->copy);
	made->copy = NULL;
}

static void put(struct byte_builder *made, const void *v, size_t bytes)
{
	memcpy(made->bytes + made->len, v, bytes);
	made->len += bytes;
}

void put16(struct byte_builder *made, uint16_t v)
{
	v = bytes_u16(&v, made->swapped);
	put(made, &v, sizeof(v));
}

void put32(struct byte_builder *made, uint32_t v)
{
	v = bytes_u32(&v, made->swapped);
	put(made, &v, sizeof(v));
}

void put64(struct byte_builder *made, uint64_t v)
{
	v = bytes_u64(&v, made->swapped);
	put(made, &v, sizeof(v));
}

void put_text(struct byte_builder *made, const char *text, size_t room)
{
	size_t len = strlen(text);

	memset(made->bytes + made->len, 0, room);
	memcpy(made->bytes + made->len, text, len < room ? len : room);
	made->len += room;
}

int byte_builder_decode(struct byte_builder *made, const struct meta *meta, struct record *rec, size_t len,
			struct buffer *scratch)
{
	struct ps_error err = PS_ERROR_INIT;
	uint32_t type = rec->type;
	uint16_t misc = rec->misc;
	int rc;

	free(made->copy);
	made->copy = malloc(len);
	ck_assert_ptr_nonnull(made->copy);
	memcpy(made->copy, made->bytes, len);
	memset(rec, 0xee, sizeof(*rec)); /* nothing may be left over from before */
	rec->type = type;
	rec->misc = misc;
	rec->bytes = (uint32_t)len;
	rec->raw = made->copy;
	rec->raw_swapped = made->swapped;
	rc = codec_decode(meta, rec, scratch, &err);
	ck_assert(rc == 1 || rc == 0 || (rc == -EBADMSG && err.code == EBADMSG));
	return rc;
}
