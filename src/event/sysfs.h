/* Reading the small text files in which the kernel describes its PMUs and tracepoints. */
#ifndef EVENT_SYSFS_H
#define EVENT_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

#define SYSFS_PMUS "bus/event_source/devices" /* below the root of sysfs */

/*
 * The first size - 1 bytes of a file without the newline at the end. Its path is made from fmt. Length, or
 * -errno.
 */
int sysfs_read_text(char *buf, size_t size, const char *fmt, ...) _printf_(3, 4);

/* Does the path made from fmt exist? */
bool sysfs_exists(const char *fmt, ...) _printf_(1, 2);

/*
 * Calls fn with each name in a folder, in order, apart from those that begin with a dot. Stops at, and
 * returns, the first nonzero of fn; else 0 or -errno.
 */
int sysfs_each(const char *dir, int (*fn)(void *ctx, const char *name), void *ctx);

/* Where tracefs is mounted: its own place, or inside debugfs as before Linux 4.1. */
const char *tracefs_default(void);

/* Is there a PMU of processor cores, as opposed to software, uncore and tracing ones? */
bool sysfs_has_core_pmu(const char *sysfs);

#endif
