/* The view "stats": one JSON object about any perf.data. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <string.h>

#include "data/sample.h"
#include "report/stat_cells.h"
#include "report/text.h"
#include "report/views.h"

#define KNOWN_TYPES 128
#define OTHER_SLOTS 4096 /* a power of two */
#define OTHER_MAX                                                                                            \
	1024 /* distinct unknown types that are counted apart; the rest is damage and counted together */

struct other_type {
	uint32_t type;
	uint64_t n;
};

struct event_stats {
	uint64_t samples, period;
};

struct stats {
	uint64_t known[KNOWN_TYPES];
	struct other_type others[OTHER_SLOTS];
	size_t n_others;
	uint64_t rest; /* records of the types that no slot was left for */
	struct event_stats *events; /* owned */
	size_t n_events;
	struct event_stats *last; /* of the event of the sample before, for most come in a row; or NULL */
	uint64_t last_id;
	uint64_t lost, lost_samples, unknown_id_samples;
	uint64_t first_time_ns, last_time_ns;
	bool has_time;
	struct stat_cells cells;
};

static int stats_begin(struct view_run *run, struct ps_error *err)
{
	run->state = calloc(1, sizeof(struct stats));
	return run->state ? 0 : ps_fail(err, "stats", ENOMEM, "counting records");
}

static void stats_release(struct view_run *run)
{
	struct stats *stats = run->state;

	if (!stats)
		return;
	stat_cells_fini(&stats->cells);
	free(stats->events);
	free(stats);
}

static void count_other(struct stats *stats, uint32_t type)
{
	size_t i = (type * UINT32_C(2654435761)) & (OTHER_SLOTS - 1);

	while (stats->others[i].n && stats->others[i].type != type)
		i = (i + 1) & (OTHER_SLOTS - 1);
	if (!stats->others[i].n) {
		if (stats->n_others == OTHER_MAX) {
			stats->rest++;
			return;
		}
		stats->n_others++;
		stats->others[i].type = type;
	}
	stats->others[i].n++;
}

/* Events can be added while a stream is read. */
static int fit_events(struct stats *stats, const struct meta *meta, struct ps_error *err)
{
	struct event_stats *grown;

	if (stats->n_events >= meta->n_events)
		return 0;
	grown = reallocarray(stats->events, meta->n_events, sizeof(*grown));
	if (!grown)
		return ps_fail(err, "stats", ENOMEM, "counting the samples of %zu events", meta->n_events);
	memset(grown + stats->n_events, 0, (meta->n_events - stats->n_events) * sizeof(*grown));
	stats->events = grown;
	stats->n_events = meta->n_events;
	stats->last = NULL; /* events may have moved */
	return 0;
}

static int put_sample(struct stats *stats, const struct meta *meta, const struct record_sample *sample,
		      struct ps_error *err)
{
	int rc = fit_events(stats, meta, err);

	if (rc < 0)
		return rc;
	if (!stats->last || stats->last_id != sample->id) {
		const struct meta_event *event = sample_event(meta, sample);

		stats->last = event ? &stats->events[event - meta->events] : NULL;
		stats->last_id = sample->id;
	}
	if (!stats->last) {
		stats->unknown_id_samples++;
		return 0;
	}
	stats->last->samples++;
	stats->last->period += sample->period;
	if (!sample->time_ns)
		return 0;
	if (!stats->has_time || sample->time_ns < stats->first_time_ns)
		stats->first_time_ns = sample->time_ns;
	if (!stats->has_time || sample->time_ns > stats->last_time_ns)
		stats->last_time_ns = sample->time_ns;
	stats->has_time = true;
	return 0;
}

