/* Counter sets when the kernel refuses, interrupts, cuts short, and when threads come and go. */
#include <errno.h>
#include <string.h>

#include "lib/counters.h"
#include "lib/unit.h"

static struct fake_rule refuse_event(int type, uint64_t config, unsigned conditions, int code)
{
	return (struct fake_rule){ type, config, FAKE_ANY, FAKE_ANY, conditions, code };
}

START_TEST(event_the_machine_lacks_is_unsupported_and_the_rest_counts)
{
	static const int codes[] = { ENOENT, EOPNOTSUPP, ENXIO, ENOSYS, ENODEV };
	struct counters c;

	counters_init(&c, "cycles,task-clock");
	fake_refuse(c.fake, refuse_event(PERF_TYPE_HARDWARE, 0, 0, codes[_i]));
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_uint_eq(counter_set_n_events(c.set), 2);
	ck_assert_int_eq(counter_set_event(c.set, 0)->unsupported, codes[_i]);
	ck_assert_uint_eq(counter_set_event(c.set, 0)->n_cells, 0);
	ck_assert_int_eq(counter_set_event(c.set, 1)->unsupported, 0);
	ck_assert_uint_eq(counter_set_event(c.set, 1)->n_cells, 1);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(member_takes_the_lead_of_a_group_whose_first_is_lacking)
{
	struct counters c;

	counters_init(&c, "{cycles,instructions,task-clock}");
	fake_refuse(c.fake, refuse_event(PERF_TYPE_HARDWARE, 0, 0, ENOENT));
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_str_eq(counters_log(&c), "open cycles tid7: errno 2\n"
					   "open instructions tid7 = fd0\n"
					   "open task-clock tid7 in fd0 = fd1\n"
					   "read fd0\n");
	ck_assert(c.fake->fds[0].attr.disabled);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(default_events_that_are_lacking_are_dropped_with_one_note)
{
	struct counters c;

	counters_init(&c, NULL);
	ck_assert_int_eq(event_list_default(&c.list, &c.err), 0);
	for (uint64_t config = 0; config < 10; config++)
		fake_refuse(c.fake, refuse_event(PERF_TYPE_HARDWARE, config, 0, ENOENT));
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_uint_eq(counter_set_n_events(c.set), 4);
	ck_assert_str_eq(counter_set_event(c.set, 0)->name, "task-clock");
	ck_assert_str_eq(counter_set_event(c.set, 3)->name, "page-faults");
	ck_assert_uint_eq(counter_set_n_notes(c.set), 1);
	ck_assert_int_eq(strncmp(counter_set_note(c.set, 0), "4 default events left out", 25), 0);
	ck_assert_ptr_nonnull(strstr(counter_set_note(c.set, 0), "cycles"));
	ck_assert_ptr_nonnull(strstr(counter_set_note(c.set, 0), "branch-misses"));
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(kernel_without_perf_events_is_an_error)
{
	struct counters c;

	counters_init(&c, "cycles,task-clock");
	fake_refuse(c.fake, (struct fake_rule){ FAKE_ANY, 0, FAKE_ANY, FAKE_ANY, 0, ENOSYS });
	ck_assert_int_eq(counters_open_thread(&c), -ENOSYS);
	ck_assert_str_ne(c.err.hint, "");
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(only_user_space_is_counted_where_the_kernel_is_forbidden)
{
	struct counters c;

	counters_init(&c, "page-faults,cycles:p,cycles:u,task-clock");
	fake_refuse(c.fake, (struct fake_rule){ FAKE_ANY, 0, FAKE_ANY, FAKE_ANY, FAKE_IF_KERNEL, EACCES });
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_str_eq(counter_set_event(c.set, 0)->name, "page-faults:u");
	ck_assert_str_eq(counter_set_event(c.set, 1)->name, "cycles:pu");
	ck_assert_str_eq(counter_set_event(c.set, 2)->name, "cycles:u");
	ck_assert_str_eq(counter_set_event(c.set, 3)->name, "task-clock:u");
	for (size_t i = 0; i < 4; i++) {
		ck_assert(counter_set_event(c.set, i)->attr.exclude_kernel);
		ck_assert(counter_set_event(c.set, i)->attr.exclude_hv);
	}
	ck_assert_uint_eq(counter_set_n_notes(c.set), 1);
	ck_assert_ptr_nonnull(strstr(counter_set_note(c.set, 0), "page-faults, cycles:p, task-clock"));
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(event_of_the_kernel_only_is_not_turned_into_a_false_zero)
{
	struct counters c;

	counters_init(&c, "cs,task-clock");
	fake_refuse(c.fake, (struct fake_rule){ FAKE_ANY, 0, FAKE_ANY, FAKE_ANY, FAKE_IF_KERNEL, EACCES });
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_int_eq(counter_set_event(c.set, 0)->unsupported, EACCES);
	ck_assert_str_eq(counter_set_event(c.set, 0)->name, "cs");
	ck_assert_uint_eq(counter_set_event(c.set, 1)->n_cells, 1);
	ck_assert_uint_eq(counter_set_n_notes(c.set), 2);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(other_refusals_are_errors_with_a_remedy)
{
	static const int codes[] = { EACCES, EPERM, EBUSY, ENFILE };
	struct counters c;

	counters_init(&c, "page-faults,task-clock");
	fake_refuse(c.fake, refuse_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, codes[_i]));
	ck_assert_int_eq(counters_open_thread(&c), -codes[_i]);
	ck_assert_int_eq(c.err.code, codes[_i]);
	ck_assert_ptr_nonnull(strstr(c.err.what, "task-clock"));
	ck_assert_ptr_nonnull(strstr(c.err.what, "thread 7"));
	ck_assert_str_ne(c.err.hint, "");
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(explicit_kernel_modifier_is_not_given_up)
{
	struct counters c;

	counters_init(&c, "cycles:k");
	fake_refuse(c.fake, (struct fake_rule){ FAKE_ANY, 0, FAKE_ANY, FAKE_ANY, FAKE_IF_KERNEL, EACCES });
	ck_assert_int_eq(counters_open_thread(&c), -EACCES);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(pmu_that_knows_no_guests_gets_the_event_without_that_wish)
{
	struct counters c;

	counters_init(&c, "task-clock,cycles");
	fake_refuse(c.fake, refuse_event(PERF_TYPE_HARDWARE, 0, FAKE_IF_GUESTS, EINVAL));
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert(counter_set_event(c.set, 0)->attr.exclude_guest);
	ck_assert(!counter_set_event(c.set, 1)->attr.exclude_guest);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(highest_precision_is_lowered_until_it_is_taken)
{
	struct counters c;

	counters_init(&c, "cycles:P");
	fake_refuse(c.fake, refuse_event(PERF_TYPE_HARDWARE, 0, FAKE_IF_PRECISE, EOPNOTSUPP));
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_uint_eq(counter_set_event(c.set, 0)->attr.precise_ip, 1);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(software_event_the_group_refuses_stands_alone)
{
	struct counters c;

	counters_init(&c, "task-clock,page-faults,cs");
	fake_refuse(c.fake,
		    refuse_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, FAKE_IF_MEMBER, EINVAL));
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_uint_eq(counter_set_n_groups(c.set), 2);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->val, 3);
	ck_assert_uint_eq(counters_cell(&c, 2, 0)->val, 4);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(weak_group_that_does_not_fit_is_broken_up)
{
	struct counters c;

	counters_init(&c, "{cycles,instructions,branches}:W,task-clock");
	fake_refuse(c.fake, refuse_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
					 FAKE_IF_MEMBER, EINVAL));
	ck_assert_int_eq(counters_open_cpus(&c, 2), 0);
	ck_assert_uint_eq(counter_set_n_groups(c.set), 8);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(counter_set_event(c.set, i)->n_cells, 2);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(other_group_that_does_not_fit_is_an_error_that_names_the_way_out)
{
	struct counters c;

	counters_init(&c, "{cycles,instructions,branches}");
	fake_refuse(c.fake, refuse_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
					 FAKE_IF_MEMBER, EINVAL));
	ck_assert_int_eq(counters_open_thread(&c), -EINVAL);
	ck_assert_ptr_nonnull(strstr(c.err.hint, ":W"));
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(pinned_software_event_shares_the_group)
{
	struct counters c;

	/* The fake refuses a pinned member, as the kernel does. */
	counters_init(&c, "task-clock,page-faults:D");
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_uint_eq(counter_set_n_groups(c.set), 1);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(too_many_open_files_names_need_and_limit)
{
	struct counters c;

	counters_init(&c, "task-clock,page-faults,cs");
	c.fake->limit = 4;
	ck_assert_int_eq(counters_open_cpus(&c, 2), -EMFILE);
	ck_assert_ptr_nonnull(strstr(c.err.hint, "limit"));
	ck_assert_ptr_nonnull(strstr(c.err.hint, "ulimit"));
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(offline_cpu_is_an_error_that_names_it)
{
	struct counters c;

	counters_init(&c, "task-clock");
	fake_refuse(c.fake, (struct fake_rule){ FAKE_ANY, 0, 1, FAKE_ANY, 0, ENODEV });
	ck_assert_int_eq(counters_open_cpus(&c, 3), -ENODEV);
	ck_assert_ptr_nonnull(strstr(c.err.what, "CPU 1"));
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(hybrid_event_has_cells_where_its_cpus_are)
{
	struct counters c;

	counters_init(&c, "cycles,task-clock");
	fake_refuse(c.fake, (struct fake_rule){ PERF_TYPE_HARDWARE, 0, 0, FAKE_ANY, 0, ENOENT });
	ck_assert_int_eq(counters_open_cpus(&c, 3), 0);
	ck_assert_int_eq(counter_set_event(c.set, 0)->unsupported, 0);
	ck_assert_uint_eq(counter_set_event(c.set, 0)->n_cells, 2);
	ck_assert_int_eq(counters_cell(&c, 0, 0)->cpu, 1);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(interrupted_calls_are_repeated)
{
	struct counters c;

	counters_init(&c, "task-clock");
	fake_fault(c.fake, (struct fake_fault){ FAKE_OPEN, 1, 3, -EINTR });
	fake_fault(c.fake, (struct fake_fault){ FAKE_READ, 1, 4, -EINTR });
	fake_fault(c.fake, (struct fake_fault){ FAKE_IOCTL, 1, 2, -EINTR });
	ck_assert_int_eq(counters_open_cpus(&c, 1), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 2);
	ck_assert_uint_eq(call_log_count(&c.log, "enable"), 3);
	ck_assert_uint_eq(call_log_count(&c.log, "read"), 5);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(endless_interruption_ends_as_an_error)
{
	struct counters c;

	counters_init(&c, "task-clock");
	ck_assert_int_eq(counters_open_cpus(&c, 1), 0);
	fake_fault(c.fake, (struct fake_fault){ FAKE_READ, 1, 1000000, -EINTR });
	ck_assert_int_eq(counter_set_read(c.set, &c.err), -EINTR);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(short_read_is_an_io_error_that_leaves_the_values)
{
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	ck_assert_int_eq(counters_open_cpus(&c, 1), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	fake_fault(c.fake, (struct fake_fault){ FAKE_READ, 2, 1, _i * 8 });
	ck_assert_int_eq(counter_set_read(c.set, &c.err), -EIO);
	ck_assert_ptr_nonnull(strstr(c.err.what, "task-clock"));
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 2);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(counter_that_went_away_keeps_its_values)
{
	static const int codes[] = { -ESRCH, -ENODEV };
	struct counters c;

	counters_init(&c, "task-clock");
	ck_assert_int_eq(counters_open_cpus(&c, 1), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	fake_fault(c.fake, (struct fake_fault){ FAKE_READ, 2, 1, codes[_i] });
	fake_fault(c.fake, (struct fake_fault){ FAKE_IOCTL, 2, 1, codes[_i] });
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_int_eq(counter_set_stop(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 2);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(stopping_goes_on_after_a_failure_and_tells_of_it)
{
	struct counters c;

	counters_init(&c, "task-clock");
	ck_assert_int_eq(counters_open_cpus(&c, 3), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_fault(c.fake, (struct fake_fault){ FAKE_IOCTL, 4, 1, -EIO });
	ck_assert_int_eq(counter_set_stop(c.set, &c.err), -EIO);
	ck_assert_ptr_nonnull(strstr(c.err.what, "stopping"));
	ck_assert_uint_eq(call_log_count(&c.log, "disable"), 3);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(old_kernel_that_refuses_inherited_groups_is_read_one_by_one)
{
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	fake_refuse(c.fake,
		    (struct fake_rule){ FAKE_ANY, 0, FAKE_ANY, FAKE_ANY, FAKE_IF_INHERIT_GROUP, EINVAL });
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_uint_eq(counter_set_n_groups(c.set), 1);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 2);
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->val, 3);
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->enabled_ns, 1000);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(nothing_to_count_on_is_refused)
{
	struct counters c;

	counters_init(&c, "task-clock");
	ck_assert_int_eq(counters_open(&c, &(struct target){ .inherit = true }), -EINVAL);
	ck_assert(counters_fini(&c));
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, event_the_machine_lacks_is_unsupported_and_the_rest_counts, 0, 5);
	tcase_add_test(tcase, member_takes_the_lead_of_a_group_whose_first_is_lacking);
	tcase_add_test(tcase, default_events_that_are_lacking_are_dropped_with_one_note);
	tcase_add_test(tcase, kernel_without_perf_events_is_an_error);
	tcase_add_test(tcase, only_user_space_is_counted_where_the_kernel_is_forbidden);
	tcase_add_test(tcase, event_of_the_kernel_only_is_not_turned_into_a_false_zero);
	tcase_add_loop_test(tcase, other_refusals_are_errors_with_a_remedy, 0, 4);
	tcase_add_test(tcase, explicit_kernel_modifier_is_not_given_up);
	tcase_add_test(tcase, pmu_that_knows_no_guests_gets_the_event_without_that_wish);
	tcase_add_test(tcase, highest_precision_is_lowered_until_it_is_taken);
	tcase_add_test(tcase, software_event_the_group_refuses_stands_alone);
	tcase_add_test(tcase, weak_group_that_does_not_fit_is_broken_up);
	tcase_add_test(tcase, other_group_that_does_not_fit_is_an_error_that_names_the_way_out);
	tcase_add_test(tcase, pinned_software_event_shares_the_group);
	tcase_add_test(tcase, too_many_open_files_names_need_and_limit);
	tcase_add_test(tcase, offline_cpu_is_an_error_that_names_it);
	tcase_add_test(tcase, hybrid_event_has_cells_where_its_cpus_are);
	tcase_add_test(tcase, interrupted_calls_are_repeated);
	tcase_add_test(tcase, endless_interruption_ends_as_an_error);
	tcase_add_loop_test(tcase, short_read_is_an_io_error_that_leaves_the_values, 0, 7);
	tcase_add_loop_test(tcase, counter_that_went_away_keeps_its_values, 0, 2);
	tcase_add_test(tcase, stopping_goes_on_after_a_failure_and_tells_of_it);
	tcase_add_test(tcase, old_kernel_that_refuses_inherited_groups_is_read_one_by_one);
	tcase_add_test(tcase, nothing_to_count_on_is_refused);
}

int main(void)
{
	return unit_main("counter-faults", add);
}
