/* The stream form: however its reader takes it, whole markers and readings come, and what does not come is told. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "data/stream_queue.h"
#include "lib/unit.h"
#include "lib/writer_case.h"

#define MANY_ROUNDS 30000 /* several times what the queue holds */

/* A reader that takes what its test lets it. */
struct taker {
	struct io_ops ops;
	struct buffer got;
	size_t room;      /* bytes that it takes from now on; then there is no room */
	size_t at_most;   /* bytes that one call takes; 0: all */
	bool interrupted; /* every other call fails with EINTR */
	size_t calls, fail_at;
	int code;
	size_t after_failure; /* calls after the one that failed */
	int drops_told;
};

static struct writer_case t;
static struct taker taker;

static ssize_t take(void *ctx, int fd, const void *buf, size_t len)
{
	size_t n = taker.at_most && len > taker.at_most ? taker.at_most : len;

	(void)ctx;
	(void)fd;
	taker.calls++;
	taker.after_failure += taker.fail_at && taker.calls > taker.fail_at;
	errno = taker.calls == taker.fail_at ? taker.code : taker.interrupted && taker.calls % 2 ? EINTR :
							     !taker.room			 ? EAGAIN :
												   0;
	if (errno)
		return -1;
	if (n > taker.room)
		n = taker.room;
	taker.room -= n;
	ck_assert_int_eq(buffer_append(&taker.got, buf, n, NULL), 0);
	return (ssize_t)n;
}

static void on_drop(void *data)
{
	((struct taker *)data)->drops_told++;
}

static void setup(void)
{
	writer_case_init(&t);
	taker = (struct taker){ .ops = io_system, .room = SIZE_MAX };
	taker.ops.write = take;
}

static void teardown(void)
{
	buffer_fini(&taker.got);
	writer_case_fini(&t);
}

/* A writer of a stream into taker. */
static struct writer *open_stream(unsigned wait_ms)
{
	const struct writer_options options = {
		.io = &taker.ops, .finish_wait_ms = wait_ms, .on_drop = on_drop, .data = &taker,
	};
	struct writer *writer;

	ck_assert_int_eq(writer_open(&writer, "/dev/null", &options, NULL), 0);
	return writer;
}

static int write_stream(struct ps_error *err)
{
	struct writer *writer = open_stream(5000);
	struct consumer consumer = writer_consumer(writer);
	int rc = made_write(&consumer, &t.meta, &t.made, err);

	writer_free(writer);
	return rc;
}

/* The stream that a reader who takes everything gets; the taker is as new. */
static void write_whole(struct buffer *whole)
{
	ck_assert_int_eq(write_stream(NULL), 0);
	*whole = taker.got;
	taker = (struct taker){ .ops = taker.ops, .room = SIZE_MAX };
}

/* What the taker got is right as a recording. */
struct told {
	size_t readings, markers, lost;
};

static struct told look(void)
{
	struct recording recording;
	struct buffer scratch = BUFFER_INIT(0);
	struct told told = { 0, 0, 0 };
	struct record rec;
	size_t at = 0, stats = 0;
	FILE *file = fopen(t.path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(taker.got.data, 1, taker.got.len, file), taker.got.len);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_msg(recording_load(&recording, t.path), "%s", recording.why);
	while (recording_next(&recording, &at, &rec, &scratch)) {
		stats += rec.type == FORMAT_STAT;
		told.markers += rec.type == PERF_RECORD_SAMPLE;
		if (rec.type == PERF_RECORD_LOST) {
			ck_assert_uint_eq(rec.lost.id, FORMAT_MARKER_ID_PAUSE);
			told.lost += rec.lost.lost;
		}
		if (rec.type != FORMAT_STAT_ROUND)
			continue;
		ck_assert_uint_eq(stats, WRITER_CASE_STATS); /* never half a reading */
		stats = 0;
		told.readings++;
	}
	ck_assert_uint_eq(stats, 0);
	buffer_fini(&scratch);
	recording_fini(&recording);
	return told;
}

START_TEST(short_and_interrupted_writes_change_nothing)
{
	struct buffer whole;

	write_whole(&whole);
	taker.at_most = 1 + 7 * (size_t)_i;
	taker.interrupted = true;
	ck_assert_int_eq(write_stream(NULL), 0);
	ck_assert_uint_eq(taker.got.len, whole.len);
	ck_assert_mem_eq(taker.got.data, whole.data, whole.len);
	buffer_fini(&whole);
}
END_TEST

