/* Unsigned numbers as decimal digits. */
#include "base/decimal.h"

#include <string.h>

char *decimal_put(char *to, uint64_t n, unsigned least)
{
	char digits[DECIMAL_MAX_BYTES];
	unsigned at = DECIMAL_MAX_BYTES;

	if (least > DECIMAL_MAX_BYTES)
		least = DECIMAL_MAX_BYTES;
	while (n || DECIMAL_MAX_BYTES - at < least) {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	}
	memcpy(to, digits + at, DECIMAL_MAX_BYTES - at);
	return to + (DECIMAL_MAX_BYTES - at);
}
