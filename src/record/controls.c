/* Every way a session is told what to do. */
#include "record/controls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "record/keys.h"

#define CHANNELS_MAX 4      /* binary, text, folder, workload */
#define LAST_ANSWERS_MS 200 /* how long the end waits for a reader of answers */

struct controls {
	struct controls_config config;
	struct channel *channels[CHANNELS_MAX];
	size_t n_channels;
	char *dir_cmd, *dir_ack;    /* made by us; removed at the end */
	bool made_dir;
	int own_end;                /* of the workload's socket */
	struct workload_control workload;
	struct keys *keys;
};

bool controls_text(const struct controls_config *config)
{
	return config->text_cmd_fd >= 0 || config->fifo_cmd || config->dir || config->workload;
}

bool controls_any(const struct controls_config *config)
{
	return controls_text(config) || config->cmd_fd >= 0 || config->keys || config->pause_signal ||
	       config->resume_signal || config->toggle_signal;
}

/* --- before the command is forked ------------------------------------------------------------------------------------ */

static int check_fd(int fd, bool write, const char *option, struct ps_error *err)
{
	char name[64];

	if (fd < 0)
		return 0;
	(void)snprintf(name, sizeof(name), "%s %d", option, fd);
	return channel_check_fd(fd, write, name, err);
}

int controls_check(const struct controls_config *config, struct ps_error *err)
{
	int rc = check_fd(config->cmd_fd, false, "--cmd-fd", err);

	if (rc == 0)
		rc = check_fd(config->ack_fd, true, "--cmd-ack-fd", err);
	if (rc == 0)
		rc = check_fd(config->text_cmd_fd, false, "--control fd", err);
	if (rc == 0)
		rc = check_fd(config->text_ack_fd, true, "--control fd", err);
	if (rc == 0)
		rc = check_fd(config->ready_fd, true, "--ready-fd", err);
	return rc;
}

/* A FIFO that nobody reads: a pstat that was killed left it. */
static bool is_left_over(const char *path)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) < 0 || !S_ISFIFO(st.st_mode))
		return false;
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		(void)close(fd);
	return fd < 0 && errno == ENXIO;
}

static int make_fifo(const char *path, struct ps_error *err)
{
	int rc = mkfifo(path, 0600) < 0 ? errno : 0;

	if (rc == EEXIST && is_left_over(path) && unlink(path) == 0)
		rc = mkfifo(path, 0600) < 0 ? errno : 0;
	if (!rc)
		return 0;
	(void)ps_fail(err, "control", rc, "making the FIFO %s", path);
	if (rc == EEXIST)
		ps_hint(err, "another pstat uses this folder: give another one");
	return -rc;
}

static int make_dir(struct controls *controls, struct ps_error *err)
{
	const char *dir = controls->config.dir;
	char *path;
	int rc;

	if (!dir)
		return 0;
	if (mkdir(dir, 0700) == 0)
		controls->made_dir = true;
	else if (errno != EEXIST)
		return ps_fail(err, "control", errno, "making the folder %s", dir);
	if (asprintf(&path, "%s/cmd", dir) < 0)
		return ps_fail(err, "control", ENOMEM, "naming the FIFOs in %s", dir);
	rc = make_fifo(path, err);
	if (rc < 0) {
		free(path);
		return rc;
	}
	controls->dir_cmd = path;
	if (asprintf(&path, "%s/ack", dir) < 0)
		return ps_fail(err, "control", ENOMEM, "naming the FIFOs in %s", dir);
	rc = make_fifo(path, err);
	if (rc < 0) {
		free(path);
		return rc;
	}
	controls->dir_ack = path;
	return 0;
}

/* One socket serves both directions, and a write to it after the other end has gone raises no signal in the program. */
static int make_socket(struct controls *controls, struct ps_error *err)
{
	int pair[2];

	if (!controls->config.workload)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return ps_fail(err, "control", errno, "making the workload's socket");
	controls->own_end = pair[0];
	controls->workload.cmd_fd = controls->workload.ack_fd = pair[1];
	return 0;
}

int controls_new(struct controls **out, const struct controls_config *config, struct ps_error *err)
{
	struct controls *controls = calloc(1, sizeof(*controls));
	int rc;

	if (!controls)
		return ps_fail(err, "control", ENOMEM, "starting");
	controls->config = *config;
	controls->own_end = -1;
	controls->workload.cmd_fd = controls->workload.ack_fd = -1;
	rc = make_socket(controls, err);
	if (rc == 0)
		rc = make_dir(controls, err);
	if (rc < 0) {
		controls_free(controls);
		return rc;
	}
	*out = controls;
	return 0;
}

const struct workload_control *controls_for_workload(const struct controls *controls)
{
	return controls->config.workload ? &controls->workload : NULL;
}

