/* One counter. */
#include "event/counter.h"

#include <errno.h>
#include <time.h>

/* A call that is interrupted this often in a row will not come to an end; then the caller is told so. */
#define MAX_INTERRUPTS 1000

/*
 * While a thread that inherited a group begins or ends, the kernel refuses for some microseconds to add up
 * the group. The first tries again follow at once; the thread may have been put off its CPU by us, so for the
 * rest others may run.
 */
enum { CHILD_TRIES_AT_ONCE = 20, CHILD_TRIES = 400, CHILD_WAIT_NS = 50000 };

int counter_open(const struct sysperf *sys, struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd)
{
	int fd, tries = 0;

	do
		fd = sys->open(sys->ctx, attr, tid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
	while (fd == -EINTR && ++tries < MAX_INTERRUPTS);
	return fd;
}

static int control(const struct sysperf *sys, int fd, unsigned long request, void *arg)
{
	int rc, tries = 0;

	do
		rc = sys->ioctl(sys->ctx, fd, request, arg);
	while (rc == -EINTR && ++tries < MAX_INTERRUPTS);
	return rc < 0 ? rc : 0;
}

int counter_id(const struct sysperf *sys, int fd, uint64_t *id)
{
	return control(sys, fd, PERF_EVENT_IOC_ID, id);
}

int counter_enable(const struct sysperf *sys, int fd)
{
	return control(sys, fd, PERF_EVENT_IOC_ENABLE, NULL);
}

int counter_disable(const struct sysperf *sys, int fd)
{
	return control(sys, fd, PERF_EVENT_IOC_DISABLE, NULL);
}

ssize_t counter_read(const struct sysperf *sys, int fd, void *buf, size_t len)
{
	static const struct timespec wait = { .tv_nsec = CHILD_WAIT_NS };
	int interrupts = 0, children = 0;

	for (;;) {
		ssize_t n = sys->read(sys->ctx, fd, buf, len);

		if (n == -EINTR && ++interrupts < MAX_INTERRUPTS)
			continue;
		if (n != -ECHILD || ++children >= CHILD_TRIES)
			return n;
		if (children > CHILD_TRIES_AT_ONCE)
			(void)nanosleep(&wait, NULL); /* a shorter wait does no harm */
	}
}

void counter_close(const struct sysperf *sys, int fd)
{
	(void)sys->close(sys->ctx, fd); /* the descriptor is gone whatever this says */
}
