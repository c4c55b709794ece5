/* Control by keys on the terminal. */
#include "record/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

struct keys {
	int fd;
	bool taken; /* saved holds what to give back */
	struct termios saved;
	struct loop *loop;
	const struct clock *clock;
	command_fn on_command;
	void (*on_toggle)(void *data);
	void *data;
};

static void send_nowhere(struct reply *reply, int result)
{
	(void)reply;
	(void)result; /* who presses a key sees what happens */
}

static int on_key(struct keys *keys, char key, struct ps_error *err)
{
	struct reply reply = { .send = send_nowhere };
	struct command command = { .request_ns = clock_mono_ns(keys->clock) };

	switch (key) {
	case ' ':
		keys->on_toggle(keys->data);
		return 0;
	case 'm':
		command.kind = COMMAND_MARK;
		command.text = "key";
		break;
	case 'q':
		command.kind = COMMAND_STOP;
		break;
	default:
		return 0;
	}
	return keys->on_command(keys->data, &command, &reply, err);
}

/* Whoever touches a terminal from the background is stopped by it. */
static bool is_foreground(int fd)
{
	return tcgetpgrp(fd) == getpgrp();
}

static int on_readable(void *data, int fd, short revents, struct ps_error *err)
{
	struct keys *keys = data;
	char pressed[32];
	ssize_t n = is_foreground(fd) ? read(fd, pressed, sizeof(pressed)) : 0;
	int rc = 0;

	(void)revents;
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n <= 0) { /* the terminal is gone, or another's now */
		loop_remove(keys->loop, fd);
		return 0;
	}
	for (ssize_t i = 0; i < n && rc == 0; i++)
		rc = on_key(keys, pressed[i], err);
	return rc;
}

static int take_terminal(struct keys *keys, struct ps_error *err)
{
	struct termios raw;

	if (!is_foreground(keys->fd)) {
		(void)ps_fail(err, "keys", ENOTTY, "pstat runs in the background of the terminal");
		ps_hint(err, "start it in the foreground, or use --control-dir and pstat ctl");
		return -ENOTTY;
	}
	if (tcgetattr(keys->fd, &keys->saved) < 0)
		return ps_fail(err, "keys", errno, "asking the terminal for its settings");
	raw = keys->saved;
	raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO); /* ISIG stays: Ctrl-C is still a signal */
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(keys->fd, TCSANOW, &raw) < 0)
		return ps_fail(err, "keys", errno, "having the terminal give single keys");
	keys->taken = true;
	return 0;
}

int keys_open(struct keys **out, struct loop *loop, const struct clock *clock, command_fn on_command,
	      void (*on_toggle)(void *data), void *data, struct ps_error *err)
{
	struct keys *keys = calloc(1, sizeof(*keys));
	int rc;

	if (!keys)
		return ps_fail(err, "keys", ENOMEM, "starting");
	*keys = (struct keys){ .loop = loop, .clock = clock, .on_command = on_command, .on_toggle = on_toggle,
			       .data = data };
	keys->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (keys->fd < 0) {
		rc = ps_fail(err, "keys", errno, "opening the terminal");
		ps_hint(err, "--keys needs a terminal; use --control-dir and pstat ctl elsewhere");
		free(keys);
		return rc;
	}
	rc = take_terminal(keys, err);
	if (rc == 0)
		rc = loop_add(loop, keys->fd, POLLIN, on_readable, keys, err);
	if (rc < 0) {
		keys_free(keys);
		return rc;
	}
	*out = keys;
	return 0;
}

void keys_free(struct keys *keys)
{
	if (!keys)
		return;
	loop_remove(keys->loop, keys->fd);
	if (keys->taken && is_foreground(keys->fd))
		(void)tcsetattr(keys->fd, TCSANOW, &keys->saved);
	(void)close(keys->fd);
	free(keys);
}
