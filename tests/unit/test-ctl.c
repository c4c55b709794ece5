/* pstat ctl: what it sends, and an exit status a script can rely on. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cli/ctl.h"
#include "lib/control_server.h"
#include "lib/unit.h"

/* Runs ctl with up to seven words. */
#define CTL(...) ctl((const char *const[]){ "ctl", __VA_ARGS__, NULL })

static int ctl(const char *const *words)
{
	char *argv[10];
	int argc = 0;

	for (; words[argc]; argc++)
		argv[argc] = strdup(words[argc]);
	argv[argc] = NULL;
	int status = ctl_main(argc, argv);

	for (int i = 0; i < argc; i++) /* getopt may have moved them, but none is lost */
		free(argv[i]);
	return status;
}

static void expect_log(struct control_server *server, const char *expected)
{
	char *log = server_finish(server);

	ck_assert_str_eq(log, expected);
	free(log);
}

static const char *number(int fd)
{
	static char text[2][16];
	static int next;
	char *to = text[next++ % 2];

	(void)snprintf(to, sizeof(text[0]), "%d", fd);
	return to;
}

START_TEST(commands_arrive_and_are_answered)
{
	int cmd, ack;
	struct control_server *server = server_start(_i, &cmd, &ack);
	const char *c = number(cmd), *a = number(ack);

	ck_assert_int_eq(CTL("--cmd-fd", c, "--ack-fd", a, "resume"), 0);
	ck_assert_int_eq(CTL("--cmd-fd", c, "--ack-fd", a, "resume", "a label"), 0);
	ck_assert_int_eq(CTL("--cmd-fd", c, "--ack-fd", a, "mark", "-x"), 0);
	ck_assert_int_eq(CTL("--cmd-fd", c, "--ack-fd", a, "ping"), 0);
	ck_assert_int_eq(CTL("--cmd-fd", c, "--ack-fd", a, "pause"), 0);
	ck_assert_int_eq(CTL("--cmd-fd", c, "--ack-fd", a, "stop"), 0);
	expect_log(server, "resume\nresume a label\nmark -x\nping\npause\nstop\n");
}
END_TEST

START_TEST(environment_is_the_default)
{
	int cmd, ack;
	struct control_server *server = server_start(1, &cmd, &ack);

	ck_assert_int_eq(setenv("PSTAT_CMD_FD", number(cmd), 1), 0);
	ck_assert_int_eq(setenv("PSTAT_ACK_FD", number(ack), 1), 0);
	ck_assert_int_eq(CTL("ping"), 0);
	expect_log(server, "ping\n");
}
END_TEST

START_TEST(binary_commands_arrive)
{
	int cmd, ack;
	struct control_server *server = server_start_binary(&cmd, &ack);

	ck_assert_int_eq(CTL("--binary", "--cmd-fd", number(cmd), "--ack-fd", number(ack), "resume"), 0);
	ck_assert_int_eq(CTL("--binary", "--cmd-fd", number(cmd), "--ack-fd", number(ack), "pause"), 0);
	expect_log(server, "resume\npause\n");
}
END_TEST