/* --- the channels ---------------------------------------------------------------------------------------------------- */

static int add_fds(struct controls *controls, struct loop *loop, const struct channel_options *common,
		   const struct protocol *protocol, int cmd_fd, int ack_fd, const char *cmd, const char *ack,
		   struct ps_error *err)
{
	struct channel_options options = *common;
	char cmd_name[64], ack_name[64];
	int rc;

	(void)snprintf(cmd_name, sizeof(cmd_name), "%s %d", cmd, cmd_fd);
	(void)snprintf(ack_name, sizeof(ack_name), "%s %d", ack, ack_fd);
	options.protocol = protocol;
	options.cmd_fd = cmd_fd;
	options.ack_fd = ack_fd;
	options.cmd_name = cmd_name;
	options.ack_name = ack_name;
	rc = channel_open_fds(&controls->channels[controls->n_channels], loop, &options, err);
	if (rc == 0)
		controls->n_channels++;
	return rc;
}

static int add_fifos(struct controls *controls, struct loop *loop, const struct channel_options *common,
		     const char *cmd, const char *ack, struct ps_error *err)
{
	struct channel_options options = *common;
	int rc;

	options.protocol = &protocol_text;
	options.cmd_name = cmd;
	options.ack_name = ack;
	rc = channel_open_fifos(&controls->channels[controls->n_channels], loop, cmd, ack, &options, err);
	if (rc == 0)
		controls->n_channels++;
	return rc;
}

static void close_workload_end(struct controls *controls)
{
	if (controls->workload.cmd_fd >= 0)
		(void)close(controls->workload.cmd_fd); /* ack_fd is the same one */
	controls->workload.cmd_fd = controls->workload.ack_fd = -1;
}

static int add_workload(struct controls *controls, struct loop *loop, const struct channel_options *common,
			struct ps_error *err)
{
	struct channel_options options = *common;
	int rc;

	options.quiet_end = true;

	close_workload_end(controls); /* the command has it by now, and its death is to be an end of file */
	rc = add_fds(controls, loop, &options, &protocol_text, controls->own_end, controls->own_end,
		     "--workload-control", "--workload-control", err);
	if (rc == 0)
		controls->own_end = -1; /* the channel's now */
	return rc;
}

int controls_start(struct controls *controls, struct loop *loop, const struct clock *clock,
		   const struct controls_calls *calls, struct ps_error *err)
{
	const struct controls_config *config = &controls->config;
	struct channel_options common = {
		.clock = clock,
		.on_command = calls->on_command,
		.on_note = calls->on_note,
		.data = calls->data,
	};
	int rc = 0;

	if (config->cmd_fd >= 0)
		rc = add_fds(controls, loop, &common, &protocol_binary, config->cmd_fd, config->ack_fd,
			     "--cmd-fd", "--cmd-ack-fd", err);
	if (rc == 0 && config->text_cmd_fd >= 0)
		rc = add_fds(controls, loop, &common, &protocol_text, config->text_cmd_fd, config->text_ack_fd,
			     "--control fd", "--control fd", err);
	if (rc == 0 && config->fifo_cmd)
		rc = add_fifos(controls, loop, &common, config->fifo_cmd, config->fifo_ack, err);
	if (rc == 0 && controls->dir_ack)
		rc = add_fifos(controls, loop, &common, controls->dir_cmd, controls->dir_ack, err);
	if (rc == 0 && config->workload)
		rc = add_workload(controls, loop, &common, err);
	if (rc == 0 && config->keys)
		rc = keys_open(&controls->keys, loop, clock, calls->on_command, calls->on_toggle, calls->data, err);
	return rc;
}

int controls_ready(struct controls *controls, struct ps_error *err)
{
	int fd = controls->config.ready_fd;
	int rc;

	if (fd < 0)
		return 0;
	rc = io_write_full(&io_system, fd, "1", 1, err);
	controls->config.ready_fd = -1;
	if (close(fd) < 0 && rc == 0)
		rc = ps_fail(err, "control", errno, "closing --ready-fd %d", fd);
	return rc == -EPIPE ? 0 : rc; /* nobody waits any more */
}

void controls_free(struct controls *controls)
{
	if (!controls)
		return;
	keys_free(controls->keys);
	for (size_t i = 0; i < controls->n_channels; i++)
		channel_free(controls->channels[i], LAST_ANSWERS_MS);
	if (controls->own_end >= 0)
		(void)close(controls->own_end);
	close_workload_end(controls);
	if (controls->dir_cmd)
		(void)unlink(controls->dir_cmd); /* what is left of it harms nobody */
	if (controls->dir_ack)
		(void)unlink(controls->dir_ack);
	if (controls->made_dir)
		(void)rmdir(controls->config.dir);
	free(controls->dir_cmd);
	free(controls->dir_ack);
	free(controls);
}
