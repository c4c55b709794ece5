/*
 * The session as a table: what each event does while running, while paused and after the end, as the sequence of calls to the
 * kernel, answers and records; then every order of events, and failures of the kernel and of the consumer.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/counters.h"
#include "lib/unit.h"
#include "record/describe.h"
#include "record/session_private.h"

#define HOUR_NS (3600 * NS_PER_S)

static struct counters c;
static struct loop loop;
static struct meta meta;
static struct session *session;
static uint64_t now;         /* the session's clock: so far ahead that no real timer goes off */
static int ended;            /* calls of on_end */
static int puts_left;        /* the consumer fails after so many records */
static struct format_stat last[8]; /* by cell, as put */
static size_t n_last;
static uint64_t last_round_ns;

/* --- what the session talks to --------------------------------------------------------------------------------------- */

static uint64_t fake_now(void *ctx)
{
	(void)ctx;
	return now;
}

static const struct clock fake_clock = { NULL, fake_now, fake_now };

static int consumer_start(void *ctx, const struct meta *about, struct ps_error *err)
{
	(void)ctx;
	ck_assert(about->has_t0);
	call_log_add(&c.log, "begin");
	return puts_left ? 0 : ps_fail(err, "fake", ENOSPC, "starting");
}

static int consumer_put(void *ctx, const struct record *rec, struct ps_error *err)
{
	(void)ctx;
	if (puts_left >= 0 && puts_left-- == 0)
		return ps_fail(err, "fake", ENOSPC, "putting");
	if (rec->type == FORMAT_STAT && rec->stat.id < FORMAT_MARKER_ID_PAUSE) {
		last[n_last++ % ARRAY_SIZE(last)] = rec->stat;
	} else if (rec->type == PERF_RECORD_SAMPLE) {
		call_log_add(&c.log, rec->sample.id == FORMAT_MARKER_ID_PAUSE  ? "pause-marker" :
				     rec->sample.id == FORMAT_MARKER_ID_RESUME ? "resume-marker" : "mark-marker");
		ck_assert_uint_le(rec->sample.time_ns, now);
	} else if (rec->type == FORMAT_STAT_ROUND) {
		call_log_add(&c.log, rec->round.type == FORMAT_ROUND_FINAL ? "final-round" : "round");
		ck_assert_uint_ge(rec->round.time_ns, last_round_ns);
		last_round_ns = rec->round.time_ns;
	}
	return 0;
}

static int consumer_tick(void *ctx, struct ps_error *err)
{
	(void)ctx;
	(void)err;
	call_log_add(&c.log, "tick");
	return 0;
}

static int consumer_checkpoint(void *ctx, struct ps_error *err)
{
	(void)ctx;
	(void)err;
	call_log_add(&c.log, "checkpoint");
	return 0;
}

static int consumer_finish(void *ctx, struct ps_error *err)
{
	(void)ctx;
	(void)err;
	call_log_add(&c.log, "finish");
	return 0;
}

static const struct consumer consumer = {
	.start = consumer_start, .put = consumer_put, .checkpoint = consumer_checkpoint, .tick = consumer_tick, .finish = consumer_finish,
};

static void reply_send(struct reply *reply, int result)
{
	(void)reply;
	call_log_add(&c.log, "answer %d", result);
}

static void reply_line(struct reply *reply, const char *text)
{
	(void)reply;
	call_log_add(&c.log, "line %s", text);
}

static void on_end(void *data)
{
	(void)data;
	ended++;
}

/* --- helpers --------------------------------------------------------------------------------------------------------- */

static void open_session_on(const struct target *target, const struct session_options *wanted)
{
	struct session_options options = *wanted;
	struct describe_options about = { .interval_ns = options.interval_ns, .sysfs = "no-such-folder",
					  .single_summary = options.single_summary, .marks = true };

	ck_assert_int_eq(counters_open(&c, target), 0);
	ck_assert_int_eq(describe(&meta, c.set, &about, &c.err), 0);
	options.clock = &fake_clock;
	options.on_end = on_end;
	options.marker_pid = 7;
	ck_assert_int_eq(session_new(&session, &options, c.set, &meta, &consumer, &loop, &c.err), 0);
}

static void open_session(const struct session_options *wanted)
{
	pid_t tid = 7;

	open_session_on(&(struct target){ .tids = &tid, .n_tids = 1 }, wanted);
}

static void begin(void)
{
	ck_assert_int_eq(session_begin(session, 0, 0, &c.err), 0);
}

