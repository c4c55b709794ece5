/* A command channel: bytes in any pieces become commands, answers leave in order, and neither side can block the other. */
#include "control/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/nonblock.h"
#include "control/endpoint.h"
#include "control/fifo_watch.h"

#define IN_BYTES 4096
#define OUT_BYTES 4096     /* answers that may wait; more of them stop the reading of commands */
#define REFUSALS_NOTED 20  /* a controller gone mad must not fill the user's screen */
#define NOTE_BYTES 256
#define QUOTE_BYTES 64     /* of a refused command in a note */

_Static_assert(IN_BYTES > COMMAND_TEXT_MAX, "a full input buffer must hold a whole command");

struct channel {
	struct channel_options options;
	struct loop *loop;
	struct nonblock cmd, ack; /* the descriptors are owned */
	struct fifo_watch *watch; /* NULL: they are no FIFOs of ours to open */
	char *cmd_name, *ack_name;
	short cmd_events, ack_events; /* what the loop watches for now; 0: not in the loop */
	bool ended;                   /* no more bytes will come */
	bool end_noted, reader_noted;
	uint64_t read_ns;             /* when the bytes in `in` came */
	uint64_t commands, sent_bytes;
	unsigned int refusals;
	struct parser parser;
	size_t in_len, out_len;
	uint8_t in[IN_BYTES];
	uint8_t out[OUT_BYTES];
};

/* The reply handed out with one command. */
struct channel_reply {
	struct reply reply; /* first: the address of both is the same */
	struct channel *channel;
	int result;
	bool sent;
};

int channel_check_fd(int fd, bool write, const char *name, struct ps_error *err)
{
	return endpoint_check(fd, write, name, err);
}

static void note(const struct channel *ch, const char *name, const char *text, int code)
{
	char line[NOTE_BYTES];

	if (!ch->options.on_note)
		return;
	(void)snprintf(line, sizeof(line), "%s: %s%s%s", name, text, code ? ": " : "", code ? strerror(code) : "");
	ch->options.on_note(ch->options.data, line);
}

/* ---- answers ---- */

/* Answers nobody will read are dropped; the commands go on being obeyed. */
static void drop_answers(struct channel *ch, int code)
{
	ch->out_len = 0;
	if (ch->reader_noted)
		return;
	ch->reader_noted = true;
	note(ch, ch->ack_name, "answers are not read any more", code == EPIPE || code == ECONNRESET ? 0 : code);
}

/* Writes what there is room for. Returns the bytes that are dealt with. */
static size_t put(struct channel *ch, const uint8_t *bytes, size_t len)
{
	ssize_t n = nonblock_write(&ch->ack, bytes, len);

	if (n == -EAGAIN)
		return 0;
	if (n < 0) {
		drop_answers(ch, (int)-n);
		return len;
	}
	ch->sent_bytes += (uint64_t)n;
	return (size_t)n;
}

static void flush(struct channel *ch)
{
	size_t done = ch->out_len ? put(ch, ch->out, ch->out_len) : 0;

	if (!ch->out_len) /* dropped */
		return;
	ch->out_len -= done;
	memmove(ch->out, ch->out + done, ch->out_len);
}

static bool has_room(const struct channel *ch)
{
	return sizeof(ch->out) - ch->out_len >= PROTOCOL_ANSWER_MAX;
}

static void reply_send(struct reply *reply, int result)
{
	struct channel_reply *self = (struct channel_reply *)reply;
	struct channel *ch = self->channel;
	size_t len = ch->options.protocol->answer_bytes;
	uint8_t answer[PROTOCOL_ANSWER_MAX];
	size_t done = 0;

	if (self->sent)
		return;
	self->sent = true;
	self->result = result;
	if (ch->ack.fd < 0)
		return;
	ch->options.protocol->answer(result, answer);
	if (!ch->out_len)
		done = put(ch, answer, len);
	memcpy(ch->out + ch->out_len, answer + done, len - done);
	ch->out_len += len - done;
}

