/* A log of calls as text, which fakes write and tests compare. Several fakes may share one. */
#ifndef TESTS_CALL_LOG_H
#define TESTS_CALL_LOG_H

#include <stddef.h>

struct call_log {
	char *text; /* owned; lines, each ended by a newline */
	size_t len, room;
};

/* Appends one line; the newline is added. */
void call_log_add(struct call_log *log, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* All lines so far, "" when there are none. Valid until the next call. */
const char *call_log_text(const struct call_log *log);

/* How many lines begin with prefix. */
size_t call_log_count(const struct call_log *log, const char *prefix);

void call_log_clear(struct call_log *log);
void call_log_fini(struct call_log *log);

#endif
