/*
 * What a summary keeps about the windows, in bounded memory: the first and the last ones whole, and statistics over all of
 * them and per label.
 */
#ifndef REPORT_TALLY_H
#define REPORT_TALLY_H

#include "report/timeline.h"

#define TALLY_EDGE 25    /* windows kept at each end */
#define TALLY_LABELS 1000 /* labels told apart; the rest share one group */

/* Mean and spread in one pass (Welford). */
struct tally_spread {
	uint64_t n;
	double mean, m2, min, max;
};

struct tally_event {
	struct timeline_value sum; /* over the windows, exact */
	struct tally_spread spread; /* of the values per window, estimates included */
};

struct tally_group {
	char *label;       /* NULL: the windows without one; owned */
	bool is_others;    /* of the labels behind the first TALLY_LABELS */
	uint64_t n_windows, time_ns;
	struct tally_event *events; /* per event in meta; owned */
};

struct tally_window {
	unsigned number;
	char *label; /* or NULL; owned */
	uint64_t start_ns, end_ns;
	bool unread;
	struct timeline_value *values; /* per event in meta, all its rows added up; owned */
};

struct tally {
	size_t n_events; /* fixed at the first window */
	uint64_t n_windows;
	struct tally_group all;
	struct tally_group *groups; /* in the order of their first windows; owned */
	size_t n_groups;
	uint16_t *index; /* hash of labels; group number + 1; owned */
	bool has_labels;
	struct tally_window first[TALLY_EDGE];
	struct tally_window last[TALLY_EDGE]; /* a ring of those behind the first */
};

void tally_init(struct tally *tally);
void tally_fini(struct tally *tally);

/* One window. 0 or -ENOMEM. */
int tally_add(struct tally *tally, const struct meta *meta, const struct timeline_span *span, struct ps_error *err)
	_must_check_;

/* Windows kept, and the i-th of them in order. Between TALLY_EDGE - 1 and TALLY_EDGE there may be a gap. */
size_t tally_kept(const struct tally *tally);
const struct tally_window *tally_window(const struct tally *tally, size_t i);

/* Windows between the first and the last ones that are not kept. */
uint64_t tally_left_out(const struct tally *tally);

void tally_spread_add(struct tally_spread *spread, double value);

/* The standard deviation of the sample; 0 for less than two values. */
double tally_stddev(const struct tally_spread *spread);

#endif
