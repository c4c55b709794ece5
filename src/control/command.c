/* Commands: their names for messages. */
#include "control/command.h"

static const char *const names[] = {
	[COMMAND_PAUSE] = "pause",
	[COMMAND_RESUME] = "resume",
	[COMMAND_MARK] = "mark",
	[COMMAND_PING] = "ping",
	[COMMAND_STOP] = "stop",
	[COMMAND_EVLIST] = "evlist",
	[COMMAND_ENABLE_EVENT] = "enable",
	[COMMAND_DISABLE_EVENT] = "disable",
	[COMMAND_INVALID] = "unknown command",
};

const char *command_name(enum command_kind kind)
{
	return (size_t)kind < ARRAY_SIZE(names) ? names[kind] : names[COMMAND_INVALID];
}
