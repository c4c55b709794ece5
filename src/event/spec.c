/* Reads event lists: commas, {groups}, modifiers; and says where in the text something is wrong. */
#include "event/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/modifiers.h"
#include "event/resolve.h"
#include "event/sysfs.h"
#include "event/terms.h"

#define SHOWN_MAX 160 /* of a long text so much is shown around the place that is wrong */

/* One walk over the text. */
struct scan {
	const char *text;
	const char *at;
	const char *bad; /* where the error is */
	struct event_list *list;
	const struct event_roots *roots;
	struct ps_error *err;
};

static int wrong(struct scan *scan, const char *at, int code, const char *what)
{
	scan->bad = at;
	return ps_fail(scan->err, "event", code, "%s", what);
}

static void skip_blanks(struct scan *scan)
{
	while (isspace((unsigned char)*scan->at))
		scan->at++;
}

/* The text with a caret below the place that is wrong, as a hint of two lines. */
static void point_at(const struct scan *scan)
{
	size_t len = strlen(scan->text), column = (size_t)(scan->bad - scan->text), from = 0;
	char shown[SHOWN_MAX + 1];

	if (len > SHOWN_MAX && column > SHOWN_MAX / 2) {
		from = column - SHOWN_MAX / 2;
		if (from > len - SHOWN_MAX)
			from = len - SHOWN_MAX;
	}
	(void)snprintf(shown, sizeof(shown), "%s", scan->text + from);
	for (char *c = shown; *c; c++)
		if (!isprint((unsigned char)*c)) /* a tab or a newline would move the caret away */
			*c = ' ';
	ps_hint(scan->err, "%s\n%*s^", shown, (int)(column - from), "");
}

static struct span span_of(const char *from, const char *to)
{
	return (struct span){ from, (size_t)(to - from) };
}

typedef int (*source_fn)(struct event_list *list, const struct event_roots *roots, struct span name,
			 struct ps_error *err);

/* Asks sources in turn. 0, -ENOENT when none knows the name, or another -errno. */
static int ask(struct scan *scan, struct span name, const source_fn *sources, size_t n)
{
	int rc = -ENOENT;

	for (size_t i = 0; i < n && rc == -ENOENT; i++)
		rc = sources[i](scan->list, scan->roots, name, scan->err);
	return rc;
}

static const source_fn generic[] = { resolve_pfm, resolve_alias };
static const source_fn kernel[] = { resolve_tracepoint, resolve_pmu_event };

static int no_such_event(struct scan *scan, struct span name)
{
	static const char *const times[] = { "duration_time", "user_time", "system_time" };

	scan->bad = name.at;
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (name.len == strlen(times[i]) && !memcmp(name.at, times[i], name.len))
			return ps_fail(
				scan->err, "event", ENOENT,
				"%s is no counter of the kernel; the time of each interval is recorded anyway",
				times[i]);
	return ps_fail(scan->err, "event", ENOENT, "no such event '%.*s' (`pstat list` shows all)",
		       (int)name.len, name.at);
}

/*
 * A name without slashes, whose last part may be modifiers or belong to the name: "cycles:u",
 * "sched:sched_switch", "EVENT:UMASK:u". A unit mask that looks like a modifier is a unit mask.
 */
