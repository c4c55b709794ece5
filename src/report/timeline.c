/* Records to intervals, pauses, windows and totals: the state machine of markers and readings. */
#include "report/timeline.h"

#include <errno.h>
#include <string.h>

#include "data/sample.h"
#include "report/cells.h"
#include "report/group_reads.h"

/* A pause's reading has the pause's own time; where t0 had to be guessed from a marker they may differ by this much. */
#define PAUSE_SLACK_NS UINT64_C(1000000)

enum phase {
	PHASE_UNKNOWN, /* neither a marker nor a reading yet */
	PHASE_RUNNING,
	PHASE_CLOSING, /* a pause marker was seen; its reading comes next */
	PHASE_PAUSED,
};

/* What the record before a marker's SAMPLE told about it. */
struct held_detail {
	bool is_set;
	struct record_marker_detail detail;
	char *label; /* owned */
};

struct timeline {
	const struct meta *meta;
	struct timeline_options options;
	struct timeline_ops ops;
	void *ctx;
	struct cells cells;
	struct stat_cells group_values; /* in samples */
	enum phase phase;

	bool has_t0; /* taken from the first marker; meta's goes first */
	uint64_t t0_ns;
	uint64_t first_sample_ns, last_sample_ns;

	unsigned window;      /* the latest one */
	uint64_t window_ns;   /* its start */
	bool window_read;     /* it had a reading */
	char *label;          /* its label, owned */
	uint64_t last_ns;     /* where the next interval starts */
	uint64_t pause_ns;    /* where the pause began, in CLOSING and PAUSED */
	uint64_t end_ns;      /* the latest time seen */
	uint64_t counted_ns;  /* of the windows that are shown */
	bool has_shown;       /* one was, and the time from the first to the last of them: */
	uint64_t shown_start_ns, shown_end_ns;

	struct held_detail held;    /* waits for its SAMPLE */
	struct held_detail closing; /* of the pause in CLOSING */
	uint64_t lost_markers;
};

static const struct {
	const char *name;
	enum meta_role role;
} marker_names[] = {
	{ FORMAT_MARKER_NAME_PAUSE, META_PAUSE },
	{ FORMAT_MARKER_NAME_RESUME, META_RESUME },
	{ FORMAT_MARKER_NAME_MARK, META_MARK },
};

enum meta_role timeline_role(const struct meta_event *event)
{
	if (event->role != META_COUNTER || !event->name || event->attr.type != PERF_TYPE_SOFTWARE ||
	    event->attr.config != PERF_COUNT_SW_DUMMY)
		return event->role;
	for (size_t i = 0; i < ARRAY_SIZE(marker_names); i++)
		if (!strcmp(event->name, marker_names[i].name))
			return marker_names[i].role;
	return META_COUNTER;
}

int timeline_new(struct timeline **timeline, const struct meta *meta, const struct timeline_options *options,
		 const struct timeline_ops *ops, void *ctx, struct ps_error *err)
{
	struct timeline *made = calloc(1, sizeof(*made));

	if (!made)
		return ps_fail(err, "timeline", ENOMEM, "making a timeline");
	made->meta = meta;
	made->options = *options;
	if (made->options.window_first && made->options.window_last < made->options.window_first)
		made->options.window_last = made->options.window_first;
	made->ops = *ops;
	made->ctx = ctx;
	cells_init(&made->cells, meta, options->per);
	*timeline = made;
	return 0;
}

static void drop_detail(struct held_detail *held)
{
	free(held->label);
	*held = (struct held_detail){ .is_set = false };
}

void timeline_free(struct timeline *timeline)
{
	if (!timeline)
		return;
	drop_detail(&timeline->held);
	drop_detail(&timeline->closing);
	free(timeline->label);
	cells_fini(&timeline->cells);
	stat_cells_fini(&timeline->group_values);
	free(timeline);
}

static bool is_selected(const struct timeline *t, unsigned window)
{
	return !t->options.window_first ||
	       (window >= t->options.window_first && window <= t->options.window_last);
}

/* Whether what happens now, between the windows or in one, lies within the selection. */
static bool is_shown(const struct timeline *t)
{
	bool between = t->phase == PHASE_PAUSED || t->phase == PHASE_UNKNOWN;

	return is_selected(t, t->window) && (!between || is_selected(t, t->window + 1));
}

