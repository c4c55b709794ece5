/* From an event's name to its attr. Each source of names has its own file; spec.c asks them in turn. */
#ifndef EVENT_RESOLVE_H
#define EVENT_RESOLVE_H

#include "event/spec.h"

/* Part of the user's text. */
struct span {
	const char *at;
	size_t len;
};

/* A new event at the end of the list, NULL on no memory; event_list_cut undoes it. name is copied. */
struct event *event_list_add(struct event_list *list, struct span name);
void event_list_cut(struct event_list *list, size_t n);

/* After attr.type and config are known: what follows from them (unit, software, cpus). 0 or -ENOMEM. */
int resolve_finish(struct event *event, const struct event_roots *roots);

/*
 * All of these append what name stands for to list and return 0, or leave it as it is and return -ENOENT when
 * they do not know the name (err untouched), or another -errno with err filled. *bad is set to the place in
 * the text that is wrong, where it is not the beginning of name.
 */

/*
 * libpfm4: generic names and those of the PMUs it knows. -EINVAL: the event is known and what follows its
 * name is wrong.
 */
int resolve_pfm(struct event_list *list, const struct event_roots *roots, struct span name,
		struct ps_error *err);

/* Does libpfm4 know event as one that has a unit mask of this name? */
bool resolve_pfm_has_umask(struct span event, struct span umask);

/* Names that only perf has, and rNNN. */
int resolve_alias(struct event_list *list, const struct event_roots *roots, struct span name,
		  struct ps_error *err);

/* "sys:name" from tracefs; * and ? stand for several. */
int resolve_tracepoint(struct event_list *list, const struct event_roots *roots, struct span name,
		       struct ps_error *err);

/*
 * pmu/terms/ from sysfs. pmu may stand for several ("uncore_imc" for uncore_imc_0 and so on, or a glob
 * pattern).
 */
int resolve_pmu(struct event_list *list, const struct event_roots *roots, struct span pmu, struct span terms,
		const char **bad, struct ps_error *err);

/* A named event of any PMU in sysfs, without the PMU. */
int resolve_pmu_event(struct event_list *list, const struct event_roots *roots, struct span name,
		      struct ps_error *err);

/* "libpfm4 4.13": the version of the library that knows the names. text has room for 32 bytes. */
void resolve_pfm_version(char *text);

#endif
