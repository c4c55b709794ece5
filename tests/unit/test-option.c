/* Options: one table drives parsing and help; what is refused names itself. */
#include <errno.h>
#include <string.h>

#include "cli/option.h"
#include "lib/unit.h"

struct config {
	long number;
	const char *text;
	bool flag;
};

static int set_number(void *config, const char *value, struct ps_error *err)
{
	return option_number(value, 1, 10, &((struct config *)config)->number, err);
}

static const struct option_row rows[] = {
	{ "number", 'n', "N", "a number", set_number, 0 },
	{ "text", 0, "TEXT", "a text\nof two lines", NULL, offsetof(struct config, text) },
	{ "flag", 'f', NULL, "a flag", NULL, offsetof(struct config, flag) },
	{ NULL, 0, NULL, NULL, NULL, 0 },
};

/* Splits at blanks and parses; argv[0] is the program. */
static int parse(const char *line, bool anywhere, struct config *config, struct ps_error *err)
{
	static char words[256];
	char *argv[16] = { (char *)"prog" };
	int argc = 1;

	snprintf(words, sizeof(words), "%s", line);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	memset(config, 0, sizeof(*config));
	return option_parse(rows, argc, argv, anywhere, config, err);
}

START_TEST(each_form_of_an_option_is_understood)
{
	static const char *const lines[] = { "-n 3 -f --text x", "-n3 -f --text=x", "-fn3 --text x", "--number=3 --flag --text=x" };
	struct config config;

	ck_assert_int_gt(parse(lines[_i], false, &config, NULL), 0);
	ck_assert_int_eq(config.number, 3);
	ck_assert(config.flag);
	ck_assert_str_eq(config.text, "x");
}
END_TEST

START_TEST(the_rest_belongs_to_the_command)
{
	struct config config;

	ck_assert_int_eq(parse("-n 2 cmd -f", false, &config, NULL), 3);
	ck_assert(!config.flag);
	ck_assert_int_eq(parse("-n 2 -- -f", false, &config, NULL), 4);
	ck_assert(!config.flag);
	ck_assert_int_eq(parse("file -f", true, &config, NULL), 2);
	ck_assert(config.flag);
}
END_TEST

START_TEST(refusals_name_the_option)
{
	static const struct { const char *line, *says; } cases[] = {
		{ "-x", "unknown option -x" }, { "--nothing", "unknown option --nothing" },
		{ "-fx", "unknown option -x" }, { "-n", "option -n needs" }, { "--text", "option --text needs" },
		{ "-n 11", "-n, --number: 11 is not in 1 to 10" }, { "-n x", "-n, --number: \"x\" is not a whole" },
		{ "-n 3x", "is not a whole" }, { "-n 99999999999999999999", "is not in 1 to 10" },
	};
	struct config config;
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(parse(cases[_i].line, false, &config, &err), -EINVAL);
	ck_assert_str_eq(err.where, "usage");
	ck_assert_msg(strstr(err.what, cases[_i].says) != NULL, "%s", err.what);
}
END_TEST

START_TEST(help_has_every_row)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	option_help(rows, out);
	fclose(out);
	ck_assert_str_eq(text, "  -n, --number N            a number\n"
			       "      --text TEXT           a text\n"
			       "                            of two lines\n"
			       "  -f, --flag                a flag\n");
	free(text);
}
END_TEST

START_TEST(milliseconds_become_ns)
{
	static const struct { const char *text; int rc; int64_t ns; } cases[] = {
		{ "0", 0, 0 }, { "1", 0, 1000000 }, { "0.1", 0, 100000 }, { "100.25", 0, 100250000 }, { "-1", 0, -1 },
		{ "1e3", 0, 1000000000 }, { "-2", -EINVAL, 0 }, { "-0.5", -EINVAL, 0 }, { "x", -EINVAL, 0 },
		{ "", -EINVAL, 0 }, { "1x", -EINVAL, 0 }, { " 1", -EINVAL, 0 }, { "nan", -EINVAL, 0 },
		{ "inf", -EINVAL, 0 }, { "0x10", -EINVAL, 0 }, { "1e30", -EINVAL, 0 },
	};
	int64_t ns = 0;

	ck_assert_int_eq(option_ms(cases[_i].text, true, &ns, NULL), cases[_i].rc);
	if (cases[_i].rc == 0)
		ck_assert_int_eq(ns, cases[_i].ns);
	if (!strcmp(cases[_i].text, "-1"))
		ck_assert_int_eq(option_ms("-1", false, &ns, NULL), -EINVAL);
}
END_TEST

START_TEST(id_lists_are_read_whole_or_not_at_all)
{
	static const char *const bad[] = { "", "0", "-3", "1,", ",1", "1,,2", "a", "1 2", "99999999999" };
	pid_t *ids = NULL;

	ck_assert_int_eq(option_ids("12,34,5", &ids, NULL), 3);
	ck_assert_int_eq(ids[2], 5);
	free(ids);
	ids = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_int_eq(option_ids(bad[i], &ids, NULL), -EINVAL);
	ck_assert_ptr_null(ids);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, each_form_of_an_option_is_understood, 0, 4);
	tcase_add_test(tcase, the_rest_belongs_to_the_command);
	tcase_add_loop_test(tcase, refusals_name_the_option, 0, 9);
	tcase_add_test(tcase, help_has_every_row);
	tcase_add_loop_test(tcase, milliseconds_become_ns, 0, 16);
	tcase_add_test(tcase, id_lists_are_read_whole_or_not_at_all);
}

int main(void)
{
	return unit_main("option", add);
}