static void see_time(struct timeline *t, uint64_t time_ns)
{
	if (time_ns > t->end_ns)
		t->end_ns = time_ns;
}

static void open_window(struct timeline *t, uint64_t start_ns)
{
	free(t->label);
	t->label = NULL;
	t->window++;
	t->window_ns = t->last_ns = start_ns;
	t->window_read = false;
	t->phase = PHASE_RUNNING;
	cells_start_window(&t->cells);
	if (is_shown(t) && !t->has_shown) {
		t->has_shown = true;
		t->shown_start_ns = t->shown_end_ns = start_ns;
	}
}

/* Calls op with the rows of a span. */
static int call_span(struct timeline *t, int (*op)(void *, const struct timeline_span *, struct ps_error *),
		     enum cells_span rows_of, struct timeline_span *span, struct ps_error *err)
{
	int rc;

	if (!op)
		return 0;
	rc = cells_rows(&t->cells, rows_of, &span->rows, &span->n_rows, err);
	return rc < 0 ? rc : op(t->ctx, span, err);
}

static int call_marker(struct timeline *t, enum meta_role role, uint64_t time_ns, const struct held_detail *held,
		       struct ps_error *err)
{
	const struct timeline_marker marker = {
		.role = role,
		.time_ns = time_ns,
		.has_detail = held->is_set,
		.seq = held->detail.seq,
		.cause = held->is_set ? held->detail.cause : MARKER_UNKNOWN,
		.request_ns = held->detail.request_ns,
		.done_ns = held->detail.done_ns,
		.label = held->label,
	};

	return t->ops.marker && is_shown(t) ? t->ops.marker(t->ctx, &marker, err) : 0;
}

static int call_pause(struct timeline *t, uint64_t end_ns, struct ps_error *err)
{
	if (!t->ops.pause || !is_shown(t) || end_ns <= t->pause_ns)
		return 0;
	return t->ops.pause(t->ctx, t->pause_ns, end_ns, err);
}

static int close_window(struct timeline *t, uint64_t end_ns, struct ps_error *err)
{
	struct timeline_span span = {
		.start_ns = t->window_ns, .end_ns = end_ns, .window = t->window, .label = t->label,
		.counted_ns = end_ns - t->window_ns, .unread = !t->window_read,
	};

	if (!is_selected(t, t->window))
		return 0;
	t->counted_ns += span.counted_ns;
	t->shown_end_ns = end_ns;
	return call_span(t, t->ops.window, CELLS_WINDOW, &span, err);
}

/* The window's reading was seen, or will not come: the pause that was announced begins. */
static int finish_closing(struct timeline *t, struct ps_error *err)
{
	int rc;

	if (t->pause_ns < t->last_ns)
		t->pause_ns = t->last_ns; /* a clock that went back */
	rc = call_marker(t, META_PAUSE, t->pause_ns, &t->closing, err);
	drop_detail(&t->closing);
	if (rc == 0)
		rc = close_window(t, t->pause_ns, err);
	t->phase = PHASE_PAUSED;
	return rc;
}

static int take_reading(struct timeline *t, uint64_t end_ns, struct ps_error *err)
{
	struct timeline_span span = {
		.start_ns = t->last_ns, .end_ns = end_ns > t->last_ns ? end_ns : t->last_ns,
		.window = t->window, .label = t->label,
	};
	bool selected = is_selected(t, t->window);
	int rc = cells_take(&t->cells, selected, err);

	if (rc < 0)
		return rc;
	span.counted_ns = span.end_ns - span.start_ns;
	t->window_read = true;
	t->last_ns = span.end_ns;
	return selected ? call_span(t, t->ops.interval, CELLS_INTERVAL, &span, err) : 0;
}

static bool is_reading_of_pause(const struct timeline *t, uint64_t time_ns)
{
	return time_ns <= t->pause_ns + PAUSE_SLACK_NS && time_ns + PAUSE_SLACK_NS >= t->pause_ns;
}

