/* Names for events that a file leaves without one, from type and config. */
#ifndef DATA_EVENT_NAME_H
#define DATA_EVENT_NAME_H

#include "data/meta.h"

#define EVENT_NAME_BYTES 128

#define EVENT_NAME_BUDGET ((size_t)256 << 20)

/*
 * Writes a name as perf would show it, modifiers included, into name (len bytes, always ended with NUL). *budget is what all
 * searches together may cost in bytes looked at; when it is used up the name is made of numbers, so that a file of many
 * events and large tables takes no more than its time.
 */
void event_name_make(const struct meta *meta, const struct meta_event *event, char *name, size_t len, size_t *budget);

#endif
