/* Full reads and writes against a seam that gives short counts, EINTR, EAGAIN and errors. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/io.h"
#include "lib/unit.h"

/* A scripted file: each call takes the next step. */
struct script {
	const int *steps; /* > 0: at most so many bytes, 0: end or no progress, < 0: that errno */
	size_t n, at;
	char bytes[64];
	size_t len;
};

static ssize_t next(struct script *script, size_t len)
{
	int step;

	ck_assert_uint_lt(script->at, script->n);
	step = script->steps[script->at++];
	if (step < 0) {
		errno = -step;
		return -1;
	}
	return (size_t)step < len ? step : (ssize_t)len;
}

static ssize_t fake_read(void *ctx, int fd, void *buf, size_t len)
{
	struct script *script = ctx;
	ssize_t n = next(script, len);

	(void)fd;
	if (n > 0) {
		memcpy(buf, script->bytes + script->len, n);
		script->len += n;
	}
	return n;
}

static ssize_t fake_pread(void *ctx, int fd, void *buf, size_t len, off_t at)
{
	struct script *script = ctx;
	ssize_t n = next(script, len);

	(void)fd;
	if (n > 0)
		memcpy(buf, script->bytes + at, n);
	return n;
}

static ssize_t fake_write(void *ctx, int fd, const void *buf, size_t len)
{
	struct script *script = ctx;
	ssize_t n = next(script, len);

	(void)fd;
	if (n > 0) {
		memcpy(script->bytes + script->len, buf, n);
		script->len += n;
	}
	return n;
}

static ssize_t fake_pwritev(void *ctx, int fd, const struct iovec *iov, int count, off_t at)
{
	struct script *script = ctx;
	size_t total = 0, left;
	ssize_t n;

	(void)fd;
	for (int i = 0; i < count; i++)
		total += iov[i].iov_len;
	n = next(script, total);
	left = n > 0 ? n : 0;
	for (int i = 0; left > 0; i++) {
		size_t piece = iov[i].iov_len < left ? iov[i].iov_len : left;

		if (piece)
			memcpy(script->bytes + at, iov[i].iov_base, piece);
		at += piece;
		left -= piece;
	}
	if ((size_t)at > script->len)
		script->len = at;
	return n;
}

#define OPS(script) { &(script), fake_read, fake_pread, fake_write, fake_pwritev }
#define SCRIPT(name, ...)                                                                          \
	static const int name##_steps[] = { __VA_ARGS__ };                                         \
	struct script name = { name##_steps, ARRAY_SIZE(name##_steps), 0, "abcdefghijklmnop", 0 };  \
	struct io_ops io = OPS(name)

START_TEST(short_reads_and_eintr_are_joined)
{
	SCRIPT(script, 3, -EINTR, 1, 100);
	char buf[8];

	ck_assert_int_eq(io_read_full(&io, 0, buf, sizeof(buf), NULL), 8);
	ck_assert_mem_eq(buf, "abcdefgh", 8);
}
END_TEST

START_TEST(end_of_file_gives_what_there_was)
{
	SCRIPT(script, 3, 0);
	char buf[8];

	ck_assert_int_eq(io_read_full(&io, 0, buf, sizeof(buf), NULL), 3);
}
END_TEST

START_TEST(pread_moves_the_offset_with_short_reads)
{
	SCRIPT(script, 2, -EINTR, 2);
	char buf[4];

	ck_assert_int_eq(io_pread_full(&io, 0, buf, sizeof(buf), 5, NULL), 4);
	ck_assert_mem_eq(buf, "fghi", 4);
}
END_TEST

START_TEST(read_error_is_told)
{
	SCRIPT(script, 3, -EIO);
	struct ps_error err = PS_ERROR_INIT;
	char buf[8];

	ck_assert_int_eq(io_read_full(&io, 0, buf, sizeof(buf), &err), -EIO);
	ck_assert_str_eq(err.where, "io");
	ck_assert_int_eq(io_pread_full(&io, 0, buf, sizeof(buf), -1, &err), -EINVAL);
}
END_TEST

START_TEST(short_writes_and_eintr_are_finished)
{
	SCRIPT(script, 2, -EINTR, 1, 100);

	ck_assert_int_eq(io_write_full(&io, 0, "12345678", 8, NULL), 0);
	ck_assert_uint_eq(script.len, 8);
	ck_assert_mem_eq(script.bytes, "12345678", 8);
}
END_TEST

START_TEST(write_errors_are_told)
{
	static const int codes[] = { ENOSPC, EFBIG, EPIPE, EIO };
	int steps[2] = { 2, -codes[_i] };
	struct script script = { steps, 2, 0, "", 0 };
	struct io_ops io = OPS(script);

	ck_assert_int_eq(io_write_full(&io, 0, "12345678", 8, NULL), -codes[_i]);
}
END_TEST

START_TEST(write_without_progress_is_an_error)
{
	SCRIPT(script, 0);

	ck_assert_int_eq(io_write_full(&io, 0, "1", 1, NULL), -EIO);
}
END_TEST

START_TEST(eagain_waits_until_there_is_room)
{
	SCRIPT(script, -EAGAIN, 100);
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0); /* an empty pipe: poll says at once that it can be written */
	ck_assert_int_eq(io_write_full(&io, fds[1], "12", 2, NULL), 0);
	ck_assert_uint_eq(script.at, 2);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

START_TEST(pieces_are_written_whatever_the_counts)
{
	int steps[32];
	struct script script = { steps, 32, 0, "", 0 };
	struct io_ops io = OPS(script);
	struct iovec iov[4] = { { (void *)"abc", 3 }, { NULL, 0 }, { (void *)"defg", 4 }, { (void *)"h", 1 } };

	for (int i = 0; i < 32; i++)
		steps[i] = i % 3 == 1 ? -EINTR : _i + 1;
	ck_assert_int_eq(io_pwritev_full(&io, 0, iov, 4, 2, NULL), 0);
	ck_assert_uint_eq(script.len, 10);
	ck_assert_mem_eq(script.bytes + 2, "abcdefgh", 8);
}
END_TEST

START_TEST(piece_errors_are_told)
{
	SCRIPT(script, 2, -ENOSPC);
	struct iovec iov[2] = { { (void *)"abc", 3 }, { (void *)"defg", 4 } };

	ck_assert_int_eq(io_pwritev_full(&io, 0, iov, 2, 0, NULL), -ENOSPC);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, short_reads_and_eintr_are_joined);
	tcase_add_test(tcase, end_of_file_gives_what_there_was);
	tcase_add_test(tcase, pread_moves_the_offset_with_short_reads);
	tcase_add_test(tcase, read_error_is_told);
	tcase_add_test(tcase, short_writes_and_eintr_are_finished);
	tcase_add_loop_test(tcase, write_errors_are_told, 0, 4);
	tcase_add_test(tcase, write_without_progress_is_an_error);
	tcase_add_test(tcase, eagain_waits_until_there_is_room);
	tcase_add_loop_test(tcase, pieces_are_written_whatever_the_counts, 0, 9);
	tcase_add_test(tcase, piece_errors_are_told);
}

int main(void)
{
	return unit_main("io", add);
}
