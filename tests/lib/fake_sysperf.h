/*
 * A fake kernel for counters. Values advance with a time the test moves, refusals and faults are scripted,
 * and each call is logged as a line of text ("open", "enable", "disable", "read", "close", "move to", "move
 * back", "threads").
 */
#ifndef TESTS_FAKE_SYSPERF_H
#define TESTS_FAKE_SYSPERF_H

#include <stdbool.h>
#include <stdint.h>

#include "event/sysperf.h"
#include "lib/call_log.h"

enum {
	FAKE_MAX_FDS = 4096,
	FAKE_FIRST_FD = 10000, /* never one that is really open */
	FAKE_MAX_RULES = 32,
	FAKE_MAX_FAULTS = 16,
	FAKE_MAX_SCANS = 512,
	FAKE_MAX_TIDS = 16,
	FAKE_ANY = -2, /* of a rule's cpu or tid */
};

enum fake_op { FAKE_OPEN, FAKE_READ, FAKE_IOCTL, FAKE_OPS };

/* What else must hold for a rule to refuse an open. */
enum {
	FAKE_IF_KERNEL = 1 << 0,        /* the kernel is to be counted */
	FAKE_IF_GUESTS = 1 << 1,        /* guests or hosts are to be left out */
	FAKE_IF_MEMBER = 1 << 2,        /* it joins a group */
	FAKE_IF_PRECISE = 1 << 3,       /* precise_ip above 1 */
	FAKE_IF_INHERIT_GROUP = 1 << 4, /* inherited and read by group: kernels before 4.13 */
};

struct fake_rule {
	int type; /* PERF_TYPE_*, FAKE_ANY: all events */
	uint64_t config;
	int cpu, tid; /* FAKE_ANY: everywhere */
	unsigned conditions;
	int code; /* positive errno */
};

struct fake_fault {
	enum fake_op op;
	size_t at;    /* the number of the call, from 1 */
	size_t times; /* so many calls in a row */
	int result;   /* -errno, or for FAKE_READ the bytes to give instead of all */
};

struct fake_fd {
	bool open;
	struct perf_event_attr attr;
	int tid, cpu;
	int leader; /* index of the leader, its own for a leader */
	bool on;    /* switched on itself; it counts when its leader is on as well */
	uint64_t id, val, enabled_ns, running_ns;
	uint64_t rest; /* of the value, in thousandths */
};

struct fake_scan {
	int pid;
	int n; /* 0: no such process */
	pid_t tids[FAKE_MAX_TIDS];
};

struct fake_sysperf {
	struct sysperf sys; /* give this to what is tested */
	struct call_log *log;
	int cpu;          /* where the caller runs */
	int home;         /* where it was before it was moved, -1: not moved */
	unsigned offline; /* bit per CPU that cannot be moved to */
	struct fake_rule rules[FAKE_MAX_RULES];
	size_t n_rules;
	struct fake_fault faults[FAKE_MAX_FAULTS];
	size_t n_faults;
	size_t calls[FAKE_OPS];
	struct fake_fd fds[FAKE_MAX_FDS];
	size_t n_fds;
	size_t limit; /* open descriptors at most, then EMFILE */
	uint64_t next_id;
	unsigned share_percent;                 /* of the enabled time that hardware events run */
	struct fake_scan scans[FAKE_MAX_SCANS]; /* one for each call with that pid; the last one goes on */
	size_t n_scans;
	void (*on_open)(struct fake_sysperf *fake, void *ctx); /* after each successful open; may be NULL */
	void *on_open_ctx;
};

/* log is borrowed. All events can be opened, and count config + 1 thousand per ms. */
void fake_sysperf_init(struct fake_sysperf *fake, struct call_log *log);

void fake_refuse(struct fake_sysperf *fake, struct fake_rule rule);
void fake_fault(struct fake_sysperf *fake, struct fake_fault fault);

/* The next listing of pid's threads. */
void fake_threads(struct fake_sysperf *fake, int pid, int n, const pid_t *tids);

/* Time passes: what is on counts. */
void fake_advance(struct fake_sysperf *fake, uint64_t ns);

/* The command of a target that was to start at its exec is executed. */
void fake_exec(struct fake_sysperf *fake);

/* The number of open descriptors. */
size_t fake_open_fds(const struct fake_sysperf *fake);

#endif
