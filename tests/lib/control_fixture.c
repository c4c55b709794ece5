/* What tests of the control channel share. */
#include "lib/control_fixture.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define SETTLE_STEPS 100000

static int on_command(void *data, const struct command *command, struct reply *reply, struct ps_error *err)
{
	struct control_fixture *fix = data;

	ck_assert_uint_lt(fix->commands, FIXTURE_COMMANDS);
	fix->kinds[fix->commands++] = command->kind;
	(void)snprintf(fix->text, sizeof(fix->text), "%s", command->text ? command->text : "");
	if (!fix->silent)
		reply->send(reply, command->kind == COMMAND_INVALID ? -EINVAL : fix->result);
	if (fix->twice)
		reply->send(reply, -EIO);
	return fix->rc < 0 ? ps_fail(err, "test", -fix->rc, "asked to fail") : 0;
}

static void on_note(void *data, const char *text)
{
	struct control_fixture *fix = data;

	fix->notes++;
	(void)snprintf(fix->note, sizeof(fix->note), "%s", text);
}

static void fixture_init(struct control_fixture *fix)
{
	memset(fix, 0, sizeof(*fix));
	fix->cmd = -1;
	fix->ack = -1;
	loop_init(&fix->loop);
	(void)signal(SIGPIPE, SIG_IGN);
}

struct channel_options fixture_options(struct control_fixture *fix, const struct protocol *protocol)
{
	return (struct channel_options){
		.protocol = protocol, .cmd_fd = -1, .ack_fd = -1, .cmd_name = "--cmd-fd", .ack_name = "--cmd-ack-fd",
		.clock = &clock_system, .on_command = on_command, .on_note = on_note, .data = fix,
	};
}

int fixture_open(struct control_fixture *fix, const struct protocol *protocol, int cmd_fd, int ack_fd)
{
	struct channel_options options;

	fixture_init(fix);
	options = fixture_options(fix, protocol);
	options.cmd_fd = cmd_fd;
	options.ack_fd = ack_fd;
	return channel_open_fds(&fix->channel, &fix->loop, &options, &fix->err);
}

void fixture_pipes(struct control_fixture *fix, const struct protocol *protocol)
{
	int cmd[2], ack[2];

	ck_assert_int_eq(pipe2(cmd, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(ack, O_CLOEXEC), 0);
	ck_assert_int_eq(fixture_open(fix, protocol, cmd[0], ack[1]), 0);
	fix->cmd = cmd[1];
	fix->ack = ack[0];
}

void fixture_socket(struct control_fixture *fix, const struct protocol *protocol)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	ck_assert_int_eq(fixture_open(fix, protocol, pair[0], pair[0]), 0);
	fix->cmd = pair[1];
	fix->ack = pair[1];
}

void fixture_close_cmd(struct control_fixture *fix)
{
	if (fix->cmd == fix->ack)
		fix->ack = -1;
	attr_close(&fix->cmd);
	fix->cmd = -1;
}

void fixture_close_ack(struct control_fixture *fix)
{
	attr_close(&fix->ack);
	fix->ack = -1;
}

void fixture_free(struct control_fixture *fix)
{
	channel_free(fix->channel, 0);
	fixture_close_cmd(fix);
	fixture_close_ack(fix);
	loop_fini(&fix->loop);
}

void fixture_settle(struct control_fixture *fix)
{
	for (int i = 0; i < SETTLE_STEPS; i++) {
		if (!fix->loop.n || poll(fix->loop.fds, (nfds_t)fix->loop.n, 0) <= 0)
			return;
		ck_assert_int_eq(loop_step(&fix->loop, 0, &fix->err), 0);
	}
	ck_abort_msg("the loop does not come to rest");
}

void fixture_write(struct control_fixture *fix, const void *bytes, size_t len)
{
	ck_assert_int_eq(write(fix->cmd, bytes, len), (ssize_t)len);
}

size_t fixture_read(struct control_fixture *fix, void *buf, size_t size)
{
	struct pollfd pfd = { .fd = fix->ack, .events = POLLIN };
	ssize_t n;

	if (poll(&pfd, 1, 0) <= 0)
		return 0;
	n = read(fix->ack, buf, size);
	ck_assert_int_ge(n, 0);
	return (size_t)n;
}

int fixture_readable(int fd)
{
	int n = -1;

	ck_assert_int_eq(ioctl(fd, FIONREAD, &n), 0);
	return n;
}