static void setup(void)
{
	now = clock_mono_ns(&clock_system) + HOUR_NS;
	ended = 0;
	puts_left = -1;
	n_last = 0;
	last_round_ns = 0;
	memset(last, 0, sizeof(last));
	counters_init(&c, "task-clock,page-faults");
	meta_init(&meta);
	loop_init(&loop);
}

static void teardown(void)
{
	session_free(session);
	session = NULL;
	meta_fini(&meta);
	loop_fini(&loop);
	ck_assert(counters_fini(&c));
}

static void pass(uint64_t ns)
{
	now += ns;
	fake_advance(c.fake, ns);
}

static void command(enum command_kind kind, const char *text)
{
	struct reply reply = { reply_send, reply_line };
	struct command cmd = { .kind = kind, .text = text, .request_ns = now };

	ck_assert_int_eq(session_command(session, &cmd, &reply, &c.err), 0);
}

/* The log since the last call, one word per line, with the calls to the kernel called what they do. */
static const char *actions(void)
{
	static char text[2048];
	char *line, *rest, *copy = strdup(call_log_text(&c.log));

	text[0] = '\0';
	for (line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *word = !strncmp(line, "enable", 6) ? "start" : !strncmp(line, "disable", 7) ? "stop" :
				   !strncmp(line, "read", 4) ? "read" : line;

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", text[0] ? ", " : "", word);
	}
	free(copy);
	call_log_clear(&c.log);
	return text;
}

/* --- the table ------------------------------------------------------------------------------------------------------- */

enum happening { PAUSE, RESUME, MARK, PING, STOP, TICK, STALE_TICK, DELAY, TIMEOUT, EXIT, SIGNAL, INVALID, N_EVENTS };

static void happen(enum happening event)
{
	switch (event) {
	case PAUSE: command(COMMAND_PAUSE, NULL); break;
	case RESUME: command(COMMAND_RESUME, NULL); break;
	case MARK: command(COMMAND_MARK, "here"); break;
	case PING: command(COMMAND_PING, NULL); break;
	case STOP: command(COMMAND_STOP, NULL); break;
	case INVALID: command(COMMAND_INVALID, NULL); break;
	case TICK: session_tick(session, 1); break;
	case STALE_TICK: session_tick(session, 0); break;
	case DELAY: session_delay_over(session); break;
	case TIMEOUT: session_end(session, MARKER_TIMEOUT); break;
	case EXIT: session_end(session, MARKER_EXIT); break;
	case SIGNAL: session_end(session, MARKER_SIGNAL); break;
	case N_EVENTS: break;
	}
}

#define END_RUNNING "stop, read, pause-marker, round, checkpoint"
#define END_PAUSED "read, round, checkpoint"

static const struct row {
	enum session_state state;
	enum happening event;
	const char *actions;
	enum session_state after;
} rows[] = {
	{ SESSION_RUNNING, PAUSE, "stop, answer 0, read, pause-marker, round", SESSION_PAUSED },
	{ SESSION_RUNNING, RESUME, "answer 0", SESSION_RUNNING },
	{ SESSION_RUNNING, MARK, "answer 0, mark-marker", SESSION_RUNNING },
	{ SESSION_RUNNING, PING, "answer 0", SESSION_RUNNING },
	{ SESSION_RUNNING, STOP, "stop, answer 0, read, pause-marker, round, checkpoint", SESSION_ENDED },
	{ SESSION_RUNNING, TICK, "read, round", SESSION_RUNNING },
	{ SESSION_RUNNING, STALE_TICK, "", SESSION_RUNNING },
	{ SESSION_RUNNING, DELAY, "", SESSION_RUNNING },
	{ SESSION_RUNNING, TIMEOUT, END_RUNNING, SESSION_ENDED },
	{ SESSION_RUNNING, EXIT, END_RUNNING, SESSION_ENDED },
	{ SESSION_RUNNING, SIGNAL, END_RUNNING, SESSION_ENDED },
	{ SESSION_RUNNING, INVALID, "answer -22", SESSION_RUNNING },
	{ SESSION_PAUSED, PAUSE, "answer 0", SESSION_PAUSED },
	{ SESSION_PAUSED, RESUME, "start, answer 0, resume-marker", SESSION_RUNNING },
	{ SESSION_PAUSED, MARK, "answer 0, mark-marker", SESSION_PAUSED },
	{ SESSION_PAUSED, PING, "answer 0", SESSION_PAUSED },
	{ SESSION_PAUSED, STOP, "answer 0, " END_PAUSED, SESSION_ENDED },
	{ SESSION_PAUSED, TICK, "", SESSION_PAUSED },
	{ SESSION_PAUSED, STALE_TICK, "", SESSION_PAUSED },
	{ SESSION_PAUSED, DELAY, "start, resume-marker", SESSION_RUNNING },
	{ SESSION_PAUSED, TIMEOUT, END_PAUSED, SESSION_ENDED },
	{ SESSION_PAUSED, EXIT, END_PAUSED, SESSION_ENDED },
	{ SESSION_PAUSED, SIGNAL, END_PAUSED, SESSION_ENDED },
	{ SESSION_PAUSED, INVALID, "answer -22", SESSION_PAUSED },
	{ SESSION_ENDED, PAUSE, "answer 0", SESSION_ENDED },
	{ SESSION_ENDED, RESUME, "answer -108", SESSION_ENDED },
	{ SESSION_ENDED, MARK, "answer -108", SESSION_ENDED },
	{ SESSION_ENDED, PING, "answer 0", SESSION_ENDED },
	{ SESSION_ENDED, STOP, "answer 0", SESSION_ENDED },
	{ SESSION_ENDED, TICK, "", SESSION_ENDED },
	{ SESSION_ENDED, DELAY, "", SESSION_ENDED },
	{ SESSION_ENDED, TIMEOUT, "", SESSION_ENDED },
	{ SESSION_ENDED, EXIT, "", SESSION_ENDED },
	{ SESSION_ENDED, SIGNAL, "", SESSION_ENDED },
	{ SESSION_ENDED, INVALID, "answer -22", SESSION_ENDED },
};

