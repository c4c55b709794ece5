/* One counter: a descriptor of perf_event_open(2). Interrupted calls are repeated here. */
#ifndef EVENT_COUNTER_H
#define EVENT_COUNTER_H

#include <stdint.h>

#include "base/attr.h"
#include "event/sysperf.h"

/* A descriptor (close-on-exec) or -errno. group_fd -1: a leader. */
int counter_open(const struct sysperf *sys, struct perf_event_attr *attr, pid_t tid, int cpu,
		 int group_fd) _must_check_;

/* PERF_EVENT_IOC_ID. 0 or -errno. */
int counter_id(const struct sysperf *sys, int fd, uint64_t *id) _must_check_;

/* Starts or stops a leader (and so its group) or one member. 0 or -errno. */
int counter_enable(const struct sysperf *sys, int fd) _must_check_;
int counter_disable(const struct sysperf *sys, int fd) _must_check_;

/*
 * One read(2): the bytes it gave, or -errno. ECHILD, the passing refusal of a group one of whose inherited
 * copies is being made or taken down, is waited out for some 20 ms.
 */
ssize_t counter_read(const struct sysperf *sys, int fd, void *buf, size_t len) _must_check_;

void counter_close(const struct sysperf *sys, int fd);

#endif
