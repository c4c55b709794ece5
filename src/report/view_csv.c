/* The long CSV: one row per interval and event, one row per paused span, always the same columns. */
#include "report/csv.h"
#include "report/quantity.h"
#include "report/views.h"

static const char header[] =
	"source,start_s,end_s,window,state,event,value,unit,per_sec,running_pct,cpu,tid,comm,note\n";

static int csv_begin(struct view_run *run, struct ps_error *err)
{
	(void)err;
	if (run->options->first)
		(void)fputs(header, run->out);
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
	(void)fputc(',', out);
	if (row->value.state == VALUE_COUNTED)
		(void)fputs(quantity_text(number, event, &row->value), out);
	(void)fputc(',', out);
	csv_put(out, quantity_unit(event));
	(void)fputc(',', out);
	if (quantity_rate(event, &row->value, span_ns, &figure))
		(void)fputs(text_decimal(number, figure), out);
	(void)fputc(',', out);
	if (quantity_running(&row->value, &figure))
		(void)fprintf(out, "%.2f", figure);
	(void)fputc(',', out);
}

static int csv_interval(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	const struct view_run *run = ctx;

	(void)err;
	for (size_t i = 0; i < span->n_rows; i++) {
		csv_put_front(run, span->start_ns, span->end_ns);
		csv_put_window(run->out, span);
		(void)fputs(",run,", run->out);
		put_event(run, &span->rows[i], span->end_ns - span->start_ns);
		csv_put_place(run->out, &span->rows[i]);
		(void)fputc(',', run->out);
		(void)fputs(quantity_note(&span->rows[i].value), run->out);
		(void)fputc('\n', run->out);
	}
	return 0;
}

static int csv_pause(void *ctx, uint64_t start_ns, uint64_t end_ns, struct ps_error *err)
{
	const struct view_run *run = ctx;

	(void)err;
	csv_put_front(run, start_ns, end_ns);
	(void)fputs(",pause,,,,,,,,,\n", run->out);
	return 0;
}

const struct view view_csv = {
	.name = "csv",
	.help = "one row per interval and event, with a fixed header",
	.begin = csv_begin,
	.timeline = { .interval = csv_interval, .pause = csv_pause },
};
