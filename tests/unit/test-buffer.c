/* Growing bytes: they keep their content, and the ceiling holds. */
#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "lib/unit.h"

START_TEST(grows_and_keeps_its_content)
{
	struct buffer buf = BUFFER_INIT(0);

	for (int i = 0; i < 10000; i++) {
		unsigned char byte = i & 0xff;

		ck_assert_int_eq(buffer_append(&buf, &byte, 1, NULL), 0);
	}
	ck_assert_uint_eq(buf.len, 10000);
	for (int i = 0; i < 10000; i++)
		ck_assert_uint_eq(buf.data[i], i & 0xff);
	buffer_fini(&buf);
}
END_TEST

START_TEST(ceiling_is_reached_but_not_passed)
{
	struct buffer buf = BUFFER_INIT(300);
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(buffer_append_zero(&buf, 300, &err), 0);
	ck_assert_int_eq(buffer_append(&buf, "x", 1, &err), -EOVERFLOW);
	ck_assert_uint_eq(buf.len, 300);
	buffer_fini(&buf);
}
END_TEST

START_TEST(absurd_sizes_do_not_wrap)
{
	struct buffer buf = BUFFER_INIT(0);

	ck_assert_int_eq(buffer_append(&buf, "x", 1, NULL), 0);
	ck_assert_int_eq(buffer_reserve(&buf, SIZE_MAX, NULL), -EOVERFLOW);
	ck_assert_int_eq(buffer_reserve(&buf, SIZE_MAX / 2, NULL), -EOVERFLOW);
	buffer_fini(&buf);
}
END_TEST

START_TEST(drop_moves_the_rest_up)
{
	struct buffer buf = BUFFER_INIT(0);

	ck_assert_int_eq(buffer_append(&buf, "abcdef", 6, NULL), 0);
	buffer_drop(&buf, 2);
	ck_assert_uint_eq(buf.len, 4);
	ck_assert_mem_eq(buf.data, "cdef", 4);
	buffer_drop(&buf, 4);
	ck_assert_uint_eq(buf.len, 0);
	buffer_fini(&buf);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, grows_and_keeps_its_content);
	tcase_add_test(tcase, ceiling_is_reached_but_not_passed);
	tcase_add_test(tcase, absurd_sizes_do_not_wrap);
	tcase_add_test(tcase, drop_moves_the_rest_up);
}

int main(void)
{
	return unit_main("buffer", add);
}
