/* Resolves pmu/terms/ and named events from sysfs. */
#include "event/resolve_pmu.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/catalogue.h"
#include "event/resolve.h"
#include "event/sysfs.h"
#include "event/terms.h"

/*
 * PMUs whose events never compete for hardware, so that they may be in one group with any others. sysfs does
 * not tell.
 */
static const char *const software_pmus[] = {
	"software", "tracepoint", "breakpoint", "kprobe", "uprobe", "msr"
};

/* Reads "0-3,8" into the event. 0, -ENOMEM, or -EINVAL. */
static int parse_cpus(struct event *event, const char *text)
{
	while (*text) {
		char *end;
		unsigned long first = strtoul(text, &end, 10), last = first;

		if (end == text)
			return -EINVAL;
		if (*end == '-')
			last = strtoul(text = end + 1, &end, 10);
		if (end == text || last < first || last - first > 65535 || last > INT32_MAX)
			return -EINVAL;
		int32_t *cpus = reallocarray(event->cpus, event->n_cpus + last - first + 1, sizeof(*cpus));

		if (!cpus)
			return -ENOMEM;
		event->cpus = cpus;
		for (unsigned long cpu = first; cpu <= last; cpu++)
			cpus[event->n_cpus++] = (int32_t)cpu;
		text = *end == ',' ? end + 1 : end;
		if (*end && *end != ',')
			return -EINVAL;
	}
	return 0;
}

/*
 * An uncore PMU has a cpumask: the one CPU of each package to count on. A PMU of some of the cores has cpus.
 */
static int read_facts(struct event *event, const char *pmus, const char *pmu)
{
	char text[4096];

	for (size_t i = 0; i < ARRAY_SIZE(software_pmus); i++)
		event->software |= !strcmp(pmu, software_pmus[i]);
	event->kernel_only |= !strcmp(pmu, "kprobe");
	event->cpu_only = sysfs_read_text(text, sizeof(text), "%s/%s/cpumask", pmus, pmu) > 0;
	if (!event->cpu_only && sysfs_read_text(text, sizeof(text), "%s/%s/cpus", pmus, pmu) <= 0)
		return 0;
	if (parse_cpus(event, text) == -ENOMEM)
		return -ENOMEM;
	return 0;
}

struct by_type {
	const char *pmus;
	struct event *event;
};

static int check_type(void *ctx, const char *pmu)
{
	const struct by_type *by = ctx;
	char text[32];

	if (sysfs_read_text(text, sizeof(text), "%s/%s/type", by->pmus, pmu) <= 0 ||
	    strtoul(text, NULL, 10) != by->event->attr.type)
		return 0;
	return read_facts(by->event, by->pmus, pmu) < 0 ? -ENOMEM : 1;
}

int resolve_pmu_facts(struct event *event, const struct event_roots *roots)
{
	char pmus[PATH_MAX];
	struct by_type by = { pmus, event };

	(void)snprintf(pmus, sizeof(pmus), "%s/" SYSFS_PMUS, roots->sysfs);
	return sysfs_each(pmus, check_type, &by) == -ENOMEM ? -ENOMEM : 0;
}

/* One look for PMUs of a name. */
struct search {
	struct event_list *list;
	const struct event_roots *roots;
	char pmus[PATH_MAX];
	char pmu[128];     /* exact name, beginning or pattern */
	bool exact;        /* there is one of just this name */
	struct span terms; /* as the user wrote them */
	bool bare;         /* a named event was given without its PMU */
	const char **bad;
	struct ps_error *err;
};

/*
 * "uncore_imc" and "imc" stand for uncore_imc_0, uncore_imc_1 and so on, when there is none of just this
 * name.
 */
static bool pmu_matches(const struct search *search, const char *pmu)
{
	size_t len = strlen(search->pmu);

	if (search->exact || strpbrk(search->pmu, "*?["))
		return !fnmatch(search->pmu, pmu, 0);
	if (!strncmp(pmu, "uncore_", 7) && strncmp(search->pmu, "uncore_", 7) != 0)
		pmu += 7;
	if (strncmp(pmu, search->pmu, len) != 0)
		return false;
	return !pmu[len] ||
	       (pmu[len] == '_' && pmu[len + 1] && !pmu[len + 1 + strspn(pmu + len + 1, "0123456789")]);
}

/* The event of one PMU, at the end of the list. */
static int fill(struct search *search, struct event *event, const char *pmu)
{
	char text[32], device[PATH_MAX + 256];
	int rc;

	if (sysfs_read_text(text, sizeof(text), "%s/%s/type", search->pmus, pmu) <= 0)
		return ps_fail(search->err, "event", ENODEV, "reading the type of PMU %s", pmu);
	event->attr.type = (uint32_t)strtoul(text, NULL, 10);
	(void)snprintf(device, sizeof(device), "%s/%s", search->pmus, pmu);
	rc = terms_apply(event, device, search->terms, search->bad, search->err);
	if (rc < 0)
		return rc;
	return resolve_finish(event, search->roots) < 0
		       ? ps_fail(search->err, "event", ENOMEM, "keeping an event of %s", pmu)
		       : 0;
}

