/* A fake kernel for counters. */
#include "lib/fake_sysperf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *event_name(const struct perf_event_attr *attr, char *buf, size_t size)
{
	static const char *const software[] = { "cpu-clock", "task-clock", "page-faults", "cs", "migrations",
						NULL,        NULL,         NULL,          NULL, "dummy" };
	static const char *const hardware[] = { "cycles", "instructions" };

	if (attr->type == PERF_TYPE_SOFTWARE && attr->config < sizeof(software) / sizeof(*software) &&
	    software[attr->config])
		return software[attr->config];
	if (attr->type == PERF_TYPE_HARDWARE && attr->config < sizeof(hardware) / sizeof(*hardware))
		return hardware[attr->config];
	snprintf(buf, size, "%u:%llx", attr->type, (unsigned long long)attr->config);
	return buf;
}

/* A scripted result for this call. False: none. */
static bool faulty(struct fake_sysperf *fake, enum fake_op op, int *result)
{
	size_t call = ++fake->calls[op];

	for (size_t i = 0; i < fake->n_faults; i++) {
		const struct fake_fault *fault = &fake->faults[i];

		if (fault->op == op && call >= fault->at && call < fault->at + fault->times) {
			*result = fault->result;
			return true;
		}
	}
	return false;
}

static bool applies(const struct fake_rule *rule, const struct perf_event_attr *attr, int tid, int cpu,
		    int group_fd)
{
	unsigned holds = 0;

	if (rule->type != FAKE_ANY && ((uint32_t)rule->type != attr->type || rule->config != attr->config))
		return false;
	if ((rule->cpu != FAKE_ANY && rule->cpu != cpu) || (rule->tid != FAKE_ANY && rule->tid != tid))
		return false;
	holds |= attr->exclude_kernel ? 0 : FAKE_IF_KERNEL;
	holds |= attr->exclude_guest || attr->exclude_host ? FAKE_IF_GUESTS : 0;
	holds |= group_fd >= 0 ? FAKE_IF_MEMBER : 0;
	holds |= attr->precise_ip > 1 ? FAKE_IF_PRECISE : 0;
	holds |= attr->inherit && (attr->read_format & PERF_FORMAT_GROUP) ? FAKE_IF_INHERIT_GROUP : 0;
	return (holds & rule->conditions) == rule->conditions;
}

static int refused(const struct fake_sysperf *fake, const struct perf_event_attr *attr, int tid, int cpu,
		   int group_fd)
{
	for (size_t i = 0; i < fake->n_rules; i++)
		if (applies(&fake->rules[i], attr, tid, cpu, group_fd))
			return -fake->rules[i].code;
	if (fake->limit && fake_open_fds(fake) >= fake->limit)
		return -EMFILE;
	if (group_fd >= 0 && (attr->pinned || attr->exclusive)) /* as the kernel */
		return -EINVAL;
	return 0;
}

/* Numbers are not used twice, so that a closed descriptor cannot be taken for a new one. */
static int new_fd(struct fake_sysperf *fake)
{
	if (fake->n_fds == FAKE_MAX_FDS)
		abort();
	return (int)fake->n_fds++;
}

/* The descriptor behind a number; asking for one that is not open is an error of what is tested. */
static struct fake_fd *at(struct fake_sysperf *fake, int fd)
{
	int i = fd - FAKE_FIRST_FD;

	if (i < 0 || (size_t)i >= fake->n_fds || !fake->fds[i].open) {
		fprintf(stderr, "fake_sysperf: fd%d is not open\n", fd);
		abort();
	}
	return &fake->fds[i];
}

