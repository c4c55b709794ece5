/* The launched command: it waits until it is let go, tells why it could not start, and gets a clean environment. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/unit.h"
#include "record/workload.h"

static struct signal_source signals;
static char ignored[128]; /* the line of /proc/self/status before anything was changed */

static void remember_ignored(void)
{
	FILE *status = fopen("/proc/self/status", "r");

	ck_assert_ptr_nonnull(status);
	do
		ck_assert_ptr_nonnull(fgets(ignored, sizeof(ignored), status));
	while (strncmp(ignored, "SigIgn:", 7));
	fclose(status);
	ignored[strcspn(ignored, "\n")] = '\0';
}

static void setup(void)
{
	sigset_t set;

	remember_ignored();

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	ck_assert_int_eq(signal_source_open(&signals, &set, NULL), 0);
}

static void teardown(void)
{
	signal_source_close(&signals);
}

static int start(struct workload *workload, char *const argv[], const struct workload_control *control)
{
	return workload_fork(workload, &(struct workload_start){ argv, &signals, control, false }, NULL);
}

/* Runs a shell line to its end and returns the exit status. */
static int run_shell(const char *line, const struct workload_control *control)
{
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)line, NULL };
	struct workload workload = WORKLOAD_NONE;
	int status;

	ck_assert_int_eq(start(&workload, argv, control), 0);
	ck_assert_int_eq(workload_go(&workload, argv[0], NULL), 0);
	workload_wait(&workload);
	status = workload_exit_status(&workload);
	workload_fini(&workload);
	return status;
}

START_TEST(exit_codes_and_signals_become_a_shells_status)
{
	ck_assert_int_eq(run_shell("exit 0", NULL), 0);
	ck_assert_int_eq(run_shell("exit 7", NULL), 7);
	ck_assert_int_eq(run_shell("exit 255", NULL), 255);
	ck_assert_int_eq(run_shell("kill -9 $$", NULL), 137);
}
END_TEST

START_TEST(it_waits_until_it_is_let_go)
{
	char *argv[] = { (char *)"/bin/true", NULL };
	struct workload workload = WORKLOAD_NONE;
	struct pollfd pfd;

	ck_assert_int_eq(start(&workload, argv, NULL), 0);
	ck_assert_int_eq(workload_reap(&workload, NULL), 0);
	ck_assert_int_eq(workload_go(&workload, argv[0], NULL), 0);
	pfd = (struct pollfd){ .fd = workload.pidfd, .events = POLLIN };
	ck_assert_int_eq(poll(&pfd, 1, 10000), 1);
	ck_assert_int_eq(workload_reap(&workload, NULL), 1);
	ck_assert_int_eq(workload_exit_status(&workload), 0);
	ck_assert_int_eq(workload_kill(&workload, SIGKILL), 0); /* reaped: no signal goes to whoever has the number now */
	workload_fini(&workload);
}
END_TEST

START_TEST(one_that_is_never_let_go_ends_by_itself)
{
	char *argv[] = { (char *)"/bin/true", NULL };
	struct workload workload = WORKLOAD_NONE;

	ck_assert_int_eq(start(&workload, argv, NULL), 0);
	workload_fini(&workload);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

START_TEST(one_that_is_killed_while_it_waits_has_that_status)
{
	char *argv[] = { (char *)"/bin/true", NULL };
	struct workload workload = WORKLOAD_NONE;
	struct pollfd pfd;

	ck_assert_int_eq(start(&workload, argv, NULL), 0);
	ck_assert_int_eq(kill(workload.pid, SIGKILL), 0);
	pfd = (struct pollfd){ .fd = workload.pidfd, .events = POLLIN };
	ck_assert_int_eq(poll(&pfd, 1, 10000), 1);
	ck_assert_int_eq(workload_go(&workload, argv[0], NULL), -ECHILD);
	ck_assert_int_eq(workload_exit_status(&workload), 128 + SIGKILL);
	workload_fini(&workload);
}
END_TEST

START_TEST(the_reason_why_it_cannot_start_comes_back)
{
	static const struct { const char *file; int check, go; } cases[] = {
		{ "no-such-command-here", -ENOENT, -ENOENT }, { "./no-such-file", -ENOENT, -ENOENT },
		{ "/dev/null", -EACCES, -EACCES }, { "/", -EACCES, -EACCES }, { "", -ENOENT, -ENOENT },
	};
	char *argv[] = { (char *)cases[_i].file, NULL };
	struct workload workload = WORKLOAD_NONE;
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(workload_check(argv[0], &err), cases[_i].check);
	ck_assert_int_eq(start(&workload, argv, NULL), 0);
	ck_assert_int_eq(workload_go(&workload, argv[0], &err), cases[_i].go);
	ck_assert_str_eq(err.where, "workload");
	workload_fini(&workload);
}
END_TEST

START_TEST(mask_dispositions_and_descriptors_are_those_from_before)
{
	char line[256];

	ck_assert_int_eq(run_shell("grep -q 'SigBlk:.0000000000000000' /proc/self/status", NULL), 0);
	snprintf(line, sizeof(line), "grep -qx '%s' /proc/self/status", ignored);
	ck_assert_int_eq(run_shell(line, NULL), 0);
	ck_assert_int_eq(run_shell("kill -TERM $$; exit 0", NULL), 128 + SIGTERM);
}
END_TEST

START_TEST(control_descriptors_are_handed_over_when_asked_for)
{
	int cmd[2], ack[2];
	struct workload_control control;
	char got[3] = "";

	ck_assert_int_eq(pipe2(cmd, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(ack, O_CLOEXEC), 0);
	ck_assert_int_eq(write(ack[1], "yes\n", 4), 4);
	control.cmd_fd = cmd[1];
	control.ack_fd = ack[0];
	ck_assert_int_eq(run_shell("read a <&$PSTAT_ACK_FD; [ $a = yes ] && printf ok >&$PSTAT_CMD_FD", &control), 0);
	ck_assert_int_eq(read(cmd[0], got, 2), 2);
	ck_assert_str_eq(got, "ok");
	ck_assert_ptr_null(getenv("PSTAT_CMD_FD"));
	ck_assert_int_eq(run_shell("[ -z \"$PSTAT_CMD_FD\" ]", NULL), 0);
}
END_TEST

START_TEST(its_output_makes_way_for_a_recording)
{
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)"[ /dev/fd/1 -ef /dev/fd/2 ]", NULL };
	struct workload_start asked = { argv, &signals, NULL, true };
	struct workload workload = WORKLOAD_NONE;

	ck_assert_int_eq(workload_fork(&workload, &asked, NULL), 0);
	ck_assert_int_eq(workload_go(&workload, argv[0], NULL), 0);
	workload_wait(&workload);
	ck_assert_int_eq(workload_exit_status(&workload), 0);
	workload_fini(&workload);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, exit_codes_and_signals_become_a_shells_status);
	tcase_add_test(tcase, it_waits_until_it_is_let_go);
	tcase_add_test(tcase, one_that_is_never_let_go_ends_by_itself);
	tcase_add_test(tcase, one_that_is_killed_while_it_waits_has_that_status);
	tcase_add_loop_test(tcase, the_reason_why_it_cannot_start_comes_back, 0, 5);
	tcase_add_test(tcase, mask_dispositions_and_descriptors_are_those_from_before);
	tcase_add_test(tcase, its_output_makes_way_for_a_recording);
	tcase_add_test(tcase, control_descriptors_are_handed_over_when_asked_for);
}

int main(void)
{
	return unit_main("workload", add);
}
