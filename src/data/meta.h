/*
 * What a recording is about, apart from its readings: events, CPUs, threads, clocks, host facts. The session fills one to
 * start a writer or a live view; the reader fills one from a file. Plain data, host byte order.
 */
#ifndef DATA_META_H
#define DATA_META_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "data/feature.h"

enum meta_role {
	META_COUNTER, /* an event of the user's */
	META_PAUSE,   /* pstat:pause, pstat:resume, pstat:mark: made-up events that carry the markers */
	META_RESUME,
	META_MARK,
};

struct meta_event {
	char *name;                  /* as shown, modifiers included: "cycles:u"; owned */
	char *unit;                  /* "Joules", or NULL; owned */
	double scale;                /* a count times this is in unit; 1 when there is none */
	struct perf_event_attr attr; /* host order; fields the file's attr was too short for are 0 */
	uint32_t attr_bytes;         /* attr.size in the file */
	uint64_t config3;            /* attr.config3, which older system headers have no field for */
	enum meta_role role;
	uint64_t *ids; /* one per cell in cell order (CPU major, then thread); owned */
	size_t n_ids;  /* 0: not supported on the machine that recorded */
	int32_t *cpus; /* an event with CPUs of its own (uncore): their numbers; owned, NULL = the recording's */
	size_t n_cpus;
};

struct meta_thread {
	int64_t tid; /* -1: system-wide */
	char comm[16];
};

struct meta_index;

struct meta {
	struct meta_event *events; /* in file order; owned */
	size_t n_events;
	int32_t *cpus; /* CPU_MAP; -1 alone: per-task counting; owned */
	size_t n_cpus;
	struct meta_thread *threads; /* THREAD_MAP; owned */
	size_t n_threads;

	bool has_t0;         /* the two below are known */
	uint64_t t0_mono_ns; /* CLOCK_MONOTONIC at t0, the zero of every round's time */
	uint64_t t0_wall_ns; /* wall clock at t0, ns since 1970; 0 when the file does not tell */
	uint64_t interval_ms; /* STAT_CONFIG: 0 = no interval mode */
	bool scale;           /* STAT_CONFIG */
	bool is_stat;         /* holds readings: feature STAT, or a STAT_CONFIG was seen */

	struct feature_set features; /* everything the header tells */

	struct meta_index *index; /* private to meta.c; NULL only costs speed */
};

void meta_init(struct meta *meta);
void meta_fini(struct meta *meta);

/*
 * Appends an event with its name copied (NULL = none yet), scale 1 and no ids. Returns it, valid until the next call, or
 * NULL with err filled.
 */
struct meta_event *meta_add_event(struct meta *meta, const char *name, struct ps_error *err);

/*
 * The event that owns an id, or NULL. Constant time on average; the index is built at the first call that misses after a
 * change. An id of two events belongs to the first of them when the index was built.
 */
const struct meta_event *meta_find_id(const struct meta *meta, uint64_t id);

/*
 * Says that ids were given to events that were there before. A lookup finds that out by itself, but with more than 1000
 * events only from this call or from their number, so that ids nobody owns cost no more than others.
 */
void meta_ids_changed(struct meta *meta);

/*
 * How the event of a SAMPLE or of a sample_id trailer is found. Constant time; looked up anew when the number of events or
 * the sample_type of the first or last of them has changed.
 */
struct meta_sample_key {
	bool uniform; /* every event has the first one's sample_type */
	bool has_id;  /* the id stands at id_at from the start of the body, whatever the event */
	size_t id_at;
	size_t leading_bytes; /* meta_leading_bytes() of the first event's sample_type; 0 without events */
};

/* The key, in *room when there was no memory to keep one. Stays until the events change. */
const struct meta_sample_key *meta_sample_key(const struct meta *meta, struct meta_sample_key *room);

/* Bytes of the fields that every SAMPLE begins with: one word for each bit of its type, in an order all types share. */
size_t meta_leading_bytes(uint64_t sample_type);

#endif
