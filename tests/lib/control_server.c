/* A channel served by a thread. */
#include "lib/control_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "control/channel.h"

struct control_server {
	struct loop loop;
	struct channel *channel;
	pthread_t thread;
	int cmd_fd, ack_fd; /* the client's */
	char *log;
	size_t log_len;
	FILE *stream;
	int rc;
};

static int on_command(void *data, const struct command *command, struct reply *reply, struct ps_error *err)
{
	struct control_server *server = data;
	const char *text = command->text;

	(void)err;
	(void)fprintf(server->stream, "%s%s%s\n", command_name(command->kind), text ? " " : "", text ? text : "");
	if (command->kind == COMMAND_STOP)
		loop_stop(&server->loop);
	reply->send(reply, text && strncmp(text, "no", 2) == 0 ? -EACCES : 0);
	return 0;
}

static void *serve(void *data)
{
	struct control_server *server = data;
	struct ps_error err = PS_ERROR_INIT;

	server->rc = loop_run(&server->loop, &err);
	return NULL;
}

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	abort();
}

static void connect_ends(struct control_server *server, int use_socket, int server_ends[2])
{
	int cmd[2], ack[2];

	if (use_socket) {
		must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, cmd) == 0, "socketpair");
		server->cmd_fd = server->ack_fd = cmd[1];
		server_ends[0] = server_ends[1] = cmd[0];
		return;
	}
	must(pipe2(cmd, O_CLOEXEC) == 0 && pipe2(ack, O_CLOEXEC) == 0, "pipe2");
	server->cmd_fd = cmd[1];
	server->ack_fd = ack[0];
	server_ends[0] = cmd[0];
	server_ends[1] = ack[1];
}

static struct control_server *server_new(void)
{
	struct control_server *server = calloc(1, sizeof(*server));

	must(server != NULL, "calloc");
	server->cmd_fd = server->ack_fd = -1;
	server->stream = open_memstream(&server->log, &server->log_len);
	must(server->stream != NULL, "open_memstream");
	loop_init(&server->loop);
	return server;
}

static struct channel_options options_for(struct control_server *server, const struct protocol *protocol)
{
	return (struct channel_options){
		.protocol = protocol, .clock = &clock_system, .on_command = on_command, .data = server,
	};
}

static struct control_server *start_fds(const struct protocol *protocol, int use_socket, int *cmd_fd, int *ack_fd)
{
	struct control_server *server = server_new();
	struct channel_options options = options_for(server, protocol);
	struct ps_error err = PS_ERROR_INIT;
	int ends[2];

	connect_ends(server, use_socket, ends);
	options.cmd_fd = ends[0];
	options.ack_fd = ends[1];
	must(channel_open_fds(&server->channel, &server->loop, &options, &err) == 0, err.what);
	must(pthread_create(&server->thread, NULL, serve, server) == 0, "pthread_create");
	*cmd_fd = server->cmd_fd;
	*ack_fd = server->ack_fd;
	return server;
}

struct control_server *server_start(int use_socket, int *cmd_fd, int *ack_fd)
{
	return start_fds(&protocol_text, use_socket, cmd_fd, ack_fd);
}

struct control_server *server_start_binary(int *cmd_fd, int *ack_fd)
{
	return start_fds(&protocol_binary, 0, cmd_fd, ack_fd);
}

struct control_server *server_start_fifos(const char *cmd_path, const char *ack_path)
{
	struct control_server *server = server_new();
	struct channel_options options = options_for(server, &protocol_text);
	struct ps_error err = PS_ERROR_INIT;

	must(channel_open_fifos(&server->channel, &server->loop, cmd_path, ack_path, &options, &err) == 0, err.what);
	must(pthread_create(&server->thread, NULL, serve, server) == 0, "pthread_create");
	return server;
}

char *server_finish(struct control_server *server)
{
	char *log;

	if (server->ack_fd != server->cmd_fd)
		attr_close(&server->ack_fd);
	attr_close(&server->cmd_fd);
	must(pthread_join(server->thread, NULL) == 0, "pthread_join");
	must(server->rc == -EDEADLK || server->rc == 0, "the loop ended early");
	channel_free(server->channel, 0);
	loop_fini(&server->loop);
	must(fclose(server->stream) == 0, "fclose");
	log = server->log;
	free(server);
	return log;
}
