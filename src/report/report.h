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

/* The same behind a session; -ENOTSUP for a view of a file's records. options and out are borrowed until live_report_free. */
int live_report_new(struct live_report **live, const struct view *view, const struct view_options *options, FILE *out,
		    struct ps_error *err) _must_check_;
struct consumer live_report_consumer(struct live_report *live);
void live_report_free(struct live_report *live);

#endif
