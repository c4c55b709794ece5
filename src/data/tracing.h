/* The TRACING_DATA payload (what trace-cmd calls the metadata of a trace): makes it, and finds tracepoints in it. */
#ifndef DATA_TRACING_H
#define DATA_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/*
 * "system:event" of the tracepoint with this id into name (len bytes, ended with NUL). False when the payload does not have
 * it or is damaged before it.
 */
bool tracing_find_name(const uint8_t *payload, size_t bytes, uint64_t id, char *name, size_t len);

/* One tracepoint to describe; all borrowed. */
struct tracing_format {
	const char *system;
	const char *text; /* what events/SYSTEM/EVENT/format holds */
};

/*
 * Appends the payload in its short form, which perf reads: no ftrace events, symbols or command lines. page and event are
 * the contents of events/header_page and events/header_event; formats of one system stand together. 0 or -ENOMEM.
 */
int tracing_encode(const char *page, const char *event, const struct tracing_format *formats, size_t n,
		   struct buffer *out, struct ps_error *err) _must_check_;

#endif
