/*
 * The session as a table: what each event does while running, while paused and after the end, as the sequence of calls to the
 * kernel, answers and records; then every order of events, and failures of the kernel and of the consumer.
 */
#include <errno.h>
#include <string.h>

#include "lib/session_case.h"
#include "lib/unit.h"

/* --- the table ------------------------------------------------------------------------------------------------------- */

enum happening { PAUSE, RESUME, MARK, PING, STOP, TICK, STALE_TICK, DELAY, TIMEOUT, EXIT, SIGNAL, INVALID, N_EVENTS };

static void happen(enum happening event)
{
	switch (event) {
	case PAUSE: session_case_command(COMMAND_PAUSE, NULL); break;
	case RESUME: session_case_command(COMMAND_RESUME, NULL); break;
	case MARK: session_case_command(COMMAND_MARK, "here"); break;
	case PING: session_case_command(COMMAND_PING, NULL); break;
	case STOP: session_case_command(COMMAND_STOP, NULL); break;
	case INVALID: session_case_command(COMMAND_INVALID, NULL); break;
	case TICK: session_tick(t.session, 1); break;
	case STALE_TICK: session_tick(t.session, 0); break;
	case DELAY: session_delay_over(t.session); break;
	case TIMEOUT: session_end(t.session, MARKER_TIMEOUT); break;
	case EXIT: session_end(t.session, MARKER_EXIT); break;
	case SIGNAL: session_end(t.session, MARKER_SIGNAL); break;
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

	session_case_open(&(struct session_options){ .interval_ns = NS_PER_MS,
						.delay_ns = row->state == SESSION_RUNNING ? 0 : -1 });
	session_case_begin();
	if (row->state == SESSION_ENDED)
		session_end(t.session, MARKER_EXIT);
	(void)session_case_actions();
	session_case_pass(NS_PER_MS);
	happen(row->event);
	ck_assert_str_eq(session_case_actions(), row->actions);
	ck_assert_int_eq(session_state(t.session), row->after);
	ck_assert_int_eq(t.ended, row->after == SESSION_ENDED);
}
END_TEST

START_TEST(it_begins_as_it_is_told)
{
	static const struct { int64_t delay_ns; bool on_already; const char *actions; } cases[] = {
		{ 0, false, "start, begin, resume-marker" }, { 0, true, "begin, resume-marker" },
		{ -1, false, "begin, pause-marker" }, { 1000, false, "begin, pause-marker" },
	};

	session_case_open(&(struct session_options){ .delay_ns = cases[_i].delay_ns, .counters_running = cases[_i].on_already });
	(void)session_case_actions();
	session_case_begin();
	ck_assert_str_eq(session_case_actions(), cases[_i].actions);
	ck_assert_uint_eq(session_windows(t.session), cases[_i].delay_ns == 0);
}
END_TEST

START_TEST(without_pauses_there_is_one_final_round)
{
	session_case_open(&(struct session_options){ .single_summary = true });
	session_case_begin();
	session_case_pass(NS_PER_S);
	(void)session_case_actions();
	session_end(t.session, MARKER_EXIT);
	ck_assert_str_eq(session_case_actions(), "stop, read, pause-marker, final-round, checkpoint");
	ck_assert_uint_eq(t.meta.interval_ms, 0);
}
END_TEST

START_TEST(interval_count_is_exact)
{
	session_case_open(&(struct session_options){ .interval_ns = NS_PER_MS, .interval_count = 3 });
	session_case_begin();
	for (int i = 0; i < 10; i++) {
		session_case_pass(NS_PER_MS);
		session_tick(t.session, 1);
	}
	ck_assert_uint_eq(session_readings(t.session), 3);
	ck_assert_int_eq(session_state(t.session), SESSION_ENDED);
	ck_assert_int_eq(session_end_cause(t.session), MARKER_TIMEOUT);
}
END_TEST

/* A signal's pause takes a reading too: it may be the last one, and no reading may follow it. */
START_TEST(pause_without_a_command_counts_towards_interval_count)
{
	session_case_open(&(struct session_options){ .interval_ns = NS_PER_MS, .interval_count = 2 });
	session_case_begin();
	session_case_pass(NS_PER_MS);
	session_tick(t.session, 1);
	session_case_pass(NS_PER_MS / 2);
	session_switch(t.session, false, MARKER_SIGNAL, t.now);
	ck_assert_int_eq(t.ended, 1);
	ck_assert(session_state(t.session) == SESSION_ENDED);
	ck_assert(session_end_cause(t.session) == MARKER_TIMEOUT);
}
END_TEST

START_TEST(missed_ticks_are_one_reading_and_counted)
{
	session_case_open(&(struct session_options){ .interval_ns = NS_PER_MS });
	session_case_begin();
	session_case_pass(5 * NS_PER_MS);
	(void)session_case_actions();
	session_tick(t.session, 5);
	ck_assert_str_eq(session_case_actions(), "read, round");
	ck_assert_uint_eq(session_missed_ticks(t.session), 4);
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

	session_case_teardown(); /* each order has a session of its own */
	do {
		enum session_state state = _i ? SESSION_PAUSED : SESSION_RUNNING;
		uint64_t on_ns = 0;

		session_case_setup();
		session_case_open(&(struct session_options){ .interval_ns = NS_PER_MS, .delay_ns = _i ? 1000 : 0 });
		session_case_begin();
		for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
			session_case_pass((i + 1) * NS_PER_MS);
			if (state == SESSION_RUNNING)
				on_ns += (i + 1) * NS_PER_MS;
			happen(order[i]);
			state = model(state, order[i]);
			ck_assert_int_eq(session_state(t.session), state);
		}
		ck_assert_int_eq(session_finish(t.session, &t.c.err), 0);
		/* Two counters per reading: the last two records put are the final values of both. */
		ck_assert_uint_ge(t.n_last, 2);
		ck_assert_uint_eq(t.last[(t.n_last - 1) % ARRAY_SIZE(t.last)].enabled_ns, on_ns);
		ck_assert_uint_eq(call_log_count(&t.c.log, "answer"), 4);
		ck_assert_uint_eq(call_log_count(&t.c.log, "finish"), 1);
		ck_assert_int_eq(t.ended, 1);
		session_case_teardown();
	} while (next_order(order, ARRAY_SIZE(order)));
	session_case_setup(); /* for the fixture's teardown */
}
END_TEST

