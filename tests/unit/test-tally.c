/* What a summary keeps about windows: bounded memory, exact sums, spread like the textbook's. */
#include <math.h>
#include <stdio.h>

#include "lib/recording.h"
#include "lib/unit.h"
#include "report/tally.h"

static void add_window(struct tally *tally, const struct meta *meta, unsigned number, const char *label, uint64_t count)
{
	const struct timeline_row rows[] = {
		{ .event = 0, .cpu = 0, .tid = -1, .value = { .raw = count, .scaled = count } },
		{ .event = 0, .cpu = 1, .tid = -1, .value = { .raw = 1, .scaled = 1 } },
		{ .event = 1, .cpu = 0, .tid = -1, .value = { .state = VALUE_NOT_COUNTED, .enabled_ns = 5 } },
		{ .event = 2, .cpu = -1, .tid = -1, .value = { .state = VALUE_NOT_SUPPORTED } },
	};
	const struct timeline_span span = {
		.start_ns = number * 10, .end_ns = number * 10 + 5, .counted_ns = 5, .window = number,
		.label = label, .rows = rows, .n_rows = ARRAY_SIZE(rows),
	};

	ck_assert_int_eq(tally_add(tally, meta, &span, NULL), 0);
}

START_TEST(first_and_last_windows_are_kept_in_order)
{
	struct tally tally;
	struct meta meta;
	unsigned kept = _i < 2 * TALLY_EDGE ? (unsigned)_i : 2 * TALLY_EDGE;

	recording_meta(&meta, false);
	tally_init(&tally);
	for (unsigned i = 1; i <= (unsigned)_i; i++)
		add_window(&tally, &meta, i, NULL, i);
	ck_assert_uint_eq(tally_kept(&tally), kept);
	ck_assert_uint_eq(tally_left_out(&tally), (unsigned)_i - kept);
	for (unsigned i = 0; i < kept; i++) {
		unsigned want = i < TALLY_EDGE ? i + 1 : (unsigned)_i - kept + i + 1;

		ck_assert_uint_eq(tally_window(&tally, i)->number, want);
		ck_assert_uint_eq(tally_window(&tally, i)->values[0].scaled, want + 1);
	}
	tally_fini(&tally);
	meta_fini(&meta);
}
END_TEST

START_TEST(groups_sum_exactly_and_leave_out_what_did_not_count)
{
	struct tally tally;
	struct meta meta;

	recording_meta(&meta, false);
	tally_init(&tally);
	add_window(&tally, &meta, 1, "x", UINT64_C(1) << 60);
	add_window(&tally, &meta, 2, NULL, 7);
	add_window(&tally, &meta, 3, "x", 1);
	ck_assert_uint_eq(tally.n_groups, 2);
	ck_assert(tally.has_labels);
	ck_assert_str_eq(tally.groups[0].label, "x");
	ck_assert_uint_eq(tally.groups[0].n_windows, 2);
	ck_assert_uint_eq(tally.groups[0].events[0].sum.raw, (UINT64_C(1) << 60) + 3);
	ck_assert_uint_eq(tally.groups[0].events[0].spread.n, 2);
	ck_assert_uint_eq(tally.groups[0].events[1].spread.n, 0);
	ck_assert_int_eq(tally.groups[0].events[2].sum.state, VALUE_NOT_SUPPORTED);
	ck_assert_uint_eq(tally.all.time_ns, 15);
	ck_assert_uint_eq(tally.all.events[0].sum.raw, (UINT64_C(1) << 60) + 11);
	tally_fini(&tally);
	meta_fini(&meta);
}
END_TEST

START_TEST(too_many_labels_share_a_group)
{
	struct tally tally;
	struct meta meta;
	char label[32];

	recording_meta(&meta, false);
	tally_init(&tally);
	for (unsigned i = 0; i < 3 * TALLY_LABELS; i++) {
		(void)snprintf(label, sizeof(label), "label %u", i % (TALLY_LABELS + 500));
		add_window(&tally, &meta, i + 1, label, 1);
	}
	ck_assert_uint_eq(tally.n_groups, TALLY_LABELS + 1);
	ck_assert(tally.groups[TALLY_LABELS].is_others);
	ck_assert_uint_eq(tally.groups[TALLY_LABELS].n_windows, 1000);
	ck_assert_uint_eq(tally.groups[0].n_windows, 2);
	tally_fini(&tally);
	meta_fini(&meta);
}
END_TEST

START_TEST(spread_is_the_textbook_one)
{
	static const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct tally_spread spread = { 0 };

	ck_assert_double_eq(tally_stddev(&spread), 0);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		tally_spread_add(&spread, values[i] + 1e9); /* a large offset must not eat the digits */
	ck_assert_double_eq_tol(spread.mean, 5 + 1e9, 1e-6);
	ck_assert_double_eq_tol(tally_stddev(&spread), sqrt(32.0 / 7), 1e-6);
	ck_assert_double_eq(spread.min, 2 + 1e9);
	ck_assert_double_eq(spread.max, 9 + 1e9);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, first_and_last_windows_are_kept_in_order, 0, 3 * TALLY_EDGE + 2);
	tcase_add_test(tcase, groups_sum_exactly_and_leave_out_what_did_not_count);
	tcase_add_test(tcase, too_many_labels_share_a_group);
	tcase_add_test(tcase, spread_is_the_textbook_one);
}

int main(void)
{
	return unit_main("tally", add);
}
