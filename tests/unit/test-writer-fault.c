/* The writer: when writing fails at any place, that is told and what was there at the last checkpoint stays. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/unit.h"
#include "lib/writer_case.h"

static struct writer_case t;

static void setup(void)
{
	writer_case_init(&t);
}

static void teardown(void)
{
	writer_case_fini(&t);
}

static void read_file(const char *from, struct buffer *out)
{
	struct recording recording;

	ck_assert_msg(recording_load(&recording, from), "%s", recording.why);
	ck_assert_int_eq(buffer_append(out, recording.file.data, recording.file.len, NULL), 0);
	recording_fini(&recording);
}

START_TEST(short_and_interrupted_writes_change_nothing)
{
	struct buffer whole = BUFFER_INIT(0), pieces = BUFFER_INIT(0);

	ck_assert_int_eq(writer_case_write(&t, 3, NULL), 0);
	read_file(t.path, &whole);
	t.io.at_most = 1 + (size_t)_i;
	t.io.interrupted = true;
	ck_assert_int_eq(writer_case_write(&t, 3, NULL), 0);
	read_file(t.path, &pieces);
	ck_assert_uint_eq(whole.len, pieces.len);
	ck_assert_mem_eq(whole.data, pieces.data, whole.len);
	buffer_fini(&whole);
	buffer_fini(&pieces);
}
END_TEST

/* What is there after a failure is whole and ends with a checkpoint. */
static void check_left_over(void)
{
	size_t n = writer_case_stats(&t);

	ck_assert_msg(n % (10 * WRITER_CASE_STATS) == 0, "%zu readings are no checkpoint", n);
}

START_TEST(an_error_of_any_write_is_told_and_leaves_the_last_checkpoint)
{
	static const int codes[] = { EIO, ENOSPC, EFBIG, EDQUOT };
	int level = _i % 2 ? 3 : 0, code = codes[_i / 2];
	size_t calls;

	ck_assert_int_eq(writer_case_write(&t, level, NULL), 0);
	calls = t.io.calls;
	ck_assert_uint_ge(calls, 1 + 4 * 3 - 1);
	for (size_t at = 1; at <= calls; at++) {
		struct ps_error err = PS_ERROR_INIT;

		(void)unlink(t.path);
		fault_io_init(&t.io);
		t.io.fail_at = at;
		t.io.code = code;
		ck_assert_int_eq(writer_case_write(&t, level, &err), -code);
		ck_assert_str_eq(err.where, "io");
		if (at == 1)
			ck_assert_int_eq(access(t.path, F_OK), -1); /* the head: no file appears */
		else
			check_left_over();
	}
}
END_TEST

START_TEST(a_torn_write_leaves_the_last_checkpoint)
{
	int level = _i ? 3 : 0;

	for (size_t at = 2; at < 400; at++) { /* pieces, then an error in the middle of a write */
		(void)unlink(t.path);
		fault_io_init(&t.io);
		t.io.at_most = 100;
		t.io.fail_at = at;
		t.io.code = EFBIG;
		if (writer_case_write(&t, level, NULL) == 0)
			break;
		if (access(t.path, F_OK) == 0)
			check_left_over();
	}
}
END_TEST

/* A process killed between two writes cannot put the table back: the records up to data.size are whole all the same. */
START_TEST(a_kill_between_writes_leaves_whole_records)
{
	int level = _i ? 3 : 0;
	size_t calls;

	t.io.at_most = 5000; /* so that a write may also be cut */
	ck_assert_int_eq(writer_case_write(&t, level, NULL), 0);
	calls = t.io.calls;
	for (size_t at = 1; at <= calls; at++) {
		struct recording recording;
		size_t n;

		(void)unlink(t.path);
		t.io.calls = 0;
		t.io.fail_at = at;
		t.io.dead = true;
		t.io.code = EIO;
		ck_assert_int_eq(writer_case_write(&t, level, NULL), -EIO);
		if (access(t.path, F_OK) != 0)
			continue;
		if (!recording_load(&recording, t.path)) /* the table alone may be missing */
			ck_assert_msg(strstr(recording.why, "feature") || strstr(recording.why, "table"), "%s",
				      recording.why);
		n = recording_count(&recording, FORMAT_STAT);
		ck_assert_msg(n % (10 * WRITER_CASE_STATS) == 0, "%zu readings are no checkpoint", n);
		ck_assert_uint_eq(recording_count(&recording, FORMAT_FINISHED_INIT), 1);
		recording_fini(&recording);
	}
}
END_TEST

