/* Fuzz target: any bytes as records of an event whose attr is made of the first bytes too, in both byte orders. */
#include <stdint.h>
#include <string.h>

#include "data/codec.h"

#define HEAD_BYTES 24 /* sample_type, read_format, flags */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void decode_all(const struct meta *meta, const uint8_t *bytes, size_t len, bool swapped)
{
	struct buffer scratch = BUFFER_INIT(1u << 20);

	while (len >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;
		struct record rec = { .raw = bytes, .raw_swapped = swapped };

		memcpy(&header, bytes, sizeof(header));
		rec.type = swapped ? __builtin_bswap32(header.type) : header.type;
		rec.misc = swapped ? __builtin_bswap16(header.misc) : header.misc;
		rec.bytes = swapped ? __builtin_bswap16(header.size) : header.size;
		if (rec.bytes < sizeof(header) || rec.bytes > len)
			break;
		ps_ignore(codec_decode(meta, &rec, &scratch, NULL)); /* any outcome is fine */
		scratch.len = 0;
		bytes += rec.bytes;
		len -= rec.bytes;
	}
	buffer_fini(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct perf_event_attr attr;
	struct meta_event *event;
	struct meta meta;
	uint32_t attr_bytes;
	uint64_t flags;

	if (len < HEAD_BYTES)
		return 0;
	for (int swapped = 0; swapped < 2; swapped++)
		ps_ignore(codec_decode_attr(bytes, len, swapped, &attr, &attr_bytes, NULL)); /* as above */
	meta_init(&meta);
	event = meta_add_event(&meta, "event", NULL);
	if (event) {
		memcpy(&event->attr.sample_type, bytes, sizeof(uint64_t));
		memcpy(&event->attr.read_format, bytes + 8, sizeof(uint64_t));
		memcpy(&flags, bytes + 16, sizeof(flags));
		event->attr.sample_id_all = flags & 1;
		decode_all(&meta, bytes + HEAD_BYTES, len - HEAD_BYTES, false);
		decode_all(&meta, bytes + HEAD_BYTES, len - HEAD_BYTES, true);
	}
	meta_fini(&meta);
	return 0;
}