static int resolve_name(struct scan *scan, struct span item, struct span *mods)
{
	const char *colon = memrchr(item.at, ':', item.len);
	struct span head = colon ? span_of(item.at, colon) : item;
	struct span tail =
		colon ? span_of(colon + 1, item.at + item.len) : (struct span){ item.at + item.len, 0 };
	const bool modified = colon && modifiers_are(tail) && !resolve_pfm_has_umask(head, tail);
	int rc;

	*mods = (struct span){ item.at + item.len, 0 };
	if (modified) {
		rc = ask(scan, head, generic, ARRAY_SIZE(generic));
		if (rc == -ENOENT)
			rc = ask(scan, head, kernel, ARRAY_SIZE(kernel));
		*mods = tail;
		if (rc != -ENOENT)
			return rc;
		*mods = (struct span){ item.at + item.len, 0 };
	}
	rc = ask(scan, item, generic, ARRAY_SIZE(generic));
	if (colon && (rc == -ENOENT || rc == -EINVAL)) { /* is the name good and just the modifier wrong? */
		size_t before = scan->list->n;
		int known = ask(scan, head, generic, ARRAY_SIZE(generic));

		event_list_cut(scan->list, before);
		if (!known) {
			struct modifiers unused;
			int bad = modifiers_parse(&unused, tail, &scan->bad, scan->err);

			return bad < 0 ? bad : wrong(scan, colon, EINVAL, "a modifier is missing after ':'");
		}
	}
	if (rc == -ENOENT)
		rc = ask(scan, item, kernel, ARRAY_SIZE(kernel));
	if (rc == -ENODEV && modified) /* without tracefs: "foo:u" is rather an event with a modifier than a tracepoint */
		rc = -ENOENT;
	return rc == -ENOENT ? no_such_event(scan, item) : rc;
}

/* pmu/terms/modifiers, or name/terms/modifiers where name is a generic event. */
static int resolve_slashed(struct scan *scan, struct span item, const char *slash, struct span *mods)
{
	const char *end = item.at + item.len;
	const char *close = memchr(slash + 1, '/', (size_t)(end - slash) - 1);
	struct span pmu = span_of(item.at, slash);
	int rc;

	if (!close)
		return wrong(scan, slash, EINVAL, "the second '/' is missing");
	struct span terms = span_of(slash + 1, close);

	*mods = span_of(close + 1, end);
	if (mods->len && mods->at[0] == ':') {
		mods->at++;
		mods->len--;
		if (!mods->len)
			return wrong(scan, close + 1, EINVAL, "a modifier is missing after ':'");
	}
	scan->bad = item.at;
	rc = resolve_pmu(scan->list, scan->roots, pmu, terms, &scan->bad, scan->err);
	if (rc != -ENOENT)
		return rc;
	rc = ask(scan, pmu, generic, ARRAY_SIZE(generic));
	if (!rc)
		return terms_apply(&scan->list->events[scan->list->n - 1], NULL, terms, &scan->bad,
				   scan->err);
	scan->bad = item.at;
	return rc == -ENOENT ? ps_fail(scan->err, "event", ENOENT, "no such PMU '%.*s'", (int)pmu.len, pmu.at)
			     : rc;
}

/* The end of the item at scan->at: a comma or, in a group, its brace, outside of slashes. */
static const char *item_end(const char *at)
{
	bool inside = false;

	for (; *at; at++) {
		if (*at == '/')
			inside = !inside;
		if (!inside && (*at == ',' || *at == '{' || *at == '}'))
			break;
	}
	return at;
}

/* What every event from first on has of its own: its modifiers, as part of the name too. */
static int finish_events(struct scan *scan, size_t first, int group, struct span mods, struct modifiers *own)
{
	int rc = modifiers_parse(own, mods, &scan->bad, scan->err);

	if (rc < 0)
		return rc;
	for (size_t i = first; i < scan->list->n; i++) {
		struct event *event = &scan->list->events[i];

		event->group = group;
		if (modifiers_append(event, mods) < 0)
			return ps_fail(scan->err, "event", ENOMEM, "keeping an event");
		modifiers_apply(event, *own);
	}
	return 0;
}

/* One event, or several when a pattern stands for them: the same modifiers for all of them. */
static int parse_item(struct scan *scan, int group, struct modifiers *own)
{
	const char *end, *slash;
	size_t first = scan->list->n;
	struct span item, mods;
	int rc;

	skip_blanks(scan);
	end = item_end(scan->at);
	item = span_of(scan->at, end);
	while (item.len && isspace((unsigned char)item.at[item.len - 1]))
		item.len--;
	if (!item.len)
		return wrong(scan, scan->at, EINVAL,
			     *end == '{' ? "a group cannot be in a group" : "an event is missing");
	slash = memchr(item.at, '/', item.len);
	scan->bad = item.at;
	rc = slash ? resolve_slashed(scan, item, slash, &mods) : resolve_name(scan, item, &mods);
	if (!rc)
		rc = finish_events(scan, first, group, mods, own);
	scan->at = end;
	return rc;
}

