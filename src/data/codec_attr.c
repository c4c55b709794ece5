/* struct perf_event_attr to bytes and back: any size, either byte order. */
#include <errno.h>
#include <time.h>

#include "data/codec.h"
#include "data/cursor.h"

#define ATTR_SIZE_AT offsetof(struct perf_event_attr, size)
#define ATTR_FLAGS_AT 40 /* the u64 of single bits, which has no name of its own */
#define ATTR_KNOWN_FLAGS ((UINT64_C(1) << 38) - 1) /* those of Debian 12's perf */
#define ATTR_CONFIG3_AT FORMAT_ATTR_BYTES /* newer than the headers of some supported systems */
#define ATTR_MAX_BYTES 4096

/* All integers of the struct but type, size and the flags; offsets, because newer ones have no name in older headers. */
static const struct {
	uint8_t at, bytes;
} attr_fields[] = {
	{ 0, 4 },   { 4, 4 },   { 8, 8 },   { 16, 8 },  { 24, 8 },  { 32, 8 },  { 48, 4 },
	{ 52, 4 },  { 56, 8 },  { 64, 8 },  { 72, 8 },  { 80, 8 },  { 88, 4 },  { 92, 4 },
	{ 96, 8 },  { 104, 4 }, { 108, 2 }, { 110, 2 }, { 112, 4 }, { 116, 4 }, { 120, 8 },
	{ 128, 8 }, { 136, 8 },
};

static uint8_t reverse_bits(uint8_t v)
{
	v = (uint8_t)((v & 0xf0) >> 4 | (v & 0x0f) << 4);
	v = (uint8_t)((v & 0xcc) >> 2 | (v & 0x33) << 2);
	return (uint8_t)((v & 0xaa) >> 1 | (v & 0x55) << 1);
}

static void swap_field(uint8_t *at, size_t bytes)
{
	for (size_t i = 0; i < bytes / 2; i++) {
		uint8_t low = at[i];

		at[i] = at[bytes - 1 - i];
		at[bytes - 1 - i] = low;
	}
}

/* Compilers lay bitfields out from the other end on big-endian machines, so the bits turn round in each byte. */
static void swap_attr(uint8_t *attr, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(attr_fields); i++)
		if ((size_t)attr_fields[i].at + attr_fields[i].bytes <= len)
			swap_field(attr + attr_fields[i].at, attr_fields[i].bytes);
	for (size_t i = 0; i < sizeof(uint64_t); i++)
		attr[ATTR_FLAGS_AT + i] = reverse_bits(attr[ATTR_FLAGS_AT + i]);
}

int codec_decode_attr(const uint8_t *bytes, size_t len, bool swapped, struct perf_event_attr *attr,
		      uint32_t *attr_bytes, struct ps_error *err)
{
	uint32_t size;

	if (len < FORMAT_ATTR_MIN_BYTES)
		return ps_fail(err, "attr", EBADMSG, "%zu bytes are too few for an event's attr", len);
	size = bytes_u32(bytes + ATTR_SIZE_AT, swapped);
	if (!size)
		size = FORMAT_ATTR_MIN_BYTES; /* as the kernel takes it */
	if (size < FORMAT_ATTR_MIN_BYTES || size % 8 || size > len || size > ATTR_MAX_BYTES)
		return ps_fail(err, "attr", EBADMSG, "attr.size %u with %zu bytes of room", size, len);
	memset(attr, 0, sizeof(*attr));
	memcpy(attr, bytes, size < sizeof(*attr) ? size : sizeof(*attr));
	if (swapped)
		swap_attr((uint8_t *)attr, sizeof(*attr));
	attr->size = size;
	*attr_bytes = size;
	return 0;
}

/* What other readers refuse an attr for: reserved fields that are not 0 and bits they do not know. */
static void clear_unknown(struct perf_event_attr *attr)
{
	uint64_t flags;

	attr->__reserved_2 = 0;
	attr->__reserved_3 = 0;
	memcpy(&flags, (const char *)attr + ATTR_FLAGS_AT, sizeof(flags));
	flags &= ATTR_KNOWN_FLAGS;
	memcpy((char *)attr + ATTR_FLAGS_AT, &flags, sizeof(flags));
}

int codec_copy_attr(const struct perf_event_attr *attr, uint32_t bytes, uint64_t config3, struct buffer *out,
		    struct ps_error *err)
{
	struct perf_event_attr file = *attr;
	size_t own = bytes < FORMAT_ATTR_BYTES ? bytes : FORMAT_ATTR_BYTES, start = out->len;
	int rc;

	file.size = bytes;
	clear_unknown(&file);
	rc = buffer_append(out, &file, own, err);
	if (rc >= 0)
		rc = buffer_append_zero(out, bytes - own, err);
	if (rc >= 0 && bytes >= ATTR_CONFIG3_AT + sizeof(config3))
		memcpy(out->data + start + ATTR_CONFIG3_AT, &config3, sizeof(config3));
	return rc;
}

int codec_encode_attr(const struct perf_event_attr *attr, struct buffer *out, struct ps_error *err)
{
	struct perf_event_attr file = *attr;

	file.size = FORMAT_ATTR_BYTES;
	file.sample_type = FORMAT_SAMPLE_TYPE;
	file.read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	file.sample_id_all = 1;
	file.use_clockid = 1;
	file.clockid = CLOCK_MONOTONIC;
	clear_unknown(&file);
	return buffer_append(out, &file, FORMAT_ATTR_BYTES, err);
}
