/* The names `pstat list` shows: each source of names offers its own to one filter. */
#ifndef EVENT_CATALOGUE_H
#define EVENT_CATALOGUE_H

#include "event/spec.h"

struct catalogue {
	const char *pattern; /* NULL: all */
	const struct event_roots *roots;
	int (*fn)(void *ctx, const char *name, const char *what, const char *about);
	void *ctx;
};

/* Passes a name (made from fmt) on when it matches. What fn returned, or 0; -ENOMEM. */
int catalogue_offer(const struct catalogue *out, const char *what, const char *about, const char *fmt, ...)
	_printf_(4, 5);

/* Each offers all it has, until fn returns something else than 0, which they return. */
int catalogue_pfm(const struct catalogue *out);
int catalogue_alias(const struct catalogue *out);
int catalogue_sysfs(const struct catalogue *out);
int catalogue_tracepoint(const struct catalogue *out);

/* The same as event_catalogue, with the kernel's descriptions elsewhere. */
int event_catalogue_in(const struct event_roots *roots, const char *pattern,
		       int (*fn)(void *ctx, const char *name, const char *what, const char *about), void *ctx,
		       struct ps_error *err) _must_check_;

#endif
