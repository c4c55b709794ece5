/* JSON Lines: one object per line, each whole in itself, so that what was written is valid whenever it ends. */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "base/clock.h"
#include "report/quantity.h"
#include "report/views.h"

struct json {
	bool has_meta;
	struct json_object *total; /* waits for the warnings; owned */
	bool no_memory;            /* some value could not be made: the line is not written */
};

static int json_begin(struct view_run *run, struct ps_error *err)
{
	run->state = calloc(1, sizeof(struct json));
	return run->state ? 0 : ps_fail(err, "report", ENOMEM, "starting json");
}

static void json_release(struct view_run *run)
{
	struct json *json = run->state;

	if (!json)
		return;
	json_object_put(json->total);
	free(json);
	run->state = NULL;
}

/* Adds a value to an object and gives it away; a NULL that is no null is remembered as a failure. */
static void add(struct json *json, struct json_object *to, const char *key, struct json_object *value)
{
	if (!value || json_object_object_add(to, key, value) < 0) {
		json_object_put(value);
		json->no_memory = true;
	}
}

static void add_null(struct json *json, struct json_object *to, const char *key)
{
	if (json_object_object_add(to, key, NULL) < 0)
		json->no_memory = true;
}

/* The same for the end of a list. False when it failed. */
static bool append(struct json *json, struct json_object *list, struct json_object *value)
{
	if (value && json_object_array_add(list, value) == 0)
		return true;
	json_object_put(value);
	json->no_memory = true;
	return false;
}

static struct json_object *make_text(const char *text)
{
	char *clean = text_utf8(text);
	struct json_object *made = clean ? json_object_new_string(clean) : NULL;

	free(clean);
	return made;
}

static void add_text(struct json *json, struct json_object *to, const char *key, const char *text)
{
	if (text && *text)
		add(json, to, key, make_text(text));
	else
		add_null(json, to, key);
}

static void add_unsigned(struct json *json, struct json_object *to, const char *key, uint64_t n)
{
	add(json, to, key, json_object_new_uint64(n));
}

/* A number whose digits are given. */
static void add_number(struct json *json, struct json_object *to, const char *key, double n, const char *digits)
{
	add(json, to, key, json_object_new_double_s(n, digits));
}

static void add_decimal(struct json *json, struct json_object *to, const char *key, bool known, double n)
{
	char digits[TEXT_NUMBER];

	if (known && n - n == 0) /* finite: JSON has no other numbers */
		add_number(json, to, key, n, text_decimal(digits, n));
	else
		add_null(json, to, key);
}

/* A length of time in seconds. */
static void add_seconds(struct json *json, struct json_object *to, const char *key, uint64_t ns)
{
	char digits[TEXT_NUMBER];

	add_number(json, to, key, (double)ns / (double)NS_PER_S, text_seconds(digits, ns, 9));
}

/* A moment: a number, or a string for the wall clock. */
static void add_time(struct json *json, struct json_object *to, const char *key, const struct view_run *run,
		     uint64_t since_t0_ns)
{
	char digits[TEXT_NUMBER];

	quantity_time(digits, run, since_t0_ns);
	if (run->options->time == VIEW_TIME_WALL)
		add_text(json, to, key, digits);
	else
		add_number(json, to, key, 0, digits);
}

/* An object with its type, or NULL with no_memory set. */
static struct json_object *make_object(struct json *json, const struct view_run *run, const char *type)
{
	struct json_object *made = json_object_new_object();

	if (!made) {
		json->no_memory = true;
		return NULL;
	}
	add(json, made, "type", json_object_new_string(type));
	add_text(json, made, "source", run->input.source);
	return made;
}

/* Writes one line and drops the object. */
static int put_line(struct json *json, const struct view_run *run, struct json_object *object, struct ps_error *err)
{
	const char *text = NULL;

	if (object && !json->no_memory)
		text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text) {
		(void)fputs(text, run->out);
		(void)fputc('\n', run->out);
	}
	json_object_put(object);
	return text ? 0 : ps_fail(err, "report", ENOMEM, "making a line of JSON");
}

