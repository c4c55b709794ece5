/* Why an event could not be opened, and what to do about it. */
#ifndef EVENT_EXPLAIN_H
#define EVENT_EXPLAIN_H

#include "base/error.h"

struct event;

/* Facts of the machine the explanation looks at; filled from /proc by explain_facts, by hand in tests. */
struct explain_facts {
	int paranoid;             /* /proc/sys/kernel/perf_event_paranoid; INT_MIN unknown */
	int has_perfmon_cap;      /* CAP_PERFMON or CAP_SYS_ADMIN is effective */
	int has_pmu;              /* a hardware PMU is registered in sysfs */
	int is_virtual;           /* the CPU says it runs under a hypervisor */
	int seccomp;              /* "Seccomp:" of /proc/self/status, 0 = none */
	unsigned long file_limit; /* hard RLIMIT_NOFILE; 0: unknown */
	unsigned long fds_needed; /* 0: unknown */
};
void explain_facts(struct explain_facts *facts);
/* The same with /proc and /sys in other folders, for tests. */
void explain_facts_in(struct explain_facts *facts, const char *proc, const char *sysfs);

/*
 * Fills err with "opening EVENT on cpu N" / "on thread N", code and a hint. Returns -code. cpu or tid -1: not
 * meant.
 */
int explain_open(struct ps_error *err, int code, const struct event *event, int cpu, int tid,
		 const struct explain_facts *facts);

#endif
