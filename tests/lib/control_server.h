/* A pstat for clients of the text protocol to talk to: a real channel, served by a thread. */
#ifndef TESTS_CONTROL_SERVER_H
#define TESTS_CONTROL_SERVER_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

struct control_server;

/* Starts it. *cmd_fd and *ack_fd are the client's ends, and the caller's; a socket: both the same. Aborts on failure. */
struct control_server *server_start(int use_socket, int *cmd_fd, int *ack_fd);

/* The same over FIFOs that exist, or over descriptors with binary commands. It ends with a stop command. */
struct control_server *server_start_fifos(const char *cmd_path, const char *ack_path);
struct control_server *server_start_binary(int *cmd_fd, int *ack_fd);

/*
 * Closes the client's ends, waits until all is obeyed or for the stop, and returns what was obeyed, one command a line:
 * "resume sort\npause\n". A text that begins with "no" is refused. Freed by the caller with free().
 */
char *server_finish(struct control_server *server);

#ifdef __cplusplus
}
#endif

#endif