static void add_events(struct json *json, struct json_object *to, const struct meta *meta)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; list && i < meta->n_events; i++) {
		const struct meta_event *event = &meta->events[i];
		struct json_object *item;

		if (timeline_role(event) != META_COUNTER)
			continue;
		item = json_object_new_object();
		if (!append(json, list, item))
			break;
		add_text(json, item, "event", quantity_name(meta, i));
		add_text(json, item, "unit", quantity_unit(event));
		add(json, item, "supported", json_object_new_boolean(event->n_ids > 0));
		add_unsigned(json, item, "counters", event->n_ids);
	}
	add(json, to, "events", list);
}

static void add_command(struct json *json, struct json_object *to, const struct feature_set *features)
{
	struct json_object *list;

	if (!features->n_cmdline) {
		add_null(json, to, "command");
		return;
	}
	list = json_object_new_array();
	for (size_t i = 0; list && i < features->n_cmdline; i++)
		if (!append(json, list, make_text(features->cmdline[i])))
			break;
	add(json, to, "command", list);
}

/* The first line; written before the first thing that follows, when the recording is known. */
static int put_meta(struct view_run *run, struct ps_error *err)
{
	const struct feature_set *features = &run->meta->features;
	struct json *json = run->state;
	struct json_object *object;
	char text[TEXT_NUMBER];

	if (json->has_meta)
		return 0;
	json->has_meta = true;
	object = make_object(json, run, "meta");
	if (!object)
		return put_line(json, run, object, err);
	add_command(json, object, features);
	add_text(json, object, "hostname", features->hostname);
	add_text(json, object, "osrelease", features->osrelease);
	add_text(json, object, "arch", features->arch);
	add_text(json, object, "cpu", features->cpudesc);
	add_text(json, object, "version", features->version);
	if (run->has_t0)
		add_unsigned(json, object, "t0_mono_ns", run->t0_mono_ns);
	else
		add_null(json, object, "t0_mono_ns");
	add_text(json, object, "started", run->t0_wall_ns ? text_wall(text, run->t0_wall_ns) : NULL);
	add_unsigned(json, object, "interval_ms", run->meta->interval_ms);
	add_events(json, object, run->meta);
	return put_line(json, run, object, err);
}

static void add_place(struct json *json, struct json_object *to, const struct timeline_row *row)
{
	if (row->cpu >= 0)
		add(json, to, "cpu", json_object_new_int(row->cpu));
	else
		add_null(json, to, "cpu");
	if (row->tid >= 0)
		add(json, to, "tid", json_object_new_int64(row->tid));
	else
		add_null(json, to, "tid");
	add_text(json, to, "comm", row->comm);
}

static void add_value(struct json *json, struct json_object *to, const struct view_run *run,
		      const struct timeline_row *row, uint64_t span_ns)
{
	const struct meta_event *event = &run->meta->events[row->event];
	char digits[TEXT_NUMBER];
	double figure = 0;
	bool known;

	add_text(json, to, "event", quantity_name(run->meta, row->event));
	if (!timeline_has_number(&row->value))
		add_null(json, to, "value");
	else
		add_number(json, to, "value", 0, quantity_text(digits, event, &row->value));
	add_text(json, to, "unit", quantity_unit(event));
	known = quantity_rate(event, &row->value, span_ns, &figure);
	add_decimal(json, to, "per_sec", known, figure);
	known = quantity_running(&row->value, &figure);
	add_decimal(json, to, "running_pct", known, figure);
	add_unsigned(json, to, "raw", row->value.raw);
	add_unsigned(json, to, "enabled_ns", row->value.enabled_ns);
	add_unsigned(json, to, "running_ns", row->value.running_ns);
	add_place(json, to, row);
	add_text(json, to, "note", quantity_note(&row->value));
	if (row->value.samples) {
		add_unsigned(json, to, "samples", row->value.samples);
		add_unsigned(json, to, "period", row->value.period);
	}
}

