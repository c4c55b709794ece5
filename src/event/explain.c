/* Why an event could not be opened, and what to do about it. */
#include "event/explain.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>

#include "event/spec.h"

#define HARDWARE_RAW_HINT                                                                                    \
	"`pstat list` names what it has; software events (task-clock, page-faults, ...) always work"

static void hint_limit(struct ps_error *err, const struct explain_facts *facts)
{
	unsigned long want = facts->fds_needed ? facts->fds_needed + 64 : 65536;

	ps_hint(err,
		"each counter is an open file: the hard limit is %lu, about %lu are needed; raise it (ulimit -Hn %lu as "
		"root, or LimitNOFILE=), or count fewer events, threads or CPUs",
		facts->file_limit, want, want);
}

static void hint_cpu_permission(struct ps_error *err, const struct explain_facts *facts)
{
	if (facts->paranoid > 0)
		ps_hint(err,
			"counting whole CPUs needs CAP_PERFMON (or root), or perf_event_paranoid 0 or less: it is %d",
			facts->paranoid);
	else
		ps_hint(err, "counting whole CPUs needs CAP_PERFMON (or root)");
}

/* Whose fault a refused permission is. The order is that of the kernel's own checks. */
static void hint_permission(struct ps_error *err, int code, const struct event *event, int cpu,
			    const struct explain_facts *facts)
{
	if (facts->has_perfmon_cap && facts->seccomp && code == EPERM) {
		ps_hint(err,
			"a seccomp filter forbids perf_event_open here (container?): run it with a profile that allows the "
			"call (docker: --security-opt seccomp=... or --cap-add PERFMON)");
		return;
	}
	if (facts->has_perfmon_cap) {
		ps_hint(err,
			"CAP_PERFMON is there, so something else forbids it: a security module, a lockdown of the kernel, "
			"or another user's process");
		return;
	}
	if (facts->seccomp && code == EPERM)
		ps_hint(err,
			"a seccomp filter (container?) or the lack of CAP_PERFMON forbids perf_event_open: the container "
			"needs a profile that allows it");
	else if (cpu >= 0)
		hint_cpu_permission(err, facts);
	else if (facts->paranoid > 2)
		ps_hint(err,
			"perf_event_paranoid is %d, which forbids everything without CAP_PERFMON: set it to 2 or less, or "
			"run as root",
			facts->paranoid);
	else if (facts->paranoid > 1 && event->attr.exclude_user)
		ps_hint(err,
			"counting the kernel needs CAP_PERFMON (or root), or perf_event_paranoid 1 or less: it is %d",
			facts->paranoid);
	else
		ps_hint(err,
			"it is another user's process, or one that may not be traced: that needs CAP_PERFMON and "
			"CAP_SYS_PTRACE, or root");
}

static void hint_missing(struct ps_error *err, const struct event *event, const struct explain_facts *facts)
{
	if (event->software)
		ps_hint(err, "this kernel does not have it");
	else if (!facts->has_pmu)
		ps_hint(err, "this machine has no hardware PMU%s; " HARDWARE_RAW_HINT,
			facts->is_virtual ? ": it is a virtual machine, whose host may be told to give it one"
					  : "");
	else
		ps_hint(err, "this machine's PMU does not have it; " HARDWARE_RAW_HINT);
}

static void hint_invalid(struct ps_error *err, const struct event *event, int cpu)
{
	if (event->group >= 0 && !event->software)
		ps_hint(err,
			"the group may need more counters than the hardware has: put fewer events into it, or :W after "
			"the group lets it be broken up");
	else if (event->attr.precise_ip)
		ps_hint(err, "its PMU may not be that precise: leave :p out, or use :P for what it can do");
	else if (event->attr.exclude_user || event->attr.exclude_kernel)
		ps_hint(err, "its PMU may not tell user and kernel apart: leave :u and :k out");
	else if (cpu < 0)
		ps_hint(err, "it may be an event of whole CPUs: use -a");
	else
		ps_hint(err, "its PMU does not take these terms");
}

static void hint_for(struct ps_error *err, int code, const struct event *event, int cpu,
		     const struct explain_facts *facts)
{
	switch (code) {
	case EACCES:
	case EPERM:
		hint_permission(err, code, event, cpu, facts);
		break;
	case EMFILE:
		hint_limit(err, facts);
		break;
	case ENFILE:
		ps_hint(err, "the system has no more open files: see /proc/sys/fs/file-max");
		break;
	case ENOENT:
	case EOPNOTSUPP:
	case ENXIO:
		hint_missing(err, event, facts);
		break;
	case ENODEV:
		if (cpu >= 0)
			ps_hint(err,
				"CPU %d is offline or does not exist: see /sys/devices/system/cpu/online",
				cpu);
		else
			hint_missing(err, event, facts);
		break;
	case ENOSYS:
		ps_hint(err,
			"this kernel has no perf events (CONFIG_PERF_EVENTS), or a seccomp filter hides them");
		break;
	case ESRCH:
		ps_hint(err, "the thread has ended, or there never was one of that number");
		break;
	case EBUSY:
		ps_hint(err, "another user of the PMU has it for itself");
		break;
	case EINVAL:
		hint_invalid(err, event, cpu);
		break;
	default:
		break;
	}
}

int explain_open(struct ps_error *err, int code, const struct event *event, int cpu, int tid,
		 const struct explain_facts *facts)
{
	if (cpu >= 0)
		(void)ps_fail(err, "counter", code, "opening %s on CPU %d", event->name, cpu);
	else if (tid > 0)
		(void)ps_fail(err, "counter", code, "opening %s on thread %d", event->name, tid);
	else
		(void)ps_fail(err, "counter", code, "opening %s", event->name);
	hint_for(err, code, event, cpu, facts);
	return code > 0 ? -code : -EINVAL;
}
