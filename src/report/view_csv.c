/* The long CSV: one row per interval and event, one row per paused span, always the same columns. */
#include <errno.h>
#include <stdlib.h>

#include "report/csv.h"
#include "report/quantity.h"
#include "report/views.h"

static const char header[] =
	"source,start_s,end_s,window,state,event,value,unit,per_sec,running_pct,cpu,tid,comm,note\n";

/* The columns that the rows of an interval share are made once. */
struct csv {
	FILE *stream; /* into text */
	char *text;
	size_t len;
};

static int csv_begin(struct view_run *run, struct ps_error *err)
{
	struct csv *csv = run->state = calloc(1, sizeof(*csv));

	if (csv)
		csv->stream = open_memstream(&csv->text, &csv->len);
	if (!csv || !csv->stream)
		return ps_fail(err, "report", ENOMEM, "starting csv");
	if (run->options->first)
		csv_put_plain(run->out, header);
	return 0;
}

static void csv_release(struct view_run *run)
{
	struct csv *csv = run->state;

	if (!csv)
		return;
	if (csv->stream)
		(void)fclose(csv->stream); /* memory */
	free(csv->text);
	free(csv);
	run->state = NULL;
}

/* source,start_s,end_s,window,state, into csv->text */
static int make_shared(const struct view_run *run, const struct timeline_span *span, struct ps_error *err)
{
	struct csv *csv = run->state;

	rewind(csv->stream);
	csv_put_front(run, csv->stream, span->start_ns, span->end_ns);
	csv_put_window(csv->stream, span);
	csv_put_plain(csv->stream, ",run,");
	if (fflush(csv->stream) || ferror(csv->stream))
		return ps_fail(err, "report", ENOMEM, "making a row");
	return 0;
}

/* event,value,unit,per_sec,running_pct */
static void put_event(const struct view_run *run, const struct timeline_row *row, uint64_t span_ns)
{
	const struct meta_event *event = &run->meta->events[row->event];
	char number[TEXT_NUMBER];
	FILE *out = run->out;
	double figure;

	csv_put(out, quantity_name(run->meta, row->event));
	csv_put_plain(out, ",");
	if (timeline_has_number(&row->value))
		csv_put_plain(out, quantity_text(number, event, &row->value));
	csv_put_plain(out, ",");
	csv_put(out, quantity_unit(event));
	csv_put_plain(out, ",");
	if (quantity_rate(event, &row->value, span_ns, &figure))
		csv_put_plain(out, text_decimal(number, figure));
	csv_put_plain(out, ",");
	if (quantity_running(&row->value, &figure))
		csv_put_plain(out, text_fixed(number, figure, 2));
	csv_put_plain(out, ",");
}

static int csv_interval(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	const struct view_run *run = ctx;
	const struct csv *csv = run->state;
	int rc = make_shared(run, span, err);

	for (size_t i = 0; rc == 0 && i < span->n_rows; i++) {
		(void)fwrite_unlocked(csv->text, 1, csv->len, run->out);
		put_event(run, &span->rows[i], span->end_ns - span->start_ns);
		csv_put_place(run->out, &span->rows[i]);
		csv_put_plain(run->out, ",");
		csv_put_plain(run->out, quantity_note(&span->rows[i].value));
		csv_put_plain(run->out, "\n");
	}
	return rc;
}

static int csv_pause(void *ctx, uint64_t start_ns, uint64_t end_ns, struct ps_error *err)
{
	const struct view_run *run = ctx;

	(void)err;
	csv_put_front(run, run->out, start_ns, end_ns);
	csv_put_plain(run->out, ",pause,,,,,,,,,\n");
	return 0;
}

const struct view view_csv = {
	.name = "csv",
	.help = "one row per interval and event, with a fixed header",
	.begin = csv_begin,
	.timeline = { .interval = csv_interval, .pause = csv_pause },
	.release = csv_release,
};
