/* Test helper: run-view VIEW FILE shows a recording through one view. 0 good, 1 damaged, 2 unreadable. */
#include <stdio.h>
#include <string.h>

#include "report/report.h"

#define STATUS_UNREADABLE 2

int main(int argc, char **argv)
{
	static const struct view_options options = { .first = true };
	const struct view *view = argc == 3 ? view_find(argv[1]) : NULL;
	struct ps_error err = PS_ERROR_INIT;
	struct source *source;
	struct reader *reader = NULL;
	int rc;

	if (!view) {
		(void)fprintf(stderr, "usage: run-view VIEW FILE\n");
		return STATUS_UNREADABLE;
	}
	rc = source_open(&source, argv[2], &io_system, &err);
	if (rc == 0)
		rc = reader_open(&reader, source, &err);
	if (rc == 0)
		rc = report_run(view, &options, argv[2], reader, stdout, &err);
	reader_free(reader);
	if (rc >= 0)
		return rc;
	(void)fprintf(stderr, "run-view: %s: %s: %s\n", err.where, err.what, strerror(err.code));
	return STATUS_UNREADABLE;
}
