/* The inside of a counter set, for the files that open it, build it and run it. Nobody else includes this. */
#ifndef EVENT_COUNTER_SET_PRIV_H
#define EVENT_COUNTER_SET_PRIV_H

#include "event/counter_set.h"

/* One descriptor in a group, apart from a dummy leader. */
struct member {
	int fd;
	uint32_t event; /* index into the list while opening, into the set's events afterwards */
	bool off;       /* switched off alone */
	bool closing;        /* switched off while it ran: the next reading closes the interval it counted in */
	uint64_t id;
	uint64_t frozen_ns, frozen_enabled_ns;   /* while off: the times it was switched off at */
	uint64_t skipped_ns, skipped_enabled_ns; /* the group's times that passed while this one was off */
	struct cell *cell;   /* where its values go; NULL until built */
};

/* What the kernel schedules as one, and what one read(2) gives. */
struct group {
	size_t place; /* index of its CPU, or of its thread */
	size_t first; /* its members: set->members[first .. first + n) */
	size_t n;
	int leader; /* descriptor */
	/*
	 * With solo the first two of the group are dummy events of ours and no members. The leader is one, so
	 * that switching a member off leaves the group running. The other is the kick: since Linux 6.2 a
	 * clock, tracepoint or msr event that is enabled in a running group begins to count when the group is
	 * scheduled next, which on a CPU may be never; enabling an event of the leader's own PMU has the
	 * group scheduled at once.
	 */
	bool dummies;
	int kick; /* descriptor; meant when dummies */
};

struct counter_set {
	const struct sysperf *sys; /* borrowed */
	bool solo;
	bool running;      /* started, or starting by itself at an exec */
	bool switched;     /* by counter_set_start or counter_set_stop, at least once */
	bool inherits;     /* threads made later inherit the counters */
	bool single_reads; /* the kernel gives no group values here: one read per descriptor */

	int32_t *cpus; /* owned, as all arrays below */
	size_t n_cpus;
	pid_t *tids;
	size_t n_tids;
	size_t *cpu_groups; /* groups of CPU i: [cpu_groups[i], cpu_groups[i + 1]) */

	struct group *groups;
	size_t n_groups, room_groups;
	struct member *members;
	size_t n_members, room_members;

	struct counter_set_event *events;
	size_t n_events;
	struct cell *cells; /* all events' cells in one piece */
	uint64_t *buf;      /* for the largest group */
	size_t buf_words;

	char **notes;
	size_t n_notes;
};

/*
 * What read(2) gives: of a group nr, enabled, running, {value, id}...; of one counter value, enabled,
 * running, id.
 */
enum { GROUP_WORDS = 3, MEMBER_WORDS = 2, SINGLE_WORDS = 4 };

static inline size_t group_dummies(const struct group *group)
{
	return group->dummies ? 2 : 0;
}

static inline size_t group_words(const struct group *group)
{
	return GROUP_WORDS + MEMBER_WORDS * (group->n + group_dummies(group));
}

/* Adds a note; its text is made from fmt. 0 or -ENOMEM. */
int counter_set_add_note(struct counter_set *set, struct ps_error *err, const char *fmt, ...)
	_printf_(3, 4) _must_check_;

/* Closes one group's descriptors. */
void counter_set_close_group(const struct counter_set *set, const struct group *group);

/* Closes all descriptors and forgets groups and members. */
void counter_set_close_all(struct counter_set *set);

/*
 * Calls fn once for each CPU that has groups, on that CPU where it can be moved to, beginning with the one
 * the caller is on so that as few moves as possible are made. Per task it is called once, without a move. fn
 * gets the index of the CPU. Stops at, and returns, the first negative or positive result of fn; the caller
 * is back on its own CPUs in any case.
 */
typedef int (*counter_set_fn)(struct counter_set *set, size_t cpu, void *ctx, struct ps_error *err);
int counter_set_each_cpu(struct counter_set *set, counter_set_fn fn, void *ctx,
			 struct ps_error *err) _must_check_;

struct event_state;

/*
 * After everything is open: sorts the groups by place, reads the ids, makes events and cells, notes what the
 * user should know. states: one per event of the list. 0 or -errno.
 */
int counter_set_build(struct counter_set *set, const struct event_list *list,
		      const struct event_state *states, struct ps_error *err) _must_check_;

#endif
