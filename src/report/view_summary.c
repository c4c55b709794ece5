/* The summary: what ran, how long it was counted, what it came to. */
#include <errno.h>
#include <string.h>

#include "report/derived.h"
#include "report/quantity.h"
#include "report/summary.h"
#include "report/table.h"
#include "report/value.h"
#include "report/views.h"

static int summary_begin(struct view_run *run, struct ps_error *err)
{
	run->state = calloc(1, sizeof(struct summary));
	return run->state ? 0 : ps_fail(err, "report", ENOMEM, "starting a summary");
}

static void summary_release(struct view_run *run)
{
	struct summary *summary = run->state;

	if (!summary)
		return;
	tally_fini(&summary->tally);
	free(summary->rows);
	free(summary);
	run->state = NULL;
}

static int summary_window(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct view_run *run = ctx;
	struct summary *summary = run->state;

	return tally_add(&summary->tally, run->meta, span, err);
}

static int summary_total(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct view_run *run = ctx;
	struct summary *summary = run->state;

	summary->start_ns = span->start_ns;
	summary->end_ns = span->end_ns;
	summary->counted_ns = span->counted_ns;
	summary->rows = calloc(span->n_rows + 1, sizeof(*summary->rows));
	if (!summary->rows)
		return ps_fail(err, "report", ENOMEM, "keeping the totals");
	if (span->n_rows)
		memcpy(summary->rows, span->rows, span->n_rows * sizeof(*summary->rows));
	summary->n_rows = span->n_rows;
	return 0;
}

static void put_command(FILE *out, const struct feature_set *features)
{
	if (!features->n_cmdline)
		return;
	(void)fputs("command   ", out);
	for (size_t i = 0; i < features->n_cmdline; i++) {
		if (i)
			(void)fputc(' ', out);
		text_put_safe(out, features->cmdline[i]);
	}
	(void)fputc('\n', out);
}

static void put_host(FILE *out, const struct feature_set *features)
{
	const char *const parts[] = { features->hostname, features->osrelease, features->arch, features->cpudesc };
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!parts[i] || !*parts[i])
			continue;
		(void)fputs(any ? ", " : "host      ", out);
		text_put_safe(out, parts[i]);
		any = true;
	}
	if (features->cpus_online)
		(void)fprintf(out, "%s%u CPUs", any ? ", " : "host      ", features->cpus_online);
	if (any || features->cpus_online)
		(void)fputc('\n', out);
}

static void put_times(const struct view_run *run, const struct summary *summary)
{
	uint64_t length = summary->end_ns - summary->start_ns;
	uint64_t n = summary->tally.n_windows;
	char text[TEXT_NUMBER];
	FILE *out = run->out;

	if (run->options->time == VIEW_TIME_MONO && run->has_t0)
		(void)fprintf(out, "started   %s s on the monotonic clock\n",
			      quantity_time(text, run, summary->start_ns));
	else if (run->t0_wall_ns)
		(void)fprintf(out, "started   %s\n", text_wall(text, run->t0_wall_ns + summary->start_ns));
	(void)fprintf(out, "duration  %s s", text_seconds(text, length, 6));
	if (n) {
		(void)fprintf(out, ", counted %s s in %llu window%s", text_seconds(text, summary->counted_ns, 6),
			      (unsigned long long)n, n == 1 ? "" : "s");
		if (length > summary->counted_ns)
			(void)fprintf(out, ", paused %s s", text_seconds(text, length - summary->counted_ns, 6));
	}
	(void)fputc('\n', out);
}

static void put_head(const struct view_run *run, const struct summary *summary)
{
	if (!run->options->first)
		(void)fputc('\n', run->out);
	if (strcmp(run->input.source, "live") != 0) {
		(void)fputs("recording ", run->out);
		text_put_safe(run->out, run->input.source);
		(void)fputc('\n', run->out);
	}
	put_command(run->out, &run->meta->features);
	put_host(run->out, &run->meta->features);
	put_times(run, summary);
}

/* The columns of the events' table that are there for some event only. */
struct event_columns {
	bool counts, samples, running;
};

static struct event_columns choose_columns(const struct summary *summary)
{
	struct event_columns columns = { .counts = summary->tally.n_windows > 0 };

	for (size_t i = 0; i < summary->n_rows; i++) {
		const struct timeline_value *value = &summary->rows[i].value;

		columns.samples |= value->samples > 0;
		columns.running |= value->running_ns < value->enabled_ns;
	}
	columns.counts |= !columns.samples;
	return columns;
}

