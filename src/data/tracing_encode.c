/* Makes a TRACING_DATA payload. */
#include <string.h>
#include <unistd.h>

#include "data/tracing.h"

static int put_text(struct buffer *out, const char *text, struct ps_error *err)
{
	return buffer_append(out, text, strlen(text) + 1, err);
}

static int put_u32(struct buffer *out, uint32_t value, struct ps_error *err)
{
	return buffer_append(out, &value, sizeof(value), err);
}

/* A u64 length and the text without its NUL. */
static int put_sized(struct buffer *out, const char *text, struct ps_error *err)
{
	uint64_t len = strlen(text);
	int rc = buffer_append(out, &len, sizeof(len), err);

	return rc < 0 ? rc : buffer_append(out, text, (size_t)len, err);
}

static int put_head(struct buffer *out, const char *page, const char *event, struct ps_error *err)
{
	static const uint8_t magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	const uint16_t probe = 1;
	const uint8_t machine[2] = { *(const uint8_t *)&probe == 1 ? 0 : 1, sizeof(long) };
	int rc = buffer_append(out, magic, sizeof(magic), err);

	if (rc == 0)
		rc = put_text(out, "0.6", err);
	if (rc == 0)
		rc = buffer_append(out, machine, sizeof(machine), err);
	if (rc == 0)
		rc = put_u32(out, (uint32_t)sysconf(_SC_PAGESIZE), err);
	if (rc == 0)
		rc = put_text(out, "header_page", err);
	if (rc == 0)
		rc = put_sized(out, page, err);
	if (rc == 0)
		rc = put_text(out, "header_event", err);
	if (rc == 0)
		rc = put_sized(out, event, err);
	return rc < 0 ? rc : put_u32(out, 0, err); /* ftrace's own events */
}

/* How many formats from the first one on are of its system. */
static size_t of_one_system(const struct tracing_format *formats, size_t n)
{
	size_t same = 1;

	while (same < n && !strcmp(formats[same].system, formats[0].system))
		same++;
	return same;
}

static int put_system(struct buffer *out, const struct tracing_format *formats, size_t n, struct ps_error *err)
{
	int rc = put_text(out, formats[0].system, err);

	if (rc == 0)
		rc = put_u32(out, (uint32_t)n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = put_sized(out, formats[i].text, err);
	return rc;
}

int tracing_encode(const char *page, const char *event, const struct tracing_format *formats, size_t n,
		   struct buffer *out, struct ps_error *err)
{
	uint32_t systems = 0;
	int rc = put_head(out, page, event, err);

	for (size_t i = 0; i < n; i += of_one_system(formats + i, n - i))
		systems++;
	if (rc == 0)
		rc = put_u32(out, systems, err);
	for (size_t i = 0, same; rc == 0 && i < n; i += same) {
		same = of_one_system(formats + i, n - i);
		rc = put_system(out, formats + i, same, err);
	}
	/* symbols, printk formats, saved command lines: none */
	return rc < 0 ? rc : buffer_append_zero(out, 2 * sizeof(uint32_t) + sizeof(uint64_t), err);
}
