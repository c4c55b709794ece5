/* A session over the fake kernel. */
#include "lib/session_case.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/describe.h"

#define HOUR_NS (3600 * NS_PER_S)

struct session_case t;

static uint64_t fake_now(void *ctx)
{
	(void)ctx;
	return t.now;
}

static const struct clock fake_clock = { NULL, fake_now, fake_now };

static int consumer_start(void *ctx, const struct meta *about, struct ps_error *err)
{
	(void)ctx;
	ck_assert(about->has_t0);
	call_log_add(&t.c.log, "begin");
	return t.puts_left ? 0 : ps_fail(err, "fake", ENOSPC, "starting");
}

static int consumer_put(void *ctx, const struct record *rec, struct ps_error *err)
{
	(void)ctx;
	if (t.puts_left >= 0 && t.puts_left-- == 0)
		return ps_fail(err, "fake", ENOSPC, "putting");
	if (rec->type == FORMAT_STAT && rec->stat.id < FORMAT_MARKER_ID_PAUSE) {
		t.last[t.n_last++ % ARRAY_SIZE(t.last)] = rec->stat;
	} else if (rec->type == PERF_RECORD_SAMPLE) {
		call_log_add(&t.c.log, rec->sample.id == FORMAT_MARKER_ID_PAUSE  ? "pause-marker" :
				     rec->sample.id == FORMAT_MARKER_ID_RESUME ? "resume-marker" : "mark-marker");
		ck_assert_uint_le(rec->sample.time_ns, t.now);
	} else if (rec->type == FORMAT_STAT_ROUND) {
		call_log_add(&t.c.log, rec->round.type == FORMAT_ROUND_FINAL ? "final-round" : "round");
		ck_assert_uint_ge(rec->round.time_ns, t.last_round_ns);
		t.last_round_ns = rec->round.time_ns;
	}
	return 0;
}

static int consumer_tick(void *ctx, struct ps_error *err)
{
	(void)ctx;
	(void)err;
	call_log_add(&t.c.log, "tick");
	return 0;
}

static int consumer_checkpoint(void *ctx, struct ps_error *err)
{
	(void)ctx;
	(void)err;
	call_log_add(&t.c.log, "checkpoint");
	return 0;
}

static int consumer_finish(void *ctx, struct ps_error *err)
{
	(void)ctx;
	(void)err;
	call_log_add(&t.c.log, "finish");
	return 0;
}

static const struct consumer consumer = {
	.start = consumer_start, .put = consumer_put, .checkpoint = consumer_checkpoint, .tick = consumer_tick,
	.finish = consumer_finish,
};

static void reply_send(struct reply *reply, int result)
{
	(void)reply;
	call_log_add(&t.c.log, "answer %d", result);
}

static void reply_line(struct reply *reply, const char *text)
{
	(void)reply;
	call_log_add(&t.c.log, "line %s", text);
}

static void on_end(void *data)
{
	(void)data;
	t.ended++;
}

void session_case_open_on(const struct target *target, const struct session_options *wanted)
{
	struct session_options options = *wanted;
	struct describe_options about = { .interval_ns = options.interval_ns, .sysfs = "no-such-folder",
					  .single_summary = options.single_summary, .marks = true };

	ck_assert_int_eq(counters_open(&t.c, target), 0);
	ck_assert_int_eq(describe(&t.meta, t.c.set, &about, &t.c.err), 0);
	options.clock = &fake_clock;
	options.on_end = on_end;
	options.marker_pid = 7;
	ck_assert_int_eq(session_new(&t.session, &options, t.c.set, &t.meta, &consumer, &t.loop, &t.c.err), 0);
}

void session_case_open(const struct session_options *wanted)
{
	pid_t tid = 7;

	session_case_open_on(&(struct target){ .tids = &tid, .n_tids = 1 }, wanted);
}

void session_case_begin(void)
{
	ck_assert_int_eq(session_begin(t.session, 0, 0, &t.c.err), 0);
}

void session_case_setup(void)
{
	t.now = clock_mono_ns(&clock_system) + HOUR_NS;
	t.ended = 0;
	t.puts_left = -1;
	t.n_last = 0;
	t.last_round_ns = 0;
	memset(t.last, 0, sizeof(t.last));
	counters_init(&t.c, "task-clock,page-faults");
	meta_init(&t.meta);
	loop_init(&t.loop);
}

void session_case_teardown(void)
{
	session_free(t.session);
	t.session = NULL;
	meta_fini(&t.meta);
	loop_fini(&t.loop);
	ck_assert(counters_fini(&t.c));
}

void session_case_pass(uint64_t ns)
{
	t.now += ns;
	fake_advance(t.c.fake, ns);
}

void session_case_command(enum command_kind kind, const char *text)
{
	struct reply reply = { reply_send, reply_line };
	struct command cmd = { .kind = kind, .text = text, .request_ns = t.now };

	ck_assert_int_eq(session_command(t.session, &cmd, &reply, &t.c.err), 0);
}

/* The log since the last call, one word per line, with the calls to the kernel called what they do. */
const char *session_case_actions(void)
{
	static char text[2048];
	char *line, *rest, *copy = strdup(call_log_text(&t.c.log));

	text[0] = '\0';
	for (line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *word = !strncmp(line, "enable", 6) ? "start" : !strncmp(line, "disable", 7) ? "stop" :
				   !strncmp(line, "read", 4) ? "read" : line;

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", text[0] ? ", " : "", word);
	}
	free(copy);
	call_log_clear(&t.c.log);
	return text;
}
