/* Control by keys on the terminal: space toggles, m marks, q stops. */
#ifndef RECORD_KEYS_H
#define RECORD_KEYS_H

#include "base/clock.h"
#include "control/command.h"
#include "loop/loop.h"

struct keys;

/*
 * Opens the controlling terminal, has it give keys at once and without echo, and adds it to the loop. on_toggle is called
 * for space; m and q become commands without an answer. Everything is borrowed until keys_free.
 * 0, or -ENXIO when there is no terminal.
 */
int keys_open(struct keys **keys, struct loop *loop, const struct clock *clock, command_fn on_command,
	      void (*on_toggle)(void *data), void *data, struct ps_error *err) _must_check_;

/* Gives the terminal back as it was. NULL is fine. */
void keys_free(struct keys *keys);

#endif