START_TEST(each_event_does_what_its_row_says)
{
	const struct row *row = &rows[_i];

	open_session(&(struct session_options){ .interval_ns = NS_PER_MS,
						.delay_ns = row->state == SESSION_RUNNING ? 0 : -1 });
	begin();
	if (row->state == SESSION_ENDED)
		session_end(session, MARKER_EXIT);
	(void)actions();
	pass(NS_PER_MS);
	happen(row->event);
	ck_assert_str_eq(actions(), row->actions);
	ck_assert_int_eq(session_state(session), row->after);
	ck_assert_int_eq(ended, row->after == SESSION_ENDED);
}
END_TEST

START_TEST(it_begins_as_it_is_told)
{
	static const struct { int64_t delay_ns; bool on_already; const char *actions; } cases[] = {
		{ 0, false, "start, begin, resume-marker" }, { 0, true, "begin, resume-marker" },
		{ -1, false, "begin, pause-marker" }, { 1000, false, "begin, pause-marker" },
	};

	open_session(&(struct session_options){ .delay_ns = cases[_i].delay_ns, .counters_running = cases[_i].on_already });
	(void)actions();
	begin();
	ck_assert_str_eq(actions(), cases[_i].actions);
	ck_assert_uint_eq(session_windows(session), cases[_i].delay_ns == 0);
}
END_TEST

START_TEST(without_pauses_there_is_one_final_round)
{
	open_session(&(struct session_options){ .single_summary = true });
	begin();
	pass(NS_PER_S);
	(void)actions();
	session_end(session, MARKER_EXIT);
	ck_assert_str_eq(actions(), "stop, read, pause-marker, final-round, checkpoint");
	ck_assert_uint_eq(meta.interval_ms, 0);
}
END_TEST

START_TEST(interval_count_is_exact)
{
	open_session(&(struct session_options){ .interval_ns = NS_PER_MS, .interval_count = 3 });
	begin();
	for (int i = 0; i < 10; i++) {
		pass(NS_PER_MS);
		session_tick(session, 1);
	}
	ck_assert_uint_eq(session_readings(session), 3);
	ck_assert_int_eq(session_state(session), SESSION_ENDED);
	ck_assert_int_eq(session_end_cause(session), MARKER_TIMEOUT);
}
END_TEST

/* A signal's pause takes a reading too: it may be the last one, and no reading may follow it. */
START_TEST(pause_without_a_command_counts_towards_interval_count)
{
	open_session(&(struct session_options){ .interval_ns = NS_PER_MS, .interval_count = 2 });
	begin();
	pass(NS_PER_MS);
	session_tick(session, 1);
	pass(NS_PER_MS / 2);
	session_switch(session, false, MARKER_SIGNAL, now);
	ck_assert_int_eq(ended, 1);
	ck_assert(session_state(session) == SESSION_ENDED);
	ck_assert(session_end_cause(session) == MARKER_TIMEOUT);
}
END_TEST

