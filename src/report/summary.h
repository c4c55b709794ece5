/* Inside of the summary view: the parts that print. Each returns 0 or -ENOMEM. */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include "report/tally.h"
#include "report/view.h"

/* What the summary kept until its end. */
struct summary {
	struct tally tally;
	struct timeline_row *rows; /* of the total; owned */
	size_t n_rows;
	uint64_t start_ns, end_ns, counted_ns;
};

int summary_windows(const struct view_run *run, const struct summary *summary, struct ps_error *err) _must_check_;
int summary_groups(const struct view_run *run, const struct summary *summary, struct ps_error *err) _must_check_;
void summary_notes(const struct view_run *run, const struct summary *summary);

#endif
