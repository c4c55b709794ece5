/*
 * A command channel: descriptors, partial input, answers that wait for room. It is put into a loop and calls the command_fn
 * it was given. All of what came is obeyed before an end of file is honoured.
 */
#ifndef CONTROL_CHANNEL_H
#define CONTROL_CHANNEL_H

#include "base/clock.h"
#include "control/command.h"
#include "loop/loop.h"

struct channel;

/* Things the user may want to know ("answers are not read any more"): one line, no end of line. */
typedef void (*channel_note_fn)(void *data, const char *text);

struct channel_options {
	const struct protocol *protocol;
	int cmd_fd;           /* read end */
	int ack_fd;           /* write end; -1: no answers. May equal cmd_fd (a socket) */
	const char *cmd_name; /* what messages call them: "--cmd-fd 5"; copied. NULL: made from the number */
	const char *ack_name;
	bool quiet_end;       /* the end of the commands needs no note: it is the workload's own */
	const struct clock *clock;
	/*
	 * Gets every command in order, COMMAND_INVALID too (answer: -EINVAL). When it returns without an answer, the channel
	 * refuses the command for it (-ENOTSUP, or what it returned). It must not free the channel. Commands that arrived
	 * together with a stop are handed over after it.
	 */
	command_fn on_command;
	/*
	 * The channel notes by itself, each always after the answer: every refused command (result < 0), up to a limit; the end of
	 * the commands; a vanished reader, once.
	 */
	channel_note_fn on_note;
	void *data; /* for both, borrowed */
};

/*
 * Checks that a descriptor is open and has the right direction, and makes it close-on-exec. write: it will be written to.
 * 0 or -errno with a message that names it (-EBADF).
 */
int channel_check_fd(int fd, bool write, const char *name, struct ps_error *err) _must_check_;

/*
 * Makes a channel over open descriptors and adds it to the loop. The descriptors are taken over (closed by channel_free)
 * only on success. Pipes in blocking mode stay so for other processes that share them. SIGPIPE must be ignored
 * (signal_source). 0 or -errno.
 */
int channel_open_fds(struct channel **channel, struct loop *loop, const struct channel_options *options,
		     struct ps_error *err) _must_check_;

/*
 * Over FIFO paths, opened read-write and non-blocking, so that controllers may come and go. FIFOs that are removed and made
 * anew are noticed within half a second, noted, and served from then on. ack_path NULL: no answers.
 * Descriptors and names in options are not used. 0 or -errno with a hint where there is a remedy.
 */
int channel_open_fifos(struct channel **channel, struct loop *loop, const char *cmd_path, const char *ack_path,
		       const struct channel_options *options, struct ps_error *err) _must_check_;

/* For messages and tests: commands handed over; answers written; bytes of answers that wait for room. */
uint64_t channel_commands(const struct channel *channel);
uint64_t channel_answers(const struct channel *channel);
size_t channel_pending_bytes(const struct channel *channel);

/* Tries for at most timeout_ms to get the waiting answers out, closes, frees. NULL is fine. */
void channel_free(struct channel *channel, int timeout_ms);

#endif
