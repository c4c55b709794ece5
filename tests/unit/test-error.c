/* The error value: first hint wins, a failure never reads as success, long texts are cut. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "lib/unit.h"

START_TEST(returns_negative_code)
{
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(ps_fail(&err, "here", ENOENT, "opening %s", "x"), -ENOENT);
	ck_assert_str_eq(err.where, "here");
	ck_assert_str_eq(err.what, "opening x");
	ck_assert_int_eq(err.code, ENOENT);
	ck_assert_int_eq(ps_fail(NULL, "here", EIO, "x"), -EIO);
}
END_TEST

START_TEST(zero_code_is_still_a_failure)
{
	ck_assert_int_eq(ps_fail(NULL, "here", 0, "x"), -EINVAL);
}
END_TEST

START_TEST(first_hint_stays_until_next_failure)
{
	struct ps_error err = PS_ERROR_INIT;

	ps_hint(&err, "one");
	ps_hint(&err, "two");
	ck_assert_str_eq(err.hint, "one");
	(void)ps_fail(&err, "here", EIO, "again");
	ck_assert_str_eq(err.hint, "");
}
END_TEST

START_TEST(long_text_is_cut)
{
	struct ps_error err = PS_ERROR_INIT;
	char text[2000];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	(void)ps_fail(&err, "here", EIO, "%s", text);
	ck_assert_uint_eq(strlen(err.what), sizeof(err.what) - 1);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, returns_negative_code);
	tcase_add_test(tcase, zero_code_is_still_a_failure);
	tcase_add_test(tcase, first_hint_stays_until_next_failure);
	tcase_add_test(tcase, long_text_is_cut);
}

int main(void)
{
	return unit_main("error", add);
}
