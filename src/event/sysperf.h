/* The seam below the counters: the calls that need the kernel's perf support. Tests fake it. */
#ifndef EVENT_SYSPERF_H
#define EVENT_SYSPERF_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/attr.h"

/* Each returns >= 0 or -errno. EINTR is passed on to the caller. */
struct sysperf {
	void *ctx;
	int (*open)(void *ctx, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		    unsigned long flags);
	ssize_t (*read)(void *ctx, int fd, void *buf, size_t len);
	int (*ioctl)(void *ctx, int fd, unsigned long request, void *arg);
	int (*close)(void *ctx, int fd);
	/* Moves the calling thread to one CPU, so that touching that CPU's counters interrupts nobody. */
	int (*move_to)(void *ctx, int cpu);
	/* Gives the calling thread back the CPUs it had before the first move_to. */
	int (*move_back)(void *ctx);
	/* The CPU the caller runs on. */
	int (*current_cpu)(void *ctx);
	/*
	 * The threads process pid has just now, ascending; *tids is the caller's to free. How many, or
	 * -ESRCH, -errno.
	 */
	int (*threads)(void *ctx, pid_t pid, pid_t **tids);
};

/* The real kernel. ctx is a struct sysperf_kernel made by sysperf_kernel_init. */
struct sysperf_kernel {
	void *saved_mask; /* cpu_set_t of the start, owned */
	void *move_mask;  /* cpu_set_t that move_to works in, owned */
	size_t mask_bytes;
};
/* 0 or -errno; on error kernel needs no _fini. */
int sysperf_kernel_init(struct sysperf *sys, struct sysperf_kernel *kernel) _must_check_;
void sysperf_kernel_fini(struct sysperf_kernel *kernel);

#endif