START_TEST(missed_ticks_are_one_reading_and_counted)
{
	open_session(&(struct session_options){ .interval_ns = NS_PER_MS });
	begin();
	pass(5 * NS_PER_MS);
	(void)actions();
	session_tick(session, 5);
	ck_assert_str_eq(actions(), "read, round");
	ck_assert_uint_eq(session_missed_ticks(session), 4);
}
END_TEST

START_TEST(single_events_are_listed_and_looked_up)
{
	open_session(&(struct session_options){ .interval_ns = NS_PER_MS });
	begin();
	(void)actions();
	command(COMMAND_EVLIST, NULL);
	ck_assert_str_eq(actions(), "line task-clock, line page-faults, answer 0");
	command(COMMAND_DISABLE_EVENT, "no-such-event");
	ck_assert_str_eq(actions(), "answer -2");
	command(COMMAND_ENABLE_EVENT, NULL);
	ck_assert_str_eq(actions(), "answer -2");
}
END_TEST

/* What last was put of a cell of the event. */
static const struct format_stat *last_of(size_t event)
{
	for (size_t i = ARRAY_SIZE(last); i > 0; i--)
		if (last[(n_last + i - 1) % ARRAY_SIZE(last)].id == counter_set_event(c.set, event)->cells[0].id)
			return &last[(n_last + i - 1) % ARRAY_SIZE(last)];
	ck_abort_msg("event %zu was not put", event);
	return NULL;
}

START_TEST(single_event_is_switched_between_two_intervals)
{
	pid_t tid = 7;

	open_session_on(&(struct target){ .tids = &tid, .n_tids = 1, .solo = true }, &(struct session_options){ 0 });
	begin();
	pass(1000);
	command(COMMAND_DISABLE_EVENT, "task-clock"); /* the reading behind it closes an interval in which it counted */
	ck_assert_uint_eq(last_of(0)->running_ns, 1000);
	ck_assert_uint_eq(last_of(0)->enabled_ns, 1000);
	pass(1000);
	command(COMMAND_ENABLE_EVENT, "task-clock"); /* the reading before it closes one in which it did not */
	ck_assert_uint_eq(last_of(0)->running_ns, 1000);
	ck_assert_uint_eq(last_of(0)->enabled_ns, 1000 + FORMAT_OFF_NS);
	pass(1000);
	command(COMMAND_PAUSE, NULL);
	ck_assert_uint_eq(last_of(0)->running_ns, 2000);
	ck_assert_uint_eq(last_of(0)->enabled_ns, 2000 + FORMAT_OFF_NS);
	ck_assert_uint_eq(last_of(1)->enabled_ns, 3000);
	ck_assert_uint_eq(session_readings(session), 3);
}
END_TEST

START_TEST(event_that_is_not_supported_cannot_be_switched_on)
{
	pid_t tid = 7;

	fake_refuse(c.fake, (struct fake_rule){ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, FAKE_ANY, FAKE_ANY, 0, ENOENT });
	open_session_on(&(struct target){ .tids = &tid, .n_tids = 1, .solo = true }, &(struct session_options){ 0 });
	begin();
	(void)actions();
	command(COMMAND_ENABLE_EVENT, "page-faults");
	ck_assert_str_eq(actions(), "answer -95");
}
END_TEST

/* --- every order ------------------------------------------------------------------------------------------------------ */

static bool next_order(enum happening *order, size_t n)
{
	size_t i = n - 1, j = n - 1;

	while (i > 0 && order[i - 1] >= order[i])
		i--;
	if (i == 0)
		return false;
	while (order[j] <= order[i - 1])
		j--;
	enum happening swap = order[i - 1];

	order[i - 1] = order[j];
	order[j] = swap;
	for (j = n - 1; i < j; i++, j--) {
		swap = order[i];
		order[i] = order[j];
		order[j] = swap;
	}
	return true;
}

static enum session_state model(enum session_state state, enum happening event)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].state == state && rows[i].event == event)
			return rows[i].after;
	return state;
}

