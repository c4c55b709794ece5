/* Text from a file as valid UTF-8. */
#include "report/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/attr.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* What a first byte says: how many follow, and the range of the second one, which keeps out overlong forms and surrogates. */
static const struct lead {
	uint8_t first, last;
	uint8_t more;
	uint8_t second_min, second_max;
} leads[] = {
	{ 0x01, 0x7f, 0, 0, 0 },       { 0xc2, 0xdf, 1, 0x80, 0xbf }, { 0xe0, 0xe0, 2, 0xa0, 0xbf },
	{ 0xe1, 0xec, 2, 0x80, 0xbf }, { 0xed, 0xed, 2, 0x80, 0x9f }, { 0xee, 0xef, 2, 0x80, 0xbf },
	{ 0xf0, 0xf0, 3, 0x90, 0xbf }, { 0xf1, 0xf3, 3, 0x80, 0xbf }, { 0xf4, 0xf4, 3, 0x80, 0x8f },
};

/* Bytes of the valid character at text, 0 when there is none. The NUL that ends text stops every check. */
static size_t valid_bytes(const uint8_t *text)
{
	const struct lead *lead = leads;

	while (lead < leads + ARRAY_SIZE(leads) && (*text < lead->first || *text > lead->last))
		lead++;
	if (lead == leads + ARRAY_SIZE(leads))
		return 0;
	if (lead->more && (text[1] < lead->second_min || text[1] > lead->second_max))
		return 0;
	for (size_t i = 2; i <= lead->more; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	return lead->more + 1u;
}

void utf8_put(FILE *out, const char *text)
{
	while (*text) {
		size_t n = valid_bytes((const uint8_t *)text);
		bool control = (uint8_t)*text < 0x20 || *text == 0x7f;

		if (n && !control)
			(void)fwrite(text, 1, n, out);
		else
			(void)fputc('?', out);
		text += n ? n : 1;
	}
}

char *utf8_clean(const char *text)
{
	char *clean = malloc(strlen(text) * strlen(REPLACEMENT) + 1), *to = clean;

	if (!clean)
		return NULL;
	while (*text) {
		size_t n = valid_bytes((const uint8_t *)text);

		if (n) {
			memcpy(to, text, n);
			to += n;
			text += n;
		} else {
			memcpy(to, REPLACEMENT, strlen(REPLACEMENT));
			to += strlen(REPLACEMENT);
			text++;
		}
	}
	*to = '\0';
	return clean;
}
