/* The controller's side of both protocols. */
#include "control/client.h"
#include "control/endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define LOCK_RETRY_NS 2000000
#define OPEN_RETRY_NS 5000000
#define LINE_BYTES (COMMAND_TEXT_MAX + 2) /* with line end and NUL */

/* What is needed to wait: until when, and by which clock. */
struct deadline {
	const struct clock *clock;
	uint64_t end_ns;
};

int client_open_fds(struct client *client, int cmd_fd, const char *cmd_name, int ack_fd, const char *ack_name,
		    struct ps_error *err)
{
	int rc = endpoint_check(cmd_fd, true, cmd_name, err);

	if (rc == 0 && ack_fd >= 0)
		rc = endpoint_check(ack_fd, false, ack_name, err);
	if (rc < 0)
		return rc;
	*client = (struct client){ .owned = false };
	nonblock_init(&client->cmd, cmd_fd, &io_system);
	nonblock_init(&client->ack, ack_fd, &io_system);
	return 0;
}

static int open_fifos(struct client *client, const char *cmd_path, const char *ack_path, struct ps_error *err)
{
	_cleanup_close_ int cmd_fd = endpoint_open_fifo(cmd_path, O_WRONLY, err);
	_cleanup_close_ int ack_fd = -1;

	if (cmd_fd < 0)
		return cmd_fd;
	if (ack_path)
		ack_fd = endpoint_open_fifo(ack_path, O_RDONLY, err);
	if (ack_path && ack_fd < 0)
		return ack_fd;
	*client = (struct client){ .owned = true };
	nonblock_init(&client->cmd, attr_take_fd(&cmd_fd), &io_system);
	nonblock_init(&client->ack, attr_take_fd(&ack_fd), &io_system);
	return 0;
}

int client_open_fifos(struct client *client, const char *cmd_path, const char *ack_path, const struct clock *clock,
		      int timeout_ms, struct ps_error *err)
{
	const struct timespec pause = { 0, OPEN_RETRY_NS };
	uint64_t end_ns = clock_mono_ns(clock) + (uint64_t)timeout_ms * NS_PER_MS;

	for (;;) {
		struct ps_error failed = PS_ERROR_INIT;
		int rc = open_fifos(client, cmd_path, ack_path, &failed);
		bool may_come = rc == -ENOENT || rc == -ENXIO;

		if (rc == 0)
			return 0;
		if (!may_come || clock_mono_ns(clock) >= end_ns) {
			if (err)
				*err = failed;
			return rc;
		}
		(void)nanosleep(&pause, NULL); /* cut short by a signal it only tries sooner */
	}
}

void client_close(struct client *client)
{
	if (!client->owned)
		return;
	attr_close(&client->cmd.fd);
	attr_close(&client->ack.fd);
	client->owned = false;
}

/* Waits for events or the deadline. 0 or -errno (-ETIMEDOUT). */
static int await(int fd, short events, const struct deadline *deadline)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	for (;;) {
		uint64_t now_ns = clock_mono_ns(deadline->clock);
		uint64_t left_ms = now_ns < deadline->end_ns ? (deadline->end_ns - now_ns) / NS_PER_MS + 1 : 0;
		int n = poll(&pfd, 1, (int)left_ms);

		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0 && !left_ms)
			return -ETIMEDOUT;
	}
}

/* One client at a time: a record lock on the pipe or socket, gone with the process. 0 or -errno. */
static int lock(int fd, short type, const struct deadline *deadline)
{
	const struct timespec pause = { 0, LOCK_RETRY_NS };
	struct flock region = { .l_type = type, .l_whence = SEEK_SET };

	while (fcntl(fd, F_SETLK, &region) < 0) {
		if (errno != EAGAIN && errno != EACCES)
			return -errno;
		if (clock_mono_ns(deadline->clock) >= deadline->end_ns)
			return -ETIMEDOUT;
		(void)nanosleep(&pause, NULL); /* cut short by a signal it only tries sooner */
	}
	return 0;
}

/* Throws away answers that nobody waited for. 0 or -errno. */
static int discard_stale(struct client *client)
{
	struct pollfd pfd = { .fd = client->ack.fd, .events = POLLIN };
	char junk[512];

	while (poll(&pfd, 1, 0) > 0 && (pfd.revents & POLLIN)) {
		ssize_t n = nonblock_read(&client->ack, junk, sizeof(junk));

		if (n == -EAGAIN)
			return 0;
		if (n <= 0)
			return n < 0 ? (int)n : -EPIPE;
	}
	return 0;
}

static int write_all(struct client *client, const uint8_t *bytes, size_t len, const struct deadline *deadline)
{
	int rc = 0;

	while (len > 0 && rc == 0) {
		ssize_t n = nonblock_write(&client->cmd, bytes, len);

		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		} else {
			rc = n == -EAGAIN ? await(client->cmd.fd, POLLOUT, deadline) : (int)n;
		}
	}
	return rc == -ECONNRESET ? -EPIPE : rc;
}

