/* What the numbers of an event mean: unit, scale, rate, and the notes that go with them in machine formats. */
#ifndef REPORT_QUANTITY_H
#define REPORT_QUANTITY_H

#include "report/text.h"
#include "report/view.h"

/* task-clock and cpu-clock: the count is in ns. */
bool quantity_is_clock(const struct meta_event *event);

/* The unit of values in machine formats: "ns" for clocks, the event's own, or "". */
const char *quantity_unit(const struct meta_event *event);

/* The value in quantity_unit. */
double quantity_value(const struct meta_event *event, const struct timeline_value *value);

/* The same as text (TEXT_NUMBER bytes): every digit of a plain count, a decimal for events with a scale. Returns buf. */
const char *quantity_text(char *buf, const struct meta_event *event, const struct timeline_value *value);

/*
 * For people: clocks in msec, digits in threes; value is in quantity_unit. TEXT_NUMBER bytes, returns buf. The unit of it
 * is quantity_people_unit.
 */
const char *quantity_people(char *buf, const struct meta_event *event, double value);
const char *quantity_people_unit(const struct meta_event *event);

/* Per second of window time. False when there is no rate: not counted, or a span of no length. */
bool quantity_rate(const struct meta_event *event, const struct timeline_value *value, uint64_t span_ns, double *rate);

/* The share of the enabled time that it ran, 0-100. False when it was never enabled. */
bool quantity_running(const struct timeline_value *value, double *percent);

/* "", "scaled", "not counted" or "not supported". */
const char *quantity_note(const struct timeline_value *value);

/* A time since t0 as options.time wants it, TEXT_NUMBER bytes. Returns buf. */
const char *quantity_time(char *buf, const struct view_run *run, uint64_t since_t0_ns);

/* An event's name; "?" for one without. Two events of one name are the reader's to tell apart. */
const char *quantity_name(const struct meta *meta, size_t event);

#endif
