/* A log of calls as text. */
#include "lib/call_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void call_log_add(struct call_log *log, const char *fmt, ...)
{
	char line[512];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(line, sizeof(line) - 1, fmt, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(line) - 1)
		abort(); /* a log with holes would let a test pass that should not */
	line[n++] = '\n';
	if (log->len + n + 1 > log->room) {
		log->room = 2 * log->room + sizeof(line);
		log->text = realloc(log->text, log->room);
		if (!log->text)
			abort();
	}
	memcpy(log->text + log->len, line, n);
	log->len += n;
	log->text[log->len] = '\0';
}

const char *call_log_text(const struct call_log *log)
{
	return log->text ? log->text : "";
}

size_t call_log_count(const struct call_log *log, const char *prefix)
{
	size_t n = 0;

	for (const char *at = call_log_text(log); *at; at = strchr(at, '\n') + 1)
		n += !strncmp(at, prefix, strlen(prefix));
	return n;
}

void call_log_clear(struct call_log *log)
{
	log->len = 0;
	if (log->text)
		log->text[0] = '\0';
}

void call_log_fini(struct call_log *log)
{
	free(log->text);
	*log = (struct call_log){ 0 };
}
