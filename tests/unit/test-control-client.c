/* The header-only client: what it sends, what it returns, and that it never harms the program it sits in. */
#include <pstat/control.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "lib/control_server.h"
#include "lib/unit.h"

int other_unit_resume(const char *text); /* control_client_other.c */
int other_unit_open(void);

static struct control_server *server;
static int cmd_fd, ack_fd;

static void start(int use_socket)
{
	server = server_start(use_socket, &cmd_fd, &ack_fd);
	ck_assert_int_eq(pstat_open_fds(cmd_fd, ack_fd), 0);
}

static void expect_log(const char *expected)
{
	char *log = server_finish(server);

	ck_assert_str_eq(log, expected);
	free(log);
}

START_TEST(without_pstat_calls_do_nothing)
{
	(void)unsetenv("PSTAT_CMD_FD");
	ck_assert_int_eq(pstat_open(), 0);
	ck_assert_int_eq(pstat_active(), 0);
	ck_assert_int_eq(pstat_resume(), 0);
	ck_assert_int_eq(pstat_mark("x"), 0);
	ck_assert_int_eq(pstat_pause(), 0);
	ck_assert_int_eq(pstat_close(), 0);
}
END_TEST

START_TEST(commands_arrive_as_written)
{
	start(_i);
	ck_assert_int_eq(pstat_active(), 1);
	errno = 77;
	ck_assert_int_eq(pstat_resume(), 0);
	ck_assert_int_eq(pstat_mark("half way"), 0);
	ck_assert_int_eq(pstat_pause(), 0);
	ck_assert_int_eq(pstat_resume_as("sort"), 0);
	ck_assert_int_eq(pstat_resume_as(NULL), 0);
	ck_assert_int_eq(errno, 77);
	ck_assert_int_eq(pstat_close(), 0);
	ck_assert_int_eq(pstat_pause(), 0); /* goes nowhere */
	expect_log("resume\nmark half way\npause\nresume sort\nresume\n");
}
END_TEST

START_TEST(environment_names_the_descriptors)
{
	char text[16];

	server = server_start(1, &cmd_fd, &ack_fd);
	(void)snprintf(text, sizeof(text), "%d", cmd_fd);
	ck_assert_int_eq(setenv("PSTAT_CMD_FD", text, 1), 0);
	ck_assert_int_eq(setenv("PSTAT_ACK_FD", text, 1), 0);
	ck_assert_int_eq(pstat_open(), 0);
	ck_assert_int_eq(pstat_open(), 0);
	ck_assert_int_eq(pstat_close(), 0);
	ck_assert_int_eq(pstat_pause(), 0); /* one open is left */
	ck_assert_int_eq(pstat_close(), 0);
	ck_assert_int_eq(pstat_active(), 0);
	expect_log("pause\n");
}
END_TEST

START_TEST(bad_environment_is_an_error)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char file[16];
	const char *const rows[] = { "x", "-3", "3x", "99999999999", "987", file };

	(void)snprintf(file, sizeof(file), "%d", fd); /* a number that something else got */
	ck_assert_int_eq(setenv("PSTAT_CMD_FD", rows[_i], 1), 0);
	ck_assert_int_eq(pstat_open(), _i < 4 ? -EINVAL : -EBADF);
	ck_assert_int_eq(pstat_active(), 0);
	ck_assert_int_eq(close(fd), 0);
}
END_TEST

START_TEST(other_descriptors_are_busy)
{
	int ends[2];

	start(1);
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	ck_assert_int_eq(pstat_open_fds(ends[1], -1), -EBUSY);
	ck_assert_int_eq(close(ends[0]), 0);
	ck_assert_int_eq(close(ends[1]), 0);
	expect_log("");
}
END_TEST

START_TEST(refusal_is_told_and_the_next_command_works)
{
	start(1);
	ck_assert_int_eq(pstat_mark("no"), -ECANCELED);
	ck_assert_int_eq(pstat_mark("yes"), 0);
	expect_log("mark no\nmark yes\n");
}
END_TEST

