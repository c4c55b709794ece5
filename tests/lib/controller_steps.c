/* What a scripted controller can do. Waits are for answers and conditions; only hold lets time pass. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "controller.h"

uint64_t controller_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static void nap_ms(long ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* Polls a condition until it holds. 0, -1 when it never did. */
static int wait_until(struct controller *ctl, bool (*holds)(struct controller *, const char *), const char *arg)
{
	uint64_t limit = controller_now_ns() + CONTROLLER_LIMIT_MS * UINT64_C(1000000);

	while (!holds(ctl, arg)) {
		if (controller_now_ns() > limit)
			return controller_fail(ctl, "waited too long for %s", arg ? arg : "it");
		nap_ms(1);
	}
	return 0;
}

int controller_write(struct controller *ctl, const void *bytes, size_t len)
{
	ssize_t n = write(ctl->cmd_fd, bytes, len);

	if (n < 0)
		return controller_fail(ctl, "writing a command: %s", strerror(errno));
	if ((size_t)n != len)
		return controller_fail(ctl, "wrote %zd of %zu bytes", n, len);
	return 0;
}

static int write_word(struct controller *ctl, int32_t word)
{
	return controller_write(ctl, &word, sizeof(word));
}

int controller_read(struct controller *ctl, void *bytes, size_t len)
{
	struct pollfd pollfd = { ctl->ack_fd, POLLIN, 0 };
	size_t have = 0;

	while (have < len) {
		ssize_t n;

		if (poll(&pollfd, 1, CONTROLLER_LIMIT_MS) == 0)
			return controller_fail(ctl, "no answer");
		n = read(ctl->ack_fd, (char *)bytes + have, len - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return controller_fail(ctl, "reading an answer: %s", strerror(errno));
		if (n == 0)
			return have ? controller_fail(ctl, "an answer was cut") : 0;
		have += (size_t)n;
	}
	return 1;
}

static int expect_word(struct controller *ctl, int32_t expected)
{
	int32_t word;
	int result = controller_read(ctl, &word, sizeof(word));

	if (result < 0)
		return -1;
	if (result == 0)
		return controller_fail(ctl, "end of file instead of answer %d", expected);
	if (word != expected)
		return controller_fail(ctl, "answer %d instead of %d", word, expected);
	return 0;
}

int controller_command(struct controller *ctl, int32_t word)
{
	return write_word(ctl, word) ? -1 : expect_word(ctl, WORD_DONE);
}

static int step_resume(struct controller *ctl, int n, char *const *args)
{
	(void)n, (void)args;
	return controller_command(ctl, WORD_RESUME);
}

static int step_pause(struct controller *ctl, int n, char *const *args)
{
	(void)n, (void)args;
	return controller_command(ctl, WORD_PAUSE);
}

/* All words in one write, as a controller that sends a batch does. */
static int step_send(struct controller *ctl, int n, char *const *args)
{
	int32_t words[CONTROLLER_ARGS];

	for (int i = 0; i < n; i++) {
		long value;

		if (controller_number(ctl, args[i], &value))
			return -1;
		words[i] = (int32_t)value;
	}
	return controller_write(ctl, words, (size_t)n * sizeof(words[0]));
}

static int step_expect(struct controller *ctl, int n, char *const *args)
{
	for (int i = 0; i < n; i++) {
		long value;

		if (controller_number(ctl, args[i], &value) || expect_word(ctl, (int32_t)value))
			return -1;
	}
	return 0;
}

static bool commands_are_read(struct controller *ctl, const char *arg)
{
	bool is_socket = ctl->cmd_fd == ctl->ack_fd;
	int waiting = 0;

	(void)arg;
	return ioctl(ctl->cmd_fd, is_socket ? TIOCOUTQ : FIONREAD, &waiting) == 0 && waiting == 0;
}

static int step_pieces(struct controller *ctl, int n, char *const *args)
{
	long value;
	int32_t word;

	(void)n;
	if (controller_number(ctl, args[0], &value))
		return -1;
	word = (int32_t)value;
	for (size_t i = 0; i < sizeof(word); i++)
		if (controller_write(ctl, (char *)&word + i, 1) || wait_until(ctl, commands_are_read, "a byte to be read"))
			return -1;
	return 0;
}

static int step_bytes(struct controller *ctl, int n, char *const *args)
{
	for (int i = 0; i < n; i++) {
		long value;
		unsigned char byte;

		if (controller_number(ctl, args[i], &value))
			return -1;
		byte = (unsigned char)value;
		if (controller_write(ctl, &byte, 1))
			return -1;
	}
	return 0;
}

static int step_taken(struct controller *ctl, int n, char *const *args)
{
	(void)n, (void)args;
	return wait_until(ctl, commands_are_read, "commands to be read");
}

static int step_quiet(struct controller *ctl, int n, char *const *args)
{
	int waiting = 0;

	(void)n, (void)args;
	if (wait_until(ctl, commands_are_read, "commands to be read"))
		return -1;
	if (ioctl(ctl->ack_fd, FIONREAD, &waiting) < 0)
		return controller_fail(ctl, "FIONREAD: %s", strerror(errno));
	return waiting ? controller_fail(ctl, "%d bytes of answers nobody asked for", waiting) : 0;
}

static int step_toggle(struct controller *ctl, int n, char *const *args)
{
	long count;

	(void)n;
	if (controller_number(ctl, args[0], &count))
		return -1;
	for (long i = 0; i < count; i++)
		if (controller_command(ctl, i % 2 ? WORD_PAUSE : WORD_RESUME))
			return -1;
	return 0;
}

/* Writes as many toggles as fit while nobody reads an answer. Returns how many, or -1. */
static long flood(struct controller *ctl, long count)
{
	struct pollfd pollfd = { ctl->cmd_fd, POLLOUT, 0 };
	long sent = 0;

	while (sent < count && poll(&pollfd, 1, 500) == 1) {
		if (write_word(ctl, sent % 2 ? WORD_PAUSE : WORD_RESUME))
			return -1;
		sent++;
	}
	return sent;
}

static int step_stuff(struct controller *ctl, int n, char *const *args)
{
	long count;

	(void)n;
	return controller_number(ctl, args[0], &count) || flood(ctl, count) < 0 ? -1 : 0;
}

static int step_flood(struct controller *ctl, int n, char *const *args)
{
	long count, sent;

	(void)n;
	if (controller_number(ctl, args[0], &count))
		return -1;
	sent = flood(ctl, count);
	if (sent < 0)
		return -1;
	fprintf(stderr, "controller: flood: %ld of %ld went in before an answer was read\n", sent, count);
	for (long i = 0; i < count; i++) {
		if (expect_word(ctl, WORD_DONE))
			return -1;
		if (sent < count && write_word(ctl, sent % 2 ? WORD_PAUSE : WORD_RESUME))
			return -1;
		sent++;
	}
	return 0;
}

static int step_say(struct controller *ctl, int n, char *const *args)
{
	char line[1024] = "";

	for (int i = 0; i < n; i++) {
		size_t len = strlen(line);

		snprintf(line + len, sizeof(line) - len, "%s%s", args[i], i + 1 < n ? " " : "\n");
	}
	return controller_write(ctl, line, strlen(line));
}

static int step_hear(struct controller *ctl, int n, char *const *args)
{
	char answer[5], expected[5];

	(void)n;
	snprintf(expected, sizeof(expected), "%.3s\n", args[0]);
	if (controller_read(ctl, answer, sizeof(answer)) != 1)
		return controller_fail(ctl, "no whole answer");
	if (memcmp(answer, expected, sizeof(answer)) != 0)
		return controller_fail(ctl, "heard '%.3s' instead of '%.3s'", answer, expected);
	return 0;
}

/* One direction of a socket, or one of two pipes. */
static void close_end(int *fd, const int *other, int direction)
{
	if (*fd >= 0 && *fd == *other)
		shutdown(*fd, direction);
	else if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int step_close(struct controller *ctl, int n, char *const *args)
{
	(void)n, (void)args;
	close_end(&ctl->cmd_fd, &ctl->ack_fd, SHUT_WR);
	return 0;
}

static int step_deaf(struct controller *ctl, int n, char *const *args)
{
	(void)n, (void)args;
	close_end(&ctl->ack_fd, &ctl->cmd_fd, SHUT_RD);
	return 0;
}

static int step_finished(struct controller *ctl, int n, char *const *args)
{
	char byte;
	int result = controller_read(ctl, &byte, 1);

	(void)n, (void)args;
	if (result > 0)
		return controller_fail(ctl, "an answer nobody asked for");
	return result;
}

static int step_hold(struct controller *ctl, int n, char *const *args)
{
	long ms;

	(void)n;
	if (controller_number(ctl, args[0], &ms))
		return -1;
	nap_ms(ms);
	return 0;
}

static const struct {
	const char *name;
	int number;
} signal_names[] = {
	{ "INT", SIGINT },   { "TERM", SIGTERM }, { "HUP", SIGHUP },   { "QUIT", SIGQUIT }, { "KILL", SIGKILL },
	{ "USR1", SIGUSR1 }, { "USR2", SIGUSR2 }, { "STOP", SIGSTOP }, { "CONT", SIGCONT },
};

static int step_signal(struct controller *ctl, int n, char *const *args)
{
	(void)n;
	for (size_t i = 0; i < sizeof(signal_names) / sizeof(signal_names[0]); i++) {
		if (strcmp(signal_names[i].name, args[0]) != 0)
			continue;
		if (kill(ctl->child, signal_names[i].number) < 0)
			return controller_fail(ctl, "%s", strerror(errno));
		return 0;
	}
	return controller_fail(ctl, "no signal '%s'", args[0]);
}

static bool file_is_there(struct controller *ctl, const char *path)
{
	(void)ctl;
	return access(path, F_OK) == 0;
}

static int step_wait(struct controller *ctl, int n, char *const *args)
{
	(void)n;
	return wait_until(ctl, file_is_there, args[0]);
}

static int step_free(struct controller *ctl, int n, char *const *args)
{
	int fd = open(args[0], O_WRONLY | O_CLOEXEC);

	(void)n;
	if (fd < 0)
		return controller_fail(ctl, "%s: %s", args[0], strerror(errno));
	close(fd);
	return 0;
}

static int step_reap(struct controller *ctl, int n, char *const *args)
{
	(void)n, (void)args;
	return controller_reap(ctl);
}

static int step_pin(struct controller *ctl, int n, char *const *args)
{
	long cpu;
	cpu_set_t set;

	(void)n;
	if (controller_number(ctl, args[0], &cpu))
		return -1;
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return controller_fail(ctl, "CPU %ld: %s", cpu, strerror(errno));
	return 0;
}

static int step_time(struct controller *ctl, int n, char *const *args)
{
	(void)n;
	return controller_time(ctl, args[0], false);
}

static int step_time_text(struct controller *ctl, int n, char *const *args)
{
	(void)n;
	return controller_time(ctl, args[0], true);
}

const struct step controller_steps[] = {
	{ "resume", 0, step_resume, "send 1, expect 2" },
	{ "pause", 0, step_pause, "send 0, expect 2" },
	{ "send", -1, step_send, "WORD...: send in one write, expect nothing" },
	{ "expect", -1, step_expect, "ANSWER...: read and compare answers" },
	{ "bytes", -1, step_bytes, "BYTE...: send bytes" },
	{ "pieces", 1, step_pieces, "WORD: send byte by byte, each once the one before was read" },
	{ "toggle", 1, step_toggle, "N: resume, pause, ... each answered" },
	{ "stuff", 1, step_stuff, "N: toggles until nothing goes in any more" },
	{ "flood", 1, step_flood, "N: toggles until nothing goes in any more, then read N answers" },
	{ "taken", 0, step_taken, "until all commands were read" },
	{ "quiet", 0, step_quiet, "all commands were read and no answer is waiting" },
	{ "say", -1, step_say, "WORD...: send a line of text" },
	{ "hear", 1, step_hear, "ack|nak: expect the five bytes" },
	{ "close", 0, step_close, "close the command end" },
	{ "deaf", 0, step_deaf, "close the answer end" },
	{ "finished", 0, step_finished, "expect the end of file instead of an answer" },
	{ "hold", 1, step_hold, "MS: let time pass" },
	{ "signal", 1, step_signal, "NAME: to the command" },
	{ "wait", 1, step_wait, "FILE: until it is there" },
	{ "free", 1, step_free, "FIFO: open it for writing and close it" },
	{ "reap", 0, step_reap, "wait for the command's end" },
	{ "pin", 1, step_pin, "CPU: run there from now on" },
	{ "time", 1, step_time, "N: toggles, their round trips as JSON" },
	{ "time-text", 1, step_time_text, "N: the same by enable and disable" },
	{ NULL, 0, NULL, NULL },
};
