/* Following a recording that is being written: all of it comes, whenever it is written, and its end is noticed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>

#include "data/reader.h"
#include "lib/unit.h"
#include "lib/writer_case.h"

enum form { PLAIN, COMPRESSED, STREAM, FORMS };
enum end { FINISHED, DIED, STOPPED };

/* The recorder, which writes one more round each time the reader has to wait. */
struct recorder {
	struct writer *writer;
	struct consumer consumer;
	enum end end;
	size_t rounds, waits;
	int stop_fd;
};

static struct writer_case t;
static struct recorder recorder;

static int standard_output; /* the real one, while a recording stands in its place */

static void give_back_standard_output(void)
{
	ck_assert_int_eq(dup2(standard_output, STDOUT_FILENO), STDOUT_FILENO);
}

static void setup(void)
{
	standard_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	ck_assert_int_ge(standard_output, 0);
	writer_case_init(&t);
}

static void teardown(void)
{
	writer_case_fini(&t);
	give_back_standard_output();
	ck_assert_int_eq(close(standard_output), 0);
}

/* A stream goes into a file as it does from a shell. */
static void begin(enum form form, enum end end)
{
	recorder = (struct recorder){ .end = end, .stop_fd = eventfd(0, EFD_CLOEXEC) };
	ck_assert_int_ge(recorder.stop_fd, 0);
	if (form == STREAM) {
		int fd = open(t.path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
		ck_assert_int_eq(close(fd), 0);
	}
	recorder.writer = writer_case_open(&t, form == STREAM ? "-" : t.path, form == COMPRESSED ? 3 : 0, false);
	recorder.consumer = writer_consumer(recorder.writer);
	ck_assert_int_eq(recorder.consumer.start(recorder.consumer.ctx, &t.meta, NULL), 0);
}

static void finish(void)
{
	if (recorder.end == STOPPED) {
		ck_assert_int_eq(eventfd_write(recorder.stop_fd, 1), 0);
		return;
	}
	if (recorder.end == FINISHED) {
		ck_assert_int_eq(recorder.consumer.finish(recorder.consumer.ctx, NULL), 0);
	}
	writer_free(recorder.writer); /* without finish: its descriptor is closed, as when it is killed */
	give_back_standard_output(); /* which closes the stream's */
	recorder.writer = NULL;
}

static int on_wait(void *data, struct ps_error *err)
{
	struct consumer *consumer = &recorder.consumer;

	(void)data;
	(void)err;
	recorder.waits++;
	if (recorder.rounds == WRITER_CASE_ROUNDS) {
		finish();
		return 0;
	}
	ck_assert_int_eq(made_round(consumer, &t.meta, &t.made, recorder.rounds++, NULL), 0);
	ck_assert_int_eq(consumer->checkpoint(consumer->ctx, NULL), 0);
	return 0;
}

/* The rounds that a follower sees. */
static size_t follow(void)
{
	struct reader *reader;
	struct source *source;
	struct record rec;
	size_t rounds = 0;
	int rc;

	ck_assert_int_eq(source_open(&source, t.path, &io_system, NULL), 0);
	source_on_wait(source, on_wait, NULL);
	ck_assert_int_eq(reader_open(&reader, source, NULL), 0);
	reader_follow(reader, recorder.stop_fd);
	while ((rc = reader_next(reader, &rec, NULL)) > 0) {
		rounds += rec.type == FORMAT_STAT_ROUND;
		if (rec.type == FORMAT_FINISHED_ROUND)
			ck_assert_uint_eq(rounds, recorder.rounds); /* what is there comes before the next wait */
	}
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(reader_warnings(reader), 0);
	reader_free(reader);
	return rounds;
}

START_TEST(everything_comes_until_the_recorder_is_gone)
{
	begin((enum form)(_i % FORMS), (enum end)(_i / FORMS));
	ck_assert_uint_eq(follow(), WRITER_CASE_ROUNDS);
	ck_assert_uint_eq(recorder.waits, WRITER_CASE_ROUNDS + 1);
	writer_free(recorder.writer);
	(void)close(recorder.stop_fd);
}
END_TEST

START_TEST(what_is_not_being_recorded_ends_at_once)
{
	begin(PLAIN, FINISHED);
	finish();
	ck_assert_uint_eq(follow(), 0);
	ck_assert_uint_eq(recorder.waits, 0);
	(void)close(recorder.stop_fd);
}
END_TEST

static int refuse(void *data, struct ps_error *err)
{
	(void)data;
	return ps_fail(err, "test", ENOSPC, "writing");
}

START_TEST(what_the_wait_refuses_ends_the_reading)
{
	struct ps_error err = PS_ERROR_INIT;
	struct reader *reader;
	struct source *source;
	struct record rec;
	int rc;

	begin(PLAIN, FINISHED);
	ck_assert_int_eq(source_open(&source, t.path, &io_system, NULL), 0);
	source_on_wait(source, refuse, NULL);
	ck_assert_int_eq(reader_open(&reader, source, NULL), 0);
	reader_follow(reader, -1);
	while ((rc = reader_next(reader, &rec, &err)) > 0)
		;
	ck_assert_int_eq(rc, -ENOSPC);
	ck_assert_str_eq(err.where, "test");
	reader_free(reader);
	finish();
	(void)close(recorder.stop_fd);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, everything_comes_until_the_recorder_is_gone, 0, 3 * FORMS);
	tcase_add_test(tcase, what_is_not_being_recorded_ends_at_once);
	tcase_add_test(tcase, what_the_wait_refuses_ends_the_reading);
}

int main(void)
{
	return unit_main("follow", add);
}
