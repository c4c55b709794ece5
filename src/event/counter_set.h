/*
 * All counters of a session: events x CPUs or events x threads, in as few groups as can be. Software events
 * of one CPU or thread share one group, so that one read(2) and one ioctl(2) cover them; leaders only are
 * started and stopped; each CPU's counters are touched from that CPU.
 */
#ifndef EVENT_COUNTER_SET_H
#define EVENT_COUNTER_SET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "event/spec.h"
#include "event/sysperf.h"

/* What is counted. Arrays are borrowed for the open call. */
struct target {
	const pid_t *pids; /* processes: all their threads are counted */
	size_t n_pids;
	const pid_t *tids; /* single threads; the launched command is one of these */
	size_t n_tids;
	const int32_t *cpus; /* system-wide on these CPUs; then pids and tids are empty */
	size_t n_cpus;
	bool inherit;        /* count children and threads made later too */
	bool enable_on_exec; /* start by itself when the (launched) command is executed */
	bool solo;           /* single events will be switched off and on: see counter_set_switch */
};

/* One counter's place: an event on one CPU and/or one thread. */
struct cell {
	uint64_t id;     /* PERF_EVENT_IOC_ID */
	int32_t cpu;     /* -1: whichever the thread runs on */
	uint32_t thread; /* index into counter_set_threads() */
	/* As of the last counter_set_read; raw and cumulative, ns. */
	uint64_t val, enabled_ns, running_ns;
};

struct counter_set_event {
	const struct event *event; /* borrowed from the list given to open */
	char *name;                /* event->name, with :u added when only user space may be counted; owned */
	struct perf_event_attr attr; /* event->attr as the kernel took it: what was conceded is left out */
	/*
	 * Positive errno: it could not be opened anywhere; then n_cells is 0. EACCES: it happens in the
	 * kernel only, where counting is forbidden, so that :u would be a false 0.
	 */
	int unsupported;
	bool off;           /* switched off alone */
	struct cell *cells; /* CPU major, then thread */
	size_t n_cells;
};

struct counter_set;

/*
 * Opens everything, stopped. Raises the soft file limit when needed. Events the machine lacks become
 * unsupported (and default ones are dropped from the set); everything else is an error. With pids: opens all
 * threads and looks again until no thread came meanwhile, so that each is counted exactly once.
 *
 * 0, or -errno with cause and remedy in err (event/explain.h): -EMFILE with need, limit and remedy,
 * -EACCES/-EPERM with what forbids it, -ESRCH no such process, -ENODEV CPU offline. list, sys and target's
 * arrays stay the caller's; list and sys must outlive the set.
 */
int counter_set_open(struct counter_set **set, const struct sysperf *sys, const struct event_list *list,
		     const struct target *target, struct ps_error *err) _must_check_;

/* All counters run, or stand still, when it returns. 0 or -errno; a thread that is gone is not an error. */
int counter_set_start(struct counter_set *set, struct ps_error *err) _must_check_;
int counter_set_stop(struct counter_set *set, struct ps_error *err) _must_check_;

/*
 * Does the last start or stop once more where counters are inherited, for a thread that was being made meanwhile: the kernel may
 * copy the state of a counter before the switch and list the copy after it. When it then exchanges the counters of that thread
 * with those of another, as it does between threads that count the same, all of the other's time goes the same way. To be called
 * after the answer, before each reading and now and then, so that what is amiss is so for a short time. Nothing when none was
 * done yet. As counter_set_start.
 */
int counter_set_settle(struct counter_set *set, struct ps_error *err) _must_check_;

/*
 * Reads all cells. 0 or -errno. A short read is -EIO. A counter of a thread that is gone keeps being
 * readable; one of a CPU that went away keeps its last value. Does not allocate.
 */
int counter_set_read(struct counter_set *set, struct ps_error *err) _must_check_;

/*
 * Switches one event off or on (target.solo; without it -EINVAL). While it is off its cells' running_ns
 * stands still, and enabled_ns grows by 1 ns with every reading, which readers show as "not counted", asleep or
 * not; the time it was off is in neither. So that an interval holds either state whole, the caller reads just
 * after switching off and just before switching on, when the set is running. -ENOENT for an event that is not
 * in the set. Cells do not change here. Does not allocate.
 */
int counter_set_switch(struct counter_set *set, size_t event, bool on, struct ps_error *err) _must_check_;

size_t counter_set_n_events(const struct counter_set *set);
const struct counter_set_event *counter_set_event(const struct counter_set *set, size_t i);

/* The threads that are counted (one of -1 when system-wide). */
size_t counter_set_n_threads(const struct counter_set *set);
pid_t counter_set_thread(const struct counter_set *set, size_t i);

/* The CPUs (one of -1 when per task). */
size_t counter_set_n_cpus(const struct counter_set *set);
int32_t counter_set_cpu(const struct counter_set *set, size_t i);

/*
 * Descriptors in use, and kernel groups (read(2) calls per reading where values are read by group); for
 * messages, tests.
 */
size_t counter_set_n_fds(const struct counter_set *set);
size_t counter_set_n_groups(const struct counter_set *set);

/*
 * Things the user should be told once (":u added because ...", "4 default events left out: ..."): text i,
 * borrowed.
 */
size_t counter_set_n_notes(const struct counter_set *set);
const char *counter_set_note(const struct counter_set *set, size_t i);

void counter_set_free(struct counter_set *set);

#endif
