/* One record in host byte order: what the session makes, the codec encodes and the reader hands out. */
#ifndef DATA_RECORD_H
#define DATA_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pstat/format.h"

/* A SAMPLE, fields by sample_type; what the type does not hold is 0. */
struct record_sample {
	uint64_t id;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint64_t addr;
	uint64_t stream_id;
	uint32_t cpu;
	uint64_t period; /* attr.sample_period where the record has none */
	/* More (READ values, callchain, raw, ...) is reached with sample_parse(), data/sample.h. */
};

/* The kernel's records that have meaning here; names and paths point into the record's bytes and end with NUL. */
struct record_comm {
	uint32_t pid, tid;
	const char *comm;
};

struct record_task { /* FORK and EXIT */
	uint32_t pid, ppid, tid, ptid;
	uint64_t time_ns;
};

struct record_mmap { /* MMAP and MMAP2 */
	uint32_t pid, tid;
	uint64_t start, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	uint32_t prot, flags;
	const char *path;
};

struct record_lost { /* LOST, LOST_SAMPLES */
	uint64_t id;
	uint64_t lost;
};

struct record_update { /* EVENT_UPDATE */
	uint64_t kind;
	uint64_t id;
	const char *text; /* UNIT, NAME */
	double scale;     /* SCALE */
	const int32_t *cpus; /* CPUS */
	size_t n_cpus;
};

struct record_thread_map {
	const struct format_thread_map_entry *threads;
	size_t n;
};

struct record_cpu_map {
	const int32_t *cpus; /* -1: per-task */
	size_t n;
};

struct record_stat_config {
	const struct format_stat_config_entry *entries;
	size_t n;
};

/* pstat's use of HEADER_EVENT_TYPE: see pstat.data(5). */
enum marker_cause {
	MARKER_START,
	MARKER_DELAY,
	MARKER_COMMAND,
	MARKER_SIGNAL,
	MARKER_EXIT,
	MARKER_TIMEOUT,
	MARKER_MARK,
	MARKER_UNKNOWN, /* a word of a newer pstat */
};

struct record_marker_detail {
	uint64_t id;  /* the marker event's id */
	uint64_t seq; /* 1, 2, ... over all markers of the recording */
	enum marker_cause cause;
	uint64_t request_ns; /* CLOCK_MONOTONIC: when the command was read */
	uint64_t done_ns;    /* CLOCK_MONOTONIC: when all counters had changed state; the SAMPLE's time */
	const char *label;   /* or NULL */
};

struct record {
	uint32_t type;
	uint16_t misc;
	uint32_t bytes;       /* whole size in the file, header included; set by the reader */
	uint64_t offset;      /* in the file: its own, or that of the COMPRESSED record it came out of */
	bool compressed;      /* it came out of a COMPRESSED record */
	const uint8_t *raw;   /* the record as in the file, `bytes` long, valid until the next reader call; NULL when made here */
	bool raw_swapped;     /* raw is in the other byte order */
	bool decoded;         /* set by the reader: the union holds it. Otherwise the union is all zero, raw is what there is */
	union {
		struct record_sample sample;
		struct record_comm comm;
		struct record_task task;
		struct record_mmap mmap;
		struct record_lost lost;
		struct record_update update;
		struct record_thread_map thread_map;
		struct record_cpu_map cpu_map;
		struct record_stat_config stat_config;
		struct format_stat stat;
		struct format_stat_round round;
		struct record_marker_detail detail;
	};
};

/* "STAT_ROUND" without PERF_RECORD_; NULL for a type nobody knows. */
const char *record_type_name(uint32_t type);

/* "start", "delay", ... as in the file. */
const char *marker_cause_name(enum marker_cause cause);

/* The cause of a word of len bytes; MARKER_UNKNOWN for one of a newer pstat. */
enum marker_cause marker_cause_parse(const char *word, size_t len);

#endif
