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

static void add(TCase *tcase)
{
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
