/* What numbers of events mean: units, digits for people, and figures that follow from several events. */
#include <string.h>

#include "lib/recording.h"
#include "lib/unit.h"
#include "report/derived.h"
#include "report/quantity.h"

static const struct {
	uint64_t config;
	double scale, value;
	const char *people;
} shown[] = {
	{ PERF_COUNT_SW_TASK_CLOCK, 1e-6, 21419876543.0, "21,419.88" }, /* perf's scale of clocks is not applied twice */
	{ PERF_COUNT_SW_TASK_CLOCK, 1, 5123456, "5.123" },
	{ PERF_COUNT_SW_CPU_CLOCK, 1, 21420, "0.021420" },
	{ PERF_COUNT_SW_CPU_CLOCK, 1, 0, "0.00" },
	{ PERF_COUNT_SW_PAGE_FAULTS, 1, 1234567, "1,234,567" },
	{ PERF_COUNT_SW_PAGE_FAULTS, 1, 1234567.5, "1,234,568" },
	{ PERF_COUNT_SW_PAGE_FAULTS, 1, 12.345, "12.35" },
	{ PERF_COUNT_SW_PAGE_FAULTS, 1, 0.125, "0.1250" },
	{ PERF_COUNT_SW_PAGE_FAULTS, 0.5, 2, "2.0000" },
};

START_TEST(people_see_the_digits_that_matter)
{
	struct meta_event event = { .scale = shown[_i].scale, .attr = { .type = PERF_TYPE_SOFTWARE } };
	char text[TEXT_NUMBER];

	event.attr.config = shown[_i].config;
	ck_assert_str_eq(quantity_people(text, &event, shown[_i].value), shown[_i].people);
}
END_TEST

START_TEST(machines_see_clocks_in_ns)
{
	char unit[] = "msec";
	struct meta_event event = { .scale = 1e-6, .unit = unit, .attr = { .type = PERF_TYPE_SOFTWARE } };
	struct timeline_value value = { .raw = 1500000, .scaled = 1500000 };
	char text[TEXT_NUMBER];
	double rate;

	event.attr.config = PERF_COUNT_SW_TASK_CLOCK;
	ck_assert_str_eq(quantity_unit(&event), "ns");
	ck_assert_str_eq(quantity_text(text, &event, &value), "1500000");
	event.attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	ck_assert_str_eq(quantity_unit(&event), "msec");
	ck_assert_str_eq(quantity_text(text, &event, &value), "1.5");
	ck_assert(quantity_rate(&event, &value, 500000000, &rate));
	ck_assert_double_eq_tol(rate, 3, 1e-9);
	ck_assert(!quantity_rate(&event, &value, 0, &rate));
	value.state = VALUE_NOT_COUNTED;
	ck_assert(!quantity_rate(&event, &value, 500000000, &rate));
}
END_TEST

static void make_meta(struct meta *meta)
{
	meta_init(meta);
	recording_add_event(meta, "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 1, 1);
	recording_add_event(meta, "cycles:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 2, 1)->attr.exclude_kernel = 1;
	recording_add_event(meta, "instructions", PERF_TYPE_RAW, 0xc0, 3, 1);
	recording_add_event(meta, "cycles", PERF_TYPE_RAW, 0x76, 4, 1);
	recording_add_event(meta, "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 5, 1);
}

static const struct derived *find(const struct derived *figures, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(figures[i].name, name))
			return &figures[i];
	return NULL;
}

START_TEST(figures_need_their_events_at_the_same_levels)
{
	struct timeline_value values[5] = {
		{ .scaled = 500000000 }, { .scaled = 100 }, { .scaled = 3000000000 }, { .scaled = 1000000000 }, { .scaled = 5 },
	};
	struct derived figures[DERIVED_MAX];
	struct meta meta;
	size_t n;

	make_meta(&meta);
	n = derived_figures(&meta, values, 1000000000, figures);
	ck_assert_double_eq_tol(find(figures, n, "CPUs utilised")->value, 0.5, 1e-9);
	ck_assert_double_eq_tol(find(figures, n, "instructions per cycle")->value, 3, 1e-9); /* not against cycles:u */
	ck_assert_ptr_null(find(figures, n, "branch misses")); /* no branches */
	values[3].state = VALUE_NOT_COUNTED;
	n = derived_figures(&meta, values, 1000000000, figures);
	ck_assert_ptr_null(find(figures, n, "instructions per cycle"));
	ck_assert_ptr_nonnull(find(figures, n, "clock rate")); /* of cycles:u */
	n = derived_figures(&meta, values, 0, figures);
	ck_assert_ptr_null(find(figures, n, "CPUs utilised"));
	meta_fini(&meta);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, people_see_the_digits_that_matter, 0, (int)ARRAY_SIZE(shown));
	tcase_add_test(tcase, machines_see_clocks_in_ns);
	tcase_add_test(tcase, figures_need_their_events_at_the_same_levels);
}

int main(void)
{
	return unit_main("quantity", add);
}
