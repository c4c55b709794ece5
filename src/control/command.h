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
	COMMAND_EVLIST, /* text: "-v", "-g", "-F" or NULL */
	COMMAND_ENABLE_EVENT,  /* text: the event's name */
	COMMAND_DISABLE_EVENT,
	COMMAND_INVALID, /* text: what was not understood; NULL: the number in word was not */
};

#define COMMAND_TEXT_MAX 1024 /* longest text command (word and label), bytes, without its end */

struct command {
	enum command_kind kind;
	int32_t word;         /* binary: the number that came */
	const char *text;     /* ends with NUL; valid while the command is handled; or NULL */
	uint64_t request_ns;  /* CLOCK_MONOTONIC when its bytes were read */
};

/* What messages call a command: "pause"; "unknown command" for COMMAND_INVALID. Never NULL. */
const char *command_name(enum command_kind kind);

/*
 * How the one who handles a command answers it: exactly once, as soon as the counters have changed state, result 0 or
 * -errno. A callback, so that a session knows nothing of descriptors. Valid while the command is handled.
 */
struct reply {
	void (*send)(struct reply *reply, int result);
	/*
	 * Text that the command asked for (evlist), one line without its end. It goes to the user, as perf prints it, not
	 * between the answers, whose readers count bytes.
	 */
	void (*line)(struct reply *reply, const char *text);
};

/* Handles one command and answers through reply. 0, or -errno: the session must end (not: the command failed). */
typedef int (*command_fn)(void *data, const struct command *command, struct reply *reply, struct ps_error *err);

/* What a protocol remembers between two pieces of input. One for each stream of bytes, all zero at first. */
struct parser {
	bool skipping;                   /* in the rest of a command that was too long */
	char text[COMMAND_TEXT_MAX + 1]; /* where command->text points */
};

/* A protocol: a language of commands and answers. */
struct protocol {
	const char *name;
	/*
	 * Looks at the front of bytes. Returns how many of them are used up, 0 when more are needed. *found tells whether
	 * they were a command; otherwise they meant nothing (an empty line). at_end: nothing will follow, so an unfinished
	 * last word is reported as COMMAND_INVALID, and 0 is returned only for len 0. How a stream is cut into pieces makes
	 * no difference. With COMMAND_TEXT_MAX + 1 bytes it never asks for more.
	 */
	size_t (*parse)(struct parser *parser, const uint8_t *bytes, size_t len, bool at_end, struct command *command,
			bool *found);
	/* The bytes of an answer into buf, which has room for answer_bytes. */
	void (*answer)(int result, uint8_t *buf);
	size_t answer_bytes; /* at most PROTOCOL_ANSWER_MAX */
};

#define PROTOCOL_ANSWER_MAX 8

extern const struct protocol protocol_binary; /* native 32-bit integers: 0 pause, 1 resume; answer 2 done or -errno */
extern const struct protocol protocol_text;   /* perf's words, and pstat's own; answer "ack\n\0" or "nak\n\0" */

#endif