/* What was counted must be what the kernel counted while it was on, whatever came in which order. */
START_TEST(every_order_keeps_state_and_counts)
{
	enum happening order[] = { PAUSE, PAUSE, RESUME, RESUME, TICK, DELAY, EXIT };

	teardown(); /* each order has a session of its own */
	do {
		enum session_state state = _i ? SESSION_PAUSED : SESSION_RUNNING;
		uint64_t on_ns = 0;

		setup();
		open_session(&(struct session_options){ .interval_ns = NS_PER_MS, .delay_ns = _i ? 1000 : 0 });
		begin();
		for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
			pass((i + 1) * NS_PER_MS);
			if (state == SESSION_RUNNING)
				on_ns += (i + 1) * NS_PER_MS;
			happen(order[i]);
			state = model(state, order[i]);
			ck_assert_int_eq(session_state(session), state);
		}
		ck_assert_int_eq(session_finish(session, &c.err), 0);
		/* Two counters per reading: the last two records put are the final values of both. */
		ck_assert_uint_ge(n_last, 2);
		ck_assert_uint_eq(last[(n_last - 1) % ARRAY_SIZE(last)].enabled_ns, on_ns);
		ck_assert_uint_eq(call_log_count(&c.log, "answer"), 4);
		ck_assert_uint_eq(call_log_count(&c.log, "finish"), 1);
		ck_assert_int_eq(ended, 1);
		teardown();
	} while (next_order(order, ARRAY_SIZE(order)));
	setup(); /* for the fixture's teardown */
}
END_TEST

/* --- failures --------------------------------------------------------------------------------------------------------- */

/* A consumer that fails at any record ends the recording; later commands are answered and finish tells why. */
START_TEST(consumer_failure_ends_the_recording)
{
	struct ps_error err = PS_ERROR_INIT;

	puts_left = _i;
	open_session(&(struct session_options){ .interval_ns = NS_PER_MS });
	if (session_begin(session, 0, 0, &err) == 0) {
		for (int i = 0; i < 5; i++) {
			pass(NS_PER_MS);
			happen(i % 2 ? RESUME : PAUSE);
			happen(TICK);
		}
	}
	ck_assert_int_eq(session_state(session), SESSION_ENDED);
	ck_assert_int_eq(ended, 1);
	ck_assert_ptr_nonnull(session_failure(session));
	call_log_clear(&c.log);
	happen(PAUSE);
	happen(RESUME);
	ck_assert_str_eq(actions(), "answer 0, answer -108");
	ck_assert_int_eq(session_finish(session, &err), -ENOSPC);
	ck_assert_str_eq(err.where, "fake");
	ck_assert_str_eq(actions(), "finish");
}
END_TEST

START_TEST(unreadable_counter_ends_the_recording)
{
	struct ps_error err = PS_ERROR_INIT;

	open_session(&(struct session_options){ .interval_ns = NS_PER_MS });
	begin();
	fake_fault(c.fake, (struct fake_fault){ .op = FAKE_READ, .at = c.fake->calls[FAKE_READ] + 1, .times = 1, .result = 8 });
	pass(NS_PER_MS);
	happen(TICK);
	ck_assert_int_eq(session_state(session), SESSION_ENDED);
	ck_assert_int_eq(session_finish(session, &err), -EIO);
}
END_TEST

START_TEST(counters_that_do_not_switch_are_answered_and_the_session_goes_on)
{
	open_session(&(struct session_options){ .interval_ns = NS_PER_MS });
	begin();
	(void)actions();
	fake_fault(c.fake, (struct fake_fault){ .op = FAKE_IOCTL, .at = c.fake->calls[FAKE_IOCTL] + 1, .times = 1,
						.result = -EIO });
	happen(PAUSE);
	ck_assert_int_eq(session_state(session), SESSION_RUNNING);
	ck_assert_uint_eq(call_log_count(&c.log, "answer -5"), 1);
	call_log_clear(&c.log);
	happen(PAUSE);
	ck_assert_int_eq(session_state(session), SESSION_PAUSED);
	ck_assert_uint_eq(call_log_count(&c.log, "answer 0"), 1);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, each_event_does_what_its_row_says, 0, ARRAY_SIZE(rows));
	tcase_add_loop_test(tcase, it_begins_as_it_is_told, 0, 4);
	tcase_add_test(tcase, without_pauses_there_is_one_final_round);
	tcase_add_test(tcase, interval_count_is_exact);
	tcase_add_test(tcase, pause_without_a_command_counts_towards_interval_count);
	tcase_add_test(tcase, missed_ticks_are_one_reading_and_counted);
	tcase_add_test(tcase, single_events_are_listed_and_looked_up);
	tcase_add_test(tcase, single_event_is_switched_between_two_intervals);
	tcase_add_test(tcase, event_that_is_not_supported_cannot_be_switched_on);
	tcase_add_loop_test(tcase, every_order_keeps_state_and_counts, 0, 2);
	tcase_add_loop_test(tcase, consumer_failure_ends_the_recording, 0, 20);
	tcase_add_test(tcase, unreadable_counter_ends_the_recording);
	tcase_add_test(tcase, counters_that_do_not_switch_are_answered_and_the_session_goes_on);
}

int main(void)
{
	return unit_main("session", add);
}
