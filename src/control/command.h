/* Commands and how they are spelled: bytes to commands, pure. Neither descriptors nor counters are known here. */
#ifndef CONTROL_COMMAND_H
#define CONTROL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum command_kind {
	COMMAND_PAUSE,
	COMMAND_RESUME, /* text: the window's label, or NULL */
	COMMAND_MARK,   /* text: the mark's */
	COMMAND_PING,
	COMMAND_STOP,
	COMMAND_EVLIST, /* text: "-v" or NULL */
	COMMAND_ENABLE_EVENT,  /* text: the event's name */
	COMMAND_DISABLE_EVENT,
	COMMAND_INVALID, /* text: what was not understood */
};

#define COMMAND_TEXT_MAX 1024 /* longest label or word, bytes */

struct command {
	enum command_kind kind;
	int32_t word;         /* binary: the number that came */
	const char *text;     /* ends with NUL; valid while the command is handled; or NULL */
	uint64_t request_ns;  /* CLOCK_MONOTONIC when its bytes were read */
};

/*
 * How the one who handles a command answers it: exactly once, as soon as the counters have changed state, result 0 or
 * -errno. A callback, so that a session knows nothing of descriptors.
 */
struct reply {
	void (*send)(struct reply *reply, int result);
	/* Text that the command asked for (evlist), one line without its end. NULL: this channel cannot carry text. */
	void (*line)(struct reply *reply, const char *text);
};

/* Handles one command and answers through reply. 0, or -errno: the session must end (not: the command failed). */
typedef int (*command_fn)(void *data, const struct command *command, struct reply *reply, struct ps_error *err);

/*
 * A protocol: takes one command from the front of bytes. Returns the bytes it used up, 0 when more are needed. text is a
 * buffer of COMMAND_TEXT_MAX + 1 bytes that command->text may point into. at_end: nothing will follow, so an unfinished
 * last word is reported as COMMAND_INVALID.
 */
struct protocol {
	const char *name;
	size_t (*parse)(const uint8_t *bytes, size_t len, bool at_end, struct command *command, char *text);
	/* The bytes of an answer into buf (at least 8 bytes); returns how many. */
	size_t (*answer)(int result, uint8_t *buf);
};

extern const struct protocol protocol_binary; /* DESIGN 5.1: native 32-bit integers */
extern const struct protocol protocol_text;   /* perf's words, and pstat's own */

#endif
