/* Records through a timeline into a view. */
#include "report/drive.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#define RECORDS_PER_CHECK 4096

static bool wants_timeline(const struct view *view)
{
	const struct timeline_ops *ops = &view->timeline;

	return ops->interval || ops->pause || ops->marker || ops->window || ops->total;
}

/* Settles the zero of time before the first thing that has a time is shown. */
static int prepare(struct drive *drive, struct ps_error *err)
{
	struct view_run *run = &drive->run;
	enum view_time wanted = run->options->time;

	if (run->has_t0)
		return 0;
	run->has_t0 = timeline_t0(drive->timeline, &run->t0_mono_ns);
	run->t0_wall_ns = run->meta->has_t0 ? run->meta->t0_wall_ns : 0;
	if (wanted != VIEW_TIME_REL && !run->has_t0) {
		(void)ps_fail(err, "report", ENODATA, "%s does not tell when it began", run->input.source);
		ps_hint(err, "--time=rel shows seconds since its beginning");
		return -ENODATA;
	}
	if (wanted == VIEW_TIME_WALL && !run->t0_wall_ns) {
		(void)ps_fail(err, "report", ENODATA, "%s does not tell the wall clock", run->input.source);
		ps_hint(err, "--time=rel and --time=mono work without it");
		return -ENODATA;
	}
	return 0;
}

static int pass_span(struct drive *drive, int (*op)(void *, const struct timeline_span *, struct ps_error *),
		     const struct timeline_span *span, struct ps_error *err)
{
	int rc = prepare(drive, err);

	return rc < 0 ? rc : op(&drive->run, span, err);
}

static int pass_interval(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct drive *drive = ctx;
	int rc = pass_span(drive, drive->view->timeline.interval, span, err);

	return rc == 0 && drive->run.options->flush ? drive_flush(drive, err) : rc;
}

static int pass_window(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct drive *drive = ctx;

	return pass_span(drive, drive->view->timeline.window, span, err);
}

static int pass_total(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct drive *drive = ctx;

	/* the total is about a length, not a time: a recording that does not know its t0 has one too */
	if (drive->run.options->time == VIEW_TIME_REL)
		(void)prepare(drive, NULL);
	return drive->view->timeline.total(&drive->run, span, err);
}

static int pass_pause(void *ctx, uint64_t start_ns, uint64_t end_ns, struct ps_error *err)
{
	struct drive *drive = ctx;
	int rc = prepare(drive, err);

	return rc < 0 ? rc : drive->view->timeline.pause(&drive->run, start_ns, end_ns, err);
}

static int pass_marker(void *ctx, const struct timeline_marker *marker, struct ps_error *err)
{
	struct drive *drive = ctx;
	int rc = prepare(drive, err);

	return rc < 0 ? rc : drive->view->timeline.marker(&drive->run, marker, err);
}

static int make_timeline(struct drive *drive, struct ps_error *err)
{
	const struct timeline_ops *wanted = &drive->view->timeline;
	const struct view_options *options = drive->run.options;
	const struct timeline_options how = {
		.per = options->per, .window_first = options->window_first, .window_last = options->window_last,
	};
	const struct timeline_ops ops = {
		.interval = wanted->interval ? pass_interval : NULL,
		.pause = wanted->pause ? pass_pause : NULL,
		.marker = wanted->marker ? pass_marker : NULL,
		.window = wanted->window ? pass_window : NULL,
		.total = wanted->total ? pass_total : NULL,
	};

	return timeline_new(&drive->timeline, drive->run.meta, &how, &ops, drive, err);
}

int drive_begin(struct drive *drive, const struct view *view, const struct view_options *options,
		const struct meta *meta, const struct view_input *input, FILE *out, struct ps_error *err)
{
	int rc;

	*drive = (struct drive){
		.view = view,
		.run = { .out = out, .meta = meta, .options = options, .input = *input },
	};
	rc = wants_timeline(view) ? make_timeline(drive, err) : 0;
	if (rc < 0)
		return rc;
	drive->begun = true;
	return view->begin ? view->begin(&drive->run, err) : 0;
}

/* The kernel knows no marker events: what is lost in the name of one is the recorder's doing. */
static void note_lost(struct drive *drive, const struct record_lost *lost)
{
	if (lost->id == FORMAT_MARKER_ID_PAUSE)
		drive->dropped += lost->lost;
	else
		drive->run.input.lost += lost->lost;
}

int drive_put(struct drive *drive, const struct record *rec, struct ps_error *err)
{
	int rc = 0;

	if (rec->type == PERF_RECORD_LOST && !rec->raw_only)
		note_lost(drive, &rec->lost);
	if (drive->view->record)
		rc = drive->view->record(&drive->run, rec, err);
	if (rc == 0 && drive->timeline)
		rc = timeline_put(drive->timeline, rec, err);
	if (rc == 0 && ++drive->unchecked >= RECORDS_PER_CHECK) {
		drive->unchecked = 0;
		rc = ferror(drive->run.out) ? drive_flush(drive, err) : 0;
	}
	return rc;
}

int drive_note(struct drive *drive, const char *text, struct ps_error *err)
{
	char **grown = reallocarray(drive->notes, drive->n_notes + 1, sizeof(*grown));

	if (!grown)
		return ps_fail(err, "report", ENOMEM, "keeping a warning");
	drive->notes = grown;
	grown[drive->n_notes] = strdup(text);
	if (!grown[drive->n_notes])
		return ps_fail(err, "report", ENOMEM, "keeping a warning");
	drive->run.input.n_warnings = ++drive->n_notes;
	drive->run.input.warnings = (const char *const *)grown;
	return 0;
}

static int note_count(struct drive *drive, uint64_t count, const char *what, struct ps_error *err)
{
	char text[200];

	if (!count)
		return 0;
	(void)snprintf(text, sizeof(text), "%llu %s", (unsigned long long)count, what);
	return drive_note(drive, text, err);
}

static int note_oddities(struct drive *drive, struct ps_error *err)
{
	const struct timeline *timeline = drive->timeline;
	int rc = note_count(drive, timeline_strays(timeline),
			    "readings of counters that no event owns were left out", err);

	if (rc == 0)
		rc = note_count(drive, timeline_set_back(timeline),
				"times a count went backwards; what it showed then was taken as counted anew", err);
	if (rc == 0)
		rc = note_count(drive, drive->dropped,
				"readings were dropped, for the stream's reader was slow; the ones after them cover them", err);
	if (rc == 0)
		rc = note_count(drive, timeline_lost_markers(timeline),
				"pauses or resumes are missing from the file and were assumed", err);
	return rc;
}

int drive_flush(struct drive *drive, struct ps_error *err)
{
	errno = 0;
	if (fflush(drive->run.out) == 0 && !ferror(drive->run.out))
		return 0;
	return ps_fail(err, "report", errno ? errno : EIO, "writing the report");
}

int drive_end(struct drive *drive, struct ps_error *err)
{
	int rc = 0;

	if (drive->timeline) {
		rc = timeline_finish(drive->timeline, err);
		if (rc == 0)
			rc = note_oddities(drive, err);
	}
	if (rc == 0 && drive->view->end)
		rc = drive->view->end(&drive->run, err);
	return rc < 0 ? rc : drive_flush(drive, err);
}

void drive_fini(struct drive *drive)
{
	if (drive->begun && drive->view->release)
		drive->view->release(&drive->run);
	timeline_free(drive->timeline);
	for (size_t i = 0; i < drive->n_notes; i++)
		free(drive->notes[i]);
	free(drive->notes);
	*drive = (struct drive){ .view = NULL };
}
