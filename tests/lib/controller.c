/*
 * Runs a command under a control channel and plays a script against it: the controller of tests, demo and benchmarks.
 * Exit status: the command's (128+N when signal N ended it), or 99 when a step failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "controller.h"

#define STATUS_BROKEN 99 /* what automake calls a hard error */

struct options {
	const char *script;
	int ack_bytes; /* size of the answer pipe, 0: as it comes */
	bool one_socket;
	void (*old_pipe)(int); /* the command gets SIGPIPE back as the controller found it */
};

int controller_fail(const struct controller *ctl, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "controller: %s: ", ctl->step);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return -1;
}

int controller_number(const struct controller *ctl, const char *text, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(text, &end, 0);
	if (errno || end == text || *end)
		return controller_fail(ctl, "'%s' is no number", text);
	return 0;
}

int controller_reap(struct controller *ctl)
{
	pid_t pid = ctl->child;

	while (ctl->child && waitpid(pid, &ctl->status, 0) < 0)
		if (errno != EINTR)
			return controller_fail(ctl, "waiting: %s", strerror(errno));
	ctl->child = 0;
	return 0;
}

/* A copy of word with {cmd} and {ack} replaced by the descriptors' numbers. */
static char *fill_in(const char *word, int cmd, int ack)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	while (*word) {
		if (strncmp(word, "{cmd}", 5) == 0 || strncmp(word, "{ack}", 5) == 0) {
			fprintf(out, "%d", word[1] == 'c' ? cmd : ack);
			word += 5;
		} else {
			fputc(*word++, out);
		}
	}
	return fclose(out) ? NULL : text;
}

static void exec_command(const struct options *options, char *const *argv, int n, int cmd, int ack)
{
	char **filled = calloc((size_t)n + 1, sizeof(*filled));

	for (int i = 0; filled && i < n; i++) {
		filled[i] = fill_in(argv[i], cmd, ack);
		if (!filled[i])
			_exit(STATUS_BROKEN);
	}
	if (!filled || fcntl(cmd, F_SETFD, 0) < 0 || fcntl(ack, F_SETFD, 0) < 0)
		_exit(STATUS_BROKEN);
	signal(SIGPIPE, options->old_pipe);
	execvp(filled[0], filled);
	fprintf(stderr, "controller: %s: %s\n", filled[0], strerror(errno));
	_exit(STATUS_BROKEN);
}

/* theirs[0] commands, theirs[1] answers; ours likewise. All are close-on-exec. */
static int open_channel(const struct options *options, int ours[2], int theirs[2])
{
	int cmd[2], ack[2];

	if (options->one_socket) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, cmd))
			return -1;
		ours[0] = ours[1] = cmd[1];
		theirs[0] = theirs[1] = cmd[0];
		return 0;
	}
	if (pipe2(cmd, O_CLOEXEC) || pipe2(ack, O_CLOEXEC))
		return -1;
	if (options->ack_bytes && fcntl(ack[1], F_SETPIPE_SZ, options->ack_bytes) < 0)
		return -1;
	ours[0] = cmd[1];
	ours[1] = ack[0];
	theirs[0] = cmd[0];
	theirs[1] = ack[1];
	return 0;
}

static int start(struct controller *ctl, const struct options *options, char *const *argv, int n)
{
	int ours[2], theirs[2];

	if (open_channel(options, ours, theirs))
		return controller_fail(ctl, "opening pipes: %s", strerror(errno));
	ctl->child = fork();
	if (ctl->child < 0)
		return controller_fail(ctl, "fork: %s", strerror(errno));
	if (ctl->child == 0)
		exec_command(options, argv, n, theirs[0], theirs[1]);
	close(theirs[0]);
	if (theirs[1] != theirs[0])
		close(theirs[1]);
	ctl->cmd_fd = ours[0];
	ctl->ack_fd = ours[1];
	return 0;
}

static int run_step(struct controller *ctl, char *text)
{
	char *args[CONTROLLER_ARGS], *rest = NULL;
	const char *name = strtok_r(text, " \t\n", &rest);
	int n = 0;

	if (!name)
		return 0;
	ctl->step = name;
	while (n < CONTROLLER_ARGS && (args[n] = strtok_r(NULL, " \t\n", &rest)))
		n++;
	for (const struct step *step = controller_steps; step->name; step++) {
		if (strcmp(step->name, name) != 0)
			continue;
		if (step->args >= 0 ? n != step->args : n < 1)
			return controller_fail(ctl, "takes other words: %s", step->help);
		return step->run(ctl, n, args);
	}
	return controller_fail(ctl, "no such step");
}

static int run_script(struct controller *ctl, const char *script)
{
	char *copy = strdup(script), *rest = NULL;
	int result = copy ? 0 : -1;

	for (char *step = copy ? strtok_r(copy, ";", &rest) : NULL; step && result == 0;
	     step = strtok_r(NULL, ";", &rest))
		result = run_step(ctl, step);
	ctl->step = "end";
	free(copy);
	return result;
}

static int usage(FILE *out, int status)
{
	fputs("usage: controller [-s SCRIPT] [-k ANSWER-PIPE-BYTES] [-u] -- COMMAND [ARG ...]\n"
	      "{cmd} and {ack} in COMMAND become the descriptors; -u: one socket for both.\n"
	      "SCRIPT is steps between semicolons:\n",
	      out);
	for (const struct step *step = controller_steps; step->name; step++)
		fprintf(out, "  %-10s %s\n", step->name, step->help);
	return status;
}

int main(int argc, char **argv)
{
	struct controller ctl = { 0, 0, -1, -1, "start" };
	struct options options = { "", 0, false, signal(SIGPIPE, SIG_IGN) };
	int option;

	while ((option = getopt(argc, argv, "+hs:k:u")) != -1) {
		if (option == 's')
			options.script = optarg;
		else if (option == 'k')
			options.ack_bytes = atoi(optarg);
		else if (option == 'u')
			options.one_socket = true;
		else
			return usage(option == 'h' ? stdout : stderr, option == 'h' ? 0 : STATUS_BROKEN);
	}
	if (optind == argc)
		return usage(stderr, STATUS_BROKEN);
	if (start(&ctl, &options, argv + optind, argc - optind))
		return STATUS_BROKEN;
	if (run_script(&ctl, options.script)) {
		if (ctl.child)
			kill(ctl.child, SIGKILL);
		(void)controller_reap(&ctl);
		return STATUS_BROKEN;
	}
	if (controller_reap(&ctl))
		return STATUS_BROKEN;
	return WIFSIGNALED(ctl.status) ? 128 + WTERMSIG(ctl.status) : WEXITSTATUS(ctl.status);
}
