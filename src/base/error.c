/* The error value. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int ps_fail(struct ps_error *err, const char *where, int code, const char *fmt, ...)
{
	va_list args;

	if (code <= 0)
		code = EINVAL;
	if (!err)
		return -code;
	err->where = where;
	err->code = code;
	err->hint[0] = '\0';
	va_start(args, fmt);
	(void)vsnprintf(err->what, sizeof(err->what), fmt, args); /* a longer text is cut */
	va_end(args);
	return -code;
}

void ps_hint(struct ps_error *err, const char *fmt, ...)
{
	va_list args;

	if (!err || err->hint[0])
		return;
	va_start(args, fmt);
	(void)vsnprintf(err->hint, sizeof(err->hint), fmt, args);
	va_end(args);
}

void ps_error_clear(struct ps_error *err)
{
	if (!err)
		return;
	err->where = NULL;
	err->code = 0;
	err->what[0] = '\0';
	err->hint[0] = '\0';
}
