/* The wide CSV, for plotting: one row per interval (and CPU or thread), one column per event. */
#include <errno.h>
#include <string.h>

#include "report/csv.h"
#include "report/pivot.h"
#include "report/quantity.h"
#include "report/views.h"

struct wide {
	bool has_header;
	struct pivot pivot;
};

static int wide_begin(struct view_run *run, struct ps_error *err)
{
	run->state = calloc(1, sizeof(struct wide));
	return run->state ? 0 : ps_fail(err, "report", ENOMEM, "starting csv-wide");
}

static void wide_release(struct view_run *run)
{
	struct wide *wide = run->state;

	if (!wide)
		return;
	pivot_fini(&wide->pivot);
	free(wide);
	run->state = NULL;
}

/* How many events before this one have its name. */
static unsigned namesakes(const struct meta *meta, size_t event)
{
	unsigned n = 0;

	for (size_t i = 0; i < event; i++)
		n += !strcmp(quantity_name(meta, i), quantity_name(meta, event));
	return n;
}

static void put_event_name(FILE *out, const struct meta *meta, size_t event)
{
	unsigned before = namesakes(meta, event);
	char *numbered = NULL;

	if (before && asprintf(&numbered, "%s#%u", quantity_name(meta, event), before + 1) >= 0)
		csv_put(out, numbered);
	else
		csv_put(out, quantity_name(meta, event));
	if (before)
		free(numbered);
}

/*
 * The events are known with the first row, not before. A second input may have others, so each has a header of its own,
 * set off by an empty line.
 */
static void put_header(struct view_run *run)
{
	struct wide *wide = run->state;

	if (wide->has_header)
		return;
	wide->has_header = true;
	if (!run->options->first)
		csv_put_plain(run->out, "\n");
	csv_put_plain(run->out, "source,start_s,end_s,window,state,cpu,tid,comm");
	for (size_t i = 0; i < run->meta->n_events; i++) {
		if (timeline_role(&run->meta->events[i]) != META_COUNTER)
			continue;
		csv_put_plain(run->out, ",");
		put_event_name(run->out, run->meta, i);
	}
	csv_put_plain(run->out, "\n");
}

static void put_cells(const struct view_run *run, const struct pivot_line *line)
{
	char number[TEXT_NUMBER];

	for (size_t i = 0; i < run->meta->n_events; i++) {
		const struct meta_event *event = &run->meta->events[i];

		if (timeline_role(event) != META_COUNTER)
			continue;
		csv_put_plain(run->out, ",");
		if (line && line->cells[i] && timeline_has_number(&line->cells[i]->value))
			csv_put_plain(run->out, quantity_text(number, event, &line->cells[i]->value));
	}
	csv_put_plain(run->out, "\n");
}

static void put_line(const struct view_run *run, const struct timeline_span *span, const struct pivot_line *line)
{
	csv_put_front(run, run->out, span->start_ns, span->end_ns);
	csv_put_window(run->out, span);
	csv_put_plain(run->out, ",run,");
	csv_put_place(run->out, line->place);
	put_cells(run, line);
}

static int wide_interval(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct view_run *run = ctx;
	struct wide *wide = run->state;
	int rc = pivot_turn(&wide->pivot, run->meta, span, err);

	if (rc < 0)
		return rc;
	put_header(run);
	for (size_t i = 0; i < wide->pivot.n_lines; i++)
		put_line(run, span, &wide->pivot.lines[i]);
	return 0;
}

static int wide_pause(void *ctx, uint64_t start_ns, uint64_t end_ns, struct ps_error *err)
{
	struct view_run *run = ctx;

	(void)err;
	put_header(run);
	csv_put_front(run, run->out, start_ns, end_ns);
	csv_put_plain(run->out, ",pause,,,");
	put_cells(run, NULL);
	return 0;
}

static int wide_end(struct view_run *run, struct ps_error *err)
{
	(void)err;
	put_header(run);
	return 0;
}

const struct view view_csv_wide = {
	.name = "csv-wide",
	.help = "one row per interval, one column per event",
	.begin = wide_begin,
	.timeline = { .interval = wide_interval, .pause = wide_pause },
	.end = wide_end,
	.release = wide_release,
};
