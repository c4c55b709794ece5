/* One counter. */
#include "event/counter.h"

#include <errno.h>

/* A call that is interrupted this often in a row will not come to an end; then the caller is told so. */
#define MAX_INTERRUPTS 1000

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
	ssize_t n;
	int tries = 0;

	do
		n = sys->read(sys->ctx, fd, buf, len);
	while (n == -EINTR && ++tries < MAX_INTERRUPTS);
	return n;
}

void counter_close(const struct sysperf *sys, int fd)
{
	(void)sys->close(sys->ctx, fd); /* the descriptor is gone whatever this says */
}