/* The modifiers behind a group's brace count for all its events. own: those of each event from first on. */
static int finish_group(struct scan *scan, size_t first, const struct modifiers *own)
{
	const char *end = item_end(scan->at);
	struct span mods = span_of(scan->at, end);
	struct modifiers group;
	int rc;

	while (mods.len && isspace((unsigned char)mods.at[mods.len - 1]))
		mods.len--;
	if (mods.len && mods.at[0] != ':')
		return wrong(scan, scan->at, EINVAL, "a comma or ':' must follow the group");
	if (mods.len == 1)
		return wrong(scan, scan->at, EINVAL, "a modifier is missing after ':'");
	if (mods.len) {
		mods.at++;
		mods.len--;
	}
	rc = modifiers_parse(&group, mods, &scan->bad, scan->err);
	scan->at = end;
	for (size_t i = first; i < scan->list->n && !rc; i++) {
		struct event *event = &scan->list->events[i];

		modifiers_apply(event, modifiers_join(own[i - first], group));
		if (modifiers_name(event, own[i - first], group) < 0)
			rc = ps_fail(scan->err, "event", ENOMEM, "keeping a group");
	}
	return rc;
}

/*
 * The members of a group, from behind its opening brace to its closing one. *own grows with them; the
 * caller's to free.
 */
static int parse_members(struct scan *scan, int group, struct modifiers **own)
{
	const char *open = scan->at;
	size_t first = scan->list->n;

	for (;;) {
		size_t before = scan->list->n;
		struct modifiers mods, *more;
		int rc = parse_item(scan, group, &mods);

		if (rc < 0)
			return rc;
		more = reallocarray(*own, scan->list->n - first + 1, sizeof(*more));
		if (!more)
			return ps_fail(scan->err, "event", ENOMEM, "keeping a group");
		*own = more;
		for (size_t i = before; i < scan->list->n; i++)
			more[i - first] = mods;
		if (*scan->at == '}')
			return 0;
		if (*scan->at != ',')
			return *scan->at ? wrong(scan, scan->at, EINVAL, "a group cannot be in a group")
					 : wrong(scan, open - 1, EINVAL,
						 "the group is not closed: '}' is missing");
		scan->at++;
	}
}

static int parse_group(struct scan *scan)
{
	_cleanup_free_ struct modifiers *own = NULL;
	size_t first = scan->list->n;
	int rc;

	scan->at++;
	rc = parse_members(scan, scan->list->n_groups, &own);
	if (rc < 0)
		return rc;
	scan->list->n_groups++;
	scan->at++;
	return finish_group(scan, first, own);
}

static int parse_list(struct scan *scan)
{
	struct modifiers unused;
	int rc;

	for (;;) {
		skip_blanks(scan);
		rc = *scan->at == '{' ? parse_group(scan) : parse_item(scan, -1, &unused);
		if (rc < 0)
			return rc;
		if (!*scan->at)
			return 0;
		if (*scan->at != ',')
			return wrong(scan, scan->at, EINVAL, "a comma is missing, or a brace is too many");
		scan->at++;
	}
}

int event_list_parse_in(struct event_list *list, const struct event_roots *roots, const char *text,
			struct ps_error *err)
{
	struct event_roots filled = {
		.sysfs = roots && roots->sysfs ? roots->sysfs : "/sys",
		.tracefs = roots && roots->tracefs ? roots->tracefs : tracefs_default(),
	};
	struct ps_error own = PS_ERROR_INIT; /* so that the place is told even when nobody asks why */
	struct scan scan = { text, text, text, list, &filled, err ? err : &own };
	size_t before = list->n;
	int groups = list->n_groups, rc = parse_list(&scan);

	if (rc < 0) {
		event_list_cut(list, before);
		list->n_groups = groups;
		if (rc != -ENOMEM)
			point_at(&scan);
	}
	return rc;
}

int event_list_parse(struct event_list *list, const char *text, struct ps_error *err)
{
	return event_list_parse_in(list, NULL, text, err);
}
