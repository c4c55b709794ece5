/* The poll loop: order, changes made by callbacks, stop, and descriptors that are not open. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "lib/unit.h"
#include "loop/loop.h"

#define PIPES 4

/* Pipes with a byte in each, and what the callbacks saw. */
struct bench {
	struct loop loop;
	int in[PIPES], out[PIPES];
	int seen[64];
	size_t n;
	short revents;
	int victim;     /* what a callback removes */
	int rc;
	struct ps_error err;
};

static void bench_init(struct bench *bench)
{
	memset(bench, 0, sizeof(*bench));
	loop_init(&bench->loop);
	for (int i = 0; i < PIPES; i++) {
		int ends[2];

		ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
		bench->in[i] = ends[0];
		bench->out[i] = ends[1];
		ck_assert_int_eq(write(ends[1], "x", 1), 1);
	}
}

static void bench_fini(struct bench *bench)
{
	loop_fini(&bench->loop);
	for (int i = 0; i < PIPES; i++) {
		attr_close(&bench->in[i]);
		attr_close(&bench->out[i]);
	}
}

static int saw(void *data, int fd, short revents, struct ps_error *err)
{
	struct bench *bench = data;

	ck_assert_uint_lt(bench->n, ARRAY_SIZE(bench->seen));
	bench->seen[bench->n++] = fd;
	bench->revents = revents;
	return bench->rc < 0 ? ps_fail(err, "test", -bench->rc, "asked to fail") : 0;
}

static int saw_and_stop(void *data, int fd, short revents, struct ps_error *err)
{
	loop_stop(&((struct bench *)data)->loop);
	return saw(data, fd, revents, err);
}

static int saw_and_remove(void *data, int fd, short revents, struct ps_error *err)
{
	loop_remove(&((struct bench *)data)->loop, ((struct bench *)data)->victim);
	return saw(data, fd, revents, err);
}

/* Removes itself and comes back, then adds so many others that the arrays must move. */
static int saw_and_grow(void *data, int fd, short revents, struct ps_error *err)
{
	struct bench *bench = data;
	int rc = 0;

	loop_remove(&bench->loop, fd);
	for (int i = 0; i < 40 && rc == 0; i++)
		rc = loop_add(&bench->loop, 1000 + i, POLLIN, saw, bench, err);
	for (int i = 0; i < 40; i++)
		loop_remove(&bench->loop, 1000 + i);
	if (rc == 0)
		rc = loop_add(&bench->loop, fd, POLLIN, saw, bench, err);
	return rc < 0 ? rc : saw(data, fd, revents, err);
}

static void add_fd(struct bench *bench, int fd, loop_fn fn)
{
	ck_assert_int_eq(loop_add(&bench->loop, fd, POLLIN, fn, bench, &bench->err), 0);
}

