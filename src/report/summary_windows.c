/* The summary's tables about windows: statistics over all of them and per label, and the windows themselves. */
#include <errno.h>
#include <string.h>

#include "report/quantity.h"
#include "report/summary.h"
#include "report/table.h"

/* For a terminal: how many events fit beside the columns in front. All of them elsewhere. */
#define FRONT_COLUMNS 40
#define LEAST_COLUMNS 8

static const char *group_name(const struct tally *tally, const struct tally_group *group)
{
	if (group == &tally->all)
		return "(all)";
	if (group->label)
		return group->label;
	if (group->is_others)
		return "(other labels)";
	return tally->has_labels ? "(no label)" : "(all)";
}

static void put_spread(struct table *table, const struct meta_event *event, const struct tally_event *tally)
{
	double scale = quantity_value(event, &(struct timeline_value){ .scaled = 1 });
	const double figures[] = {
		tally->spread.mean, tally->spread.min, tally->spread.max, tally_stddev(&tally->spread),
	};
	char number[TEXT_NUMBER];

	table_put(table, "%s", quantity_people(number, event, quantity_value(event, &tally->sum)));
	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		table_put(table, "%s", quantity_people(number, event, figures[i] * scale));
	table_put(table, "%s", quantity_people_unit(event));
}

static void put_group(struct table *table, const struct meta *meta, const struct tally *tally,
		      const struct tally_group *group)
{
	char number[TEXT_NUMBER];
	bool is_first = true;

	for (size_t i = 0; i < tally->n_events; i++) {
		const struct tally_event *event = &group->events[i];

		if (timeline_role(&meta->events[i]) != META_COUNTER || !event->spread.n)
			continue;
		if (is_first) {
			table_put(table, "%s", group_name(tally, group));
			table_put(table, "%llu", (unsigned long long)group->n_windows);
			table_put(table, "%s", text_seconds(number, group->time_ns, 6));
		} else {
			for (int skip = 0; skip < 3; skip++)
				table_put(table, "%s", "");
		}
		is_first = false;
		table_put(table, "%s", quantity_name(meta, i));
		put_spread(table, &meta->events[i], event);
	}
}

int summary_groups(const struct view_run *run, const struct summary *summary, struct ps_error *err)
{
	static const char *const head[] = {
		"windows", "n", "time s", "event", "total", "mean", "min", "max", "stddev", "",
	};
	const struct tally *tally = &summary->tally;
	struct table table;
	int rc;

	if (tally->n_windows < 2)
		return 0;
	table_init(&table, "lrrlrrrrrl");
	for (size_t i = 0; i < ARRAY_SIZE(head); i++)
		table_put(&table, "%s", head[i]);
	for (size_t i = 0; i < tally->n_groups; i++)
		put_group(&table, run->meta, tally, &tally->groups[i]);
	if (tally->n_groups > 1)
		put_group(&table, run->meta, tally, &tally->all);
	(void)fputc('\n', run->out);
	rc = table_print(&table, run->out, err);
	table_fini(&table);
	return rc;
}

/* Which events have a column in the windows' table. Returns how many were left out for lack of room. */
static size_t choose_events(const struct view_run *run, const struct tally *tally, size_t *chosen, size_t *n_chosen)
{
	size_t room = run->options->columns > FRONT_COLUMNS ? run->options->columns - FRONT_COLUMNS : 0;
	size_t left_out = 0;

	*n_chosen = 0;
	for (size_t i = 0; i < tally->n_events; i++) {
		const struct meta_event *event = &run->meta->events[i];
		size_t width = text_width(quantity_name(run->meta, i)) + 2;

		if (timeline_role(event) != META_COUNTER || event->n_ids == 0)
			continue;
		if (width < LEAST_COLUMNS)
			width = LEAST_COLUMNS;
		if (run->options->columns && width > room) {
			left_out++;
			continue;
		}
		room -= run->options->columns ? width : 0;
		chosen[(*n_chosen)++] = i;
	}
	return left_out;
}

static void put_moment(struct table *table, const struct view_run *run, uint64_t since_t0_ns)
{
	char text[TEXT_NUMBER];

	table_put(table, "%s", run->options->time == VIEW_TIME_REL ? text_seconds(text, since_t0_ns, 6) :
								     quantity_time(text, run, since_t0_ns));
}

static void put_window(struct table *table, const struct view_run *run, const struct tally_window *window,
		       const size_t *events, size_t n)
{
	char text[TEXT_NUMBER];

	table_put(table, "%u", window->number);
	table_put(table, "%s", window->label ? window->label : "");
	put_moment(table, run, window->start_ns);
	table_put(table, "%s", text_seconds(text, window->end_ns - window->start_ns, 6));
	for (size_t i = 0; i < n; i++) {
		const struct meta_event *event = &run->meta->events[events[i]];
		const struct timeline_value *value = &window->values[events[i]];
		double shown = quantity_value(event, value) / (quantity_is_clock(event) ? 1e9 : 1);

		if (window->unread || value->state != VALUE_COUNTED)
			table_put(table, "-");
		else
			table_put(table, "%s%s", text_short(text, shown), quantity_is_clock(event) ? "s" : "");
	}
}

static int put_table(const struct view_run *run, const struct tally *tally, const size_t *events, size_t n,
		     struct ps_error *err)
{
	_cleanup_free_ char *align = malloc(n + 5);
	struct table table;
	uint64_t left_out = tally_left_out(tally);
	int rc;

	if (!align)
		return ps_fail(err, "report", ENOMEM, "laying out the windows");
	memcpy(align, "rlrr", 4);
	memset(align + 4, 'r', n);
	align[4 + n] = '\0';
	table_init(&table, align);
	table_put(&table, "window");
	table_put(&table, "%s", tally->has_labels ? "label" : "");
	table_put(&table, "start%s", run->options->time == VIEW_TIME_WALL ? "" : " s");
	table_put(&table, "length s");
	for (size_t i = 0; i < n; i++)
		table_put(&table, "%s", quantity_name(run->meta, events[i]));
	for (size_t i = 0; i < tally_kept(tally); i++) {
		if (left_out && i == TALLY_EDGE) {
			table_put(&table, "...");
			table_end_row(&table);
		}
		put_window(&table, run, tally_window(tally, i), events, n);
	}
	(void)fputc('\n', run->out);
	rc = table_print(&table, run->out, err);
	table_fini(&table);
	return rc;
}

int summary_windows(const struct view_run *run, const struct summary *summary, struct ps_error *err)
{
	const struct tally *tally = &summary->tally;
	_cleanup_free_ size_t *chosen = calloc(tally->n_events + 1, sizeof(*chosen));
	size_t n, left_out;
	int rc;

	if (!tally->n_windows)
		return 0;
	if (!chosen)
		return ps_fail(err, "report", ENOMEM, "laying out the windows");
	left_out = choose_events(run, tally, chosen, &n);
	rc = put_table(run, tally, chosen, n, err);
	if (left_out)
		(void)fprintf(run->out, "%zu more event%s not fit here; csv has all\n", left_out,
			      left_out == 1 ? " does" : "s do");
	if (tally_left_out(tally))
		(void)fprintf(run->out,
			      "%llu windows between the first and the last %d are left out; csv and json have all\n",
			      (unsigned long long)tally_left_out(tally), TALLY_EDGE);
	return rc;
}
