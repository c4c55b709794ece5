/* A counter set that works: groups, the sequence of system calls, values, CPUs, switching single events. */
#include <errno.h>
#include <string.h>

#include "lib/counters.h"
#include "lib/unit.h"

START_TEST(software_events_of_a_thread_are_one_group)
{
	struct counters c;

	counters_init(&c, "task-clock,page-faults,cs");
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_str_eq(counters_log(&c), "open task-clock tid7 = fd0\n"
					   "open page-faults tid7 in fd0 = fd1\n"
					   "open cs tid7 in fd0 = fd2\n"
					   "read fd0\n");
	ck_assert_uint_eq(counter_set_n_groups(c.set), 1);
	ck_assert_uint_eq(counter_set_n_fds(c.set), 3);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	ck_assert_int_eq(counter_set_stop(c.set, &c.err), 0);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_str_eq(counters_log(&c), "enable fd0\ndisable fd0\nread fd0\n");
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(leader_is_stopped_and_members_are_not)
{
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert(c.fake->fds[0].attr.disabled);
	ck_assert(!c.fake->fds[1].attr.disabled);
	ck_assert(c.fake->fds[0].attr.inherit && c.fake->fds[1].attr.inherit);
	ck_assert(!c.fake->fds[0].attr.enable_on_exec);
	ck_assert_uint_eq(c.fake->fds[0].attr.read_format, PERF_FORMAT_TOTAL_TIME_ENABLED |
								   PERF_FORMAT_TOTAL_TIME_RUNNING |
								   PERF_FORMAT_ID | PERF_FORMAT_GROUP);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(only_the_leader_starts_at_the_exec)
{
	struct counters c;
	pid_t tid = 7;

	counters_init(&c, "task-clock,page-faults");
	ck_assert_int_eq(
		counters_open(&c, &(struct target){ .tids = &tid, .n_tids = 1, .enable_on_exec = true }), 0);
	ck_assert(c.fake->fds[0].attr.enable_on_exec);
	ck_assert(!c.fake->fds[1].attr.enable_on_exec);
	fake_exec(c.fake);
	fake_advance(c.fake, 5000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->enabled_ns, 5000);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(values_are_raw_and_cumulative_and_stand_still_while_stopped)
{
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	ck_assert_int_eq(counters_open_thread(&c), 0);
	fake_advance(c.fake, 1000000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 2000000);
	ck_assert_int_eq(counter_set_stop(c.set, &c.err), 0);
	fake_advance(c.fake, 4000000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 4000); /* config 1: 2 per us */
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->val, 6000); /* config 2 */
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->enabled_ns, 2000000);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->running_ns, 2000000);
	ck_assert_uint_ne(counters_cell(&c, 0, 0)->id, counters_cell(&c, 1, 0)->id);
	ck_assert_int_eq(counters_cell(&c, 0, 0)->cpu, -1);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(multiplexed_values_stay_unscaled)
{
	struct counters c;

	counters_init(&c, "cycles,instructions,task-clock");
	c.fake->share_percent = 25;
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_uint_eq(counter_set_n_groups(c.set), 3);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 8000000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->enabled_ns, 8000000);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->running_ns, 2000000);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 2000);
	ck_assert_uint_eq(counters_cell(&c, 2, 0)->running_ns, 8000000);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(user_groups_with_hardware_stay_groups_and_software_ones_join_the_rest)
{
	struct counters c;

	counters_init(&c, "page-faults,{cycles,task-clock},{cs,migrations},instructions");
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_str_eq(counters_log(&c), "open page-faults tid7 = fd0\n"
					   "open cs tid7 in fd0 = fd1\n"
					   "open migrations tid7 in fd0 = fd2\n"
					   "open cycles tid7 = fd3\n"
					   "open task-clock tid7 in fd3 = fd4\n"
					   "open instructions tid7 = fd5\n"
					   "read fd0\nread fd3\nread fd5\n");
	ck_assert_str_eq(counter_set_event(c.set, 3)->name, "cs");
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(each_cpu_is_touched_from_itself_beginning_with_the_own)
{
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	c.fake->cpu = 1;
	ck_assert_int_eq(counters_open_cpus(&c, 3), 0);
	ck_assert_str_eq(counters_log(&c), "open task-clock cpu1 = fd0\nopen page-faults cpu1 in fd0 = fd1\n"
					   "move to cpu2\n"
					   "open task-clock cpu2 = fd2\nopen page-faults cpu2 in fd2 = fd3\n"
					   "move to cpu0\n"
					   "open task-clock cpu0 = fd4\nopen page-faults cpu0 in fd4 = fd5\n"
					   "move back\n");
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0); /* it is on CPU 0 now */
	ck_assert_str_eq(counters_log(&c),
			 "enable fd4\nmove to cpu1\nenable fd0\nmove to cpu2\nenable fd2\nmove back\n");
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_str_eq(counters_log(&c),
			 "read fd2\nmove to cpu0\nread fd4\nmove to cpu1\nread fd0\nmove back\n");
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(cells_are_in_the_order_of_cpus_wherever_opening_began)
{
	struct counters c;

	counters_init(&c, "task-clock,cycles");
	c.fake->cpu = 2;
	ck_assert_int_eq(counters_open_cpus(&c, 4), 0);
	for (size_t event = 0; event < 2; event++) {
		ck_assert_uint_eq(counter_set_event(c.set, event)->n_cells, 4);
		for (int cpu = 0; cpu < 4; cpu++) {
			ck_assert_int_eq(counters_cell(&c, event, cpu)->cpu, cpu);
			ck_assert_uint_eq(counters_cell(&c, event, cpu)->thread, 0);
		}
	}
	ck_assert_uint_eq(counter_set_n_cpus(c.set), 4);
	ck_assert_int_eq(counter_set_cpu(c.set, 3), 3);
	ck_assert_uint_eq(counter_set_n_threads(c.set), 1);
	ck_assert_int_eq(counter_set_thread(c.set, 0), -1);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(one_cpu_that_is_the_own_needs_no_move)
{
	struct counters c;

	counters_init(&c, "task-clock");
	ck_assert_int_eq(counters_open_cpus(&c, 1), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_str_eq(counters_log(&c), "open task-clock cpu0 = fd0\nenable fd0\nread fd0\n");
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(cpu_that_cannot_be_moved_to_is_touched_from_afar)
{
	struct counters c;

	counters_init(&c, "task-clock");
	ck_assert_int_eq(counters_open_cpus(&c, 2), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	c.fake->cpu = 0;
	c.fake->offline = 1U << 1;
	(void)counters_log(&c);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_str_eq(counters_log(&c), "read fd0\nmove to cpu1: offline\nread fd1\n");
	ck_assert_uint_eq(counters_cell(&c, 0, 1)->enabled_ns, 1000);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(event_with_own_cpus_is_opened_there_only)
{
	struct counters c;
	struct event *event;

	counters_init(&c, "task-clock");
	event = counters_add(&c, 20, 3);
	event->cpus = malloc(sizeof(*event->cpus));
	event->cpus[0] = 1;
	event->n_cpus = 1;
	event->cpu_only = true;
	ck_assert_int_eq(counters_open_cpus(&c, 2), 0);
	ck_assert_uint_eq(counter_set_event(c.set, 0)->n_cells, 2);
	ck_assert_uint_eq(counter_set_event(c.set, 1)->n_cells, 1);
	ck_assert_int_eq(counters_cell(&c, 1, 0)->cpu, 1);
	counter_set_free(c.set);
	c.set = NULL;
	/* Without its CPU it has no cell, and a note says so. */
	ck_assert_int_eq(counters_open_cpus(&c, 1), 0);
	ck_assert_int_eq(counter_set_event(c.set, 1)->unsupported, ENODEV);
	ck_assert_uint_eq(counter_set_n_notes(c.set), 1);
	counter_set_free(c.set);
	c.set = NULL;
	ck_assert_int_eq(counters_open_thread(&c), -EINVAL);
	ck_assert_ptr_nonnull(strstr(c.err.hint, "-a"));
	ck_assert(counters_fini(&c));
}
END_TEST

static void open_solo(struct counters *c, const char *events)
{
	pid_t tid = 7;

	counters_init(c, events);
	ck_assert_int_eq(counters_open(c, &(struct target){ .tids = &tid, .n_tids = 1, .solo = true }), 0);
}

START_TEST(solo_groups_are_led_by_a_dummy)
{
	struct counters c;

	open_solo(&c, "task-clock,page-faults");
	ck_assert_str_eq(counters_log(&c), "open dummy tid7 = fd0\n"
					   "open dummy tid7 in fd0 = fd1\n"
					   "open task-clock tid7 in fd0 = fd2\n"
					   "open page-faults tid7 in fd0 = fd3\n");
	ck_assert(c.fake->fds[1].attr.disabled);
	ck_assert_uint_eq(counter_set_n_events(c.set), 2);
	ck_assert_uint_eq(counter_set_n_fds(c.set), 4);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	ck_assert_int_eq(counter_set_switch(c.set, 0, false, &c.err), 0);
	ck_assert_int_eq(counter_set_switch(c.set, 0, false, &c.err), 0); /* it is off */
	ck_assert_int_eq(counter_set_switch(c.set, 0, true, &c.err), 0);
	ck_assert_str_eq(counters_log(&c), "enable fd0\ndisable fd2\nread fd0\n"
					   "read fd0\nenable fd2\nenable fd1\ndisable fd1\n");
	ck_assert(counters_fini(&c));
}
END_TEST

/* Reads, and checks the times of the first event. */
static void check_times(struct counters *c, uint64_t enabled_ns, uint64_t running_ns)
{
	ck_assert_int_eq(counter_set_read(c->set, &c->err), 0);
	ck_assert_uint_eq(counters_cell(c, 0, 0)->enabled_ns, enabled_ns);
	ck_assert_uint_eq(counters_cell(c, 0, 0)->running_ns, running_ns);
}

START_TEST(while_an_event_is_off_it_is_not_counted_and_its_time_is_held)
{
	struct counters c;

	open_solo(&c, "task-clock,page-faults");
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000000);
	ck_assert_int_eq(counter_set_switch(c.set, 0, false, &c.err), 0);
	ck_assert(counter_set_event(c.set, 0)->off);
	fake_advance(c.fake, 500); /* from the switch to the reading that closes the interval */
	check_times(&c, 1000000, 1000000);
	fake_advance(c.fake, 2000000);
	check_times(&c, 1000001, 1000000);
	check_times(&c, 1000002, 1000000); /* asleep: no time of the kernel's passed */
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 2000);
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->running_ns, 3000500);
	ck_assert_int_eq(counter_set_switch(c.set, 0, true, &c.err), 0);
	ck_assert(!counter_set_event(c.set, 0)->off);
	fake_advance(c.fake, 4000000);
	check_times(&c, 5000002, 5000000);
	ck_assert_int_eq(counter_set_switch(c.set, 0, false, &c.err), 0);
	fake_advance(c.fake, 8000000);
	ck_assert_int_eq(counter_set_switch(c.set, 0, true, &c.err), 0); /* nobody read meanwhile */
	fake_advance(c.fake, 16000000);
	check_times(&c, 21000002, 21000000);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 42000);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(event_switched_off_during_a_pause_is_not_counted_from_the_next_reading_on)
{
	struct counters c;

	open_solo(&c, "task-clock,page-faults");
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000000);
	ck_assert_int_eq(counter_set_stop(c.set, &c.err), 0);
	check_times(&c, 1000000, 1000000);
	ck_assert_int_eq(counter_set_switch(c.set, 0, false, &c.err), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	check_times(&c, 1000001, 1000000);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(event_that_is_off_stays_off_over_a_pause)
{
	struct counters c;

	open_solo(&c, "task-clock,cycles");
	ck_assert_int_eq(counter_set_switch(c.set, 1, false, &c.err), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000000);
	ck_assert_int_eq(counter_set_stop(c.set, &c.err), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 4000);
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->val, 0);
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->running_ns, 0);
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->enabled_ns, 1);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(switching_is_refused_without_solo_or_event)
{
	struct counters c;

	counters_init(&c, "task-clock,page-faults");
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_int_eq(counter_set_switch(c.set, 0, false, &c.err), -EINVAL);
	ck_assert_int_eq(counter_set_switch(c.set, 2, false, &c.err), -ENOENT);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(event_that_takes_no_dummy_is_switched_by_itself)
{
	struct counters c;
	pid_t tid = 7;

	counters_init(&c, "cycles,task-clock");
	fake_refuse(c.fake,
		    (struct fake_rule){ PERF_TYPE_HARDWARE, 0, FAKE_ANY, FAKE_ANY, FAKE_IF_MEMBER, EINVAL });
	ck_assert_int_eq(counters_open(&c, &(struct target){ .tids = &tid, .n_tids = 1, .solo = true }), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000000);
	ck_assert_int_eq(counter_set_switch(c.set, 0, false, &c.err), 0);
	ck_assert_int_eq(counter_set_stop(c.set, &c.err), 0);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 0, 0)->val, 1000);
	ck_assert_uint_eq(counters_cell(&c, 1, 0)->val, 4000);
	ck_assert(counters_fini(&c));
}
END_TEST

START_TEST(very_many_software_events_are_several_groups)
{
	struct counters c;

	counters_init(&c, "task-clock");
	for (int i = 0; i < 1100; i++)
		counters_add(&c, PERF_TYPE_TRACEPOINT, i)->software = true;
	ck_assert_int_eq(counters_open_thread(&c), 0);
	ck_assert_uint_eq(counter_set_n_groups(c.set), 3);
	ck_assert_int_eq(counter_set_start(c.set, &c.err), 0);
	fake_advance(c.fake, 1000);
	ck_assert_int_eq(counter_set_read(c.set, &c.err), 0);
	ck_assert_uint_eq(counters_cell(&c, 1100, 0)->val, 1100);
	ck_assert(counters_fini(&c));
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, software_events_of_a_thread_are_one_group);
	tcase_add_test(tcase, leader_is_stopped_and_members_are_not);
	tcase_add_test(tcase, only_the_leader_starts_at_the_exec);
	tcase_add_test(tcase, values_are_raw_and_cumulative_and_stand_still_while_stopped);
	tcase_add_test(tcase, multiplexed_values_stay_unscaled);
	tcase_add_test(tcase, user_groups_with_hardware_stay_groups_and_software_ones_join_the_rest);
	tcase_add_test(tcase, each_cpu_is_touched_from_itself_beginning_with_the_own);
	tcase_add_test(tcase, cells_are_in_the_order_of_cpus_wherever_opening_began);
	tcase_add_test(tcase, one_cpu_that_is_the_own_needs_no_move);
	tcase_add_test(tcase, cpu_that_cannot_be_moved_to_is_touched_from_afar);
	tcase_add_test(tcase, event_with_own_cpus_is_opened_there_only);
	tcase_add_test(tcase, solo_groups_are_led_by_a_dummy);
	tcase_add_test(tcase, while_an_event_is_off_it_is_not_counted_and_its_time_is_held);
	tcase_add_test(tcase, event_switched_off_during_a_pause_is_not_counted_from_the_next_reading_on);
	tcase_add_test(tcase, event_that_is_off_stays_off_over_a_pause);
	tcase_add_test(tcase, switching_is_refused_without_solo_or_event);
	tcase_add_test(tcase, event_that_takes_no_dummy_is_switched_by_itself);
	tcase_add_test(tcase, very_many_software_events_are_several_groups);
}

int main(void)
{
	return unit_main("counter-set", add);
}
