/* Names for events that a file leaves without one, from type and config. */
#ifndef DATA_EVENT_NAME_H
#define DATA_EVENT_NAME_H

#include "data/meta.h"

#define EVENT_NAME_BYTES 128

/* Writes a name as perf would show it, modifiers included, into name (len bytes, always ended with NUL). */
void event_name_make(const struct meta *meta, const struct meta_event *event, char *name, size_t len);

#endif
