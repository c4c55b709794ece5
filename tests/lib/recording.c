/* Recordings from a line of text. */
#include "lib/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS UINT64_C(1000000)

struct player {
	int (*put)(void *ctx, const struct record *rec, struct ps_error *err);
	void *ctx;
	struct ps_error *err;
	uint64_t seq;
};

struct meta_event *recording_add_event(struct meta *meta, const char *name, uint32_t type, uint64_t config,
				       uint64_t first_id, size_t n)
{
	struct meta_event *event = meta_add_event(meta, name, NULL);

	if (!event)
		abort();
	event->attr.type = type;
	event->attr.config = config;
	event->attr.sample_type = FORMAT_SAMPLE_TYPE;
	event->ids = n ? calloc(n, sizeof(*event->ids)) : NULL;
	if (n && !event->ids)
		abort();
	for (size_t i = 0; i < n; i++)
		event->ids[i] = first_id + i;
	event->n_ids = n;
	return event;
}

void recording_add_markers(struct meta *meta)
{
	recording_add_event(meta, FORMAT_MARKER_NAME_PAUSE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,
			    FORMAT_MARKER_ID_PAUSE, 1)->role = META_PAUSE;
	recording_add_event(meta, FORMAT_MARKER_NAME_RESUME, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,
			    FORMAT_MARKER_ID_RESUME, 1)->role = META_RESUME;
	/* as a reader that knows no roles leaves it: the name tells */
	recording_add_event(meta, FORMAT_MARKER_NAME_MARK, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY,
			    FORMAT_MARKER_ID_MARK, 1);
}

void recording_meta(struct meta *meta, bool with_markers)
{
	meta_init(meta);
	recording_add_event(meta, "a", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1, 4);
	recording_add_event(meta, "b", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 11, 4);
	recording_add_event(meta, "c", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 0);
	if (with_markers)
		recording_add_markers(meta);
	meta->has_t0 = true;
	meta->t0_mono_ns = RECORDING_T0_NS;
	meta->t0_wall_ns = UINT64_C(1700000000) * 1000 * NS_PER_MS;
	meta->interval_ms = 100;
	meta->scale = meta->is_stat = true;
}

static uint64_t number(const char **at)
{
	char *end;
	uint64_t n = strtoull(*at, &end, 10);

	if (end == *at) {
		fprintf(stderr, "recording: a number is missing at \"%s\"\n", *at);
		abort();
	}
	*at = end;
	return n;
}

static int put(struct player *player, struct record *rec)
{
	return player->put(player->ctx, rec, player->err);
}

static int play_marker(struct player *player, char kind, const char *at)
{
	char letter = (char)(kind & ~0x20); /* upper case */
	uint64_t id = letter == 'P' ? FORMAT_MARKER_ID_PAUSE :
		      letter == 'R' ? FORMAT_MARKER_ID_RESUME : FORMAT_MARKER_ID_MARK;
	uint64_t time_ns = RECORDING_T0_NS + number(&at) * NS_PER_MS;
	struct record detail = { .type = FORMAT_HEADER_EVENT_TYPE };
	struct record sample = { .type = PERF_RECORD_SAMPLE };
	int rc = 0;

	if (kind == letter) {
		detail.detail = (struct record_marker_detail){
			.id = id, .seq = ++player->seq,
			.cause = letter == 'M' ? MARKER_MARK : player->seq == 1 ? MARKER_START : MARKER_COMMAND,
			.request_ns = time_ns - 5000, .done_ns = time_ns, .label = *at == '=' ? at + 1 : NULL,
		};
		rc = put(player, &detail);
	}
	sample.sample = (struct record_sample){ .id = id, .pid = 1, .tid = 1, .time_ns = time_ns, .period = 1 };
	return rc < 0 ? rc : put(player, &sample);
}

static int play_stat(struct player *player, const char *at)
{
	struct record rec = { .type = FORMAT_STAT };

	rec.stat = (struct format_stat){ .id = number(&at), .cpu = -1 };
	if (*at == '@') {
		at++;
		rec.stat.cpu = (int32_t)number(&at);
	}
	if (*at == '/') {
		at++;
		rec.stat.thread = (uint32_t)number(&at);
	}
	at++;
	rec.stat.val = number(&at);
	if (*at == ',') {
		at++;
		rec.stat.enabled_ns = number(&at) * NS_PER_MS;
		at++;
		rec.stat.running_ns = number(&at) * NS_PER_MS;
	}
	return put(player, &rec);
}

static int play_sample(struct player *player, const char *at)
{
	struct record rec = { .type = PERF_RECORD_SAMPLE };

	rec.sample.id = number(&at);
	at++;
	rec.sample.time_ns = RECORDING_T0_NS + number(&at) * NS_PER_MS;
	at++;
	rec.sample.period = number(&at);
	return put(player, &rec);
}

static int play(struct player *player, const char *statement)
{
	const char *at = statement + 1;
	struct record rec = { .type = FORMAT_STAT_ROUND };

	switch (*statement) {
	case 'R': case 'r': case 'P': case 'p': case 'M': case 'm':
		return play_marker(player, *statement, at);
	case 's':
		return play_stat(player, at);
	case 'x':
		return play_sample(player, at);
	case 'o': case 'f':
		rec.round.type = *statement == 'f' ? FORMAT_ROUND_FINAL : FORMAT_ROUND_INTERVAL;
		rec.round.time_ns = number(&at) * NS_PER_MS;
		return put(player, &rec);
	default:
		fprintf(stderr, "recording: what is \"%s\"?\n", statement);
		abort();
	}
}

int recording_play(const char *script, int (*put_record)(void *ctx, const struct record *rec, struct ps_error *err),
		   void *ctx, struct ps_error *err)
{
	struct player player = { put_record, ctx, err, 0 };
	char *copy = strdup(script), *rest = copy, *statement;
	int rc = 0;

	if (!copy)
		abort();
	while (rc >= 0 && (statement = strtok_r(rest, " ", &rest)))
		rc = play(&player, statement);
	free(copy);
	return rc;
}
