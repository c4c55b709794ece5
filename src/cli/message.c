/* What the programs say to the user. */
#include "cli/message.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define INDENT 6 /* below the text of "hint: " */

/* EINVAL and EBADMSG only repeat that what was said is wrong. */
static bool reason_helps(int code)
{
	return code != EINVAL && code != EBADMSG;
}

void message_error(const char *program, const struct ps_error *err)
{
	if (reason_helps(err->code))
		fprintf(stderr, "%s: %s: %s: %s\n", program, err->where, err->what, strerror(err->code));
	else
		fprintf(stderr, "%s: %s: %s\n", program, err->where, err->what);
	if (!err->hint[0])
		return;
	fputs("hint: ", stderr);
	for (const char *at = err->hint; *at; at++)
		if (*at == '\n')
			fprintf(stderr, "\n%*s", INDENT, "");
		else
			fputc(*at, stderr);
	fputc('\n', stderr);
}

void message_note(const char *program, const char *text)
{
	fprintf(stderr, "%s: %s\n", program, text);
}
