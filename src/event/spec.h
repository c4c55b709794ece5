/* Event lists as the user writes them, to attrs: perf's syntax. Names are resolved by libpfm4 first (resolve.c). */
#ifndef EVENT_SPEC_H
#define EVENT_SPEC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct event {
	char *name;  /* as recorded and shown, modifiers included; owned */
	char *unit;  /* owned, or NULL */
	double scale; /* 1 where there is none */
	struct perf_event_attr attr; /* type, config*, exclude_*, precise_ip, pinned; the rest is set at open */
	int group;       /* number of the {group} it stands in, -1 for none */
	bool is_default; /* from the default set, not named by the user */
	bool weak;       /* :W on its group: may be broken up */
	int32_t *cpus;   /* CPUs it must be counted on (uncore cpumask), owned; NULL: any */
	size_t n_cpus;
	char *tracepoint; /* "sys:name" when the file must carry its format; owned, or NULL */
	int unsupported;  /* positive errno when it cannot even be resolved to something this machine has, else 0 */
};

struct event_list {
	struct event *events; /* owned */
	size_t n;
	int n_groups;
};

void event_list_fini(struct event_list *list);

/*
 * Appends the events of one -e argument. 0, or -errno with err telling what is wrong and a hint with a caret under the place
 * in the text: -EINVAL syntax or unknown modifier, -ENOENT no such event. The list is unchanged on error.
 */
int event_list_parse(struct event_list *list, const char *text, struct ps_error *err) _must_check_;

/* Appends perf stat's default set, marked is_default. 0 or -errno. */
int event_list_default(struct event_list *list, struct ps_error *err) _must_check_;

/* Calls fn for every event this machine offers whose name matches the glob pattern (NULL = all). For `pstat list`. */
int event_catalogue(const char *pattern, int (*fn)(void *ctx, const char *name, const char *what, const char *about),
		    void *ctx, struct ps_error *err) _must_check_;

#endif