static int fake_open(void *ctx, struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
		     unsigned long flags)
{
	struct fake_sysperf *fake = ctx;
	char name[64], place[32], group[32] = "";
	int rc, i;

	snprintf(place, sizeof(place), cpu >= 0 ? "cpu%d" : "tid%d", cpu >= 0 ? cpu : (int)tid);
	if (group_fd >= 0)
		snprintf(group, sizeof(group), " in fd%d", group_fd);
	if (!faulty(fake, FAKE_OPEN, &rc))
		rc = refused(fake, attr, tid, cpu, group_fd);
	if (rc < 0 || !(flags & PERF_FLAG_FD_CLOEXEC)) {
		call_log_add(fake->log, "open %s %s%s: errno %d", event_name(attr, name, sizeof(name)), place,
			     group, -rc);
		return rc < 0 ? rc : -EINVAL;
	}
	i = new_fd(fake);
	fake->fds[i] = (struct fake_fd){
		.open = true,
		.attr = *attr,
		.tid = tid,
		.cpu = cpu,
		.leader = group_fd >= 0 ? (int)(at(fake, group_fd) - fake->fds) : i,
		.on = !attr->disabled,
		.id = ++fake->next_id,
	};
	call_log_add(fake->log, "open %s %s%s = fd%d", event_name(attr, name, sizeof(name)), place, group,
		     i + FAKE_FIRST_FD);
	if (fake->on_open)
		fake->on_open(fake, fake->on_open_ctx);
	return i + FAKE_FIRST_FD;
}

static ssize_t give(void *buf, size_t len, const uint64_t *words, size_t n, bool is_short, int bytes)
{
	size_t size = n * sizeof(*words);

	if (len < size)
		return -ENOSPC;
	if (is_short && (size_t)bytes < size)
		size = bytes;
	memcpy(buf, words, size);
	return (ssize_t)size;
}

static ssize_t fake_read(void *ctx, int fd, void *buf, size_t len)
{
	struct fake_sysperf *fake = ctx;
	struct fake_fd *event = at(fake, fd);
	uint64_t words[3 + 2 * FAKE_MAX_FDS] = { 0, event->enabled_ns, event->running_ns };
	int result = 0;
	bool fault = faulty(fake, FAKE_READ, &result);
	size_t n = 3;

	call_log_add(fake->log, "read fd%d", fd);
	if (fault && result < 0)
		return result;
	if (!(event->attr.read_format & PERF_FORMAT_GROUP)) {
		uint64_t single[] = { event->val, event->enabled_ns, event->running_ns, event->id };

		return give(buf, len, single, 4, fault, result);
	}
	for (size_t i = 0; i < fake->n_fds; i++) {
		const struct fake_fd *member = &fake->fds[i];

		if (!member->open || member->leader != event - fake->fds)
			continue;
		words[0]++;
		words[n++] = member->val;
		words[n++] = member->id;
	}
	return give(buf, len, words, n, fault, result);
}

static int fake_ioctl(void *ctx, int fd, unsigned long request, void *arg)
{
	struct fake_sysperf *fake = ctx;
	struct fake_fd *event = at(fake, fd);
	int result;

	if (request == PERF_EVENT_IOC_ID) {
		*(uint64_t *)arg = event->id;
		return 0;
	}
	call_log_add(fake->log, "%s fd%d%s",
		     request == PERF_EVENT_IOC_ENABLE    ? "enable"
		     : request == PERF_EVENT_IOC_DISABLE ? "disable"
							 : "ioctl?",
		     fd, arg ? " with an argument" : "");
	if (faulty(fake, FAKE_IOCTL, &result))
		return result;
	event->on = request == PERF_EVENT_IOC_ENABLE;
	return 0;
}

static int fake_close(void *ctx, int fd)
{
	struct fake_sysperf *fake = ctx;

	at(fake, fd)->open = false;
	call_log_add(fake->log, "close fd%d", fd);
	return 0;
}

static int fake_move_to(void *ctx, int cpu)
{
	struct fake_sysperf *fake = ctx;

	if (fake->offline & (1U << cpu)) {
		call_log_add(fake->log, "move to cpu%d: offline", cpu);
		return -EINVAL;
	}
	call_log_add(fake->log, "move to cpu%d", cpu);
	if (fake->home < 0)
		fake->home = fake->cpu;
	fake->cpu = cpu;
	return 0;
}

static int fake_move_back(void *ctx)
{
	struct fake_sysperf *fake = ctx;

	call_log_add(fake->log, "move back");
	fake->home = -1; /* the mask is as before, and the caller stays where it is */
	return 0;
}

