/* A recording made from a description: two CPUs or two threads, four events, three windows. For tests of both directions. */
#ifndef TESTS_MADE_RECORDING_H
#define TESTS_MADE_RECORDING_H

#include <stdbool.h>

#include "data/consumer.h"
#include "data/meta.h"

#define MADE_T0_NS UINT64_C(1000000000000)
#define MADE_WALL_NS UINT64_C(1796141607000000000)
#define MADE_ROUND_NS UINT64_C(100000000)
#define MADE_CELLS 2       /* CPUs or threads */
#define MADE_UNSUPPORTED 2 /* index of the event that has no ids */

struct made {
	bool per_task;            /* two threads; otherwise two CPUs */
	size_t rounds;            /* readings; a pause after each third of them */
	const void *tracing_data; /* payload of TRACING_DATA, or NULL; then sched:sched_switch is an event too */
	size_t tracing_bytes;
	uint64_t tracepoint_id;
};

/* Fills meta; it is the caller's to meta_fini. */
void made_meta(struct meta *meta, const struct made *made);

/*
 * start, all records and checkpoints after every tenth round, finish. Returns what the first failing call returned, with err;
 * finish is called in any case.
 */
int made_write(struct consumer *consumer, const struct meta *meta, const struct made *made, struct ps_error *err);

/* The records of round i alone, marker included when one belongs there. */
int made_round(struct consumer *consumer, const struct meta *meta, const struct made *made, size_t i,
	       struct ps_error *err);

/* The value of an event's cell in round i (from 0): raw and cumulative. */
uint64_t made_value(size_t event, size_t cell, size_t i);

#endif
