/* Resolves tracepoints from tracefs. */
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/catalogue.h"
#include "event/resolve.h"
#include "event/spec.h"
#include "event/sysfs.h"

#define PART_MAX 256

/* One walk over systems and their events. */
struct walk {
	const char *tracefs;
	const char *system, *name; /* patterns */
	char in_system[PART_MAX];  /* the system being walked */
	int (*fn)(void *ctx, const char *system, const char *name);
	void *ctx;
};

static int walk_event(void *ctx, const char *name)
{
	struct walk *walk = ctx;

	/* Beside the events' folders there are files that switch the whole system. */
	if (fnmatch(walk->name, name, 0) ||
	    !sysfs_exists("%s/events/%s/%s/id", walk->tracefs, walk->in_system, name))
		return 0;
	return walk->fn(walk->ctx, walk->in_system, name);
}

static int walk_system(void *ctx, const char *system)
{
	struct walk *walk = ctx;
	char dir[PATH_MAX];
	int rc;

	if (fnmatch(walk->system, system, 0))
		return 0;
	(void)snprintf(walk->in_system, sizeof(walk->in_system), "%s", system);
	(void)snprintf(dir, sizeof(dir), "%s/events/%s", walk->tracefs, system);
	rc = sysfs_each(dir, walk_event, walk);
	return rc == -ENOTDIR ? 0 : rc;
}

static int walk_tracefs(struct walk *walk)
{
	char dir[PATH_MAX];

	(void)snprintf(dir, sizeof(dir), "%s/events", walk->tracefs);
	return sysfs_each(dir, walk_system, walk);
}

struct found {
	struct event_list *list;
	const struct event_roots *roots;
	struct ps_error *err;
};

static int add_tracepoint(void *ctx, const char *system, const char *name)
{
	const struct found *found = ctx;
	char full[2 * PART_MAX + 2], text[32], *end;
	struct event *event;
	int rc = sysfs_read_text(text, sizeof(text), "%s/events/%s/%s/id", found->roots->tracefs, system,
				 name);

	(void)snprintf(full, sizeof(full), "%s:%s", system, name);
	if (rc < 0)
		return ps_fail(found->err, "event", -rc, "reading the id of %s", full);
	event = event_list_add(found->list, (struct span){ full, strlen(full) });
	if (!event)
		return ps_fail(found->err, "event", ENOMEM, "keeping %s", full);
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = strtoull(text, &end, 10);
	if (end == text || *end)
		return ps_fail(found->err, "event", EINVAL, "the id of %s is no number: %s", full, text);
	event->tracepoint = strdup(full);
	if (!event->tracepoint || resolve_finish(event, found->roots) < 0)
		return ps_fail(found->err, "event", ENOMEM, "keeping %s", full);
	return 0;
}

/*
 * tracefs is often not mounted, or open to root only; then no name can be right and the user must know why: rc of walking it,
 * with what it was for. Returns the error.
 */
static int out_of_reach(const struct event_roots *roots, int rc, const char *what, struct ps_error *err)
{
	const bool missing = rc == -ENOENT;

	if (missing)
		rc = -ENODEV; /* of no event it can be said that there is no such one */
	(void)ps_fail(err, "event", -rc, "%s: reading %s/events", what, roots->tracefs);
	if (missing)
		ps_hint(err, "tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing");
	else if (rc == -EACCES || rc == -EPERM)
		ps_hint(err,
			"tracefs is open to root only: run as root, or mount -o remount,mode=755 /sys/kernel/tracing");
	return rc;
}

static int nothing_to_see(void *ctx, const char *system, const char *name)
{
	(void)ctx;
	(void)system;
	(void)name;
	return 0;
}

int event_tracepoints_check(const struct event_roots *roots, struct ps_error *err)
{
	const struct event_roots usual = { "/sys", tracefs_default() };
	struct walk walk = { roots ? roots->tracefs : usual.tracefs, "", "", "", nothing_to_see, NULL };
	int rc = walk_tracefs(&walk);

	return rc < 0 ? out_of_reach(roots ? roots : &usual, rc, "tracepoints", err) : 0;
}

int resolve_tracepoint(struct event_list *list, const struct event_roots *roots, struct span name,
		       struct ps_error *err)
{
	struct found found = { list, roots, err };
	char system[PART_MAX], event[PART_MAX], what[2 * PART_MAX + 32];
	struct walk walk = { roots->tracefs, system, event, "", add_tracepoint, &found };
	const char *colon = memchr(name.at, ':', name.len);
	size_t before = list->n, head = colon ? (size_t)(colon - name.at) : 0,
	       tail = colon ? name.len - head - 1 : 0;
	struct ps_error own = PS_ERROR_INIT;
	int rc;

	if (!head || !tail || head >= sizeof(system) || tail >= sizeof(event) || memchr(colon + 1, ':', tail))
		return -ENOENT;
	memcpy(system, name.at, head);
	system[head] = '\0';
	memcpy(event, colon + 1, tail);
	event[tail] = '\0';
	if (strchr(event, '/') || strchr(system, '/'))
		return -ENOENT;
	found.err = &own;
	rc = walk_tracefs(&walk);
	if (rc < 0) {
		event_list_cut(list, before);
		if (!own.code) {
			(void)snprintf(what, sizeof(what), "tracepoint '%s:%s'", system, event);
			return out_of_reach(roots, rc, what, err);
		}
		if (err)
			*err = own;
		return rc;
	}
	return list->n > before ? 0 : -ENOENT;
}

static int offer(void *ctx, const char *system, const char *name)
{
	return catalogue_offer(ctx, "tracepoint", "", "%s:%s", system, name);
}

int catalogue_tracepoint(const struct catalogue *out)
{
	struct catalogue copy = *out;
	struct walk walk = { out->roots->tracefs, "*", "*", "", offer, &copy };
	int rc = walk_tracefs(&walk);

	/* What is not mounted or not ours to see offers nothing. */
	return rc == -ENOENT || rc == -EACCES || rc == -EPERM ? 0 : rc;
}