static bool has_markers(const struct meta *meta)
{
	for (size_t i = 0; i < meta->n_events; i++)
		if (timeline_role(&meta->events[i]) != META_COUNTER)
			return true;
	return false;
}

static int on_round(struct timeline *t, uint64_t time_ns, struct ps_error *err)
{
	int rc = 0;
	bool closes = t->phase == PHASE_CLOSING && is_reading_of_pause(t, time_ns);

	if (closes)
		time_ns = t->pause_ns;
	else if (t->phase == PHASE_CLOSING && time_ns > t->pause_ns)
		rc = finish_closing(t, err);
	see_time(t, time_ns);
	if (rc < 0)
		return rc;
	if (t->phase == PHASE_PAUSED) {
		if (!cells_moved(&t->cells))
			return 0;
		t->lost_markers++;
		open_window(t, t->pause_ns);
	} else if (t->phase == PHASE_UNKNOWN) {
		t->lost_markers += has_markers(t->meta);
		open_window(t, 0);
	}
	if (rc == 0 && (time_ns > t->last_ns || !t->window_read || cells_moved(&t->cells)))
		rc = take_reading(t, time_ns, err);
	if (rc == 0 && closes)
		rc = finish_closing(t, err);
	return rc;
}

static int on_pause(struct timeline *t, uint64_t time_ns, struct ps_error *err)
{
	int rc = t->phase == PHASE_CLOSING ? finish_closing(t, err) : 0;

	if (rc < 0)
		return rc;
	if (t->phase == PHASE_RUNNING) {
		t->phase = PHASE_CLOSING;
		t->pause_ns = time_ns;
		t->closing = t->held;
		t->held = (struct held_detail){ .is_set = false };
		return 0;
	}
	if (t->phase == PHASE_UNKNOWN) {
		t->phase = PHASE_PAUSED;
		t->pause_ns = time_ns;
	}
	return call_marker(t, META_PAUSE, time_ns, &t->held, err);
}

/* Ends whatever went on before a resume, so that the phase is UNKNOWN or PAUSED. */
static int end_before_resume(struct timeline *t, struct ps_error *err)
{
	if (t->phase == PHASE_CLOSING)
		return finish_closing(t, err);
	if (t->phase == PHASE_RUNNING) {
		int rc = close_window(t, t->last_ns, err);

		t->lost_markers++;
		t->pause_ns = t->last_ns;
		t->phase = PHASE_PAUSED;
		return rc;
	}
	return 0;
}

static int on_resume(struct timeline *t, uint64_t time_ns, struct ps_error *err)
{
	struct held_detail shown = t->held;
	int rc = end_before_resume(t, err);

	if (rc == 0 && t->phase == PHASE_PAUSED) {
		if (time_ns < t->pause_ns)
			time_ns = t->pause_ns; /* a clock that went back */
		rc = call_pause(t, time_ns, err);
	}
	if (rc < 0)
		return rc;
	open_window(t, time_ns);
	t->label = attr_take(&t->held.label);
	return call_marker(t, META_RESUME, time_ns, &shown, err);
}

static int on_marker(struct timeline *t, enum meta_role role, const struct record_sample *sample,
		     struct ps_error *err)
{
	uint64_t t0, time_ns;
	int rc;

	if (!timeline_t0(t, &t0)) {
		t->has_t0 = true;
		t0 = t->t0_ns = sample->time_ns;
	}
	time_ns = sample->time_ns > t0 ? sample->time_ns - t0 : 0;
	see_time(t, time_ns);
	if (t->held.is_set && t->held.detail.id != sample->id)
		drop_detail(&t->held);
	if (role == META_PAUSE)
		rc = on_pause(t, time_ns, err);
	else if (role == META_RESUME)
		rc = on_resume(t, time_ns, err);
	else
		rc = call_marker(t, role, time_ns, &t->held, err);
	drop_detail(&t->held);
	return rc;
}

