/* Numbers, times and names as text. */
#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "lib/unit.h"
#include "report/csv.h"
#include "report/text.h"

static const struct {
	double n;
	const char *decimal, *brief;
} numbers[] = {
	{ 0, "0", "0" },
	{ 1, "1", "1" },
	{ 999, "999", "999" },
	{ 999.6, "999.6", "1.00k" },
	{ 1234, "1234", "1.23k" },
	{ 9995, "9995", "10.0k" },
	{ 99950, "99950", "100k" },
	{ 1e6, "1000000", "1.00M" },
	{ 123456789012.5, "123456789012.5", "123G" },
	{ 0.25, "0.25", "250m" },
	{ 0.9999, "0.9999", "1.00" },
	{ 0.000123456789, "0.000123456789", "123u" },
	{ 1e-12, "0.000000000001", "1e-12" },
	{ 1e27, "1e+27", "1e+27" },
	{ -1500, "-1500", "-1.50k" },
	{ 1.0 / 3, "0.333333333", "333m" },
};

START_TEST(numbers_keep_their_digits)
{
	char buf[TEXT_NUMBER];

	ck_assert_str_eq(text_decimal(buf, numbers[_i].n), numbers[_i].decimal);
	ck_assert_str_eq(text_short(buf, numbers[_i].n), numbers[_i].brief);
}
END_TEST

START_TEST(whole_numbers)
{
	char buf[TEXT_NUMBER];

	ck_assert_str_eq(text_unsigned(buf, 0), "0");
	ck_assert_str_eq(text_unsigned(buf, UINT64_MAX), "18446744073709551615");
	ck_assert_str_eq(text_grouped(buf, 0), "0");
	ck_assert_str_eq(text_grouped(buf, 999), "999");
	ck_assert_str_eq(text_grouped(buf, 1000), "1,000");
	ck_assert_str_eq(text_grouped(buf, UINT64_MAX), "18,446,744,073,709,551,615");
	ck_assert_str_eq(text_grouped_double(buf, -123456.785, 1), "-123,456.8");
	ck_assert_str_eq(text_grouped_double(buf, 0.5, 3), "0.500");
	ck_assert_str_eq(text_grouped_double(buf, 1e30, 2), "1e+30");
}
END_TEST

START_TEST(times)
{
	char buf[TEXT_NUMBER];

	ck_assert_str_eq(text_seconds(buf, 0, 9), "0.000000000");
	ck_assert_str_eq(text_seconds(buf, 1, 9), "0.000000001");
	ck_assert_str_eq(text_seconds(buf, UINT64_C(12345678901), 6), "12.345678");
	ck_assert_str_eq(text_seconds(buf, UINT64_C(12999999999), 0), "12");
	ck_assert_str_eq(text_seconds(buf, UINT64_MAX, 9), "18446744073.709551615");
	ck_assert_str_eq(text_wall(buf, 0), "1970-01-01T00:00:00.000000000Z");
	ck_assert_str_eq(text_wall(buf, UINT64_C(1709210096000000042)), "2024-02-29T12:34:56.000000042Z");
}
END_TEST

static const struct {
	const char *text, *safe, *utf8, *csv;
} names[] = {
	{ "plain", "plain", "plain", "plain" },
	{ "a,b", "a,b", "a,b", "\"a,b\"" },
	{ "say \"x\"", "say \"x\"", "say \"x\"", "\"say \"\"x\"\"\"" },
	{ "two\nlines", "two?lines", "two\nlines", "\"two\nlines\"" },
	{ "\033[31mred", "?[31mred", "\033[31mred", "\033[31mred" },
	{ "\302\233m", "?m", "\302\233m", "\302\233m" },               /* C1: CSI */
	{ "\303\244", "\303\244", "\303\244", "\303\244" },            /* a umlaut */
	{ "\xff!", "?!", "\xef\xbf\xbd!", "\xff!" },
	{ "\xc0\xaf", "??", "\xef\xbf\xbd\xef\xbf\xbd", "\xc0\xaf" },  /* overlong */
	{ "\xed\xa0\x80", "???", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "\xed\xa0\x80" }, /* surrogate */
	{ "cut\xe2\x82", "cut??", "cut\xef\xbf\xbd\xef\xbf\xbd", "cut\xe2\x82" },
};

static void check_put(void (*put)(FILE *out, const char *text), const char *text, const char *want)
{
	char *got = NULL;
	size_t len;
	FILE *out = open_memstream(&got, &len);

	put(out, text);
	fclose(out);
	ck_assert_str_eq(got, want);
	free(got);
}

START_TEST(names_are_safe_where_they_go)
{
	char *clean = text_utf8(names[_i].text);

	ck_assert_str_eq(clean, names[_i].utf8);
	free(clean);
	check_put(text_put_safe, names[_i].text, names[_i].safe);
	check_put(csv_put, names[_i].text, names[_i].csv);
}
END_TEST

static const struct {
	const char *all, *ctype, *lang;
	bool want;
} locales[] = {
	{ "", "", "", false },
	{ "", "", "C.UTF-8", true },
	{ "", "", "de_DE.utf8", true },
	{ "", "de_DE.ISO-8859-1", "C.UTF-8", false },
	{ "C", "C.UTF-8", "C.UTF-8", false },
	{ "en_US.UTF-8", "C", "C", true },
};

START_TEST(first_locale_variable_decides)
{
	setenv("LC_ALL", locales[_i].all, 1);
	setenv("LC_CTYPE", locales[_i].ctype, 1);
	setenv("LANG", locales[_i].lang, 1);
	ck_assert_int_eq(text_locale_is_utf8(), locales[_i].want);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, numbers_keep_their_digits, 0, (int)ARRAY_SIZE(numbers));
	tcase_add_test(tcase, whole_numbers);
	tcase_add_test(tcase, times);
	tcase_add_loop_test(tcase, names_are_safe_where_they_go, 0, (int)ARRAY_SIZE(names));
	tcase_add_loop_test(tcase, first_locale_variable_decides, 0, (int)ARRAY_SIZE(locales));
}

int main(void)
{
	return unit_main("text", add);
}
