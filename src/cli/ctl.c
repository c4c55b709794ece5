/* pstat ctl: options, where to send, and what the exit status says. */
#include "cli/ctl.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/option.h"
#include "control/client.h"

#define PROGRAM "pstat ctl"
#define DEFAULT_TIMEOUT_MS 5000
#define TEXT_MAX 1000 /* as pstat/control.h has it */

enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_TIMEOUT = 3, EXIT_FAILED = 125 };

struct ctl {
	const char *fifo, *dir;
	long cmd_fd, ack_fd; /* -1: not given */
	long timeout_ms;
	bool binary, help;
};

static const struct verb {
	const char *name, *arg, *help;
	enum command_kind kind;
	bool takes_text, needs_text;
} verbs[] = {
	{ "pause", "", "stop counting", COMMAND_PAUSE, false, false },
	{ "resume", "[LABEL]", "count; the window is called LABEL", COMMAND_RESUME, true, false },
	{ "mark", "TEXT", "put a mark into the recording", COMMAND_MARK, true, true },
	{ "ping", "", "only wait for an answer", COMMAND_PING, false, false },
	{ "stop", "", "end the session", COMMAND_STOP, false, false },
};

static int set_cmd_fd(void *config, const char *value, struct ps_error *err)
{
	return option_number(value, 0, INT_MAX, &((struct ctl *)config)->cmd_fd, err);
}

static int set_ack_fd(void *config, const char *value, struct ps_error *err)
{
	return option_number(value, 0, INT_MAX, &((struct ctl *)config)->ack_fd, err);
}

static int set_timeout(void *config, const char *value, struct ps_error *err)
{
	return option_number(value, 0, INT_MAX, &((struct ctl *)config)->timeout_ms, err);
}

static const struct option_row rows[] = {
	{ .name = "cmd-fd", .arg = "N", .set = set_cmd_fd, .help = "write the command to descriptor N" },
	{ .name = "ack-fd", .arg = "N", .set = set_ack_fd, .help = "read the answer from descriptor N" },
	{ .name = "fifo", .arg = "CMD[,ACK]", .at = offsetof(struct ctl, fifo), .help = "use these FIFOs" },
	{ .name = "dir", .arg = "DIR", .at = offsetof(struct ctl, dir), .help = "use the FIFOs DIR/cmd and DIR/ack" },
	{ .name = "binary", .at = offsetof(struct ctl, binary),
	  .help = "speak the protocol of pstat's --cmd-fd instead of that of --control" },
	{ .name = "timeout", .arg = "MS", .set = set_timeout, .help = "wait this long for pstat and its answer (default 5000)" },
	{ .name = "help", .letter = 'h', .at = offsetof(struct ctl, help), .help = "show this and exit" },
	{ .name = NULL },
};

static void help(void)
{
	(void)puts("Usage: pstat ctl [options] COMMAND [TEXT]\n\nCommands:");
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		(void)printf("  %-7s%-10s %s\n", verbs[i].name, verbs[i].arg, verbs[i].help);
	(void)puts("\nOptions:");
	option_help(rows, stdout);
	(void)puts("\nWithout an option that says where, the descriptors in PSTAT_CMD_FD and PSTAT_ACK_FD are used.\n"
		   "Exit status: 0 done, 1 refused, 2 bad usage, 3 no answer in time, 125 another failure.");
}

/* What the operands say. 0 or -EINVAL. */
static int read_command(int argc, char *argv[], struct command *command, struct ps_error *err)
{
	const struct verb *verb = NULL;
	const char *text = argc > 1 ? argv[1] : NULL;

	if (!argc)
		return ps_fail(err, "usage", EINVAL, "no command");
	for (size_t i = 0; i < ARRAY_SIZE(verbs) && !verb; i++)
		if (strcmp(verbs[i].name, argv[0]) == 0)
			verb = &verbs[i];
	if (!verb)
		return ps_fail(err, "usage", EINVAL, "unknown command %s", argv[0]);
	if (argc > (verb->takes_text ? 2 : 1))
		return ps_fail(err, "usage", EINVAL, "%s: unexpected argument %s", argv[0], argv[argc - 1]);
	if (verb->needs_text && !text)
		return ps_fail(err, "usage", EINVAL, "%s needs a text", argv[0]);
	if (text && (!text[strspn(text, " \t\r")] || strchr(text, '\n') || strlen(text) > TEXT_MAX))
		return ps_fail(err, "usage", EINVAL, "%s: the text must be one line of 1 to %d bytes", argv[0], TEXT_MAX);
	*command = (struct command){ .kind = verb->kind, .text = text };
	return 0;
}

/* A combination of options that makes sense, for this command. 0 or -EINVAL. */
static int check(const struct ctl *ctl, const struct command *command, struct ps_error *err)
{
	int ways = (ctl->fifo != NULL) + (ctl->dir != NULL) + (ctl->cmd_fd >= 0);
	bool toggle = command->kind == COMMAND_PAUSE || command->kind == COMMAND_RESUME;

	if (ways > 1)
		return ps_fail(err, "usage", EINVAL, "only one of --cmd-fd, --fifo and --dir");
	if (ctl->ack_fd >= 0 && ctl->cmd_fd < 0)
		return ps_fail(err, "usage", EINVAL, "--ack-fd goes with --cmd-fd");
	if (ctl->binary && (!toggle || command->text))
		return ps_fail(err, "usage", EINVAL, "--binary knows pause and resume without a label only");
	return 0;
}