START_TEST(no_room_at_any_call_changes_nothing)
{
	struct buffer whole;
	size_t calls;

	ck_assert_int_eq(write_stream(NULL), 0);
	calls = taker.calls;
	buffer_fini(&taker.got);
	taker = (struct taker){ .ops = taker.ops, .room = SIZE_MAX };
	write_whole(&whole);
	for (size_t at = 1; at <= calls; at++) {
		taker = (struct taker){ .ops = taker.ops, .room = SIZE_MAX, .fail_at = at, .code = EAGAIN };
		ck_assert_int_eq(write_stream(NULL), 0);
		ck_assert_uint_eq(taker.got.len, whole.len);
		ck_assert_mem_eq(taker.got.data, whole.data, whole.len);
		buffer_fini(&taker.got);
	}
	buffer_fini(&whole);
}
END_TEST

START_TEST(an_error_at_any_call_is_told_and_ends_the_stream)
{
	static const int codes[] = { EPIPE, EIO, ENOSPC, EFBIG };
	struct buffer whole;
	size_t calls;

	ck_assert_int_eq(write_stream(NULL), 0);
	calls = taker.calls;
	ck_assert_uint_ge(calls, WRITER_CASE_ROUNDS);
	buffer_fini(&taker.got);
	taker = (struct taker){ .ops = taker.ops, .room = SIZE_MAX };
	write_whole(&whole);
	for (size_t at = 1; at <= calls; at++) {
		struct ps_error err = PS_ERROR_INIT;

		taker = (struct taker){ .ops = taker.ops, .room = SIZE_MAX, .fail_at = at, .code = codes[_i] };
		ck_assert_int_eq(write_stream(&err), -codes[_i]);
		ck_assert_int_eq(err.code, codes[_i]);
		ck_assert_uint_eq(taker.after_failure, 0);
		ck_assert_uint_lt(taker.got.len, whole.len);
		ck_assert(taker.got.len == 0 || memcmp(taker.got.data, whole.data, taker.got.len) == 0);
		buffer_fini(&taker.got);
	}
	buffer_fini(&whole);
}
END_TEST

START_TEST(what_is_dropped_is_counted_in_the_stream)
{
	struct writer *writer = open_stream(1000);
	struct consumer consumer = writer_consumer(writer);
	uint64_t chance = 1 + (uint64_t)_i;
	struct writer_dropped dropped;
	struct told told;

	t.made.rounds = MANY_ROUNDS;
	taker.room = _i ? 1000 : 0;
	ck_assert_int_eq(consumer.start(consumer.ctx, &t.meta, NULL), 0);
	for (size_t i = 0; i < MANY_ROUNDS; i++) {
		chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407;
		if (_i && chance >> 60 == 0)
			taker.room = chance >> 32 & 0xfff;
		ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, i, NULL), 0);
	}
	ck_assert_int_ge(consumer.waits(consumer.ctx), 0);
	taker.room = SIZE_MAX;
	ck_assert_int_eq(consumer.finish(consumer.ctx, NULL), 0);
	dropped = writer_dropped(writer);
	told = look();
	ck_assert_uint_gt(dropped.readings, 0);
	ck_assert_uint_eq(dropped.markers, 0);
	ck_assert_int_eq(taker.drops_told, 1);
	ck_assert_uint_eq(told.lost, dropped.readings);
	ck_assert_uint_eq(told.readings + told.lost, MANY_ROUNDS);
	ck_assert_uint_eq(told.markers, 6);
	writer_free(writer);
}
END_TEST

START_TEST(an_end_that_is_not_taken_is_an_error_with_its_numbers)
{
	struct writer *writer = open_stream(1);
	struct consumer consumer = writer_consumer(writer);
	struct ps_error err = PS_ERROR_INIT;

	taker.room = 0;
	ck_assert_int_eq(made_write(&consumer, &t.meta, &t.made, &err), -ETIMEDOUT);
	ck_assert_ptr_nonnull(strstr(err.what, "last 30 readings and 7 markers"));
	ck_assert_uint_eq(writer_dropped(writer).readings, WRITER_CASE_ROUNDS);
	ck_assert_uint_eq(writer_dropped(writer).markers, 7);
	writer_free(writer);
}
END_TEST

START_TEST(room_is_asked_for_only_while_something_waits)
{
	struct writer *writer = open_stream(1000);
	struct consumer consumer = writer_consumer(writer);

	ck_assert_int_eq(consumer.start(consumer.ctx, &t.meta, NULL), 0);
	ck_assert_int_eq(consumer.waits(consumer.ctx), -1);
	taker.room = 10;
	ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, 0, NULL), 0);
	ck_assert_int_ge(consumer.waits(consumer.ctx), 0);
	taker.room = SIZE_MAX;
	ck_assert_int_eq(consumer.ready(consumer.ctx, NULL), 0);
	ck_assert_int_eq(consumer.waits(consumer.ctx), -1);
	ck_assert_int_eq(consumer.finish(consumer.ctx, NULL), 0);
	ck_assert_uint_eq(look().readings, 1);
	writer_free(writer);
}
END_TEST

