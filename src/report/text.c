/* Numbers, times and names as text. */
#include "report/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/clock.h"
#include "base/decimal.h"

const char *text_unsigned(char *buf, uint64_t n)
{
	*decimal_put(buf, n, 1) = '\0';
	return buf;
}

/* Copies a number and puts a comma between each three digits before its point. */
static void group(char *buf, const char *plain)
{
	size_t whole = strcspn(plain, ".");

	for (size_t i = 0; i < whole; i++) {
		if (i && (whole - i) % 3 == 0 && plain[i - 1] != '-')
			*buf++ = ',';
		*buf++ = plain[i];
	}
	memcpy(buf, plain + whole, strlen(plain + whole) + 1);
}

const char *text_grouped(char *buf, uint64_t n)
{
	char plain[TEXT_NUMBER];

	group(buf, text_unsigned(plain, n));
	return buf;
}

const char *text_grouped_double(char *buf, double n, int decimals)
{
	char plain[TEXT_NUMBER];

	if (!isfinite(n) || fabs(n) >= 1e18) {
		(void)snprintf(buf, TEXT_NUMBER, "%.6g", n);
		return buf;
	}
	group(buf, text_fixed(plain, n, decimals));
	return buf;
}

const char *text_seconds(char *buf, uint64_t ns, int decimals)
{
	char *to = decimal_put(buf, ns / NS_PER_S, 1);

	if (decimals > 0) {
		*to = '.';
		(void)decimal_put(to + 1, ns % NS_PER_S, 9); /* buf has room for all nine */
		to += 1 + decimals;
	}
	*to = '\0';
	return buf;
}

const char *text_wall(char *buf, uint64_t ns)
{
	time_t seconds = (time_t)(ns / NS_PER_S);
	char date[32];
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm))
		return text_seconds(buf, ns, 9);
	(void)snprintf(buf, TEXT_NUMBER, "%s.%09uZ", date, (unsigned)(ns % NS_PER_S));
	return buf;
}

const char *text_fixed(char *buf, double n, int decimals)
{
	static const double powers[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
	double shifted = decimals < (int)(sizeof(powers) / sizeof(powers[0])) ? n * powers[decimals] + 0.5 : -1;
	char *to;

	if (!(shifted >= 0.5 && shifted < 9e15)) { /* beyond this a double has no half left to round by */
		(void)snprintf(buf, TEXT_NUMBER, "%.*f", decimals, n);
		return buf;
	}
	to = decimal_put(buf, (uint64_t)shifted / (uint64_t)powers[decimals], 1);
	if (decimals) {
		*to++ = '.';
		to = decimal_put(to, (uint64_t)shifted % (uint64_t)powers[decimals], (unsigned)decimals);
	}
	*to = '\0';
	return buf;
}

const char *text_decimal(char *buf, double n)
{
	double size = fabs(n);
	int decimals = 9;
	size_t len;

	if (!isfinite(n) || size >= 1e18 || (size > 0 && size < 1e-15)) {
		(void)snprintf(buf, TEXT_NUMBER, "%.9g", n);
		return buf;
	}
	for (double limit = 1; limit <= size && decimals > 2; limit *= 10)
		decimals--;
	for (double limit = 0.1; size > 0 && size < limit; limit /= 10)
		decimals++;
	text_fixed(buf, n, decimals);
	len = strlen(buf);
	while (buf[len - 1] == '0')
		len--;
	if (buf[len - 1] == '.')
		len--;
	buf[len] = '\0';
	return buf;
}

const char *text_short(char *buf, double n)
{
	static const char *const larger[] = { "", "k", "M", "G", "T", "P", "E" };
	static const char *const smaller[] = { "m", "u", "n" };
	const char *suffix = "";
	double size = fabs(n);
	size_t step = 0;

	while (size >= 999.5 && step + 1 < sizeof(larger) / sizeof(larger[0])) {
		size /= 1000;
		suffix = larger[++step];
	}
	for (step = 0; size > 0 && size < 0.9995 && step < sizeof(smaller) / sizeof(smaller[0]); step++) {
		size *= 1000;
		suffix = smaller[step];
	}
	if (!isfinite(n) || size >= 999.5 || (size > 0 && size < 0.9995))
		(void)snprintf(buf, TEXT_NUMBER, "%.0e", n);
	else if (!*suffix && size >= 1 && size == floor(size))
		(void)snprintf(buf, TEXT_NUMBER, "%.0f", n);
	else
		(void)snprintf(buf, TEXT_NUMBER, "%.*f%s", size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2,
			       n < 0 ? -size : size, suffix);
	return buf;
}

/* Bytes of the UTF-8 character at text; 0 when it is none (overlong, surrogate, cut). */
static size_t utf8_bytes(const unsigned char *text)
{
	static const struct {
		unsigned char first, last, low, high; /* lead bytes, and the bounds of the byte behind */
		size_t bytes;
	} forms[] = {
		{ 0x00, 0x7f, 0, 0, 1 },          { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xe1, 0xec, 0x80, 0xbf, 3 },    { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 },    { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (text[0] < forms[i].first || text[0] > forms[i].last)
			continue;
		if (forms[i].bytes > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
			return 0;
		for (size_t k = 2; k < forms[i].bytes; k++)
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].bytes;
	}
	return 0;
}

size_t text_put_safe_char(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t n = utf8_bytes(at);
	/* C0, DEL, and C1 (U+0080 to U+009F), which some terminals obey */
	bool control = *at < 0x20 || *at == 0x7f || (*at == 0xc2 && at[1] < 0xa0);

	if (n && !control)
		(void)fwrite(at, 1, n, out);
	else
		(void)fputc('?', out);
	return n ? n : 1;
}

void text_put_safe(FILE *out, const char *text)
{
	while (*text)
		text += text_put_safe_char(out, text);
}

char *text_utf8(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	char *clean = malloc(strlen(text) * 3 + 1), *to = clean;

	while (clean && *at) {
		size_t n = utf8_bytes(at);

		memcpy(to, n ? (const char *)at : "\xef\xbf\xbd", n ? n : 3);
		to += n ? n : 3;
		at += n ? n : 1;
	}
	if (clean)
		*to = '\0';
	return clean;
}

size_t text_width(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t width = 0;

	while (*at) {
		size_t n = utf8_bytes(at);

		at += n ? n : 1;
		width++;
	}
	return width;
}

bool text_locale_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}