static void expect(struct bench *bench, const int *fds, size_t n)
{
	ck_assert_uint_eq(bench->n, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(bench->seen[i], fds[i]);
	bench->n = 0;
}

static void step(struct bench *bench)
{
	ck_assert_int_eq(loop_step(&bench->loop, 0, &bench->err), 0);
}

START_TEST(callbacks_run_in_the_order_of_adding)
{
	struct bench b;

	bench_init(&b);
	add_fd(&b, b.in[2], saw);
	add_fd(&b, b.in[0], saw);
	add_fd(&b, b.in[1], saw);
	step(&b);
	expect(&b, (int[]){ b.in[2], b.in[0], b.in[1] }, 3);
	loop_remove(&b.loop, b.in[0]);
	add_fd(&b, b.in[3], saw);
	add_fd(&b, b.in[0], saw);
	step(&b);
	expect(&b, (int[]){ b.in[2], b.in[1], b.in[3], b.in[0] }, 4);
	bench_fini(&b);
}
END_TEST

START_TEST(callback_removes_itself_an_earlier_and_a_later_one)
{
	struct bench b;

	bench_init(&b);
	for (int i = 0; i < 3; i++)
		add_fd(&b, b.in[i], i == 1 ? saw_and_remove : saw);
	b.victim = b.in[_i];
	step(&b);
	if (_i == 2)
		expect(&b, (int[]){ b.in[0], b.in[1] }, 2);
	else
		expect(&b, (int[]){ b.in[0], b.in[1], b.in[2] }, 3);
	ck_assert_uint_eq(b.loop.n, 2);
	step(&b);
	ck_assert_uint_eq(b.n, 2);
	for (size_t i = 0; i < b.n; i++)
		ck_assert_int_ne(b.seen[i], b.victim);
	bench_fini(&b);
}
END_TEST

START_TEST(what_a_callback_adds_waits_for_the_next_poll)
{
	struct bench b;

	bench_init(&b);
	add_fd(&b, b.in[0], saw_and_grow);
	add_fd(&b, b.in[1], saw);
	step(&b);
	expect(&b, (int[]){ b.in[0], b.in[1] }, 2);
	ck_assert_uint_eq(b.loop.n, 2); /* the gaps are closed */
	step(&b);
	expect(&b, (int[]){ b.in[1], b.in[0] }, 2);
	bench_fini(&b);
}
END_TEST

START_TEST(number_used_again_gets_the_new_callback)
{
	struct bench b, other = { .n = 0 };
	int fd;

	bench_init(&b);
	add_fd(&b, b.in[0], saw);
	loop_remove(&b.loop, b.in[0]);
	fd = b.in[0];
	ck_assert_int_eq(dup2(b.in[1], fd), fd);
	ck_assert_int_eq(loop_add(&b.loop, fd, POLLIN, saw, &other, &b.err), 0);
	step(&b);
	ck_assert_uint_eq(b.n, 0);
	ck_assert_uint_eq(other.n, 1);
	bench_fini(&b);
}
END_TEST

START_TEST(change_takes_effect)
{
	struct bench b;

	bench_init(&b);
	add_fd(&b, b.in[0], saw);
	ck_assert_int_eq(loop_change(&b.loop, b.in[0], 0), 0);
	step(&b);
	ck_assert_uint_eq(b.n, 0);
	ck_assert_int_eq(loop_change(&b.loop, b.in[0], POLLIN), 0);
	step(&b);
	ck_assert_uint_eq(b.n, 1);
	ck_assert_int_eq(loop_change(&b.loop, b.in[1], POLLIN), -ENOENT);
	ck_assert_int_eq(loop_change(&b.loop, -1, POLLIN), -ENOENT);
	loop_remove(&b.loop, b.in[1]);
	bench_fini(&b);
}
END_TEST

START_TEST(adding_twice_or_nothing_is_refused)
{
	struct bench b;

	bench_init(&b);
	add_fd(&b, b.in[0], saw);
	ck_assert_int_eq(loop_add(&b.loop, b.in[0], POLLIN, saw, &b, &b.err), -EEXIST);
	ck_assert_int_eq(loop_add(&b.loop, -1, POLLIN, saw, &b, &b.err), -EBADF);
	bench_fini(&b);
}
END_TEST

START_TEST(stop_ends_the_run_after_the_callback_that_asks)
{
	struct bench b;

	bench_init(&b);
	add_fd(&b, b.in[0], saw);
	add_fd(&b, b.in[1], saw_and_stop);
	add_fd(&b, b.in[2], saw);
	ck_assert_int_eq(loop_run(&b.loop, &b.err), 0);
	expect(&b, (int[]){ b.in[0], b.in[1] }, 2);
	ck_assert_int_eq(loop_run(&b.loop, &b.err), 0); /* it can run again */
	ck_assert_uint_ge(b.n, 2);
	b.n = 0;
	loop_stop(&b.loop);
	ck_assert_int_eq(loop_run(&b.loop, &b.err), 0);
	ck_assert_uint_eq(b.n, 0);
	bench_fini(&b);
}
END_TEST

START_TEST(callback_error_ends_the_run)
{
	struct bench b;

	bench_init(&b);
	add_fd(&b, b.in[0], saw);
	add_fd(&b, b.in[1], saw);
	b.rc = -EIO;
	ck_assert_int_eq(loop_run(&b.loop, &b.err), -EIO);
	ck_assert_int_eq(b.err.code, EIO);
	ck_assert_uint_eq(b.n, 1);
	bench_fini(&b);
}
END_TEST

START_TEST(run_with_nothing_to_watch_is_an_error)
{
	struct bench b;

	bench_init(&b);
	ck_assert_int_eq(loop_run(&b.loop, &b.err), -EDEADLK);
	bench_fini(&b);
}
END_TEST

START_TEST(descriptor_that_is_not_open_is_told_once_and_removed)
{
	struct bench b;

	bench_init(&b);
	add_fd(&b, b.in[0], saw);
	add_fd(&b, b.in[1], saw);
	attr_close(&b.in[0]);
	step(&b);
	ck_assert_uint_eq(b.n, 2);
	ck_assert_uint_eq(b.loop.n, 1);
	b.n = 0;
	step(&b);
	expect(&b, (int[]){ b.in[1] }, 1);
	b.in[0] = -1;
	bench_fini(&b);
}
END_TEST

START_TEST(hangup_is_reported)
{
	struct bench b;

	bench_init(&b);
	ck_assert_int_eq(read(b.in[0], &(char){ 0 }, 1), 1);
	attr_close(&b.out[0]);
	b.out[0] = -1;
	add_fd(&b, b.in[0], saw);
	step(&b);
	ck_assert_uint_eq(b.n, 1);
	ck_assert_int_eq(b.revents & POLLHUP, POLLHUP);
	bench_fini(&b);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, callbacks_run_in_the_order_of_adding);
	tcase_add_loop_test(tcase, callback_removes_itself_an_earlier_and_a_later_one, 0, 3);
	tcase_add_test(tcase, what_a_callback_adds_waits_for_the_next_poll);
	tcase_add_test(tcase, number_used_again_gets_the_new_callback);
	tcase_add_test(tcase, change_takes_effect);
	tcase_add_test(tcase, adding_twice_or_nothing_is_refused);
	tcase_add_test(tcase, stop_ends_the_run_after_the_callback_that_asks);
	tcase_add_test(tcase, callback_error_ends_the_run);
	tcase_add_test(tcase, run_with_nothing_to_watch_is_an_error);
	tcase_add_test(tcase, descriptor_that_is_not_open_is_told_once_and_removed);
	tcase_add_test(tcase, hangup_is_reported);
}

int main(void)
{
	return unit_main("loop", add);
}
