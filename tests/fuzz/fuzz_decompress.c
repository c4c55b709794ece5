/* Fuzz target: any bytes as the payloads of COMPRESSED records, cut where the first byte says. */
#include <stdint.h>

#include "data/compress.h"

#define CEILING (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct decompressor *decompressor;
	struct buffer out = BUFFER_INIT(CEILING);
	size_t piece = len ? (size_t)bytes[0] * 16 + 1 : 1;

	if (decompressor_new(&decompressor, CEILING, NULL) < 0)
		return 0;
	for (size_t at = len ? 1 : 0; at < len; at += piece) {
		size_t n = len - at < piece ? len - at : piece;
		ssize_t got = decompressor_feed(decompressor, bytes + at, n, &out, NULL);

		if (got > (ssize_t)CEILING)
			__builtin_trap();
		out.len = 0;
	}
	buffer_fini(&out);
	decompressor_free(decompressor);
	return 0;
}