static int stats_record(struct view_run *run, const struct record *rec, struct ps_error *err)
{
	struct stats *stats = run->state;

	if (rec->type < KNOWN_TYPES)
		stats->known[rec->type]++;
	else
		count_other(stats, rec->type);
	if (rec->raw_only)
		return 0;
	switch (rec->type) {
	case PERF_RECORD_SAMPLE:
		return put_sample(stats, run->meta, &rec->sample, err);
	case PERF_RECORD_LOST:
		stats->lost += rec->lost.lost;
		return 0;
	case PERF_RECORD_LOST_SAMPLES:
		stats->lost_samples += rec->lost.lost;
		return 0;
	case FORMAT_STAT:
		return stat_cells_put(&stats->cells, &rec->stat, err);
	case FORMAT_STAT_ROUND:
		stat_cells_round(&stats->cells);
		return 0;
	default:
		return 0;
	}
}

/* Adds value (taken, may be NULL for no memory) to an object. False without memory. */
static bool put(struct json_object *to, const char *key, struct json_object *value)
{
	if (value && json_object_object_add(to, key, value) == 0)
		return true;
	json_object_put(value);
	return false;
}

static bool append(struct json_object *to, struct json_object *value)
{
	if (value && json_object_array_add(to, value) == 0)
		return true;
	json_object_put(value);
	return false;
}

static struct json_object *new_text(const char *text)
{
	_cleanup_free_ char *clean = text_utf8(text);

	return clean ? json_object_new_string(clean) : NULL;
}

static struct json_object *make_event(const struct meta_event *event, const struct event_stats *of)
{
	struct json_object *made = json_object_new_object();

	if (made && put(made, "name", new_text(event->name ? event->name : "")) &&
	    put(made, "samples", json_object_new_uint64(of ? of->samples : 0)) &&
	    put(made, "period", json_object_new_uint64(of ? of->period : 0)))
		return made;
	json_object_put(made);
	return NULL;
}

static struct json_object *make_events(const struct stats *stats, const struct meta *meta)
{
	struct json_object *made = json_object_new_array();

	for (size_t i = 0; made && i < meta->n_events; i++) {
		const struct event_stats *of = i < stats->n_events ? &stats->events[i] : NULL;

		if (append(made, make_event(&meta->events[i], of)))
			continue;
		json_object_put(made);
		return NULL;
	}
	return made;
}

static bool put_count(struct json_object *to, uint32_t type, uint64_t n)
{
	const char *name = record_type_name(type);
	char number[16];

	if (!n)
		return true;
	(void)snprintf(number, sizeof(number), "%u", type);
	return put(to, name ? name : number, json_object_new_uint64(n));
}

static struct json_object *make_records(const struct stats *stats)
{
	struct json_object *made = json_object_new_object();
	bool good = made != NULL;

	for (uint32_t type = 0; good && type < KNOWN_TYPES; type++)
		good = put_count(made, type, stats->known[type]);
	for (size_t i = 0; good && i < OTHER_SLOTS; i++)
		good = put_count(made, stats->others[i].type, stats->others[i].n);
	if (good && stats->rest)
		good = put(made, "other", json_object_new_uint64(stats->rest));
	if (good)
		return made;
	json_object_put(made);
	return NULL;
}

/* One event over all of its cells. */
struct event_final {
	bool has_value;
	struct stat_cell_value sum;
};

static struct event_final *sum_cells(const struct stats *stats, const struct meta *meta)
{
	struct event_final *finals = calloc(meta->n_events ? meta->n_events : 1, sizeof(*finals));

	for (size_t i = 0; finals && i < stats->cells.n; i++) {
		const struct meta_event *event = meta_find_id(meta, stats->cells.cells[i].id);
		struct stat_cell_value value;

		if (!event || !stat_cells_final(&stats->cells, &stats->cells.cells[i], &value))
			continue;
		struct event_final *final = &finals[event - meta->events];

		final->has_value = true;
		final->sum.val += value.val;
		final->sum.enabled_ns += value.enabled_ns;
		final->sum.running_ns += value.running_ns;
	}
	return finals;
}

/*
 * Two events of one name: the second is "name#2". seen holds how often each name was there, so that many of one name cost no
 * more than others. Free the result; NULL without memory.
 */
