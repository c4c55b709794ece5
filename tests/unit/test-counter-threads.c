/* Attaching to processes whose threads come and go while counters are opened on them. */
#include <errno.h>
#include <string.h>

#include "event/threads.h"
#include "lib/counters.h"
#include "lib/tree.h"
#include "lib/unit.h"

#define PID 40

static int open_process(struct counters *c)
{
	pid_t pid = PID;

	return counters_open(c, &(struct target){ .pids = &pid, .n_pids = 1, .inherit = true });
}

/* Each scan is made of two listings that must agree. */
static void add_scan(struct counters *c, int n, const pid_t *tids)
{
	fake_threads(c->fake, PID, n, tids);
	fake_threads(c->fake, PID, n, tids);
}

START_TEST(all_threads_of_a_process_are_counted)
{
	static const pid_t tids[] = { 40, 41, 42 };
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	add_scan(&c, 3, tids);
	ck_assert_int_eq(open_process(&c), 0);
	ck_assert_uint_eq(counter_set_n_threads(c.set), 3);
	ck_assert_uint_eq(counter_set_n_groups(c.set), 3);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(counter_set_thread(c.set, i), tids[i]);
		ck_assert_uint_eq(counters_cell(&c, 1, i)->thread, i);
		ck_assert_int_eq(counters_cell(&c, 1, i)->cpu, -1);
	}
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(listings_are_repeated_until_two_agree)
{
	static const pid_t tids[] = { 40, 41, 42 };
	struct counters c;

	counters_init(&c, "task-clock");
	fake_threads(c.fake, PID, 1, tids);
	fake_threads(c.fake, PID, 2, tids);
	fake_threads(c.fake, PID, 3, tids);
	ck_assert_int_eq(open_process(&c), 0);
	ck_assert_uint_eq(counter_set_n_threads(c.set), 3);
	ck_assert_uint_eq(call_log_count(&c.log, "open"), 3);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(thread_that_came_meanwhile_has_all_opened_again)
{
	static const pid_t tids[] = { 40, 41 };
	struct counters c;

	counters_init(&c, "task-clock");
	add_scan(&c, 1, tids);
	add_scan(&c, 2, tids);
	ck_assert_int_eq(open_process(&c), 0);
	ck_assert_uint_eq(counter_set_n_threads(c.set), 2);
	ck_assert_uint_eq(fake_open_fds(c.fake), 2);
	ck_assert_uint_eq(call_log_count(&c.log, "close"), 1);
	ck_assert_uint_eq(counter_set_n_notes(c.set), 0);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(thread_that_ended_before_it_was_opened_is_left_out)
{
	static const pid_t tids[] = { 40, 41, 42 };
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	add_scan(&c, 3, tids);
	fake_refuse(c.fake, (struct fake_rule){ PERF_TYPE_SOFTWARE,
						_i ? PERF_COUNT_SW_PAGE_FAULTS : PERF_COUNT_SW_TASK_CLOCK,
						FAKE_ANY, 41, 0, ESRCH });
	ck_assert_int_eq(open_process(&c), 0);
	ck_assert_uint_eq(counter_set_n_threads(c.set), 2);
	ck_assert_int_eq(counter_set_thread(c.set, 1), 42);
	ck_assert_uint_eq(counter_set_event(c.set, 0)->n_cells, 2);
	ck_assert_uint_eq(counter_set_event(c.set, 1)->n_cells, 2);
	ck_assert_uint_eq(counters_cell(&c, 0, 1)->thread, 1);
	ck_assert_uint_eq(fake_open_fds(c.fake), 4);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(process_that_is_not_there_is_an_error)
{
	struct counters c;

	counters_init(&c, "task-clock");
	ck_assert_int_eq(open_process(&c), -ESRCH);
	ck_assert_ptr_nonnull(strstr(c.err.what, "no process 40"));
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(process_that_ended_meanwhile_is_an_error)
{
	static const pid_t tids[] = { 40 };
	struct counters c;

	counters_init(&c, "task-clock");
	add_scan(&c, 1, tids);
	fake_refuse(c.fake, (struct fake_rule){ FAKE_ANY, 0, FAKE_ANY, 40, 0, ESRCH });
	ck_assert_int_eq(open_process(&c), -ESRCH);
	ck_assert_ptr_nonnull(strstr(c.err.what, "no process 40"));
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(thread_named_by_the_user_must_be_there)
{
	struct counters c;

	counters_init(&c, "task-clock");
	fake_refuse(c.fake, (struct fake_rule){ FAKE_ANY, 0, FAKE_ANY, 7, 0, ESRCH });
	ck_assert_int_eq(counters_open_thread(&c), -ESRCH);
	ck_assert_ptr_nonnull(strstr(c.err.what, "thread 7"));
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(thread_named_twice_is_counted_once)
{
	static const pid_t tids[] = { 40, 41, 40 };
	struct counters c;

	counters_init(&c, "task-clock");
	ck_assert_int_eq(counters_open(&c, &(struct target){ .tids = tids, .n_tids = 3 }), 0);
	ck_assert_uint_eq(counter_set_n_threads(c.set), 2);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(child_forked_into_half_a_group_has_all_opened_again)
{
	static const pid_t tids[] = { 40 };
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	add_scan(&c, 1, tids);
	fake_fault(c.fake, (struct fake_fault){ FAKE_READ, 1, 400, -ECHILD });
	ck_assert_int_eq(open_process(&c), 0);
	ck_assert_uint_eq(call_log_count(&c.log, "close"), 2);
	ck_assert_uint_eq(fake_open_fds(c.fake), 2);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(group_whose_copy_is_being_made_is_read_again)
{
	static const pid_t tids[] = { 40 };
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	add_scan(&c, 1, tids);
	fake_fault(c.fake, (struct fake_fault){ FAKE_READ, 1, 3, -ECHILD });
	fake_fault(c.fake, (struct fake_fault){ FAKE_READ, 5, 2, -ECHILD });
	ck_assert_int_eq(open_process(&c), 0);
	ck_assert_uint_eq(call_log_count(&c.log, "close"), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 2);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(threads_without_end_are_counted_as_found_last_with_a_note)
{
	struct counters c;

	counters_init(&c, "task-clock");
	for (pid_t i = 0; i < 120; i++) { /* more than are tried */
		pid_t tids[] = { 40, 100 + i };

		add_scan(&c, 2, tids);
	}
	ck_assert_int_eq(open_process(&c), 0);
	ck_assert_uint_eq(counter_set_n_threads(c.set), 2);
	ck_assert_uint_eq(counter_set_n_notes(c.set), 1);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 2);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(threads_are_listed_in_order_from_proc)
{
	static const char *const folders[] = { "40/task/112/", "40/task/40/", "40/task/41/", "40/task/x/",
					       "42/task/" };
	struct tree tree;
	pid_t *tids = NULL;

	tree_init(&tree);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		tree_write(&tree, folders[i], "");
	ck_assert_int_eq(threads_list(tree.root, 40, &tids), 3);
	ck_assert_int_eq(tids[0], 40);
	ck_assert_int_eq(tids[1], 41);
	ck_assert_int_eq(tids[2], 112);
	free(tids);
	ck_assert_int_eq(threads_list(tree.root, 41, &tids), -ESRCH);
	ck_assert_int_eq(threads_list(tree.root, 42, &tids), -ESRCH);
	tree_fini(&tree);
}
END_TEST

/* A thread gives way to one that has its counters too, and the kernel exchanges them: the group cannot be joined any more. */
START_TEST(group_that_moved_to_another_thread_is_begun_anew)
{
	static const int codes[] = { -EINVAL, -ENODEV };
	struct counters c;

	counters_init(&c, "task-clock,page-faults,cs");
	fake_fault(c.fake, (struct fake_fault){ .op = FAKE_OPEN, .at = 3, .times = 1, .result = codes[_i] });
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_uint_eq(counter_set_n_groups(c.set), 1);
	ck_assert_uint_eq(fake_open_fds(c.fake), 3);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(counter_set_event(c.set, i)->n_cells, 1);
		ck_assert_int_eq(counter_set_event(c.set, i)->unsupported, 0);
	}
	ck_assert_uint_eq(counter_set_n_notes(c.set), 0);
	ck_assert(counters_fini(&c));
}
END_TEST

/* The same with single events to be switched: each has dummies before it, which move as well. */
START_TEST(dummies_that_moved_are_made_anew)
{
	static const int codes[] = { -EINVAL, -ENODEV };
	pid_t tid = 7;
	struct counters c;

	counters_init(&c, "task-clock");
	fake_fault(c.fake, (struct fake_fault){ .op = FAKE_OPEN, .at = 2 + (size_t)_i / 2, .times = 1, .result = codes[_i % 2] });
	ck_assert_int_eq(counters_open(&c, &(struct target){ .tids = &tid, .n_tids = 1, .inherit = true, .solo = true }), 0);
	ck_assert_uint_eq(fake_open_fds(c.fake), 3);
	ck_assert_uint_eq(counter_set_event(c.set, 0)->n_cells, 1);
	ck_assert_uint_eq(counter_set_n_notes(c.set), 0);
	ck_assert(counters_fini(&c));
}
END_TEST

/* It never holds still: the events are counted one by one, but a group of the user's is not taken apart. */
START_TEST(group_that_moves_all_the_time_is_given_up)
{
	static const char *const events[] = { "task-clock,page-faults", "{cycles,instructions}" };
	struct counters c;
	int rc;

	counters_init(&c, events[_i]);
	fake_refuse(c.fake, (struct fake_rule){ FAKE_ANY, 0, FAKE_ANY, FAKE_ANY, FAKE_IF_MEMBER, ENODEV });
	rc = counters_open_thread(&c);
	if (_i) {
		ck_assert_int_eq(rc, -EAGAIN);
		ck_assert_ptr_nonnull(strstr(c.err.hint, "without braces"));
	} else {
		ck_assert_int_eq(rc, 0);
		ck_assert_uint_eq(counter_set_n_groups(c.set), 2);
		ck_assert_int_eq(counter_set_event(c.set, 1)->unsupported, 0);
		ck_assert_uint_eq(counter_set_event(c.set, 1)->n_cells, 1);
	}
	ck_assert(counters_fini(&c));
}
END_TEST

/* A thread that was being made during a switch may have missed it. */
START_TEST(inherited_counters_are_switched_once_more)
{
	struct counters c;

	counters_init(&c, "task-clock");
	if (_i)
		ck_assert_int_eq(counters_open_cpus(&c, 1), 0);
	else
		ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_int_eq(counter_set_settle(c.set, &c.err), 0);
	ck_assert_uint_eq(call_log_count(&c.log, "enable") + call_log_count(&c.log, "disable"), 0); /* it may wait for an exec */
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	ck_assert_int_eq(counter_set_settle(c.set, &c.err), 0);
	ck_assert_uint_eq(call_log_count(&c.log, "enable"), _i ? 1 : 2);
	ck_assert_int_eq(counter_set_stop(c.set, &c.err), 0);
	ck_assert_int_eq(counter_set_settle(c.set, &c.err), 0);
	ck_assert_uint_eq(call_log_count(&c.log, "disable"), _i ? 1 : 2);
	ck_assert_uint_eq(call_log_count(&c.log, "enable"), _i ? 1 : 2);
	ck_assert(counters_fini(&c));
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, group_that_moved_to_another_thread_is_begun_anew, 0, 2);
	tcase_add_loop_test(tcase, dummies_that_moved_are_made_anew, 0, 4);
	tcase_add_loop_test(tcase, group_that_moves_all_the_time_is_given_up, 0, 2);
	tcase_add_loop_test(tcase, inherited_counters_are_switched_once_more, 0, 2);
	tcase_add_test(tcase, all_threads_of_a_process_are_counted);
	tcase_add_test(tcase, listings_are_repeated_until_two_agree);
	tcase_add_test(tcase, thread_that_came_meanwhile_has_all_opened_again);
	tcase_add_loop_test(tcase, thread_that_ended_before_it_was_opened_is_left_out, 0, 2);
	tcase_add_test(tcase, process_that_is_not_there_is_an_error);
	tcase_add_test(tcase, process_that_ended_meanwhile_is_an_error);
	tcase_add_test(tcase, thread_named_by_the_user_must_be_there);
	tcase_add_test(tcase, thread_named_twice_is_counted_once);
	tcase_add_test(tcase, child_forked_into_half_a_group_has_all_opened_again);
	tcase_add_test(tcase, group_whose_copy_is_being_made_is_read_again);
	tcase_add_test(tcase, threads_without_end_are_counted_as_found_last_with_a_note);
	tcase_add_test(tcase, threads_are_listed_in_order_from_proc);
}

int main(void)
{
	return unit_main("counter-threads", add);
}
