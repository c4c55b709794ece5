/* Finds tracepoints in a TRACING_DATA payload. */
#include "data/tracing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "data/cursor.h"

static const uint8_t tracing_magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

/* Text up to and including its NUL; NULL when there is none. */
static const char *take_text(struct cursor *cur)
{
	const uint8_t *end = cur->left ? memchr(cur->at, '\0', cur->left) : NULL;

	return end ? (const char *)cursor_take(cur, (size_t)(end - cur->at) + 1) : NULL;
}

/* Bytes with a u64 length in front. */
static const uint8_t *take_sized(struct cursor *cur, size_t *len)
{
	uint64_t size;

	if (!cursor_u64(cur, &size) || size > cur->left)
		return NULL;
	*len = (size_t)size;
	return cursor_take(cur, *len);
}

/* magic, version, byte order, long's size, page size, then two files of events/. */
static bool skip_head(struct cursor *cur)
{
	const uint8_t *magic = cursor_take(cur, sizeof(tracing_magic));
	const uint8_t *flags;
	uint32_t page;
	uint16_t probe = 1;
	size_t len;

	if (!magic || memcmp(magic, tracing_magic, sizeof(tracing_magic)) != 0 || !take_text(cur))
		return false;
	flags = cursor_take(cur, 2);
	if (!flags)
		return false;
	cur->swapped = (flags[0] != 0) == (*(uint8_t *)&probe == 1);
	if (!cursor_u32(cur, &page))
		return false;
	for (int i = 0; i < 2; i++)
		if (!take_text(cur) || !take_sized(cur, &len))
			return false;
	return true;
}

/* The value behind a word that starts a line of a format file, as text of *len bytes; NULL without that line. */
static const char *format_value(const uint8_t *format, size_t bytes, const char *word, size_t *len)
{
	const char *at = (const char *)format, *end = at + bytes;

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		size_t line = (size_t)((line_end ? line_end : end) - at), word_len = strlen(word);

		if (line > word_len && !memcmp(at, word, word_len)) {
			*len = line - word_len;
			return at + word_len;
		}
		if (!line_end)
			return NULL;
		at = line_end + 1;
	}
	return NULL;
}

static bool format_matches(const uint8_t *format, size_t bytes, uint64_t id)
{
	char digits[24] = "";
	size_t len = 0;
	const char *text = format_value(format, bytes, "ID: ", &len);

	if (!text || len >= sizeof(digits))
		return false;
	memcpy(digits, text, len);
	return strtoull(digits, NULL, 10) == id;
}

/* One system's event formats. True when the id is among them; *cut when the payload ends early. */
static bool search_system(struct cursor *cur, const char *system, uint64_t id, char *name, size_t len, bool *cut)
{
	uint32_t events = 0;

	*cut = !cursor_count(cur, sizeof(uint64_t), &events);
	for (uint32_t i = 0; i < events && !*cut; i++) {
		size_t bytes = 0, text_len = 0;
		const uint8_t *format = take_sized(cur, &bytes);
		const char *text;

		*cut = !format;
		if (!format || !format_matches(format, bytes, id))
			continue;
		text = format_value(format, bytes, "name: ", &text_len);
		if (!text)
			return false;
		(void)snprintf(name, len, "%s:%.*s", system, (int)(text_len < len ? text_len : len), text);
		return true;
	}
	return false;
}

bool tracing_find_name(const uint8_t *payload, size_t bytes, uint64_t id, char *name, size_t len)
{
	struct cursor cur = { .at = payload, .left = bytes };
	uint32_t ftrace_events = 0, systems = 0;
	bool cut = false;

	if (!payload || !skip_head(&cur) || !cursor_u32(&cur, &ftrace_events))
		return false;
	for (uint32_t i = 0; i < ftrace_events; i++) {
		size_t ignored;

		if (!take_sized(&cur, &ignored))
			return false;
	}
	if (!cursor_u32(&cur, &systems))
		return false;
	for (uint32_t i = 0; i < systems && !cut; i++) {
		const char *system = take_text(&cur);

		if (!system)
			return false;
		if (search_system(&cur, system, id, name, len, &cut))
			return true;
	}
	return false;
}