/* --- the queue by itself --------------------------------------------------------------------------------------------- */

#define CAP 4096
#define UNIT 256

static struct stream_queue queue;

/* A unit of one letter. */
static bool push(char letter, enum stream_kind kind)
{
	char bytes[UNIT];

	memset(bytes, letter, sizeof(bytes));
	return stream_queue_push(&queue, bytes, (struct stream_unit){ .bytes = UNIT, .kind = kind, .covers = letter == 'c' });
}

/* Everything that waits, one letter per unit; the first `part` bytes of the first one were taken before. */
static void expect_units(const char *letters, size_t part)
{
	const struct nonblock to = { .fd = -1, .kind = NONBLOCK_MODE, .io = &taker.ops };
	uint64_t sent = 0;

	taker.room = SIZE_MAX;
	taker.got.len = 0;
	ck_assert_int_eq(stream_queue_pump(&queue, &to, &sent, NULL), 0);
	ck_assert_uint_eq(sent, strlen(letters) * UNIT - part);
	for (size_t i = 0; i < taker.got.len; i++)
		ck_assert_int_eq(taker.got.data[i], letters[(i + part) / UNIT]);
	ck_assert_uint_eq(stream_queue_waits(&queue), 0);
}

static void take_part(size_t bytes)
{
	const struct nonblock to = { .fd = -1, .kind = NONBLOCK_MODE, .io = &taker.ops };
	uint64_t sent = 0;

	taker.room = bytes;
	ck_assert_int_eq(stream_queue_pump(&queue, &to, &sent, NULL), 0);
	ck_assert_uint_eq(sent, bytes);
}

static void fill(const char *letters)
{
	ck_assert_int_eq(stream_queue_init(&queue, CAP, NULL), 0);
	for (; *letters; letters++)
		ck_assert(push(*letters, *letters == 'm' ? STREAM_MARKER : STREAM_READING));
}

START_TEST(a_full_queue_refuses_readings)
{
	fill("abcdefghijklmnop");
	ck_assert(!push('x', STREAM_READING));
	expect_units("abcdefghijklmnop", 0);
	stream_queue_fini(&queue);
}
END_TEST

START_TEST(a_marker_pushes_the_oldest_readings_out)
{
	fill("abcdefghijklmnop");
	ck_assert(push('M', STREAM_MARKER));
	ck_assert_uint_eq(queue.given_up, 3); /* its own room and an eighth */
	ck_assert_uint_eq(queue.untold, 4);   /* c covered one more */
	expect_units("defghijklmnopM", 0);
	stream_queue_fini(&queue);
}
END_TEST

START_TEST(a_unit_that_is_under_way_stays)
{
	fill("abcdefghijklmnop");
	take_part(100);
	ck_assert(push('M', STREAM_LAST_READING));
	ck_assert_uint_eq(queue.given_up, 3);
	expect_units("aefghijklmnopM", 100);
	stream_queue_fini(&queue);
}
END_TEST

START_TEST(markers_stay_until_nothing_else_is_left_to_go)
{
	fill("mmmmammmmmmmmmmm");
	ck_assert(push('M', STREAM_MARKER));
	ck_assert_uint_eq(queue.given_up, 1);
	ck_assert(!push('N', STREAM_MARKER));
	ck_assert_uint_eq(stream_queue_count(&queue, STREAM_MARKER), 16);
	expect_units("mmmmmmmmmmmmmmmM", 0);
	stream_queue_fini(&queue);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, short_and_interrupted_writes_change_nothing, 0, 8);
	tcase_add_test(tcase, no_room_at_any_call_changes_nothing);
	tcase_add_loop_test(tcase, an_error_at_any_call_is_told_and_ends_the_stream, 0, 4);
	tcase_add_loop_test(tcase, what_is_dropped_is_counted_in_the_stream, 0, 6);
	tcase_add_test(tcase, an_end_that_is_not_taken_is_an_error_with_its_numbers);
	tcase_add_test(tcase, room_is_asked_for_only_while_something_waits);
	tcase_add_test(tcase, a_full_queue_refuses_readings);
	tcase_add_test(tcase, a_marker_pushes_the_oldest_readings_out);
	tcase_add_test(tcase, a_unit_that_is_under_way_stays);
	tcase_add_test(tcase, markers_stay_until_nothing_else_is_left_to_go);
}

int main(void)
{
	return unit_main("stream", add);
}