/* --- failures --------------------------------------------------------------------------------------------------------- */

/* A consumer that fails at any record ends the recording; later commands are answered and finish tells why. */
START_TEST(consumer_failure_ends_the_recording)
{
	struct ps_error err = PS_ERROR_INIT;

	t.puts_left = _i;
	session_case_open(&(struct session_options){ .interval_ns = NS_PER_MS });
	if (session_begin(t.session, 0, 0, &err) == 0) {
		for (int i = 0; i < 5; i++) {
			session_case_pass(NS_PER_MS);
			session_case_command(i % 2 ? COMMAND_RESUME : COMMAND_PAUSE, NULL);
			session_tick(t.session, 1);
		}
	}
	ck_assert_int_eq(session_state(t.session), SESSION_ENDED);
	ck_assert_int_eq(t.ended, 1);
	ck_assert_ptr_nonnull(session_failure(t.session));
	call_log_clear(&t.c.log);
	session_case_command(COMMAND_PAUSE, NULL);
	session_case_command(COMMAND_RESUME, NULL);
	ck_assert_str_eq(session_case_actions(), "answer 0, answer -108");
	ck_assert_int_eq(session_finish(t.session, &err), -ENOSPC);
	ck_assert_str_eq(err.where, "fake");
	ck_assert_str_eq(session_case_actions(), "finish");
}
END_TEST

START_TEST(unreadable_counter_ends_the_recording)
{
	struct ps_error err = PS_ERROR_INIT;

	session_case_open(&(struct session_options){ .interval_ns = NS_PER_MS });
	session_case_begin();
	fake_fault(t.c.fake, (struct fake_fault){ .op = FAKE_READ, .at = t.c.fake->calls[FAKE_READ] + 1, .times = 1, .result = 8 });
	session_case_pass(NS_PER_MS);
	session_tick(t.session, 1);
	ck_assert_int_eq(session_state(t.session), SESSION_ENDED);
	ck_assert_int_eq(session_finish(t.session, &err), -EIO);
}
END_TEST

START_TEST(counters_that_do_not_switch_are_answered_and_the_session_goes_on)
{
	session_case_open(&(struct session_options){ .interval_ns = NS_PER_MS });
	session_case_begin();
	(void)session_case_actions();
	fake_fault(t.c.fake, (struct fake_fault){ .op = FAKE_IOCTL, .at = t.c.fake->calls[FAKE_IOCTL] + 1, .times = 1,
						.result = -EIO });
	session_case_command(COMMAND_PAUSE, NULL);
	ck_assert_int_eq(session_state(t.session), SESSION_RUNNING);
	ck_assert_uint_eq(call_log_count(&t.c.log, "answer -5"), 1);
	call_log_clear(&t.c.log);
	session_case_command(COMMAND_PAUSE, NULL);
	ck_assert_int_eq(session_state(t.session), SESSION_PAUSED);
	ck_assert_uint_eq(call_log_count(&t.c.log, "answer 0"), 1);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, session_case_setup, session_case_teardown);
	tcase_add_loop_test(tcase, each_event_does_what_its_row_says, 0, ARRAY_SIZE(rows));
	tcase_add_loop_test(tcase, it_begins_as_it_is_told, 0, 4);
	tcase_add_test(tcase, without_pauses_there_is_one_final_round);
	tcase_add_test(tcase, interval_count_is_exact);
	tcase_add_test(tcase, pause_without_a_command_counts_towards_interval_count);
	tcase_add_test(tcase, missed_ticks_are_one_reading_and_counted);
	tcase_add_loop_test(tcase, every_order_keeps_state_and_counts, 0, 2);
	tcase_add_loop_test(tcase, consumer_failure_ends_the_recording, 0, 20);
	tcase_add_test(tcase, unreadable_counter_ends_the_recording);
	tcase_add_test(tcase, counters_that_do_not_switch_are_answered_and_the_session_goes_on);
}

int main(void)
{
	return unit_main("session", add);
}
