/* Every way a session is told what to do: descriptors, FIFOs, the program itself, signals, keys. */
#ifndef RECORD_CONTROLS_H
#define RECORD_CONTROLS_H

#include <stdbool.h>

#include "control/channel.h"
#include "record/workload.h"

/* What the user asked for. -1 and NULL: not asked for. Strings are borrowed. */
struct controls_config {
	int cmd_fd, ack_fd;           /* --cmd-fd, --cmd-ack-fd: binary */
	int text_cmd_fd, text_ack_fd; /* --control fd: */
	const char *fifo_cmd, *fifo_ack; /* --control fifo: */
	const char *dir;              /* --control-dir: pstat makes and removes the two FIFOs */
	bool workload;                /* --workload-control */
	bool keys;                    /* --keys */
	int ready_fd;                 /* --ready-fd */
	int pause_signal, resume_signal, toggle_signal; /* 0: none */
};

#define CONTROLS_CONFIG_NONE { -1, -1, -1, -1, NULL, NULL, NULL, false, false, -1, 0, 0, 0 }

/* Whether pauses and resumes may come at all, and whether single events may be switched. */
bool controls_any(const struct controls_config *config);
bool controls_text(const struct controls_config *config);

struct controls;

/* The descriptors are open, have the right direction, and are close-on-exec from now on. 0 or -EBADF naming the option. */
int controls_check(const struct controls_config *config, struct ps_error *err) _must_check_;

/* Makes FIFOs and the socket, once the descriptors are checked and before the command is forked. 0 or -errno. */
int controls_new(struct controls **controls, const struct controls_config *config, struct ps_error *err) _must_check_;

/* What the command gets with --workload-control, else NULL. The ends are closed by controls_start. */
const struct workload_control *controls_for_workload(const struct controls *controls);

/* What the channels and keys call; data goes to each. */
struct controls_calls {
	command_fn on_command;
	void (*on_toggle)(void *data); /* the key that switches to the other state */
	channel_note_fn on_note;
	void *data;
};

/* Puts all channels into the loop. 0 or -errno. */
int controls_start(struct controls *controls, struct loop *loop, const struct clock *clock,
		   const struct controls_calls *calls, struct ps_error *err) _must_check_;

/* Says on --ready-fd that the counters are open and commands are heard. 0 or -errno. */
int controls_ready(struct controls *controls, struct ps_error *err) _must_check_;

/* Sends the answers that wait (for a moment), closes, removes what it made. NULL is fine. */
void controls_free(struct controls *controls);

#endif