static void reply_line(struct reply *reply, const char *text)
{
	const struct channel *ch = ((struct channel_reply *)reply)->channel;

	if (ch->options.on_note)
		ch->options.on_note(ch->options.data, text);
}

/* ---- commands ---- */

/* Text from outside, fit for a terminal. */
static void quote(char *to, size_t size, const char *text)
{
	size_t n = 0;

	for (; text[n] && n < size - 1; n++)
		to[n] = (unsigned char)text[n] < ' ' || text[n] == 0x7f ? '?' : text[n];
	to[n] = '\0';
}

static void note_refusal(struct channel *ch, const struct command *command, int result)
{
	char text[NOTE_BYTES], quoted[QUOTE_BYTES];
	const char *name = command_name(command->kind);
	bool invalid = command->kind == COMMAND_INVALID;
	bool no_event = result == -ENOENT && (command->kind == COMMAND_ENABLE_EVENT || command->kind == COMMAND_DISABLE_EVENT);

	if (ch->refusals++ >= REFUSALS_NOTED)
		return;
	quote(quoted, sizeof(quoted), command->text ? command->text : "");
	if (command->text)
		(void)snprintf(text, sizeof(text), "%s '%s' refused%s", name, quoted,
			       no_event ? ": not an event of this session" : "");
	else if (invalid)
		(void)snprintf(text, sizeof(text), "%s %d refused", name, (int)command->word);
	else
		(void)snprintf(text, sizeof(text), "%s refused", name);
	note(ch, ch->cmd_name, text, invalid || no_event ? 0 : -result);
	if (ch->refusals == REFUSALS_NOTED)
		note(ch, ch->cmd_name, "refused commands are not noted from here on", 0);
}

static int handle(struct channel *ch, struct command *command, struct ps_error *err)
{
	struct channel_reply reply = { { reply_send, reply_line }, ch, 0, false };
	int rc;

	command->request_ns = ch->read_ns;
	ch->commands++;
	rc = ch->options.on_command(ch->options.data, command, &reply.reply, err);
	if (!reply.sent)
		reply_send(&reply.reply, rc < 0 ? rc : -ENOTSUP);
	if (reply.result < 0)
		note_refusal(ch, command, reply.result);
	return rc < 0 ? rc : 0;
}

/* Obeys what is complete, as long as there is room for the answers. */
static int obey(struct channel *ch, struct ps_error *err)
{
	const struct protocol *protocol = ch->options.protocol;
	size_t at = 0, used;
	int rc = 0;

	while (rc == 0 && has_room(ch)) {
		struct command command;
		bool found;

		used = protocol->parse(&ch->parser, ch->in + at, ch->in_len - at, ch->ended, &command, &found);
		if (!used)
			break;
		at += used;
		if (found)
			rc = handle(ch, &command, err);
	}
	ch->in_len -= at;
	memmove(ch->in, ch->in + at, ch->in_len);
	return rc;
}

static void receive(struct channel *ch)
{
	ssize_t n = nonblock_read(&ch->cmd, ch->in + ch->in_len, sizeof(ch->in) - ch->in_len);

	if (n == -EAGAIN)
		return;
	ch->read_ns = clock_mono_ns(ch->options.clock);
	if (n > 0)
		ch->in_len += (size_t)n;
	else
		ch->ended = true;
	if (n < 0 && n != -ECONNRESET) { /* a socket closed with unread answers is closed all the same */
		ch->end_noted = true;
		note(ch, ch->cmd_name, "no more commands", (int)-n);
	}
}

/* ---- the loop ---- */

static int on_ready(void *data, int fd, short revents, struct ps_error *err);

