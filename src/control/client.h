/* The controller's side: sends one command to a running pstat and waits for its answer, never longer than told. */
#ifndef CONTROL_CLIENT_H
#define CONTROL_CLIENT_H

#include "base/clock.h"
#include "control/command.h"
#include "base/nonblock.h"

struct client {
	struct nonblock cmd, ack; /* ack.fd -1: no answers */
	bool owned;               /* the descriptors are closed by client_close */
	bool binary;              /* speaks the binary protocol, otherwise text */
};

/* Over descriptors that stay the caller's. cmd_name, ack_name: what messages call them. 0 or -errno. */
int client_open_fds(struct client *client, int cmd_fd, const char *cmd_name, int ack_fd, const char *ack_name,
		    struct ps_error *err) _must_check_;

/*
 * Over FIFOs. ack_path NULL: no answers. A pstat that is just being started has not made or opened them yet, so that is waited
 * for, timeout_ms at most. 0 or -errno; -ENOENT: there are none; -ENXIO: nobody reads the commands, pstat does not run.
 */
int client_open_fifos(struct client *client, const char *cmd_path, const char *ack_path, const struct clock *clock,
		      int timeout_ms, struct ps_error *err) _must_check_;

/*
 * Sends a command (its kind and text) and waits for the answer. Clients in other processes wait for each other; answers left
 * over by clients that did not wait are thrown away first. 0: done, or sent when there are no answers. -ECANCELED: pstat
 * refused it. -ETIMEDOUT: no answer within timeout_ms. -EPIPE: pstat has gone. -EPROTO: not an answer. -ENOTSUP: the
 * protocol has no such command. -EINVAL: the text holds a line end or is too long.
 */
int client_send(struct client *client, const struct command *command, const struct clock *clock, int timeout_ms,
		struct ps_error *err) _must_check_;

void client_close(struct client *client);

#endif