static char *unique_name(struct json_object *seen, const char *name)
{
	char *unique = text_utf8(name), *numbered = NULL;
	struct json_object *before = NULL;
	int64_t n = 1;

	if (unique && json_object_object_get_ex(seen, unique, &before))
		n += json_object_get_int64(before);
	if (!unique || !put(seen, unique, json_object_new_int64(n)) ||
	    (n > 1 && asprintf(&numbered, "%s#%" PRId64, unique, n) < 0)) {
		free(unique);
		return NULL;
	}
	if (n == 1)
		return unique;
	free(unique);
	return numbered;
}

static bool put_final(struct json_object *to, struct json_object *seen, const struct meta_event *event,
		      const struct event_final *final)
{
	_cleanup_free_ char *name = unique_name(seen, event->name ? event->name : "");

	if (!name)
		return false;
	if (!event->n_ids && !final->has_value)
		return put(to, name, json_object_new_string("not supported"));
	if (!final->has_value || !final->sum.running_ns)
		return put(to, name, json_object_new_string("not counted"));
	return put(to, name, json_object_new_uint64(final->sum.val));
}

static struct json_object *make_stat(const struct stats *stats, const struct meta *meta)
{
	struct json_object *made = json_object_new_object(), *final = json_object_new_object();
	struct json_object *seen = json_object_new_object();
	_cleanup_free_ struct event_final *finals = sum_cells(stats, meta);
	bool good = made && final && seen && finals &&
		    put(made, "rounds", json_object_new_uint64(stats->cells.rounds));

	for (size_t i = 0; good && i < meta->n_events; i++)
		if (meta->events[i].role == META_COUNTER)
			good = put_final(final, seen, &meta->events[i], &finals[i]);
	json_object_put(seen);
	if (good && json_object_object_add(made, "final", final) == 0)
		return made;
	json_object_put(final);
	json_object_put(made);
	return NULL;
}

static struct json_object *make_warnings(const struct view_input *input)
{
	struct json_object *made = json_object_new_array();

	for (size_t i = 0; made && i < input->n_warnings; i++) {
		if (append(made, new_text(input->warnings[i])))
			continue;
		json_object_put(made);
		return NULL;
	}
	return made;
}

static bool is_stat(const struct stats *stats, const struct meta *meta)
{
	return meta->is_stat || stats->known[FORMAT_STAT] || stats->known[FORMAT_STAT_ROUND];
}

static bool put_times(struct json_object *to, const struct stats *stats)
{
	return !stats->has_time ||
	       (put(to, "first_sample_time", json_object_new_uint64(stats->first_time_ns)) &&
		put(to, "last_sample_time", json_object_new_uint64(stats->last_time_ns)));
}

static bool fill(struct json_object *to, const struct view_run *run, const struct stats *stats)
{
	return put(to, "kind", json_object_new_string(run->input.stream ? "pipe" : "regular")) &&
	       put(to, "byte_order", json_object_new_string(run->input.big_endian ? "big" : "little")) &&
	       put(to, "events", make_events(stats, run->meta)) && put(to, "records", make_records(stats)) &&
	       put(to, "lost", json_object_new_uint64(stats->lost)) &&
	       put(to, "lost_samples", json_object_new_uint64(stats->lost_samples)) &&
	       put(to, "unknown_id_samples", json_object_new_uint64(stats->unknown_id_samples)) &&
	       put_times(to, stats) &&
	       (!is_stat(stats, run->meta) || put(to, "stat", make_stat(stats, run->meta))) &&
	       put(to, "warnings", make_warnings(&run->input));
}

static int stats_end(struct view_run *run, struct ps_error *err)
{
	struct json_object *object = json_object_new_object();
	const char *text = NULL;

	if (object && fill(object, run, run->state))
		text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE |
								      JSON_C_TO_STRING_SPACED);
	if (text)
		(void)fprintf(run->out, "%s\n", text); /* whoever owns out looks at its error flag */
	json_object_put(object);
	return text ? 0 : ps_fail(err, "stats", ENOMEM, "putting the result together");
}

const struct view view_stats = {
	.name = "stats",
	.help = "one JSON object about any perf.data: events, records by type, totals, warnings",
	.records = true,
	.begin = stats_begin,
	.record = stats_record,
	.end = stats_end,
	.release = stats_release,
};
