/* zstd: frames are independent, fit a record, and damage is told and does not spread. */
#include <errno.h>
#include <string.h>
#include <zstd.h>

#include "data/compress.h"
#include "lib/unit.h"
#include "pstat/format.h"

static struct compressor *compressor;
static struct decompressor *decompressor;
static struct buffer frame, plain;

static void setup(void)
{
	ck_assert_int_eq(compressor_new(&compressor, 3, NULL), 0);
	ck_assert_int_eq(decompressor_new(&decompressor, 1 << 20, NULL), 0);
}

static void teardown(void)
{
	compressor_free(compressor);
	decompressor_free(decompressor);
	buffer_fini(&frame);
	buffer_fini(&plain);
}

static unsigned char *random_bytes(size_t len)
{
	unsigned char *bytes = malloc(len);
	uint64_t state = 88172645463325252u;

	for (size_t i = 0; i < len; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		bytes[i] = (unsigned char)state;
	}
	return bytes;
}

static ssize_t feed(const void *bytes, size_t len)
{
	return decompressor_feed(decompressor, bytes, len, &plain, NULL);
}

START_TEST(what_goes_in_comes_out)
{
	static const size_t lengths[] = { 1, 2, 7, 8, 48, 1000, 4096, 65023, FORMAT_FRAME_PLAIN_BYTES };
	unsigned char *bytes = random_bytes(FORMAT_FRAME_PLAIN_BYTES);

	memset(bytes + 1000, 0, 30000);
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		int n = compressor_frame(compressor, bytes, lengths[i], &frame, NULL);

		ck_assert_int_gt(n, 0);
		ck_assert_int_eq(n % 8, 0);
		ck_assert_int_eq(feed(frame.data, frame.len), (ssize_t)lengths[i]);
		ck_assert_mem_eq(plain.data, bytes, lengths[i]);
		frame.len = plain.len = 0;
	}
	free(bytes);
}
END_TEST

START_TEST(the_worst_bytes_still_fit_a_record)
{
	unsigned char *bytes = random_bytes(FORMAT_FRAME_PLAIN_BYTES);
	int n = compressor_frame(compressor, bytes, FORMAT_FRAME_PLAIN_BYTES, &frame, NULL);

	ck_assert_int_gt(n, FORMAT_FRAME_PLAIN_BYTES);
	ck_assert_int_le(n + (int)sizeof(struct perf_event_header), FORMAT_RECORD_MAX_BYTES);
	free(bytes);
}
END_TEST

START_TEST(every_length_is_padded_to_8)
{
	for (size_t len = 1; len < 200; len++) {
		unsigned char *bytes = random_bytes(len);

		frame.len = plain.len = 0;
		ck_assert_int_eq(compressor_frame(compressor, bytes, len, &frame, NULL) % 8, 0);
		ck_assert_int_eq(feed(frame.data, frame.len), (ssize_t)len);
		free(bytes);
	}
}
END_TEST

START_TEST(frames_may_be_cut_and_joined_anywhere)
{
	unsigned char *bytes = random_bytes(3000);

	for (size_t i = 0; i < 3; i++)
		ck_assert_int_gt(compressor_frame(compressor, bytes + 1000 * i, 1000, &frame, NULL), 0);
	for (size_t at = 0; at < frame.len; at += 7)
		ck_assert_int_ge(feed(frame.data + at, frame.len - at < 7 ? frame.len - at : 7), 0);
	ck_assert_uint_eq(plain.len, 3000);
	ck_assert_mem_eq(plain.data, bytes, 3000);
	plain.len = 0;
	ck_assert_int_eq(feed(frame.data, frame.len), 3000);
	free(bytes);
}
END_TEST

START_TEST(every_flipped_byte_is_noticed_and_the_next_frame_read)
{
	unsigned char *bytes = random_bytes(300);
	size_t first;

	memset(bytes + 50, 'x', 200);
	first = (size_t)compressor_frame(compressor, bytes, 300, &frame, NULL);
	ck_assert_int_gt(compressor_frame(compressor, bytes, 299, &frame, NULL), 0);
	for (size_t i = 0; i < first; i++) {
		ssize_t n;

		frame.data[i] ^= 0x55;
		plain.len = 0;
		n = feed(frame.data, first);
		if (n == 300) /* in the padding */
			ck_assert_mem_eq(plain.data, bytes, 300);
		else
			ck_assert_msg(n == -EBADMSG || n == 0, "byte %zu: %zd", i, n);
		frame.data[i] ^= 0x55;
		plain.len = 0;
		n = feed(frame.data + first, frame.len - first);
		if (n == -EBADMSG) /* a length had become larger and reached into this one */
			n = feed(frame.data + first, frame.len - first);
		ck_assert_msg(n == 299, "after damage of byte %zu: %zd", i, n);
		ck_assert_mem_eq(plain.data, bytes, 299);
	}
	free(bytes);
}
END_TEST

START_TEST(damage_leaves_the_output_as_it_was)
{
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(buffer_append(&plain, "kept", 4, NULL), 0);
	ck_assert_int_eq(decompressor_feed(decompressor, "no zstd at all", 14, &plain, &err), -EBADMSG);
	ck_assert_str_eq(err.where, "zstd");
	ck_assert_uint_eq(plain.len, 4);
}
END_TEST

START_TEST(a_bomb_ends_at_the_ceiling)
{
	size_t len = 2 << 20;
	void *zeros = calloc(1, len);
	size_t bound = ZSTD_compressBound(len);
	void *bomb = malloc(bound);
	size_t n = ZSTD_compress(bomb, bound, zeros, len, 1);

	ck_assert(!ZSTD_isError(n));
	ck_assert_int_eq(feed(bomb, n), -EOVERFLOW);
	ck_assert_uint_eq(plain.len, 0);
	ck_assert_uint_le(plain.cap, 2 << 20);
	n = ZSTD_compress(bomb, bound, zeros, 1 << 20, 1);
	ck_assert_int_eq(feed(bomb, n), 1 << 20); /* exactly the ceiling is fine */
	free(zeros);
	free(bomb);
}
END_TEST

START_TEST(nothing_and_too_much_are_refused)
{
	char *bytes = calloc(1, FORMAT_FRAME_PLAIN_BYTES + 1);
	struct compressor *none;

	ck_assert_int_eq(compressor_frame(compressor, bytes, 0, &frame, NULL), -EINVAL);
	ck_assert_int_eq(compressor_frame(compressor, bytes, FORMAT_FRAME_PLAIN_BYTES + 1, &frame, NULL), -EINVAL);
	ck_assert_int_eq(compressor_new(&none, 0, NULL), -EINVAL);
	ck_assert_int_eq(compressor_new(&none, 23, NULL), -EINVAL);
	ck_assert_ptr_null(none);
	ck_assert_int_eq(feed(bytes, 0), 0);
	free(bytes);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, what_goes_in_comes_out);
	tcase_add_test(tcase, the_worst_bytes_still_fit_a_record);
	tcase_add_test(tcase, every_length_is_padded_to_8);
	tcase_add_test(tcase, frames_may_be_cut_and_joined_anywhere);
	tcase_add_test(tcase, every_flipped_byte_is_noticed_and_the_next_frame_read);
	tcase_add_test(tcase, damage_leaves_the_output_as_it_was);
	tcase_add_test(tcase, a_bomb_ends_at_the_ceiling);
	tcase_add_test(tcase, nothing_and_too_much_are_refused);
}

int main(void)
{
	return unit_main("compress", add);
}
