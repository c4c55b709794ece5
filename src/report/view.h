/* The views: one row per output format. A new view is one file and one row. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include <stdio.h>

#include "data/reader.h"
#include "report/timeline.h"

enum view_time {
	VIEW_TIME_REL,  /* seconds since t0 */
	VIEW_TIME_MONO, /* CLOCK_MONOTONIC, seconds */
	VIEW_TIME_WALL, /* ISO 8601, UTC */
};

/* What reading found out beside the records; complete when a view's end is called. */
struct view_input {
	const char *source;  /* the file's name as the user gave it; "-" for standard input; "live" */
	bool stream, big_endian, damaged;
	size_t n_warnings;
	const char *const *warnings;
	uint64_t unknown_records;
	struct reader_place place;
	uint64_t lost; /* records the kernel had to drop: the sum of the LOST records */
};

struct view_options {
	enum timeline_per per;
	enum view_time time;
	unsigned window_first, window_last; /* --window; 0, 0: all */
	unsigned columns;                   /* of the terminal; 0: not a terminal */
	bool utf8;                          /* the terminal shows UTF-8 (text_locale_is_utf8); false: ASCII only */
	bool flush;                         /* after every interval: somebody is watching */
	bool first;                         /* first of several inputs into one output: headers are due */
};

struct view_run {
	FILE *out;
	const struct meta *meta;
	const struct view_options *options;
	struct view_input input;
	bool has_t0;          /* set before the first call of a timeline op: the two below are known */
	uint64_t t0_mono_ns;
	uint64_t t0_wall_ns;  /* 0: not known */
	void *state; /* the view's own */
};

struct view {
	const char *name, *help;
	bool records; /* wants every record (record below), also those inside COMPRESSED ones */
	/* Before the first record; meta may still be empty (a stream). May set run->state. 0 or -errno. */
	int (*begin)(struct view_run *run, struct ps_error *err);
	/* Every record in file order; NULL for views of the timeline. */
	int (*record)(struct view_run *run, const struct record *rec, struct ps_error *err);
	/* ctx is the view_run. All NULL for views of records. */
	struct timeline_ops timeline;
	/* After the last record. 0 or -errno. */
	int (*end)(struct view_run *run, struct ps_error *err);
	/* Frees run->state; always called after begin, also on failure. May be NULL. */
	void (*release)(struct view_run *run);
};

extern const struct view *const views[]; /* ends with NULL */

/* The view of a name, or NULL. */
const struct view *view_find(const char *name);

#endif
