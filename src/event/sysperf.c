/* The real kernel behind the seam. */
#include "event/sysperf.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "event/threads.h"

#define MAX_CPUS ((size_t)1 << 20) /* where asking for a larger and larger mask ends */

static int kernel_open(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		       unsigned long flags)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);

	(void)ctx;
	return fd < 0 ? -errno : (int)fd;
}

static ssize_t kernel_read(void *ctx, int fd, void *buf, size_t len)
{
	ssize_t n = read(fd, buf, len);

	(void)ctx;
	return n < 0 ? -errno : n;
}

static int kernel_ioctl(void *ctx, int fd, unsigned long request, void *arg)
{
	int rc = ioctl(fd, request, arg);

	(void)ctx;
	return rc < 0 ? -errno : rc;
}

static int kernel_close(void *ctx, int fd)
{
	(void)ctx;
	return close(fd) < 0 ? -errno : 0;
}

/* The caller's CPUs, in a mask as large as this kernel wants it. */
static int save_mask(struct sysperf_kernel *kernel)
{
	for (size_t cpus = CPU_SETSIZE; cpus <= MAX_CPUS; cpus *= 2) {
		cpu_set_t *mask = CPU_ALLOC(cpus);

		if (!mask)
			return -ENOMEM;
		if (!sched_getaffinity(0, CPU_ALLOC_SIZE(cpus), mask)) {
			kernel->saved_mask = mask;
			kernel->mask_bytes = CPU_ALLOC_SIZE(cpus);
			return 0;
		}
		int code = errno;

		CPU_FREE(mask);
		if (code != EINVAL)
			return -code;
	}
	return -EINVAL;
}

static int kernel_move_to(void *ctx, int cpu)
{
	struct sysperf_kernel *kernel = ctx;
	cpu_set_t *mask = kernel->move_mask;

	if (cpu < 0 || (size_t)cpu >= 8 * kernel->mask_bytes)
		return -EINVAL;
	CPU_ZERO_S(kernel->mask_bytes, mask);
	CPU_SET_S((size_t)cpu, kernel->mask_bytes, mask);
	return sched_setaffinity(0, kernel->mask_bytes, mask) < 0 ? -errno : 0;
}

static int kernel_move_back(void *ctx)
{
	const struct sysperf_kernel *kernel = ctx;

	return sched_setaffinity(0, kernel->mask_bytes, kernel->saved_mask) < 0 ? -errno : 0;
}

static int kernel_current_cpu(void *ctx)
{
	int cpu = sched_getcpu();

	(void)ctx;
	return cpu < 0 ? -errno : cpu;
}

static int kernel_threads(void *ctx, pid_t pid, pid_t **tids)
{
	(void)ctx;
	return threads_list("/proc", pid, tids);
}

int sysperf_kernel_init(struct sysperf *sys, struct sysperf_kernel *kernel)
{
	int rc = save_mask(kernel);

	if (rc < 0)
		return rc;
	kernel->move_mask = malloc(kernel->mask_bytes);
	if (!kernel->move_mask) {
		CPU_FREE(kernel->saved_mask);
		return -ENOMEM;
	}
	*sys = (struct sysperf){
		.ctx = kernel,
		.open = kernel_open,
		.read = kernel_read,
		.ioctl = kernel_ioctl,
		.close = kernel_close,
		.move_to = kernel_move_to,
		.move_back = kernel_move_back,
		.current_cpu = kernel_current_cpu,
		.threads = kernel_threads,
	};
	return 0;
}

void sysperf_kernel_fini(struct sysperf_kernel *kernel)
{
	free(kernel->move_mask);
	CPU_FREE((cpu_set_t *)kernel->saved_mask);
	*kernel = (struct sysperf_kernel){ 0 };
}