static int fake_current_cpu(void *ctx)
{
	return ((struct fake_sysperf *)ctx)->cpu;
}

static int fake_list_threads(void *ctx, pid_t pid, pid_t **tids)
{
	struct fake_sysperf *fake = ctx;
	struct fake_scan *scan = NULL, *next = NULL;

	call_log_add(fake->log, "threads %d", (int)pid);
	for (size_t i = 0; i < fake->n_scans && !next; i++) {
		if (fake->scans[i].pid != pid)
			continue;
		if (scan)
			next = &fake->scans[i];
		else
			scan = &fake->scans[i];
	}
	if (!scan || !scan->n)
		return -ESRCH;
	*tids = calloc(scan->n, sizeof(**tids));
	if (!*tids)
		return -ENOMEM;
	memcpy(*tids, scan->tids, scan->n * sizeof(**tids));
	int n = scan->n;

	if (next) /* this one is used up */
		scan->pid = -1;
	return n;
}

void fake_sysperf_init(struct fake_sysperf *fake, struct call_log *log)
{
	memset(fake, 0, sizeof(*fake));
	fake->log = log;
	fake->home = -1;
	fake->share_percent = 100;
	fake->sys = (struct sysperf){
		.ctx = fake,
		.open = fake_open,
		.read = fake_read,
		.ioctl = fake_ioctl,
		.close = fake_close,
		.move_to = fake_move_to,
		.move_back = fake_move_back,
		.current_cpu = fake_current_cpu,
		.threads = fake_list_threads,
	};
}

void fake_refuse(struct fake_sysperf *fake, struct fake_rule rule)
{
	if (fake->n_rules == FAKE_MAX_RULES)
		abort();
	fake->rules[fake->n_rules++] = rule;
}

void fake_fault(struct fake_sysperf *fake, struct fake_fault fault)
{
	if (fake->n_faults == FAKE_MAX_FAULTS)
		abort();
	fake->faults[fake->n_faults++] = fault;
}

void fake_threads(struct fake_sysperf *fake, int pid, int n, const pid_t *tids)
{
	struct fake_scan *scan = &fake->scans[fake->n_scans++];

	if (fake->n_scans > FAKE_MAX_SCANS || n > FAKE_MAX_TIDS)
		abort();
	scan->pid = pid;
	scan->n = n;
	for (int i = 0; i < n; i++)
		scan->tids[i] = tids[i];
}

/* A group with a hardware event in it is on the hardware, or not, as one. */
static bool needs_hardware(const struct fake_sysperf *fake, int leader)
{
	for (size_t i = 0; i < fake->n_fds; i++)
		if (fake->fds[i].open && fake->fds[i].leader == leader &&
		    fake->fds[i].attr.type != PERF_TYPE_SOFTWARE &&
		    fake->fds[i].attr.type != PERF_TYPE_TRACEPOINT)
			return true;
	return false;
}

void fake_advance(struct fake_sysperf *fake, uint64_t ns)
{
	for (size_t i = 0; i < fake->n_fds; i++) {
		struct fake_fd *event = &fake->fds[i];
		const struct fake_fd *leader = &fake->fds[event->leader];
		uint64_t ran = needs_hardware(fake, event->leader) ? ns / 100 * fake->share_percent : ns;

		if (!event->open || !event->on || !leader->on)
			continue;
		event->enabled_ns += ns;
		event->running_ns += ran;
		event->rest += ran * (event->attr.config + 1);
		event->val += event->rest / 1000;
		event->rest %= 1000;
	}
}

void fake_exec(struct fake_sysperf *fake)
{
	for (size_t i = 0; i < fake->n_fds; i++)
		if (fake->fds[i].open && fake->fds[i].attr.enable_on_exec)
			fake->fds[i].on = true;
}

size_t fake_open_fds(const struct fake_sysperf *fake)
{
	size_t n = 0;

	for (size_t i = 0; i < fake->n_fds; i++)
		n += fake->fds[i].open;
	return n;
}