static int on_sample(struct timeline *t, const struct record *rec, struct ps_error *err)
{
	const struct record_sample *sample = &rec->sample;
	const struct meta_event *event = sample_event(t->meta, sample);
	enum meta_role role;
	int rc;

	if (!event)
		return 0;
	role = timeline_role(event);
	if (role != META_COUNTER)
		return on_marker(t, role, sample, err);
	if (sample->time_ns) {
		if (!t->first_sample_ns || sample->time_ns < t->first_sample_ns)
			t->first_sample_ns = sample->time_ns;
		if (sample->time_ns > t->last_sample_ns)
			t->last_sample_ns = sample->time_ns;
	}
	rc = is_shown(t) ? cells_sample(&t->cells, (size_t)(event - t->meta->events), sample->period, err) : 0;
	return rc < 0 ? rc : group_reads_take(&t->group_values, &t->cells, rec, event, err);
}

static int on_detail(struct timeline *t, const struct record_marker_detail *detail, struct ps_error *err)
{
	drop_detail(&t->held);
	t->held.detail = *detail;
	t->held.detail.label = NULL;
	t->held.is_set = true;
	if (!detail->label || !*detail->label)
		return 0;
	t->held.label = strdup(detail->label);
	return t->held.label ? 0 : ps_fail(err, "timeline", ENOMEM, "keeping a label");
}

int timeline_put(struct timeline *t, const struct record *rec, struct ps_error *err)
{
	if (rec->raw_only)
		return 0; /* does not fit its type */
	switch (rec->type) {
	case FORMAT_STAT:
		return cells_put(&t->cells, &rec->stat, err);
	case FORMAT_STAT_ROUND:
		return on_round(t, rec->round.time_ns, err);
	case PERF_RECORD_SAMPLE:
		return on_sample(t, rec, err);
	case FORMAT_HEADER_EVENT_TYPE:
		return on_detail(t, &rec->detail, err);
	default:
		return 0;
	}
}

static int call_total(struct timeline *t, struct ps_error *err)
{
	struct timeline_span span = { .end_ns = t->end_ns, .counted_ns = t->counted_ns };

	if (t->options.window_first) {
		span.start_ns = t->shown_start_ns;
		span.end_ns = t->shown_end_ns;
	} else if (t->phase == PHASE_UNKNOWN) {
		span.end_ns = t->last_sample_ns - t->first_sample_ns;
	}
	return call_span(t, t->ops.total, CELLS_TOTAL, &span, err);
}

/* A recording that was sampled and not counted is one span from its first sample to its last; no window has it. */
static int call_sampled(struct timeline *t, struct ps_error *err)
{
	struct timeline_span span = { .end_ns = t->last_sample_ns - t->first_sample_ns };

	if (t->phase != PHASE_UNKNOWN || !t->cells.n_samples || t->options.window_first)
		return 0;
	span.counted_ns = span.end_ns;
	return call_span(t, t->ops.interval, CELLS_TOTAL, &span, err);
}

/*
 * A recording that was cut before its only STAT_ROUND, as perf's without -I: the counts are there and only the time is
 * missing. A window of no length shows them.
 */
static int take_untimed(struct timeline *t, struct ps_error *err)
{
	if (t->phase != PHASE_UNKNOWN || !cells_any(&t->cells))
		return 0;
	open_window(t, 0);
	return take_reading(t, 0, err);
}

int timeline_finish(struct timeline *t, struct ps_error *err)
{
	int rc = take_untimed(t, err);

	if (rc < 0)
		return rc;

	if (t->phase == PHASE_CLOSING)
		rc = finish_closing(t, err);
	else if (t->phase == PHASE_RUNNING)
		rc = close_window(t, t->last_ns, err);
	if (rc == 0 && t->phase == PHASE_PAUSED && !t->options.window_first)
		rc = call_pause(t, t->end_ns, err);
	if (rc == 0)
		rc = call_sampled(t, err);
	return rc < 0 ? rc : call_total(t, err);
}

bool timeline_t0(const struct timeline *t, uint64_t *mono_ns)
{
	if (!t->meta->has_t0 && !t->has_t0)
		return false;
	*mono_ns = t->meta->has_t0 ? t->meta->t0_mono_ns : t->t0_ns;
	return true;
}

uint64_t timeline_strays(const struct timeline *t)
{
	return t->cells.strays;
}

uint64_t timeline_set_back(const struct timeline *t)
{
	return t->cells.set_back;
}

uint64_t timeline_lost_markers(const struct timeline *t)
{
	return t->lost_markers;
}
