/* Unsigned numbers as decimal digits, without the cost of printf where records are made between commands. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdint.h>

#define DECIMAL_MAX_BYTES 20 /* digits of UINT64_MAX */

/* Writes n with at least `least` digits (zeros in front), without a NUL. Returns the place behind the last digit. */
char *decimal_put(char *to, uint64_t n, unsigned least);

#endif