/* "CMD" or "CMD,ACK". */
static int open_fifo_pair(struct client *client, const char *spec, long timeout_ms, struct ps_error *err)
{
	_cleanup_free_ char *cmd = strdup(spec);
	char *ack = cmd ? strchr(cmd, ',') : NULL;

	if (!cmd)
		return ps_fail(err, "ctl", ENOMEM, "opening %s", spec);
	if (ack)
		*ack++ = '\0';
	return client_open_fifos(client, cmd, ack, &clock_system, (int)timeout_ms, err);
}

static int open_dir(struct client *client, const char *dir, long timeout_ms, struct ps_error *err)
{
	char cmd[PATH_MAX], ack[PATH_MAX];
	int n = snprintf(cmd, sizeof(cmd), "%s/cmd", dir);

	if (n < 0 || (size_t)n >= sizeof(cmd))
		return ps_fail(err, "ctl", ENAMETOOLONG, "opening %s", dir);
	(void)snprintf(ack, sizeof(ack), "%s/ack", dir); /* as long as the other */
	return client_open_fifos(client, cmd, ack, &clock_system, (int)timeout_ms, err);
}

/* A descriptor from the environment: -1 when it is not set. */
static int env_fd(const char *name, long *fd, struct ps_error *err)
{
	const char *text = getenv(name);
	struct ps_error inner = PS_ERROR_INIT;

	*fd = -1;
	if (!text || !*text || option_number(text, 0, INT_MAX, fd, &inner) == 0)
		return 0;
	return ps_fail(err, "usage", EINVAL, "%s: %s", name, inner.what);
}

static int open_env(struct client *client, struct ps_error *err)
{
	long cmd_fd, ack_fd;
	int rc = env_fd("PSTAT_CMD_FD", &cmd_fd, err);

	if (rc == 0)
		rc = env_fd("PSTAT_ACK_FD", &ack_fd, err);
	if (rc == 0 && cmd_fd < 0) {
		rc = ps_fail(err, "usage", EINVAL, "no pstat to talk to: PSTAT_CMD_FD is not set");
		ps_hint(err, "run it under pstat record --workload-control, or give --fifo, --dir or --cmd-fd");
	}
	if (rc < 0)
		return rc;
	return client_open_fds(client, (int)cmd_fd, "PSTAT_CMD_FD", (int)ack_fd, "PSTAT_ACK_FD", err);
}

static int open_client(struct client *client, const struct ctl *ctl, struct ps_error *err)
{
	if (ctl->fifo)
		return open_fifo_pair(client, ctl->fifo, ctl->timeout_ms, err);
	if (ctl->dir)
		return open_dir(client, ctl->dir, ctl->timeout_ms, err);
	if (ctl->cmd_fd >= 0)
		return client_open_fds(client, (int)ctl->cmd_fd, "--cmd-fd", (int)ctl->ack_fd, "--ack-fd", err);
	return open_env(client, err);
}

static int status_of(int rc)
{
	switch (rc) {
	case 0:
		return EXIT_DONE;
	case -ECANCELED:
		return EXIT_REFUSED;
	case -EINVAL:
	case -EBADF:
		return EXIT_USAGE;
	case -ETIMEDOUT:
		return EXIT_TIMEOUT;
	default:
		return EXIT_FAILED;
	}
}

static int run(const struct ctl *ctl, const struct command *command, struct ps_error *err)
{
	uint64_t start_ns = clock_mono_ns(&clock_system);
	struct client client;
	int rc = open_client(&client, ctl, err);
	long left_ms;

	if (rc < 0)
		return rc;
	left_ms = ctl->timeout_ms - (long)((clock_mono_ns(&clock_system) - start_ns) / NS_PER_MS);
	client.binary = ctl->binary;
	rc = client_send(&client, command, &clock_system, left_ms > 0 ? (int)left_ms : 0, err);
	client_close(&client);
	return rc;
}

int ctl_main(int argc, char *argv[])
{
	struct ctl ctl = { .cmd_fd = -1, .ack_fd = -1, .timeout_ms = DEFAULT_TIMEOUT_MS };
	struct ps_error err = PS_ERROR_INIT;
	struct command command;
	int rc = option_parse(rows, argc, argv, false, &ctl, &err);

	if (rc >= 0 && ctl.help) {
		help();
		return EXIT_DONE;
	}
	if (rc >= 0)
		rc = read_command(argc - rc, argv + rc, &command, &err);
	if (rc == 0)
		rc = check(&ctl, &command, &err);
	if (rc == 0) {
		(void)signal(SIGPIPE, SIG_IGN); /* a pstat that has ended is an error with a name */
		rc = run(&ctl, &command, &err);
	} else {
		ps_hint(&err, "pstat ctl --help");
	}
	if (rc < 0)
		message_error(PROGRAM, &err);
	return status_of(rc);
}
