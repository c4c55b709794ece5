/* Opening one event at one place, with the concessions that machine and permissions ask for. */
#ifndef EVENT_OPEN_EVENT_H
#define EVENT_OPEN_EVENT_H

#include "event/spec.h"
#include "event/sysperf.h"

/* What was left out of the user's wish so that the kernel took the event. */
struct concession {
	bool user_only;        /* kernel counting is forbidden */
	bool any_guest;        /* this PMU cannot leave guests out */
	unsigned less_precise; /* steps taken down from precise_ip (:P only) */
};

/* What was learned about an event while it was opened at one place after the other. */
struct event_state {
	struct concession concession;
	size_t opened;         /* at how many places it is open */
	int code;              /* positive errno: why the machine lacks it, 0 = not known to lack it */
	bool kernel_forbidden; /* it only happens in the kernel, where counting is forbidden */
	bool alone;            /* the shared group does not take it */
};

struct open_request {
	pid_t tid;
	int cpu;
	int group_fd; /* -1: it becomes a leader */
	bool inherit, enable_on_exec, group_reads;
	bool stopped; /* not to count with its leader: it is switched on by itself */
};

/* The attr as it is opened: as the user wrote it, less the concessions. */
void open_event_attr(struct perf_event_attr *attr, const struct event *event,
		     const struct concession *concession);

/*
 * A descriptor, or -errno. What had to be conceded is kept in state for the next place. -EACCES with
 * kernel_forbidden set: the event would be allowed for user space, where it never happens.
 */
int open_event(const struct sysperf *sys, const struct event *event, struct event_state *state,
	       const struct open_request *request) _must_check_;

/* A dummy software event: counts nothing, leads a group. A descriptor or -errno. */
int open_dummy(const struct sysperf *sys, const struct open_request *request) _must_check_;

/* Does this errno say that the machine lacks the event? */
bool open_event_lacks(int code);

#endif