START_TEST(texts_that_would_break_the_protocol_are_not_sent)
{
	char text[PSTAT_TEXT_MAX + 2];

	start(1);
	memset(text, 'a', sizeof(text));
	text[PSTAT_TEXT_MAX + 1] = '\0';
	ck_assert_int_eq(pstat_mark(text), -EMSGSIZE);
	ck_assert_int_eq(pstat_mark("two\nlines"), -EINVAL);
	ck_assert_int_eq(pstat_mark(""), -EINVAL);
	ck_assert_int_eq(pstat_mark(NULL), -EINVAL);
	expect_log("");
}
END_TEST

START_TEST(longest_text_arrives)
{
	char text[PSTAT_TEXT_MAX + 1];
	char *log;

	start(1);
	memset(text, 'a', sizeof(text));
	text[PSTAT_TEXT_MAX] = '\0';
	ck_assert_int_eq(pstat_resume_as(text), 0);
	log = server_finish(server);
	ck_assert_uint_eq(strlen(log), strlen("resume \n") + PSTAT_TEXT_MAX);
	free(log);
}
END_TEST

/* Leaves a window in the way that `how` says. */
static int leave(int how)
{
	int runs = 0;

	PSTAT_WINDOW("w") {
		runs++;
		if (how == 1)
			break;
		if (how == 2)
			continue;
		if (how == 3)
			goto out;
		if (how == 4)
			return runs;
	}
out:
	return runs;
}

START_TEST(window_ends_however_it_is_left)
{
	start(1);
	ck_assert_int_eq(leave(_i), 1);
	ck_assert_int_eq(pstat_mark("after"), 0);
	expect_log("resume w\npause\nmark after\n");
}
END_TEST

START_TEST(window_runs_once_without_pstat)
{
	ck_assert_int_eq(leave(_i), 1);
}
END_TEST

START_TEST(child_of_a_fork_is_silent)
{
	int status;
	pid_t child;

	start(1);
	child = fork();
	if (child == 0)
		_exit(pstat_resume() || pstat_open_fds(cmd_fd, ack_fd) || pstat_mark("x") || pstat_active() ||
		      pstat_close());
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(pstat_pause(), 0);
	expect_log("pause\n");
}
END_TEST

/* No pstat, and nobody to read: no SIGPIPE, one error, then as if it had never been there. */
START_TEST(vanished_pstat_is_told_once)
{
	int cmd[2], ack[2];

	(void)signal(SIGPIPE, SIG_DFL);
	if (_i) {
		ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, cmd), 0);
		ack[0] = cmd[1];
	} else {
		ck_assert_int_eq(pipe2(cmd, O_CLOEXEC), 0);
		ck_assert_int_eq(pipe2(ack, O_CLOEXEC), 0);
		ck_assert_int_eq(close(ack[1]), 0);
	}
	ck_assert_int_eq(pstat_open_fds(cmd[1], ack[0]), 0);
	ck_assert_int_eq(close(cmd[0]), 0);
	ck_assert_int_eq(pstat_resume(), -EPIPE);
	ck_assert_int_eq(pstat_active(), 0);
	ck_assert_int_eq(pstat_resume(), 0);
	ck_assert_int_eq(close(cmd[1]), 0);
	if (!_i)
		ck_assert_int_eq(close(ack[0]), 0);
}
END_TEST

START_TEST(answer_that_is_none_is_a_protocol_error)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	ck_assert_int_eq(write(pair[0], "hello", 5), 5);
	ck_assert_int_eq(pstat_open_fds(pair[1], pair[1]), 0);
	ck_assert_int_eq(pstat_resume(), -EPROTO);
	ck_assert_int_eq(pstat_active(), 0);
	ck_assert_int_eq(close(pair[0]), 0);
	ck_assert_int_eq(close(pair[1]), 0);
}
END_TEST

