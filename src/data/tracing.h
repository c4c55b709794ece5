/* The TRACING_DATA payload (what trace-cmd calls the metadata of a trace): finds tracepoints in it. */
#ifndef DATA_TRACING_H
#define DATA_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "system:event" of the tracepoint with this id into name (len bytes, ended with NUL). False when the payload does not have
 * it or is damaged before it.
 */
bool tracing_find_name(const uint8_t *payload, size_t bytes, uint64_t id, char *name, size_t len);

#endif
