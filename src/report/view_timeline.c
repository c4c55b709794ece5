/* The timeline for a terminal: one line per interval, pauses and marks as lines of their own, a bar per event. */
#include <errno.h>
#include <string.h>

#include "report/pivot.h"
#include "report/quantity.h"
#include "report/views.h"

enum {
	COLUMNS_DEFAULT = 100,
	WIDTH_VALUE = 7,     /* "-123.4k" and the s of seconds */
	WIDTH_LEAST = 9,     /* of an event: its value, two blanks */
	WIDTH_BAR_MAX = 32,
	WIDTH_PLACE = 18,
};

struct strip {
	struct pivot pivot;
	bool has_header;
	size_t n_events; /* in meta when the header was written */
	size_t *shown;   /* events with a column; owned */
	size_t n_shown;
	double *most;    /* per event: the highest rate so far, which is a full bar; owned */
	unsigned width;  /* of one event's column */
	unsigned blanks; /* at the end of what was put */
};

static int strip_begin(struct view_run *run, struct ps_error *err)
{
	run->state = calloc(1, sizeof(struct strip));
	return run->state ? 0 : ps_fail(err, "report", ENOMEM, "starting a timeline");
}

static void strip_release(struct view_run *run)
{
	struct strip *strip = run->state;

	if (!strip)
		return;
	pivot_fini(&strip->pivot);
	free(strip->shown);
	free(strip->most);
	free(strip);
	run->state = NULL;
}

static int time_width(const struct view_run *run)
{
	return run->options->time == VIEW_TIME_WALL ? 30 : run->options->time == VIEW_TIME_MONO ? 20 : 12;
}

/* Everything left of the events. */
static unsigned front_width(const struct view_run *run)
{
	unsigned width = (unsigned)time_width(run) + 12 + 7;

	return run->options->per == TIMELINE_PER_TOTAL ? width : width + WIDTH_PLACE;
}

/* Blanks that are due only when something follows on the line. */
static void put_blanks(struct strip *strip, FILE *out)
{
	(void)fprintf(out, "%*s", (int)strip->blanks, "");
	strip->blanks = 0;
}

static void end_line(struct strip *strip, FILE *out)
{
	strip->blanks = 0;
	(void)fputc('\n', out);
}

/* Two blanks and a text in exactly width columns, cut when it is longer. */
static void put_fitted(struct strip *strip, FILE *out, const char *text, unsigned width)
{
	size_t len = text_width(text);

	strip->blanks += 2;
	put_blanks(strip, out);
	if (len <= width) {
		text_put_safe(out, text);
		strip->blanks = width - (unsigned)len;
		return;
	}
	for (unsigned used = 0; used + 1 < width; used++)
		text += text_put_safe_char(out, text);
	(void)fputc('~', out);
}

/* Which events have a column and how wide it is. Returns how many do not fit. */
static size_t choose_events(struct strip *strip, const struct view_run *run)
{
	unsigned columns = run->options->columns ? run->options->columns : COLUMNS_DEFAULT;
	unsigned room = columns > front_width(run) + WIDTH_LEAST ? columns - front_width(run) : WIDTH_LEAST;
	size_t most = room / WIDTH_LEAST, left_out = 0;

	for (size_t i = 0; i < strip->n_events; i++) {
		if (timeline_role(&run->meta->events[i]) != META_COUNTER || run->meta->events[i].n_ids == 0)
			continue;
		if (strip->n_shown < most)
			strip->shown[strip->n_shown++] = i;
		else
			left_out++;
	}
	strip->width = strip->n_shown ? room / (unsigned)strip->n_shown : room;
	if (strip->width > WIDTH_VALUE + 3 + WIDTH_BAR_MAX)
		strip->width = WIDTH_VALUE + 3 + WIDTH_BAR_MAX;
	return left_out;
}

static int put_header(const struct view_run *run, struct strip *strip, struct ps_error *err)
{
	size_t left_out;

	if (strip->has_header)
		return 0;
	strip->has_header = true;
	strip->n_events = run->meta->n_events;
	strip->shown = calloc(strip->n_events + 1, sizeof(*strip->shown));
	strip->most = calloc(strip->n_events + 1, sizeof(*strip->most));
	if (!strip->shown || !strip->most)
		return ps_fail(err, "report", ENOMEM, "starting a timeline");
	left_out = choose_events(strip, run);
	(void)fprintf(run->out, "%*s %11s %6s", time_width(run),
		      run->options->time == VIEW_TIME_WALL ? "end" : "end s", "length s", "window");
	if (run->options->per != TIMELINE_PER_TOTAL)
		put_fitted(strip, run->out, run->options->per == TIMELINE_PER_CPU ? "CPU" : "thread", WIDTH_PLACE - 2);
	for (size_t i = 0; i < strip->n_shown; i++)
		put_fitted(strip, run->out, quantity_name(run->meta, strip->shown[i]), strip->width - 2);
	end_line(strip, run->out);
	if (left_out)
		(void)fprintf(run->out, "(%zu more event%s not fit; csv has all)\n", left_out,
			      left_out == 1 ? " does" : "s do");
	return 0;
}