/* Makes the loop watch fd for events; 0 takes it out, for poll reports a hang-up even when it is asked for nothing. */
static int watch(struct channel *ch, int fd, short *now, short events, struct ps_error *err)
{
	int rc = 0;

	if (*now == events)
		return 0;
	if (!events)
		loop_remove(ch->loop, fd);
	else if (*now)
		rc = loop_change(ch->loop, fd, events);
	else
		rc = loop_add(ch->loop, fd, events, on_ready, ch, err);
	if (rc >= 0)
		*now = events;
	return rc;
}

static int watch_both(struct channel *ch, struct ps_error *err)
{
	short in = !ch->ended && has_room(ch) ? POLLIN : 0;
	short out = ch->out_len ? POLLOUT : 0;
	int rc;

	if (ch->cmd.fd == ch->ack.fd)
		return watch(ch, ch->cmd.fd, &ch->cmd_events, (short)(in | out), err);
	rc = watch(ch, ch->cmd.fd, &ch->cmd_events, in, err);
	return rc < 0 ? rc : watch(ch, ch->ack.fd, &ch->ack_events, out, err);
}

static int on_ready(void *data, int fd, short revents, struct ps_error *err)
{
	struct channel *ch = data;
	int rc;

	if (ch->out_len && fd == ch->ack.fd)
		flush(ch);
	if (fd == ch->cmd.fd && !ch->ended && (ch->cmd_events & POLLIN) && (revents & ~POLLOUT))
		receive(ch);
	rc = obey(ch, err);
	if (rc < 0)
		return rc;
	if (ch->ended && !ch->in_len && !ch->end_noted) {
		ch->end_noted = true;
		if (!ch->options.quiet_end)
			note(ch, ch->cmd_name, "closed by the controller, no more commands", 0);
	}
	return watch_both(ch, err);
}

/* ---- FIFOs that are made anew ---- */

/* Takes one end out of the loop and puts fd in its place; -1: it stays. */
static void replace(struct channel *ch, struct nonblock *end, short *events, int fd)
{
	if (fd < 0)
		return;
	if (*events)
		loop_remove(ch->loop, end->fd);
	*events = 0;
	attr_close(&end->fd);
	nonblock_init(end, fd, &io_system);
}

/* Obeys what is left in the command pipe, as far as there is room for the answers. */
static int obey_rest(struct channel *ch, struct ps_error *err)
{
	size_t had;
	int rc;

	do {
		rc = obey(ch, err);
		had = ch->in_len;
		if (rc == 0 && had < sizeof(ch->in))
			receive(ch);
	} while (rc == 0 && ch->in_len > had && has_room(ch));
	return rc;
}

/* What was written to the old ones is obeyed and answered there first; no half of it is carried over. */
static int on_new_fifos(void *data, int cmd_fd, int ack_fd, struct ps_error *err)
{
	struct channel *ch = data;
	int rc = obey_rest(ch, err);

	note(ch, cmd_fd >= 0 ? ch->cmd_name : ch->ack_name, "made anew, the new one is served from now on", 0);
	if (cmd_fd >= 0) {
		ch->in_len = 0;
		ch->parser.skipping = false;
	}
	if (ack_fd >= 0) {
		flush(ch);
		ch->out_len = 0;
		ch->reader_noted = false;
	}
	replace(ch, &ch->cmd, &ch->cmd_events, cmd_fd);
	replace(ch, &ch->ack, &ch->ack_events, ack_fd);
	return rc < 0 ? rc : watch_both(ch, err);
}

/* ---- making and ending ---- */

/* The name messages use; NULL when there is no memory. */
static char *name_of(const char *name, const char *what, int fd)
{
	char made[NOTE_BYTES];

	if (name)
		return strdup(name);
	(void)snprintf(made, sizeof(made), "%s %d", what, fd);
	return strdup(made);
}

/* Frees the memory; the descriptors stay as they are. */
static void release(struct channel *ch)
{
	if (!ch)
		return;
	free(ch->cmd_name);
	free(ch->ack_name);
	free(ch);
}

