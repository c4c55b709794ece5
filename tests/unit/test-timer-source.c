/* The timer: absolute grid, missed ticks, stale wake-ups. Only the kernel's clock is waited for, never a sleep. */
#include <poll.h>

#include "base/clock.h"
#include "lib/unit.h"
#include "loop/timer_source.h"

static uint64_t now(void)
{
	return clock_mono_ns(&clock_system);
}

static void await(const struct timer_source *timer)
{
	struct pollfd pfd = { .fd = timer->fd, .events = POLLIN };

	ck_assert_int_eq(poll(&pfd, 1, 30000), 1);
}

START_TEST(new_timer_has_no_ticks)
{
	struct timer_source timer;
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(timer_source_open(&timer, &err), 0);
	ck_assert_int_eq(timer_source_take(&timer, &err), 0);
	timer_source_close(&timer);
	ck_assert_int_eq(timer.fd, -1);
	timer_source_close(&timer);
}
END_TEST

START_TEST(time_in_the_past_expires_at_once_and_only_once)
{
	struct timer_source timer;
	struct ps_error err = PS_ERROR_INIT;
	const uint64_t first[] = { 0, 1, now() };

	ck_assert_int_eq(timer_source_open(&timer, &err), 0);
	ck_assert_int_eq(timer_source_arm(&timer, first[_i], 0, &err), 0);
	await(&timer);
	ck_assert_int_eq(timer_source_take(&timer, &err), 1);
	ck_assert_int_eq(timer_source_take(&timer, &err), 0);
	timer_source_close(&timer);
}
END_TEST

/* A first time in the past makes ticks that were missed; they are all reported in one. */
START_TEST(missed_ticks_are_counted_on_the_grid)
{
	struct timer_source timer;
	struct ps_error err = PS_ERROR_INIT;
	const uint64_t period = 10 * NS_PER_MS;
	uint64_t start = now() - 20 * period, before, after;
	int64_t ticks;

	ck_assert_int_eq(timer_source_open(&timer, &err), 0);
	ck_assert_int_eq(timer_source_arm(&timer, start, period, &err), 0);
	await(&timer);
	before = now();
	ticks = timer_source_take(&timer, &err);
	after = now();
	ck_assert_int_ge(ticks, (int64_t)((before - start) / period));
	ck_assert_int_le(ticks, (int64_t)((after - start) / period) + 1);
	for (int i = 0; i < 3; i++) {
		await(&timer);
		ticks += timer_source_take(&timer, &err);
	}
	ck_assert_uint_ge(now(), start + (uint64_t)(ticks - 1) * period); /* no tick comes early */
	timer_source_close(&timer);
}
END_TEST

START_TEST(disarming_forgets_what_was_not_taken)
{
	struct timer_source timer;
	struct ps_error err = PS_ERROR_INIT;
	struct pollfd pfd;

	ck_assert_int_eq(timer_source_open(&timer, &err), 0);
	ck_assert_int_eq(timer_source_arm(&timer, 1, NS_PER_MS, &err), 0);
	await(&timer);
	ck_assert_int_eq(timer_source_disarm(&timer, &err), 0);
	ck_assert_int_eq(timer_source_take(&timer, &err), 0);
	pfd = (struct pollfd){ .fd = timer.fd, .events = POLLIN };
	ck_assert_int_eq(poll(&pfd, 1, 5), 0);
	timer_source_close(&timer);
}
END_TEST

START_TEST(arming_again_replaces)
{
	struct timer_source timer;
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(timer_source_open(&timer, &err), 0);
	ck_assert_int_eq(timer_source_arm(&timer, 1, 0, &err), 0);
	await(&timer);
	ck_assert_int_eq(timer_source_arm(&timer, now() + 3600 * NS_PER_S, 0, &err), 0);
	ck_assert_int_eq(timer_source_take(&timer, &err), 0);
	timer_source_close(&timer);
}
END_TEST

START_TEST(closed_timer_reports_errors)
{
	struct timer_source timer = { .fd = -1 };
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_lt(timer_source_arm(&timer, 1, 0, &err), 0);
	ck_assert_int_lt(timer_source_disarm(&timer, &err), 0);
	ck_assert_int_lt(timer_source_take(&timer, &err), 0);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, new_timer_has_no_ticks);
	tcase_add_loop_test(tcase, time_in_the_past_expires_at_once_and_only_once, 0, 3);
	tcase_add_test(tcase, missed_ticks_are_counted_on_the_grid);
	tcase_add_test(tcase, disarming_forgets_what_was_not_taken);
	tcase_add_test(tcase, arming_again_replaces);
	tcase_add_test(tcase, closed_timer_reports_errors);
}

int main(void)
{
	return unit_main("timer_source", add);
}
