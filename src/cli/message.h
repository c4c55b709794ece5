/* What the programs say to the user: one line each, on standard error. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "base/error.h"

/* "PROGRAM: WHERE: WHAT: REASON", then "hint: ..." where there is one; its further lines are indented. */
void message_error(const char *program, const struct ps_error *err);

/* "PROGRAM: TEXT" */
void message_note(const char *program, const char *text);

#endif