START_TEST(without_answers_a_call_does_not_wait)
{
	char bytes[16];
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	ck_assert_int_eq(pstat_open_fds(ends[1], -1), 0);
	ck_assert_int_eq(pstat_resume(), 0);
	ck_assert_int_eq(read(ends[0], bytes, sizeof(bytes)), 7);
	ck_assert_mem_eq(bytes, "enable\n", 7);
	ck_assert_int_eq(close(ends[0]), 0);
	ck_assert_int_eq(close(ends[1]), 0);
}
END_TEST

START_TEST(every_translation_unit_shares_the_state)
{
	start(1);
	ck_assert_int_eq(other_unit_resume("there"), 0);
	ck_assert_int_eq(pstat_close(), 0);
	ck_assert_int_eq(other_unit_resume("nowhere"), 0);
	expect_log("resume there\n");
}
END_TEST

/* Each thread must get the answer to its own command. */
static void *hammer(void *data)
{
	const char *text = data;
	int expected = strncmp(text, "no", 2) == 0 ? -ECANCELED : 0;

	for (int i = 0; i < 300; i++)
		if ((i % 2 ? pstat_mark(text) : other_unit_resume(text)) != expected)
			return data;
	return NULL;
}

START_TEST(threads_get_their_own_answers)
{
	static char texts[4][4] = { "no", "yes", "no", "yes" };
	pthread_t threads[4];
	void *failed;
	char *log;

	start(_i);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, hammer, texts[i]), 0);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
		ck_assert_ptr_null(failed);
	}
	log = server_finish(server);
	free(log);
}
END_TEST

static void on_alarm(int signo)
{
	(void)signo;
}

START_TEST(signals_do_not_cut_a_call_short)
{
	struct sigaction act = { .sa_handler = on_alarm }; /* no SA_RESTART */
	struct itimerval often = { { 0, 200 }, { 0, 200 } }, off = { { 0, 0 }, { 0, 0 } };
	char *log;

	ck_assert_int_eq(sigaction(SIGALRM, &act, NULL), 0);
	start(_i);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(i % 2 ? pstat_pause() : pstat_resume(), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &off, NULL), 0);
	log = server_finish(server);
	ck_assert_uint_eq(strlen(log), 500 * strlen("resume\npause\n"));
	free(log);
}
END_TEST

/* The state is the process's, and the tests share one where they cannot be forked (valgrind). */
static void forget(void)
{
	(void)pstat_close();
}

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, NULL, forget);
	tcase_add_test(tcase, without_pstat_calls_do_nothing);
	tcase_add_loop_test(tcase, commands_arrive_as_written, 0, 2);
	tcase_add_test(tcase, environment_names_the_descriptors);
	tcase_add_loop_test(tcase, bad_environment_is_an_error, 0, 6);
	tcase_add_test(tcase, other_descriptors_are_busy);
	tcase_add_test(tcase, refusal_is_told_and_the_next_command_works);
	tcase_add_test(tcase, texts_that_would_break_the_protocol_are_not_sent);
	tcase_add_test(tcase, longest_text_arrives);
	tcase_add_loop_test(tcase, window_ends_however_it_is_left, 0, 5);
	tcase_add_loop_test(tcase, window_runs_once_without_pstat, 0, 5);
	tcase_add_test(tcase, child_of_a_fork_is_silent);
	tcase_add_loop_test(tcase, vanished_pstat_is_told_once, 0, 2);
	tcase_add_test(tcase, answer_that_is_none_is_a_protocol_error);
	tcase_add_test(tcase, without_answers_a_call_does_not_wait);
	tcase_add_test(tcase, every_translation_unit_shares_the_state);
	tcase_add_loop_test(tcase, threads_get_their_own_answers, 0, 2);
	tcase_add_loop_test(tcase, signals_do_not_cut_a_call_short, 0, 2);
}

int main(void)
{
	return unit_main("control_client", add);
}
