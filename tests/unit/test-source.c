/* Sources: files, streams and memory give the same bytes, whatever read(2) does; seeking works where it can.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "data/source.h"
#include "lib/unit.h"

static const char text[] = "0123456789abcdefghij";
#define TEXT_BYTES (sizeof(text) - 1)

/* A descriptor that gives one byte at a time, with an EINTR before each. */
struct hard_reads {
	bool interrupted;
};

static ssize_t hard_read(void *ctx, int fd, void *buf, size_t len)
{
	struct hard_reads *hard = ctx;

	hard->interrupted = !hard->interrupted;
	if (hard->interrupted) {
		errno = EINTR;
		return -1;
	}
	return read(fd, buf, len ? 1 : 0);
}

static ssize_t failing_read(void *ctx, int fd, void *buf, size_t len)
{
	(void)ctx, (void)fd, (void)buf, (void)len;
	errno = EIO;
	return -1;
}

static ssize_t hard_pread(void *ctx, int fd, void *buf, size_t len, off_t at)
{
	struct hard_reads *hard = ctx;

	hard->interrupted = !hard->interrupted;
	if (hard->interrupted) {
		errno = EINTR;
		return -1;
	}
	return pread(fd, buf, len ? 1 : 0, at);
}

static char path[] = "source-XXXXXX.tmp";

static void write_file(void)
{
	int fd;

	memcpy(path, "source-XXXXXX.tmp", sizeof(path)); /* anew for each test, also where they share a process */
	fd = mkstemps(path, 4);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, TEXT_BYTES), TEXT_BYTES);
	ck_assert_int_eq(close(fd), 0);
}

/* A pipe with the text in it as standard input. */
static void pipe_to_stdin(void)
{
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], text, TEXT_BYTES), TEXT_BYTES);
	ck_assert_int_eq(close(fds[1]), 0);
	ck_assert_int_eq(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(close(fds[0]), 0);
}

static void expect_read(struct source *source, size_t len, const char *want)
{
	char buf[64];

	ck_assert_int_eq(source_read(source, buf, len, NULL), strlen(want));
	ck_assert_mem_eq(buf, want, strlen(want));
}

static void expect_text(struct source *source)
{
	ck_assert_uint_eq(source_offset(source), 0);
	expect_read(source, 5, "01234");
	ck_assert_uint_eq(source_offset(source), 5);
	ck_assert_int_eq(source_seek(source, 15, NULL), 0);
	expect_read(source, 5, "fghij");
	expect_read(source, 5, "");
}

START_TEST(file_gives_its_bytes_over_hard_reads)
{
	struct hard_reads hard = { false };
	struct io_ops io = io_system;
	struct source *source;

	io.ctx = &hard;
	io.pread = hard_pread;
	write_file();
	ck_assert_int_eq(source_open(&source, path, &io, NULL), 0);
	ck_assert(source_seekable(source));
	ck_assert_uint_eq(source_bytes(source), TEXT_BYTES);
	expect_text(source);
	ck_assert_int_eq(source_seek(source, 1, NULL), 0);
	expect_read(source, 2, "12");
	source_free(source);
	ck_assert_int_eq(unlink(path), 0);
}
END_TEST

START_TEST(stream_gives_its_bytes_over_hard_reads)
{
	struct hard_reads hard = { false };
	struct io_ops io = io_system;
	struct source *source;

	io.ctx = &hard;
	io.read = hard_read;
	pipe_to_stdin();
	ck_assert_int_eq(source_open(&source, "-", &io, NULL), 0);
	ck_assert(!source_seekable(source));
	ck_assert_uint_eq(source_bytes(source), UINT64_MAX);
	expect_text(source);
	ck_assert_int_eq(source_seek(source, 3, NULL), -ESPIPE);
	source_free(source);
}
END_TEST

START_TEST(memory_gives_its_bytes)
{
	struct source *source;

	ck_assert_int_eq(source_open_memory(&source, text, TEXT_BYTES, _i, NULL), 0);
	ck_assert_int_eq(source_seekable(source), !_i);
	expect_text(source);
	ck_assert_int_eq(source_seek(source, 3, NULL), _i ? -ESPIPE : 0);
	source_free(source);
}
END_TEST

