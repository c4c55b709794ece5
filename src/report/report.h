/* One input through one view: from a reader, or live behind a session. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "data/consumer.h"
#include "data/reader.h"
#include "report/view.h"

/*
 * Reads everything from reader (borrowed) through view into out. source names it in the output. 0 all good, 1 damaged but
 * shown up to (and after) the damage, -errno nothing could be shown or writing failed.
 */
int report_run(const struct view *view, const struct view_options *options, const char *source, struct reader *reader,
	       FILE *out, struct ps_error *err) _must_check_;

struct live_report;

struct live_options {
	const struct view *view;
	const struct view_options *viewing; /* borrowed, as all pointers here, until live_report_free */
	int fd;                             /* where to; it is never waited for while the session goes on */
	const struct io_ops *io;
	/* When the view has begun; what it returns < 0 ends the session. NULL: nobody cares. */
	int (*on_start)(void *data, struct ps_error *err);
	void *data;
};

/* The same behind a session. 0, -ENOTSUP for a view of a file's records, -errno. */
int live_report_new(struct live_report **live, const struct live_options *options, struct ps_error *err) _must_check_;
struct consumer live_report_consumer(struct live_report *live);

/*
 * After the session: waits for room for what is not written yet and writes it. 0, or -errno of writing, now or before (nothing
 * is written any more then).
 */
int live_report_drain(struct live_report *live, struct ps_error *err) _must_check_;

/* What became of a session whose output was not taken. */
struct live_backlog {
	uint64_t merged;  /* readings that are part of the interval after them */
	uint64_t dropped; /* texts that are missing: of an interval or what came with it */
};

struct live_backlog live_report_backlog(const struct live_report *live);
void live_report_free(struct live_report *live);

#endif