/* share of width columns, 0-1; something is never nothing. Returns the columns used. */
static unsigned put_bar(FILE *out, double share, unsigned width, bool utf8)
{
	static const char *const eighths[] = {
		"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589",
	};
	unsigned steps = utf8 ? 8 : 1;
	unsigned filled = (unsigned)(share * width * steps + 0.5);
	unsigned used = 0;

	if (!filled && share > 0)
		filled = utf8 ? 1 : 0;
	for (; used < filled / steps; used++)
		(void)fputs(utf8 ? "\u2588" : "#", out);
	if (filled % steps) {
		(void)fputs(eighths[filled % steps], out);
		used++;
	} else if (!filled && share > 0) {
		(void)fputc('.', out);
		used++;
	}
	return used;
}

static const char *value_text(char *buf, const struct meta_event *event, const struct timeline_value *value)
{
	bool is_clock = quantity_is_clock(event);

	if (!timeline_has_number(value))
		return "-";
	text_short(buf, quantity_value(event, value) / (is_clock ? 1e9 : 1));
	if (is_clock)
		(void)strcat(buf, "s"); /* a short number leaves TEXT_NUMBER far from full */
	return buf;
}

static void put_event(const struct view_run *run, struct strip *strip, size_t event, const struct timeline_row *row,
		      uint64_t span_ns)
{
	const struct meta_event *of = &run->meta->events[event];
	unsigned bar = strip->width > WIDTH_VALUE + 4 ? strip->width - WIDTH_VALUE - 3 : 0;
	char number[TEXT_NUMBER];
	double rate = 0;

	if (!row) {
		strip->blanks += strip->width;
		return;
	}
	put_blanks(strip, run->out);
	(void)fprintf(run->out, "  %*s", WIDTH_VALUE, value_text(number, of, &row->value));
	strip->blanks = strip->width - 2 - WIDTH_VALUE;
	if (!bar)
		return;
	if (!quantity_rate(of, &row->value, span_ns, &rate) || rate <= 0)
		return;
	if (rate > strip->most[event])
		strip->most[event] = rate;
	(void)fputc(' ', run->out);
	strip->blanks -= 1 + put_bar(run->out, rate / strip->most[event], bar, run->options->utf8);
}

static void put_front(const struct view_run *run, const struct timeline_span *span)
{
	char time[TEXT_NUMBER], length[TEXT_NUMBER], window[TEXT_NUMBER];

	if (run->options->time == VIEW_TIME_REL)
		text_seconds(time, span->end_ns, 6);
	else
		quantity_time(time, run, span->end_ns);
	(void)fprintf(run->out, "%*s %11s %6s", time_width(run), time,
		      text_seconds(length, span->end_ns - span->start_ns, 6),
		      span->window ? text_unsigned(window, span->window) : "");
}

static void put_place(const struct view_run *run, struct strip *strip, const struct timeline_row *row)
{
	char place[64];

	if (run->options->per == TIMELINE_PER_TOTAL)
		return;
	if (row->cpu >= 0)
		(void)snprintf(place, sizeof(place), "%d", (int)row->cpu);
	else if (row->tid >= 0)
		(void)snprintf(place, sizeof(place), "%lld %s", (long long)row->tid, row->comm ? row->comm : "");
	else
		(void)snprintf(place, sizeof(place), "all");
	put_fitted(strip, run->out, place, WIDTH_PLACE - 2);
}

static int strip_interval(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct view_run *run = ctx;
	struct strip *strip = run->state;
	int rc = put_header(run, strip, err);

	if (rc == 0)
		rc = pivot_turn(&strip->pivot, run->meta, span, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < strip->pivot.n_lines; i++) {
		const struct pivot_line *line = &strip->pivot.lines[i];

		put_front(run, span);
		put_place(run, strip, line->place);
		for (size_t k = 0; k < strip->n_shown; k++)
			put_event(run, strip, strip->shown[k], line->cells[strip->shown[k]], span->counted_ns);
		end_line(strip, run->out);
	}
	return 0;
}

static int strip_pause(void *ctx, uint64_t start_ns, uint64_t end_ns, struct ps_error *err)
{
	struct view_run *run = ctx;
	char length[TEXT_NUMBER];
	int rc = put_header(run, run->state, err);

	if (rc == 0)
		(void)fprintf(run->out, "-- paused %s s --\n", text_seconds(length, end_ns - start_ns, 6));
	return rc;
}

static int strip_marker(void *ctx, const struct timeline_marker *marker, struct ps_error *err)
{
	struct view_run *run = ctx;
	char time[TEXT_NUMBER];
	int rc = 0;

	if (!marker->label || marker->role == META_PAUSE)
		return 0;
	rc = put_header(run, run->state, err);
	if (rc < 0)
		return rc;
	(void)fprintf(run->out, "-- %s ", marker->role == META_MARK ? "mark" : "window");
	text_put_safe(run->out, marker->label);
	if (run->options->time == VIEW_TIME_REL)
		text_seconds(time, marker->time_ns, 6);
	else
		quantity_time(time, run, marker->time_ns);
	(void)fprintf(run->out, " at %s --\n", time);
	return 0;
}

static int strip_end(struct view_run *run, struct ps_error *err)
{
	struct strip *strip = run->state;

	(void)err;
	if (!strip->has_header)
		(void)fputs("no intervals\n", run->out);
	for (size_t i = 0; i < run->input.n_warnings; i++) {
		(void)fputs("note: ", run->out);
		text_put_safe(run->out, run->input.warnings[i]);
		(void)fputc('\n', run->out);
	}
	return 0;
}

const struct view view_timeline = {
	.name = "timeline",
	.help = "one line per interval with bars, for a terminal",
	.begin = strip_begin,
	.timeline = { .interval = strip_interval, .pause = strip_pause, .marker = strip_marker },
	.end = strip_end,
	.release = strip_release,
};
