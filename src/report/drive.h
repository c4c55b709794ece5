/* What a report from a file and a live one share: records go to the view and through a timeline to it. */
#ifndef REPORT_DRIVE_H
#define REPORT_DRIVE_H

#include "report/view.h"

struct drive {
	const struct view *view;
	struct view_run run;
	struct timeline *timeline; /* NULL for views of records; owned */
	char **notes;              /* becomes run.input.warnings; owned */
	size_t n_notes;
	bool begun;
	uint64_t dropped;   /* readings that the recorder gave up for a slow reader of its stream */
	unsigned unchecked; /* records since the output was last looked at */
};

/* Begins the view. All pointers are borrowed until drive_fini; input tells what is known at the start. 0 or -errno. */
int drive_begin(struct drive *drive, const struct view *view, const struct view_options *options,
		const struct meta *meta, const struct view_input *input, FILE *out, struct ps_error *err) _must_check_;

/* One record. 0 or -errno, also when out could not be written. */
int drive_put(struct drive *drive, const struct record *rec, struct ps_error *err) _must_check_;

/* Adds a warning, copied, to those that the view gets at its end. 0 or -ENOMEM. */
int drive_note(struct drive *drive, const char *text, struct ps_error *err) _must_check_;

/* The end of the records: totals, the view's end, and everything written out. run.input is up to date. 0 or -errno. */
int drive_end(struct drive *drive, struct ps_error *err) _must_check_;

/* Writes out what is buffered; 0, or -errno when that or anything written before failed. */
int drive_flush(struct drive *drive, struct ps_error *err) _must_check_;

/* Releases the view and everything else; fine for one that was zeroed or never begun. */
void drive_fini(struct drive *drive);

#endif
