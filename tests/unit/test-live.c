/*
 * The live report before an output that nobody takes: it never waits, what it cannot show it puts together or says is missing,
 * and in the end everything that was counted is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/made_recording.h"
#include "lib/unit.h"
#include "report/report.h"

#define ROUNDS 15000 /* as CSV far more than a live report keeps */

struct live_case {
	struct view_options viewing;
	struct live_report *live;
	struct consumer consumer;
	struct meta meta;
	struct made made;
	int pipe[2];
};

static void begin(struct live_case *c)
{
	struct live_options living = { .view = view_find("csv"), .viewing = &c->viewing, .io = &io_system };

	*c = (struct live_case){ .viewing = { .flush = true, .first = true }, .made = { .rounds = ROUNDS } };
	ck_assert_int_eq(pipe2(c->pipe, O_CLOEXEC), 0);
	living.fd = c->pipe[1];
	made_meta(&c->meta, &c->made);
	ck_assert_int_eq(live_report_new(&c->live, &living, NULL), 0);
	c->consumer = live_report_consumer(c->live);
	ck_assert_int_eq(c->consumer.start(c->consumer.ctx, &c->meta, NULL), 0);
	for (size_t i = 0; i < ROUNDS; i++)
		ck_assert_int_eq(made_round(&c->consumer, &c->meta, &c->made, i, NULL), 0);
}

static void end(struct live_case *c)
{
	live_report_free(c->live);
	meta_fini(&c->meta);
}

/* Reads what comes until the end, in a process of its own; its status tells whether page-faults add up to what was counted. */
static pid_t add_up(struct live_case *c)
{
	pid_t pid = fork();
	uint64_t sum = 0, expected = made_value(1, 0, ROUNDS - 1) + made_value(1, 1, ROUNDS - 1);
	char line[512];
	FILE *in;

	if (pid != 0)
		return pid;
	close(c->pipe[1]);
	close(c->consumer.waits(c->consumer.ctx)); /* or the end would never come */
	in = fdopen(c->pipe[0], "r");
	while (in && fgets(line, sizeof(line), in)) {
		char *at = strstr(line, ",run,page-faults,");

		if (at)
			sum += strtoull(at + strlen(",run,page-faults,"), NULL, 10);
	}
	_exit(sum == expected ? 0 : 1);
}

START_TEST(nothing_waits_and_everything_counted_is_shown)
{
	struct live_backlog backlog;
	struct live_case c;
	int status;
	pid_t pid;

	begin(&c);
	ck_assert_int_eq(c.consumer.waits(c.consumer.ctx) >= 0, 1);
	ck_assert_int_eq(fcntl(c.pipe[1], F_GETFL) & O_NONBLOCK, 0); /* others share it */
	ck_assert_int_eq(c.consumer.finish(c.consumer.ctx, NULL), 0);
	pid = add_up(&c);
	ck_assert_int_gt(pid, 0);
	close(c.pipe[0]);
	ck_assert_int_eq(live_report_drain(c.live, NULL), 0);
	backlog = live_report_backlog(c.live);
	ck_assert_uint_gt(backlog.merged, 0);
	ck_assert_uint_lt(backlog.merged, ROUNDS);
	ck_assert_uint_eq(backlog.dropped, 0);
	end(&c);
	close(c.pipe[1]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(room_is_used_when_it_comes)
{
	char bytes[65536];
	struct pollfd pfd;
	struct live_case c;

	begin(&c);
	pfd = (struct pollfd){ .fd = c.consumer.waits(c.consumer.ctx), .events = POLLOUT };
	while (c.consumer.waits(c.consumer.ctx) >= 0) {
		ck_assert_int_gt(read(c.pipe[0], bytes, sizeof(bytes)), 0);
		ck_assert_int_eq(poll(&pfd, 1, 0), 1);
		ck_assert_int_eq(c.consumer.ready(c.consumer.ctx, NULL), 0);
	}
	ck_assert_int_eq(c.consumer.finish(c.consumer.ctx, NULL), 0);
	end(&c);
	close(c.pipe[0]);
	close(c.pipe[1]);
}
END_TEST

START_TEST(a_reader_that_is_gone_is_an_error_and_ends_the_waiting)
{
	struct ps_error err = PS_ERROR_INIT;
	struct live_case c;

	(void)signal(SIGPIPE, SIG_IGN);
	begin(&c);
	close(c.pipe[0]);
	ck_assert_int_eq(c.consumer.ready(c.consumer.ctx, &err), -EPIPE);
	ck_assert_str_eq(err.what, "writing the report");
	ck_assert_int_eq(c.consumer.waits(c.consumer.ctx), -1);
	ck_assert_int_eq(c.consumer.finish(c.consumer.ctx, NULL), 0);
	ck_assert_int_eq(live_report_drain(c.live, NULL), 0);
	end(&c);
	close(c.pipe[1]);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, nothing_waits_and_everything_counted_is_shown);
	tcase_add_test(tcase, room_is_used_when_it_comes);
	tcase_add_test(tcase, a_reader_that_is_gone_is_an_error_and_ends_the_waiting);
}

int main(void)
{
	return unit_main("live", add);
}
