/* Event lists: what is taken and how it ends up in the attr, what is refused and where the caret points. */
#include <errno.h>
#include <string.h>

#include "event/spec.h"
#include "lib/unit.h"

/* Bits of the attr, as letters: what is excluded and how it is scheduled. */
static const char *bits(const struct event *event, char *buf)
{
	const struct perf_event_attr *attr = &event->attr;
	char *to = buf;

	if (attr->exclude_user)
		*to++ = 'u';
	if (attr->exclude_kernel)
		*to++ = 'k';
	if (attr->exclude_hv)
		*to++ = 'h';
	if (attr->exclude_guest)
		*to++ = 'G';
	if (attr->exclude_host)
		*to++ = 'H';
	if (attr->exclude_idle)
		*to++ = 'I';
	if (attr->pinned)
		*to++ = 'D';
	if (attr->exclusive)
		*to++ = 'e';
	if (event->weak)
		*to++ = 'W';
	if (event->precise_max)
		*to++ = 'P';
	if (attr->precise_ip)
		*to++ = '0' + attr->precise_ip;
	*to = '\0';
	return buf;
}

static const struct {
	const char *text, *name;
	uint32_t type;
	uint64_t config;
	const char *bits;
} accepted[] = {
	{ "task-clock", "task-clock", 1, 1, "G" },
	{ "cpu-clock", "cpu-clock", 1, 0, "G" },
	{ "page-faults", "page-faults", 1, 2, "G" },
	{ "faults", "faults", 1, 2, "G" },
	{ "minor-faults", "minor-faults", 1, 5, "G" },
	{ "major-faults", "major-faults", 1, 6, "G" },
	{ "context-switches", "context-switches", 1, 3, "G" },
	{ "cs", "cs", 1, 3, "G" },
	{ "cpu-migrations", "cpu-migrations", 1, 4, "G" },
	{ "migrations", "migrations", 1, 4, "G" },
	{ "alignment-faults", "alignment-faults", 1, 7, "G" },
	{ "emulation-faults", "emulation-faults", 1, 8, "G" },
	{ "dummy", "dummy", 1, 9, "G" },
	{ "bpf-output", "bpf-output", 1, 10, "G" },
	{ "cgroup-switches", "cgroup-switches", 1, 11, "G" },
	{ "PERF_COUNT_SW_TASK_CLOCK", "PERF_COUNT_SW_TASK_CLOCK", 1, 1, "G" },
	{ "perf::cycles", "perf::cycles", 0, 0, "G" },
	{ "cycles", "cycles", 0, 0, "G" },
	{ "cpu-cycles", "cpu-cycles", 0, 0, "G" },
	{ "instructions", "instructions", 0, 1, "G" },
	{ "branches", "branches", 0, 4, "G" },
	{ "branch-misses", "branch-misses", 0, 5, "G" },
	{ "ref-cycles", "ref-cycles", 0, 9, "G" },
	{ "L1-dcache-load-misses", "L1-dcache-load-misses", 3, 0x10000, "G" },
	{ "LLC-loads", "LLC-loads", 3, 2, "G" },
	{ "r1a8", "r1a8", 4, 0x1a8, "G" },
	{ "r003c:k", "r003c:k", 4, 0x3c, "uh" },
	{ "page-faults:u", "page-faults:u", 1, 2, "khG" },
	{ "page-faults:uk", "page-faults:uk", 1, 2, "hG" },
	{ "faults:pp", "faults:pp", 1, 2, "G2" },
	{ "cs:H", "cs:H", 1, 3, "G" },
	{ "cycles:u", "cycles:u", 0, 0, "khG" },
	{ "cycles:k", "cycles:k", 0, 0, "uh" },
	{ "cycles:h", "cycles:h", 0, 0, "uk" },
	{ "cycles:ukh", "cycles:ukh", 0, 0, "G" },
	{ "cycles:G", "cycles:G", 0, 0, "H" },
	{ "cycles:GH", "cycles:GH", 0, 0, "" },
	{ "cycles:p", "cycles:p", 0, 0, "G1" },
	{ "cycles:ppp", "cycles:ppp", 0, 0, "G3" },
	{ "cycles:P", "cycles:P", 0, 0, "GP3" },
	{ "cycles:upp", "cycles:upp", 0, 0, "khG2" },
	{ "task-clock:D", "task-clock:D", 1, 1, "GD" },
	{ "task-clock:e", "task-clock:e", 1, 1, "Ge" },
	{ "task-clock:I", "task-clock:I", 1, 1, "GI" },
	{ "task-clock:S", "task-clock:S", 1, 1, "G" },
	{ "task-clock:W", "task-clock:W", 1, 1, "GW" },
	{ "  task-clock ", "task-clock", 1, 1, "G" },
	{ "page-faults/name=abc/", "abc", 1, 2, "G" },
	{ "page-faults/name=abc/u", "abc:u", 1, 2, "khG" },
};

