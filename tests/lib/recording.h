/*
 * Recordings from a line of text, so that a test reads as a table: statements separated by blanks, times in ms since t0.
 *   R10 R10=label P20 M15=text   resume, pause and mark with their detail records; r10 p20 m15 without
 *   s1=5 s1=5,100,50             STAT of id 1: count, enabled and running ms; s2@3=5 on CPU 3, s2/1=5 of thread 1
 *   o20 f20                      STAT_ROUND, interval and final
 *   x1@12=7                      SAMPLE of id 1 at 12 with period 7
 */
#ifndef TESTS_RECORDING_H
#define TESTS_RECORDING_H

#include "data/meta.h"
#include "data/record.h"

#define RECORDING_T0_NS UINT64_C(5000000000)

/* "a" with ids 1-4 and "b" with 11-14, "c" without ids; with the three marker events on top when asked for. */
void recording_meta(struct meta *meta, bool with_markers);

/* Adds one event with n ids counted up from first_id. Aborts when out of memory. */
struct meta_event *recording_add_event(struct meta *meta, const char *name, uint32_t type, uint64_t config,
				       uint64_t first_id, size_t n);
void recording_add_markers(struct meta *meta);

/* Plays a script. Stops at the first put that returns < 0 and returns that; aborts on a statement it does not know. */
int recording_play(const char *script, int (*put)(void *ctx, const struct record *rec, struct ps_error *err), void *ctx,
		   struct ps_error *err);

#endif