int channel_open_fds(struct channel **channel, struct loop *loop, const struct channel_options *options,
		     struct ps_error *err)
{
	struct channel *ch = calloc(1, sizeof(*ch));
	int rc;

	if (ch) {
		ch->cmd_name = name_of(options->cmd_name, "command descriptor", options->cmd_fd);
		ch->ack_name = name_of(options->ack_name, "answer descriptor", options->ack_fd);
	}
	if (!ch || !ch->cmd_name || !ch->ack_name) {
		release(ch);
		return ps_fail(err, "control", ENOMEM, "making a command channel");
	}
	ch->options = *options;
	ch->loop = loop;
	rc = endpoint_check(options->cmd_fd, false, ch->cmd_name, err);
	if (rc == 0 && options->ack_fd >= 0)
		rc = endpoint_check(options->ack_fd, true, ch->ack_name, err);
	if (rc == 0) {
		nonblock_init(&ch->cmd, options->cmd_fd, &io_system);
		nonblock_init(&ch->ack, options->ack_fd, &io_system);
		rc = watch_both(ch, err);
	}
	if (rc < 0)
		release(ch);
	else
		*channel = ch;
	return rc;
}

int channel_open_fifos(struct channel **channel, struct loop *loop, const char *cmd_path, const char *ack_path,
		       const struct channel_options *options, struct ps_error *err)
{
	struct channel_options opened = *options;
	_cleanup_close_ int cmd_fd = endpoint_open_fifo(cmd_path, O_RDWR, err);
	_cleanup_close_ int ack_fd = -1;
	int rc;

	if (cmd_fd < 0)
		return cmd_fd;
	if (ack_path)
		ack_fd = endpoint_open_fifo(ack_path, O_RDWR, err);
	if (ack_path && ack_fd < 0)
		return ack_fd;
	opened.cmd_fd = cmd_fd;
	opened.ack_fd = ack_fd;
	opened.cmd_name = cmd_path;
	opened.ack_name = ack_path;
	rc = channel_open_fds(channel, loop, &opened, err);
	if (rc < 0)
		return rc;
	rc = fifo_watch_new(&(*channel)->watch, loop, options->clock, cmd_path, cmd_fd, ack_path, ack_fd, on_new_fifos, *channel,
			    err);
	cmd_fd = -1;
	ack_fd = -1;
	if (rc < 0) {
		channel_free(*channel, 0);
		*channel = NULL;
	}
	return rc;
}

uint64_t channel_commands(const struct channel *ch)
{
	return ch->commands;
}

uint64_t channel_answers(const struct channel *ch)
{
	return ch->sent_bytes / ch->options.protocol->answer_bytes;
}

size_t channel_pending_bytes(const struct channel *ch)
{
	return ch->out_len;
}

/* Waits for room until the deadline. */
static void drain(struct channel *ch, int timeout_ms)
{
	uint64_t end_ns = clock_mono_ns(ch->options.clock) + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;

	flush(ch);
	while (ch->out_len) {
		struct pollfd pfd = { .fd = ch->ack.fd, .events = POLLOUT };
		uint64_t now_ns = clock_mono_ns(ch->options.clock);

		if (now_ns >= end_ns || (poll(&pfd, 1, (int)((end_ns - now_ns) / NS_PER_MS) + 1) < 0 && errno != EINTR))
			return;
		flush(ch);
	}
}

void channel_free(struct channel *ch, int timeout_ms)
{
	if (!ch)
		return;
	fifo_watch_free(ch->watch);
	drain(ch, timeout_ms);
	if (ch->cmd_events)
		loop_remove(ch->loop, ch->cmd.fd);
	if (ch->ack_events)
		loop_remove(ch->loop, ch->ack.fd);
	if (ch->ack.fd != ch->cmd.fd)
		attr_close(&ch->ack.fd);
	attr_close(&ch->cmd.fd);
	release(ch);
}