START_TEST(event_is_taken)
{
	struct event_list list = { 0 };
	struct ps_error err = PS_ERROR_INIT;
	char buf[16];

	ck_assert_msg(event_list_parse(&list, accepted[_i].text, &err) == 0, "%s: %s", accepted[_i].text,
		      err.what);
	ck_assert_uint_eq(list.n, 1);
	ck_assert_str_eq(list.events[0].name, accepted[_i].name);
	ck_assert_uint_eq(list.events[0].attr.type, accepted[_i].type);
	ck_assert_uint_eq(list.events[0].attr.config, accepted[_i].config);
	ck_assert_str_eq(bits(&list.events[0], buf), accepted[_i].bits);
	ck_assert_int_eq(list.events[0].group, -1);
	ck_assert(!list.events[0].is_default);
	ck_assert_uint_eq(list.events[0].attr.sample_type, 0);
	ck_assert_uint_eq(list.events[0].attr.sample_period, 0);
	event_list_fini(&list);
}
END_TEST

static const struct {
	const char *text;
	int code;
	int caret; /* column */
	const char *says;
} refused[] = {
	{ "", EINVAL, 0, "missing" },
	{ ",", EINVAL, 0, "missing" },
	{ "task-clock,", EINVAL, 11, "missing" },
	{ "task-clock,,cs", EINVAL, 11, "missing" },
	{ "cycels", ENOENT, 0, "cycels" },
	{ "task-clock,foo", ENOENT, 11, "foo" },
	{ "task-clock,foo:u,cs", ENOENT, 11, "foo" },
	{ "cycles:x", EINVAL, 7, "modifier 'x'" },
	{ "cs,cycles:ux", EINVAL, 11, "modifier 'x'" },
	{ "cs,cycles:uu", EINVAL, 11, "too often" },
	{ "cycles:pppp", EINVAL, 10, "too often" },
	{ "cycles:", EINVAL, 6, "missing" },
	{ "{cycles", EINVAL, 0, "not closed" },
	{ "cs,{cycles,cs", EINVAL, 3, "not closed" },
	{ "{}", EINVAL, 1, "missing" },
	{ "{cs,}", EINVAL, 4, "missing" },
	{ "{cs,{cycles}}", EINVAL, 4, "in a group" },
	{ "{cs}}", EINVAL, 4, "" },
	{ "{cs}x", EINVAL, 4, "" },
	{ "{cs}:", EINVAL, 4, "missing" },
	{ "{cs}:x", EINVAL, 5, "modifier 'x'" },
	{ "cs}", EINVAL, 2, "" },
	{ "cs{cycles}", EINVAL, 2, "" },
	{ "nosuchpmu/a=1/", ENOENT, 0, "nosuchpmu" },
	{ "page-faults/name=", EINVAL, 11, "missing" },
	{ "cs/bad=1/", EINVAL, 3, "bad" },
	{ "cs/name=x,bad/", EINVAL, 10, "bad" },
	{ "cs/name=/", EINVAL, 3, "empty" },
	{ "cs/period=5/", EINVAL, 3, "sampling" },
	{ "cs/config=zz/", EINVAL, 3, "number" },
	{ "cs/name=x/z", EINVAL, 10, "modifier 'z'" },
	{ "rxyz", ENOENT, 0, "rxyz" },
	{ "r", ENOENT, 0, "'r'" },
	{ "r12345678901234567", ENOENT, 0, "r1" },
	{ "duration_time", ENOENT, 0, "time" },
};

START_TEST(list_is_refused_with_a_caret)
{
	struct event_list list = { 0 };
	struct ps_error err = PS_ERROR_INIT;
	const char *newline;

	ck_assert_int_eq(event_list_parse(&list, "cycles,{cs}", &err), 0);
	ck_assert_int_eq(event_list_parse(&list, refused[_i].text, &err), -refused[_i].code);
	ck_assert_int_eq(err.code, refused[_i].code);
	ck_assert_msg(strstr(err.what, refused[_i].says) != NULL, "%s: %s", refused[_i].text, err.what);
	newline = strchr(err.hint, '\n');
	ck_assert_ptr_nonnull(newline);
	ck_assert_int_eq(strncmp(err.hint, refused[_i].text, strlen(refused[_i].text)), 0);
	ck_assert_msg(strspn(newline + 1, " ") == (size_t)refused[_i].caret, "%s\n%s", refused[_i].text,
		      err.hint);
	ck_assert_str_eq(newline + 1 + refused[_i].caret, "^");
	ck_assert_uint_eq(list.n, 2); /* as before */
	ck_assert_int_eq(list.n_groups, 1);
	event_list_fini(&list);
}
END_TEST