static int add_event(struct search *search, const char *pmu)
{
	char name[1024];
	struct event *event;

	if (search->bare)
		(void)snprintf(name, sizeof(name), "%.*s", (int)search->terms.len, search->terms.at);
	else
		(void)snprintf(name, sizeof(name), "%s/%.*s/", pmu, (int)search->terms.len, search->terms.at);
	event = event_list_add(search->list, (struct span){ name, strlen(name) });
	if (!event)
		return ps_fail(search->err, "event", ENOMEM, "keeping an event of %s", pmu);
	return fill(search, event, pmu);
}

static int try_pmu(void *ctx, const char *pmu)
{
	struct search *search = ctx;

	return pmu_matches(search, pmu) ? add_event(search, pmu) : 0;
}

static int try_named(void *ctx, const char *pmu)
{
	struct search *search = ctx;

	if (!sysfs_exists("%s/%s/events/%.*s", search->pmus, pmu, (int)search->terms.len, search->terms.at))
		return 0;
	return add_event(search, pmu);
}

static int run(struct search *search, int (*try)(void *ctx, const char *pmu))
{
	size_t before = search->list->n;
	int rc;

	(void)snprintf(search->pmus, sizeof(search->pmus), "%s/" SYSFS_PMUS, search->roots->sysfs);
	search->exact = *search->pmu && sysfs_exists("%s/%s/type", search->pmus, search->pmu);
	rc = sysfs_each(search->pmus, try, search);
	if (rc == -ENOENT && search->list->n == before) /* no sysfs, then no PMUs */
		return -ENOENT;
	if (rc < 0) {
		event_list_cut(search->list, before);
		return rc;
	}
	return search->list->n > before ? 0 : -ENOENT;
}

static bool is_word(struct span span, const char *more)
{
	for (size_t i = 0; i < span.len; i++)
		if (!isalnum((unsigned char)span.at[i]) && !strchr(more, span.at[i]))
			return false;
	return span.len > 0;
}

int resolve_pmu(struct event_list *list, const struct event_roots *roots, struct span pmu, struct span terms,
		const char **bad, struct ps_error *err)
{
	struct search search = { .list = list, .roots = roots, .terms = terms, .bad = bad, .err = err };

	if (!is_word(pmu, "_-.*?[]") || pmu.len >= sizeof(search.pmu) || pmu.at[0] == '.')
		return -ENOENT;
	memcpy(search.pmu, pmu.at, pmu.len);
	return run(&search, try_pmu);
}

int resolve_pmu_event(struct event_list *list, const struct event_roots *roots, struct span name,
		      struct ps_error *err)
{
	const char *bad = NULL;
	struct search search = {
		.list = list, .roots = roots, .terms = name, .bare = true, .bad = &bad, .err = err
	};

	if (!is_word(name, "_-.") || name.at[0] == '.' || name.len > 255)
		return -ENOENT;
	return run(&search, try_named);
}

struct listing {
	const struct catalogue *out;
	char pmus[PATH_MAX];
	char pmu[256];
};

static int offer_event(void *ctx, const char *name)
{
	struct listing *listing = ctx;
	const char *dot = strrchr(name, '.');
	char what[300];

	/* Beside an event lie files with its unit and scale. */
	if (dot && (!strcmp(dot, ".unit") || !strcmp(dot, ".scale") || !strcmp(dot, ".snapshot") ||
		    !strcmp(dot, ".per-pkg")))
		return 0;
	(void)snprintf(what, sizeof(what), "pmu %s", listing->pmu);
	return catalogue_offer(listing->out, what, "", "%s/%s/", listing->pmu, name);
}

static int offer_pmu(void *ctx, const char *pmu)
{
	struct listing *listing = ctx;
	char dir[PATH_MAX + 300];
	int rc;

	(void)snprintf(listing->pmu, sizeof(listing->pmu), "%s", pmu);
	(void)snprintf(dir, sizeof(dir), "%s/%s/events", listing->pmus, pmu);
	rc = sysfs_each(dir, offer_event, listing);
	return rc == -ENOENT ? 0 : rc;
}

int catalogue_sysfs(const struct catalogue *out)
{
	struct listing listing = { .out = out };
	int rc;

	(void)snprintf(listing.pmus, sizeof(listing.pmus), "%s/" SYSFS_PMUS, out->roots->sysfs);
	rc = sysfs_each(listing.pmus, offer_pmu, &listing);
	return rc == -ENOENT ? 0 : rc;
}
