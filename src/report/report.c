/* A view over what a reader finds. */
#include "report/report.h"

#include "report/drive.h"

/* Everything the reader has. 0, or -errno of the view; *read_rc: -errno that ended the reading early. */
static int feed(struct drive *drive, struct reader *reader, int *read_rc, struct ps_error *err)
{
	struct record rec;
	int rc = 0;

	while (rc == 0 && (*read_rc = reader_next(reader, &rec, err)) > 0)
		rc = drive_put(drive, &rec, err);
	return rc;
}

static int finish(struct drive *drive, const struct reader *reader, struct ps_error *err)
{
	struct view_input *input = &drive->run.input;
	int rc = 0;

	input->damaged = reader_damaged(reader);
	input->unknown_records = reader_unknown_records(reader);
	for (size_t i = 0; rc == 0 && i < reader_warnings(reader); i++)
		rc = drive_note(drive, reader_warning(reader, i), err);
	return rc < 0 ? rc : drive_end(drive, err);
}

int report_run(const struct view *view, const struct view_options *options, const char *source, struct reader *reader,
	       FILE *out, struct ps_error *err)
{
	const struct view_input input = {
		.source = source,
		.place = reader_place(reader),
		.stream = reader_is_stream(reader),
		.big_endian = reader_is_big_endian(reader),
	};
	struct drive drive;
	int read_rc = 0, rc = drive_begin(&drive, view, options, reader_meta(reader), &input, out, err);

	if (rc == 0)
		rc = feed(&drive, reader, &read_rc, err);
	if (rc == 0) /* a medium that fails half way has still shown the first half; its error stays in err */
		rc = finish(&drive, reader, read_rc < 0 ? NULL : err);
	drive_fini(&drive);
	if (read_rc < 0)
		return read_rc;
	return rc < 0 ? rc : reader_damaged(reader);
}