START_TEST(long_list_is_shown_around_the_caret)
{
	struct event_list list = { 0 };
	struct ps_error err = PS_ERROR_INIT;
	char text[2000] = "";
	const char *caret;

	for (int i = 0; i < 60; i++)
		strcat(text, "cs,faults,");
	strcat(text, "wrong,");
	for (int i = 0; i < 60; i++)
		strcat(text, "cs,faults,");
	strcat(text, "cs");
	ck_assert_int_eq(event_list_parse(&list, text, &err), -ENOENT);
	caret = strchr(err.hint, '\n');
	ck_assert_ptr_nonnull(caret);
	ck_assert_int_eq(strncmp(err.hint + strspn(caret + 1, " "), "wrong", 5), 0);
	event_list_fini(&list);
}
END_TEST

START_TEST(error_is_optional)
{
	struct event_list list = { 0 };

	ck_assert_int_eq(event_list_parse(&list, "cs,wrong", NULL), -ENOENT);
	ck_assert_uint_eq(list.n, 0);
	event_list_fini(&list);
}
END_TEST

START_TEST(groups_are_numbered_and_modify_their_members)
{
	struct event_list list = { 0 };
	struct ps_error err = PS_ERROR_INIT;
	char buf[16];

	ck_assert_int_eq(event_list_parse(&list, "cs,{cycles:k,faults}:u,{instructions,branches}:W", &err),
			 0);
	ck_assert_int_eq(event_list_parse(&list, "{cs , faults:pp}:p", &err), 0);
	ck_assert_uint_eq(list.n, 7);
	ck_assert_int_eq(list.n_groups, 3);
	ck_assert_int_eq(list.events[0].group, -1);
	ck_assert_int_eq(list.events[1].group, 0);
	ck_assert_int_eq(list.events[2].group, 0);
	ck_assert_int_eq(list.events[4].group, 1);
	ck_assert_int_eq(list.events[6].group, 2);
	ck_assert_str_eq(list.events[1].name, "cycles:ku");
	ck_assert_str_eq(bits(&list.events[1], buf), "hG");
	ck_assert_str_eq(list.events[2].name, "faults:u");
	ck_assert_str_eq(bits(&list.events[2], buf), "khG");
	ck_assert_str_eq(list.events[3].name, "instructions");
	ck_assert(list.events[3].weak && list.events[4].weak);
	ck_assert_str_eq(list.events[5].name, "cs:p");
	ck_assert_str_eq(list.events[6].name, "faults:pp");
	ck_assert_uint_eq(list.events[6].attr.precise_ip, 2);
	event_list_fini(&list);
}
END_TEST

START_TEST(clocks_have_unit_and_scale)
{
	struct event_list list = { 0 };

	ck_assert_int_eq(event_list_parse(&list, "task-clock,PERF_COUNT_SW_CPU_CLOCK,cs", NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_str_eq(list.events[i].unit, "msec");
		ck_assert_double_eq(list.events[i].scale, 1e-6);
	}
	ck_assert_ptr_null(list.events[2].unit);
	ck_assert_double_eq(list.events[2].scale, 1);
	event_list_fini(&list);
}
END_TEST

START_TEST(default_set_is_the_one_of_perf_stat)
{
	static const char *const names[] = { "task-clock",  "context-switches", "cpu-migrations",
					     "page-faults", "cycles",           "instructions",
					     "branches",    "branch-misses" };
	struct event_list list = { 0 };
	size_t k = 0;

	ck_assert_int_eq(event_list_default(&list, NULL), 0);
	for (size_t i = 0; i < list.n; i++) {
		ck_assert(list.events[i].is_default);
		if (!strncmp(list.events[i].name, "stalled-", 8)) /* where the PMU has it */
			continue;
		ck_assert_uint_lt(k, ARRAY_SIZE(names));
		ck_assert_str_eq(list.events[i].name, names[k++]);
	}
	ck_assert_uint_eq(k, ARRAY_SIZE(names));
	event_list_fini(&list);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, event_is_taken, 0, ARRAY_SIZE(accepted));
	tcase_add_loop_test(tcase, list_is_refused_with_a_caret, 0, ARRAY_SIZE(refused));
	tcase_add_test(tcase, long_list_is_shown_around_the_caret);
	tcase_add_test(tcase, error_is_optional);
	tcase_add_test(tcase, groups_are_numbered_and_modify_their_members);
	tcase_add_test(tcase, clocks_have_unit_and_scale);
	tcase_add_test(tcase, default_set_is_the_one_of_perf_stat);
}

int main(void)
{
	return unit_main("spec", add);
}
