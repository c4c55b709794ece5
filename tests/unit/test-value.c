/* Counts and times: rounding and saturation of the estimate, and the state that times amount to. */
#include "lib/unit.h"
#include "report/value.h"

static const struct {
	uint64_t raw, enabled, running, want;
} scales[] = {
	{ 0, 0, 0, 0 },
	{ 7, 0, 0, 7 },
	{ 7, 10, 0, 7 },
	{ 7, 10, 10, 7 },
	{ 7, 10, 11, 7 },
	{ 100, 10, 5, 200 },
	{ 1, 3, 2, 2 },   /* 1.5 */
	{ 10, 4, 3, 13 }, /* 13.33 */
	{ 10, 5, 3, 17 }, /* 16.67 */
	{ UINT64_C(10000000000000000000), 3, 2, UINT64_C(15000000000000000000) },
	{ UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX },
	{ UINT64_MAX, UINT64_MAX, 1, UINT64_MAX },
};

START_TEST(estimates_are_rounded_and_saturate)
{
	ck_assert_uint_eq(value_scale(scales[_i].raw, scales[_i].enabled, scales[_i].running), scales[_i].want);
}
END_TEST

START_TEST(states_follow_the_times)
{
	struct timeline_value value = { 0 };

	value_from_counts(&value, &(struct counts){ .raw = 0 }, true);
	ck_assert_int_eq(value.state, VALUE_COUNTED);
	value_from_counts(&value, &(struct counts){ .enabled_ns = 5 }, true);
	ck_assert_int_eq(value.state, VALUE_NOT_COUNTED);
	value_from_counts(&value, &(struct counts){ 3, 6, 3, 0 }, true);
	ck_assert_int_eq(value.state, VALUE_COUNTED);
	ck_assert(value.is_scaled);
	ck_assert_uint_eq(value.scaled, 6);
	ck_assert_uint_eq(value.raw, 3);
}
END_TEST

START_TEST(time_that_an_event_was_switched_off_is_not_estimated_for)
{
	struct timeline_value sum = { 0 }, off = { 0 }, on = { 0 };

	value_from_counts(&off, &(struct counts){ .off_ns = 3 }, true);
	ck_assert_int_eq(off.state, VALUE_NOT_COUNTED);
	value_from_counts(&on, &(struct counts){ 8, 100, 100, 0 }, true);
	value_add(&sum, &off, true);
	ck_assert_int_eq(sum.state, VALUE_NOT_COUNTED);
	value_add(&sum, &on, true);
	ck_assert_int_eq(sum.state, VALUE_COUNTED);
	ck_assert(!sum.is_scaled);
	ck_assert_uint_eq(sum.scaled, 8);
}
END_TEST

START_TEST(a_sum_counts_when_one_part_does)
{
	struct timeline_value sum = { .state = VALUE_NOT_COUNTED, .enabled_ns = 10 };
	struct timeline_value part = { .state = VALUE_COUNTED, .raw = 4, .enabled_ns = 10, .running_ns = 10 };
	struct timeline_value unread = { .state = VALUE_NOT_COUNTED };
	struct timeline_value missing = { .state = VALUE_NOT_SUPPORTED };

	value_add(&sum, &part, true);
	ck_assert_int_eq(sum.state, VALUE_COUNTED);
	ck_assert_uint_eq(sum.scaled, 8);
	value_add(&missing, &unread, true);
	ck_assert_int_eq(missing.state, VALUE_NOT_COUNTED);
	value_add(&missing, &part, true);
	ck_assert_int_eq(missing.state, VALUE_COUNTED);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, estimates_are_rounded_and_saturate, 0, (int)ARRAY_SIZE(scales));
	tcase_add_test(tcase, states_follow_the_times);
	tcase_add_test(tcase, time_that_an_event_was_switched_off_is_not_estimated_for);
	tcase_add_test(tcase, a_sum_counts_when_one_part_does);
}

int main(void)
{
	return unit_main("value", add);
}