static void put_place(struct table *table, const struct timeline_row *row)
{
	if (row->cpu >= 0)
		table_put(table, "CPU %d", (int)row->cpu);
	else if (row->tid >= 0)
		table_put(table, "%lld %s", (long long)row->tid, row->comm ? row->comm : "");
	else
		table_put(table, "%s", "");
}

static void put_counts(struct table *table, const struct view_run *run, const struct timeline_row *row,
		       uint64_t counted_ns)
{
	const struct meta_event *event = &run->meta->events[row->event];
	char number[TEXT_NUMBER];
	double rate;

	if (timeline_has_number(&row->value)) {
		table_put(table, "%s", quantity_people(number, event, quantity_value(event, &row->value)));
		table_put(table, "%s", quantity_people_unit(event));
	} else {
		table_put(table, "%s", quantity_note(&row->value));
		table_put(table, "%s", "");
	}
	if (quantity_rate(event, &row->value, counted_ns, &rate))
		table_put(table, "%s", quantity_people(number, event, rate));
	else
		table_put(table, "%s", "");
}

static void put_event(struct table *table, const struct view_run *run, const struct summary *summary,
		      const struct timeline_row *row, struct event_columns columns)
{
	char number[TEXT_NUMBER];
	double percent;

	table_put(table, "%s", quantity_name(run->meta, row->event));
	put_place(table, row);
	if (columns.counts) {
		put_counts(table, run, row, summary->counted_ns);
		if (columns.running && quantity_running(&row->value, &percent))
			table_put(table, "%.1f %%%s", percent, row->value.is_scaled ? " ~" : "");
		else
			table_put(table, "%s", "");
	}
	if (columns.samples) {
		table_put(table, "%s", row->value.samples ? text_grouped(number, row->value.samples) : "");
		table_put(table, "%s", row->value.samples ? text_grouped(number, row->value.period) : "");
	}
}

static int put_events(const struct view_run *run, const struct summary *summary, struct ps_error *err)
{
	struct event_columns columns = choose_columns(summary);
	struct table table;
	int rc;

	table_init(&table, columns.counts && columns.samples ? "llrlrrrr" : columns.counts ? "llrlrr" : "llrr");
	table_put(&table, "event");
	table_put(&table, "%s", "");
	if (columns.counts) {
		table_put(&table, "total");
		table_put(&table, "%s", "");
		table_put(&table, "per second");
		table_put(&table, "%s", columns.running ? "running" : "");
	}
	if (columns.samples) {
		table_put(&table, "samples");
		table_put(&table, "sum of periods");
	}
	for (size_t i = 0; i < summary->n_rows; i++)
		put_event(&table, run, summary, &summary->rows[i], columns);
	(void)fputc('\n', run->out);
	rc = table_print(&table, run->out, err);
	table_fini(&table);
	return rc;
}

static int put_derived(const struct view_run *run, const struct summary *summary, struct ps_error *err)
{
	_cleanup_free_ struct timeline_value *values = calloc(run->meta->n_events + 1, sizeof(*values));
	struct derived figures[DERIVED_MAX];
	char number[TEXT_NUMBER];
	struct table table;
	size_t n;
	int rc = 0;

	if (!values)
		return ps_fail(err, "report", ENOMEM, "working out figures");
	for (size_t i = 0; i < run->meta->n_events; i++)
		values[i].state = VALUE_NOT_SUPPORTED;
	for (size_t i = 0; i < summary->n_rows; i++)
		value_add(&values[summary->rows[i].event], &summary->rows[i].value, run->meta->scale);
	n = derived_figures(run->meta, values, summary->counted_ns, figures);
	table_init(&table, "lrl");
	for (size_t i = 0; i < n; i++) {
		table_put(&table, "%s", figures[i].name);
		table_put(&table, "%s", text_grouped_double(number, figures[i].value, figures[i].decimals));
		table_put(&table, "%s", figures[i].unit);
	}
	if (n) {
		(void)fputc('\n', run->out);
		rc = table_print(&table, run->out, err);
	}
	table_fini(&table);
	return rc;
}

static int summary_end(struct view_run *run, struct ps_error *err)
{
	struct summary *summary = run->state;
	int rc;

	put_head(run, summary);
	rc = put_events(run, summary, err);
	if (rc == 0)
		rc = put_derived(run, summary, err);
	if (rc == 0)
		rc = summary_groups(run, summary, err);
	if (rc == 0)
		rc = summary_windows(run, summary, err);
	if (rc == 0)
		summary_notes(run, summary);
	return rc;
}

const struct view view_summary = {
	.name = "summary",
	.help = "totals, derived figures, windows and notes",
	.begin = summary_begin,
	.timeline = { .window = summary_window, .total = summary_total },
	.end = summary_end,
	.release = summary_release,
};
