/* Memory that runs out on order. */
#include "lib/fault_alloc.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static struct {
	size_t left; /* allocations until the one that fails; 0: it was that, or none does */
	bool armed, dry, hit;
} fault;

void fault_alloc_set(size_t at, bool dry)
{
	fault.left = at;
	fault.armed = at > 0;
	fault.dry = dry;
	fault.hit = false;
}

bool fault_alloc_hit(void)
{
	return fault.hit;
}

static bool fails(void)
{
	if (!fault.armed || (fault.left && --fault.left))
		return false;
	fault.armed = fault.dry;
	fault.hit = true;
	errno = ENOMEM;
	return true;
}

/* The linker sends calls of NAME to __wrap_NAME, and those of __real_NAME to NAME. */
#define WRAP(type, name, params, args)                     \
	type __real_##name params;                         \
	type __wrap_##name params;                         \
	type __wrap_##name params                          \
	{                                                  \
		return fails() ? NULL : __real_##name args; \
	}

WRAP(void *, malloc, (size_t bytes), (bytes))
WRAP(void *, calloc, (size_t n, size_t bytes), (n, bytes))
WRAP(void *, realloc, (void *old, size_t bytes), (old, bytes))
WRAP(void *, reallocarray, (void *old, size_t n, size_t bytes), (old, n, bytes))
WRAP(char *, strdup, (const char *text), (text))
WRAP(char *, strndup, (const char *text, size_t n), (text, n))
WRAP(FILE *, open_memstream, (char **text, size_t *len), (text, len))
WRAP(ZSTD_DCtx *, ZSTD_createDCtx, (void), ())
WRAP(json_object *, json_object_new_object, (void), ())
WRAP(json_object *, json_object_new_array, (void), ())
WRAP(json_object *, json_object_new_string, (const char *text), (text))
WRAP(json_object *, json_object_new_uint64, (uint64_t v), (v))
WRAP(json_object *, json_object_new_int64, (int64_t v), (v))
WRAP(json_object *, json_object_new_int, (int32_t v), (v))
WRAP(json_object *, json_object_new_boolean, (json_bool v), (v))
WRAP(json_object *, json_object_new_double_s, (double v, const char *text), (v, text))
WRAP(const char *, json_object_to_json_string_ext, (json_object *object, int flags), (object, flags))

int __wrap_vasprintf(char **text, const char *fmt, va_list args);
int __wrap_asprintf(char **text, const char *fmt, ...);
int __wrap___vasprintf_chk(char **text, int flag, const char *fmt, va_list args);
int __wrap___asprintf_chk(char **text, int flag, const char *fmt, ...);
int __real_vasprintf(char **text, const char *fmt, va_list args);

int __wrap_vasprintf(char **text, const char *fmt, va_list args)
{
	return fails() ? -1 : __real_vasprintf(text, fmt, args);
}

int __wrap___vasprintf_chk(char **text, int flag, const char *fmt, va_list args)
{
	(void)flag;
	return __wrap_vasprintf(text, fmt, args);
}

int __wrap_asprintf(char **text, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = __wrap_vasprintf(text, fmt, args);
	va_end(args);
	return n;
}

int __wrap___asprintf_chk(char **text, int flag, const char *fmt, ...)
{
	va_list args;
	int n;

	(void)flag;
	va_start(args, fmt);
	n = __wrap_vasprintf(text, fmt, args);
	va_end(args);
	return n;
}
