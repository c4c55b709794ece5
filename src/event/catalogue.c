/* Lists the events this machine offers. */
#include "event/catalogue.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "event/sysfs.h"

/* A pattern without wildcards is a word to look for, as `perf list` takes it. */
static bool matches(const char *pattern, const char *name)
{
	if (!pattern || !*pattern)
		return true;
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, name, FNM_CASEFOLD);
	return strcasestr(name, pattern) != NULL;
}

int catalogue_offer(const struct catalogue *out, const char *what, const char *about, const char *fmt, ...)
{
	_cleanup_free_ char *name = NULL;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vasprintf(&name, fmt, args);
	va_end(args);
	if (n < 0) {
		name = NULL;
		return -ENOMEM;
	}
	return matches(out->pattern, name) ? out->fn(out->ctx, name, what, about ? about : "") : 0;
}

int event_catalogue_in(const struct event_roots *roots, const char *pattern,
		       int (*fn)(void *ctx, const char *name, const char *what, const char *about), void *ctx,
		       struct ps_error *err)
{
	static int (*const sources[])(const struct catalogue *out) = {
		catalogue_alias,
		catalogue_sysfs,
		catalogue_pfm,
		catalogue_tracepoint,
	};
	struct catalogue out = { pattern, roots, fn, ctx };
	int rc = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sources) && !rc; i++)
		rc = sources[i](&out);
	return rc == -ENOMEM ? ps_fail(err, "event", ENOMEM, "listing events") : rc;
}

int event_catalogue(const char *pattern,
		    int (*fn)(void *ctx, const char *name, const char *what, const char *about), void *ctx,
		    struct ps_error *err)
{
	struct event_roots roots = { "/sys", tracefs_default() };

	return event_catalogue_in(&roots, pattern, fn, ctx, err);
}