/* interval, window or total, without the line's end. */
static struct json_object *make_span(struct json *json, const struct view_run *run, const char *type,
				     const struct timeline_span *span)
{
	struct json_object *object = make_object(json, run, type);
	struct json_object *list = json_object_new_array();

	if (!object || !list) {
		json_object_put(list);
		json->no_memory = true;
		return object;
	}
	add_time(json, object, "start_s", run, span->start_ns);
	add_time(json, object, "end_s", run, span->end_ns);
	if (span->window) {
		add_unsigned(json, object, "window", span->window);
		add_text(json, object, "label", span->label);
	}
	add_seconds(json, object, "counted_s", span->counted_ns);
	add(json, object, "values", list);
	for (size_t i = 0; i < span->n_rows; i++) {
		struct json_object *item = json_object_new_object();

		if (!append(json, list, item))
			break;
		add_value(json, item, run, &span->rows[i], span->counted_ns);
	}
	return object;
}

static int put_span(struct view_run *run, const char *type, const struct timeline_span *span, struct ps_error *err)
{
	struct json *json = run->state;
	int rc = put_meta(run, err);

	return rc < 0 ? rc : put_line(json, run, make_span(json, run, type, span), err);
}

static int json_interval(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	return put_span(ctx, "interval", span, err);
}

static int json_window(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	return put_span(ctx, "window", span, err);
}

static int json_marker(void *ctx, const struct timeline_marker *marker, struct ps_error *err)
{
	static const char *const names[] = { [META_COUNTER] = "counter", [META_PAUSE] = "pause",
					     [META_RESUME] = "resume", [META_MARK] = "mark" };
	struct view_run *run = ctx;
	struct json *json = run->state;
	struct json_object *object;
	int rc = put_meta(run, err);

	if (rc < 0)
		return rc;
	object = make_object(json, run, "marker");
	if (!object)
		return put_line(json, run, object, err);
	add(json, object, "marker", json_object_new_string(names[marker->role]));
	add_time(json, object, "time_s", run, marker->time_ns);
	if (marker->has_detail) {
		add_unsigned(json, object, "seq", marker->seq);
		add_text(json, object, "cause", marker_cause_name(marker->cause));
		add_unsigned(json, object, "request_mono_ns", marker->request_ns);
		add_unsigned(json, object, "done_mono_ns", marker->done_ns);
	} else {
		add_null(json, object, "seq");
		add_null(json, object, "cause");
		add_null(json, object, "request_mono_ns");
		add_null(json, object, "done_mono_ns");
	}
	add_text(json, object, "label", marker->label);
	return put_line(json, run, object, err);
}

static int json_total(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct view_run *run = ctx;
	struct json *json = run->state;
	int rc = put_meta(run, err);

	if (rc == 0)
		json->total = make_span(json, run, "total", span);
	return rc;
}

/* The total goes last, with what reading found out. */
static int json_end(struct view_run *run, struct ps_error *err)
{
	struct json *json = run->state;
	struct json_object *object = json->total, *list = json_object_new_array();

	json->total = NULL;
	if (!object) {
		json_object_put(list);
		return put_line(json, run, NULL, err);
	}
	add(json, object, "damaged", json_object_new_boolean(run->input.damaged));
	add_unsigned(json, object, "lost", run->input.lost);
	add_unsigned(json, object, "unknown_records", run->input.unknown_records);
	for (size_t i = 0; list && i < run->input.n_warnings; i++)
		if (!append(json, list, make_text(run->input.warnings[i])))
			break;
	add(json, object, "warnings", list);
	return put_line(json, run, object, err);
}

const struct view view_json = {
	.name = "json",
	.help = "JSON Lines: meta, interval, marker, window and total objects",
	.begin = json_begin,
	.timeline = {
		.interval = json_interval,
		.marker = json_marker,
		.window = json_window,
		.total = json_total,
	},
	.end = json_end,
	.release = json_release,
};
