/* Numbers, times and names as text: the same in every locale, safe for a terminal or a CSV cell. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_NUMBER 48 /* room for any number or time below, NUL included */

/* Each writes at most TEXT_NUMBER bytes with the NUL and returns buf. */
const char *text_unsigned(char *buf, uint64_t n);              /* 1234567 */
const char *text_grouped(char *buf, uint64_t n);               /* 1,234,567 */
const char *text_grouped_double(char *buf, double n, int decimals); /* 1,234.57; at most 9 decimals */
const char *text_seconds(char *buf, uint64_t ns, int decimals); /* 12.345000000, cut at `decimals` (0-9), not rounded */
const char *text_wall(char *buf, uint64_t ns);                 /* 2026-12-01T17:21:57.123456789Z, ns since 1970 */
const char *text_fixed(char *buf, double n, int decimals);     /* 1234.57; |n| below 1e18 */
/* At least 9 significant digits, no exponent and no trailing zeros below 1e18: 0.000123, 1234567.25 */
const char *text_decimal(char *buf, double n);
/* At most five characters: 0, 999, 1.23k, 45.6M, 789G, 1.2m (milli); larger and smaller ones as 9e+27. */
const char *text_short(char *buf, double n);

/* A name for people: control characters and bytes that are not UTF-8 become '?'. */
void text_put_safe(FILE *out, const char *text);

/* The same for the one character at text, which is not the end. Returns its bytes. */
size_t text_put_safe_char(FILE *out, const char *text);

/* The text with bytes that are not UTF-8 replaced by U+FFFD; to be freed. NULL when out of memory. */
char *text_utf8(const char *text);

/* Columns a UTF-8 text takes, one per character. */
size_t text_width(const char *text);

/* Whether the environment (LC_ALL, LC_CTYPE, LANG in this order) asks for UTF-8. */
bool text_locale_is_utf8(void);

#endif
