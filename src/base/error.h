/* The error value: where, what, errno and a hint. Every function that can fail fills one; only cli/ prints it. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/attr.h"

struct ps_error {
	const char *where; /* the module that failed: a string literal */
	int code;          /* positive errno, 0 while nothing failed */
	char what[512];    /* what was being done, one line */
	char hint[512];    /* what the user can do about it, or empty */
};

#define PS_ERROR_INIT { NULL, 0, "", "" }

/*
 * Records a failure and returns -code, so that a function ends with `return ps_fail(...)`.
 * code is a positive errno value; 0 is turned into EINVAL, a failure never reads as success.
 * err may be NULL, then only the return value tells.
 */
int ps_fail(struct ps_error *err, const char *where, int code, const char *fmt, ...)
	_printf_(4, 5);

/* Adds the remedy. The first one stays: the place nearest to the cause knows best. */
void ps_hint(struct ps_error *err, const char *fmt, ...) _printf_(2, 3);

/* Forgets a failure that was dealt with, so that the value can be used again. */
void ps_error_clear(struct ps_error *err);

/* For a result that is ignored on purpose; the line says why. */
static inline void ps_ignore(int result)
{
	(void)result;
}

#endif
