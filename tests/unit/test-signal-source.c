/* Signals as a descriptor: they arrive there, and mask and dispositions go back to what they were. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "lib/unit.h"
#include "loop/signal_source.h"

static sigset_t wanted(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGUSR1);
	(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGCHLD);
	return set;
}

static void open_source(struct signal_source *source)
{
	struct ps_error err = PS_ERROR_INIT;
	sigset_t set = wanted();

	ck_assert_int_eq(signal_source_open(source, &set, &err), 0);
}

/* The number of the next signal, 0 when there is none. */
static int next(struct signal_source *source)
{
	struct signalfd_siginfo info;
	struct ps_error err = PS_ERROR_INIT;
	int rc = signal_source_next(source, &info, &err);

	ck_assert_int_ge(rc, 0);
	return rc ? (int)info.ssi_signo : 0;
}

static void (*handler_of(int signo))(int)
{
	struct sigaction act;

	ck_assert_int_eq(sigaction(signo, NULL, &act), 0);
	return act.sa_handler;
}

static bool is_blocked(int signo)
{
	sigset_t mask;

	ck_assert_int_eq(sigprocmask(SIG_SETMASK, NULL, &mask), 0);
	return sigismember(&mask, signo) == 1;
}

START_TEST(signals_arrive_on_the_descriptor)
{
	struct signal_source source;

	open_source(&source);
	ck_assert_int_eq(next(&source), 0);
	ck_assert_int_eq(raise(SIGUSR1), 0);
	ck_assert_int_eq(raise(SIGHUP), 0);
	ck_assert_int_eq(next(&source) + next(&source), SIGUSR1 + SIGHUP);
	ck_assert_int_eq(next(&source), 0);
	signal_source_close(&source);
	signal_source_close(&source);
}
END_TEST

START_TEST(closing_restores_mask_and_dispositions)
{
	struct signal_source source;

	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGCHLD, SIG_IGN);
	open_source(&source);
	ck_assert(is_blocked(SIGUSR1));
	ck_assert_ptr_eq(handler_of(SIGPIPE), SIG_IGN);
	ck_assert_ptr_eq(handler_of(SIGCHLD), SIG_DFL);
	signal_source_close(&source);
	ck_assert(!is_blocked(SIGUSR1));
	ck_assert_ptr_eq(handler_of(SIGPIPE), SIG_DFL);
	ck_assert_ptr_eq(handler_of(SIGCHLD), SIG_IGN);
}
END_TEST

START_TEST(child_gets_what_was_before)
{
	struct signal_source source;
	int status;
	pid_t child;

	(void)signal(SIGPIPE, SIG_DFL);
	open_source(&source);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		int rc = signal_source_restore_child(&source);

		_exit(rc == 0 && !is_blocked(SIGUSR1) && handler_of(SIGPIPE) == SIG_DFL ? 7 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(WEXITSTATUS(status), 7);
	ck_assert_int_eq(next(&source), SIGCHLD);
	signal_source_close(&source);
}
END_TEST

START_TEST(ignored_hangup_stays_ignored)
{
	struct signal_source source;

	(void)signal(SIGHUP, SIG_IGN);
	open_source(&source);
	ck_assert_int_eq(raise(SIGHUP), 0);
	ck_assert_int_eq(next(&source), 0);
	ck_assert_int_eq(raise(SIGUSR1), 0);
	ck_assert_int_eq(next(&source), SIGUSR1);
	signal_source_close(&source);
}
END_TEST

START_TEST(descriptor_is_not_inherited)
{
	struct signal_source source;

	open_source(&source);
	ck_assert_int_eq(fcntl(source.fd, F_GETFD), FD_CLOEXEC);
	signal_source_close(&source);
}
END_TEST

START_TEST(broken_descriptor_is_an_error)
{
	struct signal_source source;
	struct signalfd_siginfo info;
	struct ps_error err = PS_ERROR_INIT;

	open_source(&source);
	ck_assert_int_eq(close(source.fd), 0);
	ck_assert_int_eq(signal_source_next(&source, &info, &err), -EBADF);
	source.fd = -1;
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, signals_arrive_on_the_descriptor);
	tcase_add_test(tcase, closing_restores_mask_and_dispositions);
	tcase_add_test(tcase, child_gets_what_was_before);
	tcase_add_test(tcase, ignored_hangup_stays_ignored);
	tcase_add_test(tcase, descriptor_is_not_inherited);
	tcase_add_test(tcase, broken_descriptor_is_an_error);
}

int main(void)
{
	return unit_main("signal_source", add);
}
