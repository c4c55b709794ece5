/* Opens one event at one place. */
#include "event/open_event.h"

#include <errno.h>

#include "event/counter.h"

bool open_event_lacks(int code)
{
	return code == ENOENT || code == EOPNOTSUPP || code == ENXIO || code == ENOSYS || code == ENODEV;
}

void open_event_attr(struct perf_event_attr *attr, const struct event *event,
		     const struct concession *concession)
{
	*attr = event->attr;
	attr->size = sizeof(*attr);
	if (concession->user_only) {
		attr->exclude_kernel = 1;
		attr->exclude_hv = 1;
	}
	if (concession->any_guest) {
		attr->exclude_guest = 0;
		attr->exclude_host = 0;
	}
	attr->precise_ip = (attr->precise_ip - concession->less_precise) & 3;
}

static void request_attr(struct perf_event_attr *attr, const struct open_request *request)
{
	bool leader = request->group_fd < 0;

	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
	if (request->group_reads)
		attr->read_format |= PERF_FORMAT_GROUP;
	attr->inherit = request->inherit;
	attr->disabled = leader || request->stopped;
	attr->enable_on_exec = leader && request->enable_on_exec;
	if (!leader) { /* the kernel takes these two from a leader only, for the whole group */
		attr->pinned = 0;
		attr->exclusive = 0;
	}
}

/* Picks the next concession that may help against code. False: there is none. */
static bool concede(struct concession *concession, const struct event *event, int code)
{
	const struct perf_event_attr *attr = &event->attr;

	if (code == EACCES || code == EPERM) {
		if (concession->user_only || attr->exclude_kernel || attr->exclude_user)
			return false;
		concession->user_only = true;
		return true;
	}
	if (code != EINVAL && code != EOPNOTSUPP)
		return false;
	if (!concession->any_guest && (attr->exclude_guest || attr->exclude_host)) {
		concession->any_guest = true;
		return true;
	}
	if (!event->precise_max || concession->less_precise >= attr->precise_ip)
		return false;
	concession->less_precise++;
	return true;
}

int open_event(const struct sysperf *sys, const struct event *event, struct event_state *state,
	       const struct open_request *request)
{
	struct concession concession = state->concession;
	int fd;

	do {
		struct perf_event_attr attr;

		open_event_attr(&attr, event, &concession);
		request_attr(&attr, request);
		fd = counter_open(sys, &attr, request->tid, request->cpu, request->group_fd);
	} while (fd < 0 && concede(&concession, event, -fd));
	if (fd < 0)
		return fd;
	if (concession.user_only && event->kernel_only) {
		counter_close(sys, fd);
		state->kernel_forbidden = true;
		return -EACCES;
	}
	state->concession = concession;
	return fd;
}

int open_dummy(const struct sysperf *sys, const struct open_request *request)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1, /* nothing is lost, and it is allowed to everybody */
		.exclude_hv = 1,
	};

	request_attr(&attr, request);
	return counter_open(sys, &attr, request->tid, request->cpu, request->group_fd);
}