START_TEST(read_some_does_not_wait_for_more)
{
	struct hard_reads hard = { false };
	struct io_ops io = io_system;
	struct source *source;
	char buf[8];

	io.ctx = &hard;
	io.read = hard_read;
	pipe_to_stdin();
	ck_assert_int_eq(source_open(&source, "-", &io, NULL), 0);
	for (size_t i = 0; i < TEXT_BYTES; i++) {
		ck_assert_int_eq(source_read_some(source, buf, sizeof(buf), NULL), 1);
		ck_assert_int_eq(buf[0], text[i]);
	}
	ck_assert_int_eq(source_read_some(source, buf, sizeof(buf), NULL), 0);
	source_free(source);
}
END_TEST

START_TEST(waits_where_the_descriptor_would_not)
{
	struct source *source;
	char buf[4];
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
	ck_assert_int_eq(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(source_open(&source, "-", &io_system, NULL), 0);
	if (fork() == 0) { /* writes only after the reader has found nothing, or before: both must do */
		(void)!write(fds[1], "x", 1);
		_exit(0);
	}
	ck_assert_int_eq(source_read_some(source, buf, sizeof(buf), NULL), 1);
	source_free(source);
}
END_TEST

START_TEST(failed_read_is_an_error)
{
	struct io_ops io = io_system;
	struct ps_error err = PS_ERROR_INIT;
	struct source *source;
	char buf[8];

	io.read = failing_read;
	pipe_to_stdin();
	ck_assert_int_eq(source_open(&source, "-", &io, NULL), 0);
	ck_assert_int_eq(source_read(source, buf, sizeof(buf), &err), -EIO);
	ck_assert_int_eq(source_read_some(source, buf, sizeof(buf), &err), -EIO);
	ck_assert_int_eq(err.code, EIO);
	source_free(source);
}
END_TEST

START_TEST(redirected_file_starts_where_it_stands)
{
	struct source *source;
	int fd;

	write_file();
	fd = open(path, O_RDONLY);
	ck_assert_int_eq(lseek(fd, 10, SEEK_SET), 10);
	ck_assert_int_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(source_open(&source, "-", &io_system, NULL), 0);
	ck_assert(source_seekable(source));
	ck_assert_uint_eq(source_bytes(source), TEXT_BYTES - 10);
	expect_read(source, 3, "abc");
	ck_assert_int_eq(source_seek(source, 0, NULL), 0);
	expect_read(source, 3, "abc");
	source_free(source);
	ck_assert_int_eq(unlink(path), 0);
}
END_TEST

START_TEST(offsets_beyond_any_file_read_nothing)
{
	static const uint64_t offsets[] = { 1000, INT64_MAX, UINT64_MAX };
	struct source *source;

	write_file();
	ck_assert_int_eq(source_open(&source, path, &io_system, NULL), 0);
	ck_assert_int_eq(source_seek(source, offsets[_i], NULL), 0);
	expect_read(source, 8, "");
	source_free(source);
	ck_assert_int_eq(unlink(path), 0);
}
END_TEST

START_TEST(what_cannot_be_opened_says_so)
{
	struct ps_error err = PS_ERROR_INIT;
	struct source *source;

	ck_assert_int_eq(source_open(&source, "no-such-file.data", &io_system, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.what, "no-such-file.data"));
	ck_assert_int_eq(source_open(&source, ".", &io_system, &err), -EISDIR);
	ck_assert_str_ne(err.hint, "");
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, file_gives_its_bytes_over_hard_reads);
	tcase_add_test(tcase, stream_gives_its_bytes_over_hard_reads);
	tcase_add_loop_test(tcase, memory_gives_its_bytes, 0, 2);
	tcase_add_test(tcase, read_some_does_not_wait_for_more);
	tcase_add_test(tcase, waits_where_the_descriptor_would_not);
	tcase_add_test(tcase, failed_read_is_an_error);
	tcase_add_test(tcase, redirected_file_starts_where_it_stands);
	tcase_add_loop_test(tcase, offsets_beyond_any_file_read_nothing, 0, 3);
	tcase_add_test(tcase, what_cannot_be_opened_says_so);
}

int main(void)
{
	return unit_main("source", add);
}
