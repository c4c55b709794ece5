/* Single events of a session: listed, switched off and on while the others go on. */
#include <errno.h>

#include "lib/session_case.h"
#include "lib/unit.h"

START_TEST(single_events_are_listed_and_looked_up)
{
	session_case_open(&(struct session_options){ .interval_ns = NS_PER_MS });
	session_case_begin();
	(void)session_case_actions();
	session_case_command(COMMAND_EVLIST, NULL);
	ck_assert_str_eq(session_case_actions(), "line task-clock, line page-faults, answer 0");
	session_case_command(COMMAND_DISABLE_EVENT, "no-such-event");
	ck_assert_str_eq(session_case_actions(), "answer -2");
	session_case_command(COMMAND_ENABLE_EVENT, NULL);
	ck_assert_str_eq(session_case_actions(), "answer -2");
}
END_TEST

/* What last was put of a cell of the event. */
static const struct format_stat *last_of(size_t event)
{
	for (size_t i = ARRAY_SIZE(t.last); i > 0; i--)
		if (t.last[(t.n_last + i - 1) % ARRAY_SIZE(t.last)].id == counter_set_event(t.c.set, event)->cells[0].id)
			return &t.last[(t.n_last + i - 1) % ARRAY_SIZE(t.last)];
	ck_abort_msg("event %zu was not put", event);
	return NULL;
}

START_TEST(single_event_is_switched_between_two_intervals)
{
	pid_t tid = 7;

	session_case_open_on(&(struct target){ .tids = &tid, .n_tids = 1, .solo = true }, &(struct session_options){ 0 });
	session_case_begin();
	session_case_pass(1000);
	session_case_command(COMMAND_DISABLE_EVENT, "task-clock"); /* the reading behind it closes an interval in which it counted */
	ck_assert_uint_eq(last_of(0)->running_ns, 1000);
	ck_assert_uint_eq(last_of(0)->enabled_ns, 1000);
	session_case_pass(1000);
	session_case_command(COMMAND_ENABLE_EVENT, "task-clock"); /* the reading before it closes one in which it did not */
	ck_assert_uint_eq(last_of(0)->running_ns, 1000);
	ck_assert_uint_eq(last_of(0)->enabled_ns, 1000 + FORMAT_OFF_NS);
	session_case_pass(1000);
	session_case_command(COMMAND_PAUSE, NULL);
	ck_assert_uint_eq(last_of(0)->running_ns, 2000);
	ck_assert_uint_eq(last_of(0)->enabled_ns, 2000 + FORMAT_OFF_NS);
	ck_assert_uint_eq(last_of(1)->enabled_ns, 3000);
	ck_assert_uint_eq(session_readings(t.session), 3);
}
END_TEST

START_TEST(event_that_is_not_supported_cannot_be_switched_on)
{
	pid_t tid = 7;

	fake_refuse(t.c.fake, (struct fake_rule){ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, FAKE_ANY, FAKE_ANY, 0, ENOENT });
	session_case_open_on(&(struct target){ .tids = &tid, .n_tids = 1, .solo = true }, &(struct session_options){ 0 });
	session_case_begin();
	(void)session_case_actions();
	session_case_command(COMMAND_ENABLE_EVENT, "page-faults");
	ck_assert_str_eq(session_case_actions(), "answer -95");
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, session_case_setup, session_case_teardown);
	tcase_add_test(tcase, single_events_are_listed_and_looked_up);
	tcase_add_test(tcase, single_event_is_switched_between_two_intervals);
	tcase_add_test(tcase, event_that_is_not_supported_cannot_be_switched_on);
}

int main(void)
{
	return unit_main("session_single", add);
}