START_TEST(a_full_disk_is_told_and_leaves_the_last_checkpoint)
{
	int level = _i ? 3 : 0;
	struct stat st;
	size_t kept = 0;

	ck_assert_int_eq(writer_case_write(&t, level, NULL), 0);
	ck_assert_int_eq(stat(t.path, &st), 0);
	for (size_t bytes = 50; bytes < (size_t)st.st_size; bytes += 61) {
		(void)unlink(t.path);
		fault_io_init(&t.io);
		t.io.disk_bytes = bytes;
		ck_assert_int_eq(writer_case_write(&t, level, NULL), -ENOSPC);
		if (access(t.path, F_OK) == 0) {
			check_left_over();
			kept = writer_case_stats(&t);
		}
	}
	ck_assert_uint_eq(kept, WRITER_CASE_ROUNDS * WRITER_CASE_STATS); /* only the last marker is missing */
}
END_TEST

START_TEST(after_an_error_every_call_says_so_and_finish_still_closes)
{
	struct writer *writer = writer_case_open(&t, t.path, 3, false);
	struct consumer consumer = writer_consumer(writer);
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(consumer.start(consumer.ctx, &t.meta, NULL), 0);
	ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, 0, NULL), 0);
	t.io.fail_at = t.io.calls + 1;
	t.io.code = ENOSPC;
	ck_assert_int_eq(consumer.checkpoint(consumer.ctx, &err), -ENOSPC);
	ck_assert_int_ne(err.hint[0], '\0');
	ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, 1, NULL), -ENOSPC);
	ck_assert_int_eq(consumer.checkpoint(consumer.ctx, NULL), -ENOSPC);
	ck_assert_int_eq(consumer.finish(consumer.ctx, NULL), 0);
	ck_assert_uint_eq(writer_case_stats(&t), 0);
	writer_free(writer);
}
END_TEST

START_TEST(a_vanished_reader_of_a_stream_is_an_error)
{
	char name[32];
	int fds[2];
	struct consumer consumer;
	struct writer *writer;

	ck_assert_ptr_ne(signal(SIGPIPE, SIG_IGN), SIG_ERR);
	ck_assert_int_eq(pipe(fds), 0);
	(void)snprintf(name, sizeof(name), "/dev/fd/%d", fds[1]);
	writer = writer_case_open(&t, name, 0, false);
	(void)close(fds[0]);
	(void)close(fds[1]);
	consumer = writer_consumer(writer);
	ck_assert_int_eq(made_write(&consumer, &t.meta, &t.made, NULL), -EPIPE);
	writer_free(writer);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, short_and_interrupted_writes_change_nothing, 0, 8);
	tcase_add_loop_test(tcase, an_error_of_any_write_is_told_and_leaves_the_last_checkpoint, 0, 8);
	tcase_add_loop_test(tcase, a_torn_write_leaves_the_last_checkpoint, 0, 2);
	tcase_add_loop_test(tcase, a_kill_between_writes_leaves_whole_records, 0, 2);
	tcase_add_loop_test(tcase, a_full_disk_is_told_and_leaves_the_last_checkpoint, 0, 2);
	tcase_add_test(tcase, after_an_error_every_call_says_so_and_finish_still_closes);
	tcase_add_test(tcase, a_vanished_reader_of_a_stream_is_an_error);
}

int main(void)
{
	return unit_main("writer-fault", add);
}
