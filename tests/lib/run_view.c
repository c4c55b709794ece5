/* Test helper: run-view VIEW FILE shows a recording through one view that takes records. 0 good, 1 damaged, 2 unreadable. */
#include <stdio.h>
#include <string.h>

#include "data/reader.h"
#include "report/views.h"

static const struct view *const record_views[] = { &view_stats, &view_dump, &view_header };

static int failed(const struct ps_error *err)
{
	(void)fprintf(stderr, "run-view: %s: %s: %s\n", err->where, err->what, strerror(err->code));
	if (err->hint[0])
		(void)fprintf(stderr, "hint: %s\n", err->hint);
	return 2;
}

static void fill_input(struct view_input *input, struct reader *reader, const char **texts)
{
	input->stream = reader_is_stream(reader);
	input->big_endian = reader_is_big_endian(reader);
	input->damaged = reader_damaged(reader);
	input->n_warnings = reader_warnings(reader);
	for (size_t i = 0; i < input->n_warnings; i++)
		texts[i] = reader_warning(reader, i);
	input->warnings = texts;
	input->unknown_records = reader_unknown_records(reader);
}

static int feed(struct view_run *run, const struct view *view, struct reader *reader, struct ps_error *err)
{
	struct record rec;
	int rc;

	while ((rc = reader_next(reader, &rec, err)) > 0) {
		rc = view->record ? view->record(run, &rec, err) : 0;
		if (rc < 0)
			return rc;
	}
	if (rc < 0)
		return rc;
	const char **texts = calloc(reader_warnings(reader) + 1, sizeof(*texts));

	if (!texts)
		return ps_fail(err, "run-view", 12, "warnings");
	fill_input(&run->input, reader, texts);
	rc = view->end ? view->end(run, err) : 0;
	free(texts);
	return rc;
}

int main(int argc, char **argv)
{
	static const struct view_options options = { .first = true };
	struct ps_error err = PS_ERROR_INIT;
	const struct view *view = NULL;
	struct source *source;
	struct reader *reader;
	int rc;

	for (size_t i = 0; argc == 3 && i < ARRAY_SIZE(record_views); i++)
		if (!strcmp(record_views[i]->name, argv[1]))
			view = record_views[i];
	if (!view)
		return 2;
	if (source_open(&source, argv[2], &io_system, &err) < 0 || reader_open(&reader, source, &err) < 0)
		return failed(&err);
	struct view_run run = { .out = stdout, .meta = reader_meta(reader), .options = &options };

	run.input.source = argv[2];
	rc = view->begin ? view->begin(&run, &err) : 0;
	rc = rc < 0 ? rc : feed(&run, view, reader, &err);
	if (view->release)
		view->release(&run);
	if (rc >= 0)
		rc = reader_damaged(reader);
	reader_free(reader);
	return rc < 0 ? failed(&err) : rc;
}