static int read_all(struct client *client, uint8_t *bytes, size_t len, const struct deadline *deadline)
{
	size_t got = 0;
	int rc = 0;

	while (got < len && rc == 0) {
		ssize_t n;

		rc = await(client->ack.fd, POLLIN, deadline);
		if (rc < 0)
			break;
		n = nonblock_read(&client->ack, bytes + got, len - got);
		if (n > 0)
			got += (size_t)n;
		else if (n != -EAGAIN)
			rc = n == 0 || n == -ECONNRESET ? -EPIPE : (int)n;
	}
	return rc;
}

/* The bytes of a command. Their number, or -errno. */
static int encode(const struct client *client, const struct command *command, char *line)
{
	bool toggle = command->kind == COMMAND_PAUSE || command->kind == COMMAND_RESUME;
	const char *text = command->text;
	int n;

	if (client->binary) {
		int32_t word = command->kind == COMMAND_RESUME;

		memcpy(line, &word, sizeof(word));
		return toggle && !text ? (int)sizeof(word) : -ENOTSUP;
	}
	if (text && strchr(text, '\n'))
		return -EINVAL;
	if (toggle && !text) /* perf's words: they are understood by both */
		n = snprintf(line, LINE_BYTES, "%s\n", command->kind == COMMAND_RESUME ? "enable" : "disable");
	else
		n = snprintf(line, LINE_BYTES, "%s%s%s\n", command_name(command->kind), text ? " " : "", text ? text : "");
	return n > 0 && n < LINE_BYTES ? n : -EINVAL;
}

/* Reads the answer and says what it means; *code: pstat's own reason, where the protocol carries it. */
static int receive(struct client *client, const struct deadline *deadline, int *code)
{
	const struct protocol *protocol = client->binary ? &protocol_binary : &protocol_text;
	uint8_t got[PROTOCOL_ANSWER_MAX], expected[PROTOCOL_ANSWER_MAX];
	size_t len = protocol->answer_bytes;
	int32_t word;
	int rc = read_all(client, got, 1, deadline);

	if (rc == 0 && !client->binary && got[0] != 'a' && got[0] != 'n') /* the rest may never come */
		return -EPROTO;
	if (rc == 0)
		rc = read_all(client, got + 1, len - 1, deadline);
	if (rc < 0)
		return rc;
	protocol->answer(0, expected);
	if (memcmp(got, expected, len) == 0)
		return 0;
	protocol->answer(-ECANCELED, expected);
	if (!client->binary)
		return memcmp(got, expected, len) == 0 ? -ECANCELED : -EPROTO;
	memcpy(&word, got, sizeof(word));
	*code = word < 0 && word > -4096 ? -word : 0;
	return *code ? -ECANCELED : -EPROTO;
}

/* All of it, under the lock. */
static int exchange(struct client *client, const char *line, size_t len, const struct deadline *deadline, int *code)
{
	int rc = client->ack.fd >= 0 ? discard_stale(client) : 0;

	if (rc == 0)
		rc = write_all(client, (const uint8_t *)line, len, deadline);
	if (rc == 0 && client->ack.fd >= 0)
		rc = receive(client, deadline, code);
	return rc;
}

static int explain(int rc, const char *name, int code, int timeout_ms, struct ps_error *err)
{
	switch (rc) {
	case -ECANCELED:
		(void)ps_fail(err, "ctl", code ? code : ECANCELED, "%s: refused by pstat", name);
		if (!code)
			ps_hint(err, "pstat's standard error has the reason");
		return -ECANCELED;
	case -ETIMEDOUT:
		(void)ps_fail(err, "ctl", ETIMEDOUT, "%s: no answer within %d ms", name, timeout_ms);
		ps_hint(err, "is pstat running, and does it read from here?");
		return rc;
	case -EPIPE:
		return ps_fail(err, "ctl", EPIPE, "%s: pstat has ended", name);
	case -EPROTO:
		(void)ps_fail(err, "ctl", EPROTO, "%s: what came is not an answer", name);
		ps_hint(err, "text and binary control differ (--binary), or something else reads the same answers");
		return rc;
	default:
		return ps_fail(err, "ctl", -rc, "sending %s", name);
	}
}

int client_send(struct client *client, const struct command *command, const struct clock *clock, int timeout_ms,
		struct ps_error *err)
{
	const struct deadline deadline = { clock, clock_mono_ns(clock) + (uint64_t)timeout_ms * NS_PER_MS };
	const char *name = command_name(command->kind);
	char line[LINE_BYTES];
	int len = encode(client, command, line);
	int code = 0, rc;

	if (len == -ENOTSUP)
		return ps_fail(err, "ctl", ENOTSUP, "%s with a text: the binary protocol knows pause and resume only", name);
	if (len < 0)
		return ps_fail(err, "ctl", -len, "%s: the text is too long or holds a line end", name);
	rc = lock(client->cmd.fd, F_WRLCK, &deadline);
	if (rc == 0) {
		rc = exchange(client, line, (size_t)len, &deadline, &code);
		(void)lock(client->cmd.fd, F_UNLCK, &deadline); /* goes with the process at the latest */
	}
	return rc < 0 ? explain(rc, name, code, timeout_ms, err) : 0;
}
