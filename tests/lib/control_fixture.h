/* What tests of the control channel share: a recording command handler, notes, pipes and sockets. */
#ifndef TESTS_CONTROL_FIXTURE_H
#define TESTS_CONTROL_FIXTURE_H

#include "control/channel.h"
#include "loop/loop.h"

#define FIXTURE_COMMANDS 4096

struct control_fixture {
	struct loop loop;
	struct channel *channel;
	int cmd;                                /* the controller's ends; -1 once closed */
	int ack;
	enum command_kind kinds[FIXTURE_COMMANDS]; /* what the handler got */
	char text[1100];                        /* of the last command */
	size_t commands;
	size_t notes;
	char note[256];                         /* the last one */
	int result;                             /* what the handler answers */
	int rc;                                 /* what the handler returns */
	bool silent;                            /* the handler does not answer */
	bool twice;                             /* it does so twice */
	struct ps_error err;
};

/* A channel over two pipes or over one socket pair. */
void fixture_pipes(struct control_fixture *fix, const struct protocol *protocol);
void fixture_socket(struct control_fixture *fix, const struct protocol *protocol);

/* A channel over descriptors of the test's own. Returns what channel_open_fds returns. */
int fixture_open(struct control_fixture *fix, const struct protocol *protocol, int cmd_fd, int ack_fd);

void fixture_free(struct control_fixture *fix);

/* Options whose handler and notes go to fix. */
struct channel_options fixture_options(struct control_fixture *fix, const struct protocol *protocol);

/* Runs the loop as long as something is ready. Fails the test when it never rests. */
void fixture_settle(struct control_fixture *fix);

/* Writes all of it as the controller. */
void fixture_write(struct control_fixture *fix, const void *bytes, size_t len);

/* Reads the answers that are there, without waiting. Returns the number of bytes, 0 at the end or when there are none. */
size_t fixture_read(struct control_fixture *fix, void *buf, size_t size);

/* Bytes that can be read from fd (FIONREAD). */
int fixture_readable(int fd);

void fixture_close_cmd(struct control_fixture *fix);
void fixture_close_ack(struct control_fixture *fix);

#endif
