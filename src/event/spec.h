/* Event lists as the user writes them, in perf's syntax, to attrs. libpfm4 is asked for names first. */
#ifndef EVENT_SPEC_H
#define EVENT_SPEC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct event {
	char *name;   /* as recorded and shown, modifiers included; owned */
	char *unit;   /* owned, or NULL */
	double scale; /* 1 where there is none */
	struct perf_event_attr
		attr;     /* type, config*, exclude_*, precise_ip, pinned; the rest is set at open */
	int group;        /* number of the {group} it stands in, -1 for none */
	bool is_default;  /* from the default set, not named by the user */
	bool weak;        /* :W on its group: may be broken up */
	bool precise_max; /* :P: as precise as the machine can */
	bool software;    /* needs no hardware counter: may share a group with any other such event */
	bool kernel_only; /* happens in the kernel only: counting just user space would always give 0 */
	int32_t *cpus;    /* CPUs it must be counted on (uncore cpumask), owned; NULL: any */
	size_t n_cpus;
	bool cpu_only;    /* cannot be counted per task, only on whole CPUs */
	char *tracepoint; /* "sys:name" when the file must carry its format; owned, or NULL */
	int unsupported; /* positive errno when it cannot even be resolved to something this machine has, else
			    0 */
};

struct event_list {
	struct event *events; /* owned */
	size_t n;
	int n_groups;
};

/* Where the kernel describes its events; other folders in tests. NULL members mean the usual places. */
struct event_roots {
	const char *sysfs;   /* "/sys" */
	const char *tracefs; /* "/sys/kernel/tracing", or where debugfs has it */
};

void event_list_fini(struct event_list *list);

/*
 * Appends the events of one -e argument. 0, or -errno with err telling what is wrong and a hint with a caret
 * under the place in the text: -EINVAL syntax or unknown modifier, -ENOENT no such event. The list is
 * unchanged on error.
 */
int event_list_parse(struct event_list *list, const char *text, struct ps_error *err) _must_check_;
int event_list_parse_in(struct event_list *list, const struct event_roots *roots, const char *text,
			struct ps_error *err) _must_check_;

/* Appends perf stat's default set, marked is_default. 0 or -errno. */
int event_list_default(struct event_list *list, struct ps_error *err) _must_check_;

/*
 * Calls fn for every event this machine offers whose name matches the glob pattern (NULL = all; a plain word
 * matches anywhere in the name). For `pstat list`. what is the kind ("software", "hardware", "cache",
 * "tracepoint", "pmu NAME"), about a description or "". Stops at, and returns, the first nonzero of fn; else
 * 0 or -errno.
 */
int event_catalogue(const char *pattern,
		    int (*fn)(void *ctx, const char *name, const char *what, const char *about), void *ctx,
		    struct ps_error *err) _must_check_;

/*
 * Whether tracepoints can be named at all: 0, or -ENODEV when tracefs is not mounted, -EACCES when it is not ours to read, with
 * a hint. roots: NULL means the usual places.
 */
int event_tracepoints_check(const struct event_roots *roots, struct ps_error *err);

#endif