/* Several controllers at once, each gets its own answer: the refused and the others do not mix. */
START_TEST(fifos_serve_many_controllers)
{
	struct control_server *server;
	char dir[] = "test-ctl-XXXXXX", cmd[64], ack[64], both[130];
	pid_t children[6];
	int status;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	(void)snprintf(cmd, sizeof(cmd), "%s/cmd", dir);
	(void)snprintf(ack, sizeof(ack), "%s/ack", dir);
	(void)snprintf(both, sizeof(both), "%s,%s", cmd, ack);
	ck_assert_int_eq(mkfifo(cmd, 0600), 0);
	ck_assert_int_eq(CTL("--timeout", "20", "--dir", dir, "ping"), 125); /* nobody reads */
	ck_assert_int_eq(mkfifo(ack, 0600), 0);
	server = server_start_fifos(cmd, ack);
	for (int i = 0; i < 6; i++) {
		children[i] = fork();
		if (children[i] == 0)
			_exit(CTL("--dir", dir, "mark", i % 2 ? "no" : "yes"));
	}
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
		ck_assert_int_eq(WEXITSTATUS(status), i % 2);
	}
	ck_assert_int_eq(CTL("--fifo", both, "stop"), 0);
	free(server_finish(server));
	ck_assert_int_eq(unlink(cmd), 0);
	ck_assert_int_eq(unlink(ack), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

START_TEST(refusal_is_status_1)
{
	int cmd, ack;
	struct control_server *server = server_start(1, &cmd, &ack);

	ck_assert_int_eq(CTL("--cmd-fd", number(cmd), "--ack-fd", number(ack), "mark", "no"), 1);
	expect_log(server, "mark no\n");
}
END_TEST

START_TEST(no_answer_in_time_is_status_3)
{
	int cmd[2], ack[2];

	ck_assert_int_eq(pipe2(cmd, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(ack, O_CLOEXEC), 0);
	ck_assert_int_eq(CTL("--timeout", "20", "--cmd-fd", number(cmd[1]), "--ack-fd", number(ack[0]), "ping"), 3);
	ck_assert_int_eq(close(ack[1]), 0);
	ck_assert_int_eq(CTL("--cmd-fd", number(cmd[1]), "--ack-fd", number(ack[0]), "ping"), 125); /* it has ended */
	ck_assert_int_eq(close(cmd[0]), 0);
	ck_assert_int_eq(CTL("--cmd-fd", number(cmd[1]), "ping"), 125);
	ck_assert_int_eq(close(cmd[1]), 0);
	ck_assert_int_eq(close(ack[0]), 0);
}
END_TEST

START_TEST(stale_answers_are_thrown_away)
{
	int cmd, ack;
	struct control_server *server = server_start(0, &cmd, &ack);
	struct pollfd pfd = { .fd = ack, .events = POLLIN };

	ck_assert_int_eq(write(cmd, "mark no\n", 8), 8); /* a controller that does not wait */
	ck_assert_int_eq(poll(&pfd, 1, 30000), 1);
	ck_assert_int_eq(CTL("--cmd-fd", number(cmd), "--ack-fd", number(ack), "ping"), 0);
	expect_log(server, "mark no\nping\n");
}
END_TEST

START_TEST(answer_of_the_other_protocol_is_status_125)
{
	int cmd, ack;
	struct control_server *server = server_start(0, &cmd, &ack);

	ck_assert_int_eq(write(cmd, "\377", 1), 1);
	ck_assert_int_eq(CTL("--binary", "--timeout", "20", "--cmd-fd", number(cmd), "--ack-fd", number(ack), "pause"), 125);
	free(server_finish(server));
}
END_TEST

START_TEST(bad_usage_is_status_2)
{
	(void)unsetenv("PSTAT_CMD_FD");
	ck_assert_int_eq(ctl((const char *const[]){ "ctl", NULL }), 2);
	ck_assert_int_eq(CTL("ping"), 2); /* nothing says where */
	ck_assert_int_eq(CTL("nonsense"), 2);
	ck_assert_int_eq(CTL("--nonsense", "ping"), 2);
	ck_assert_int_eq(CTL("mark"), 2);
	ck_assert_int_eq(CTL("mark", ""), 2);
	ck_assert_int_eq(CTL("mark", "a\nb"), 2);
	ck_assert_int_eq(CTL("pause", "x"), 2);
	ck_assert_int_eq(CTL("--binary", "ping"), 2);
	ck_assert_int_eq(CTL("--binary", "resume", "x"), 2);
	ck_assert_int_eq(CTL("--ack-fd", "3", "ping"), 2);
	ck_assert_int_eq(CTL("--dir", "a", "--fifo", "b", "ping"), 2);
	ck_assert_int_eq(CTL("--timeout", "x", "ping"), 2);
	ck_assert_int_eq(CTL("--cmd-fd", "-1", "ping"), 2);
	ck_assert_int_eq(CTL("--cmd-fd", "987", "ping"), 2);
	ck_assert_int_eq(CTL("--fifo", "/dev/null", "ping"), 2);
	ck_assert_int_eq(setenv("PSTAT_CMD_FD", "x", 1), 0);
	ck_assert_int_eq(CTL("ping"), 2);
}
END_TEST

START_TEST(help_is_status_0)
{
	ck_assert_int_eq(CTL("--help"), 0);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, commands_arrive_and_are_answered, 0, 2);
	tcase_add_test(tcase, environment_is_the_default);
	tcase_add_test(tcase, binary_commands_arrive);
	tcase_add_test(tcase, fifos_serve_many_controllers);
	tcase_add_test(tcase, refusal_is_status_1);
	tcase_add_test(tcase, no_answer_in_time_is_status_3);
	tcase_add_test(tcase, stale_answers_are_thrown_away);
	tcase_add_test(tcase, answer_of_the_other_protocol_is_status_125);
	tcase_add_test(tcase, bad_usage_is_status_2);
	tcase_add_test(tcase, help_is_status_0);
}

int main(void)
{
	return unit_main("ctl", add);
}
