/* Reads the kernel's small text files. */
#include "event/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int sysfs_read_text(char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	ssize_t n;
	int len;

	va_start(args, fmt);
	len = vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (len < 0 || (size_t)len >= sizeof(path))
		return -ENAMETOOLONG;
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	do
		n = read(fd, buf, size - 1); /* these files give all they have at once */
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == ' '))
		n--;
	buf[n] = '\0';
	return (int)n;
}

bool sysfs_exists(const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	return len > 0 && (size_t)len < sizeof(path) && !access(path, F_OK);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int sysfs_each(const char *dir, int (*fn)(void *ctx, const char *name), void *ctx)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, visible, alphasort);
	int rc = 0;

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		if (!rc)
			rc = fn(ctx, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

const char *tracefs_default(void)
{
	static const char own[] = "/sys/kernel/tracing", debugfs[] = "/sys/kernel/debug/tracing";

	return !sysfs_exists("%s/events", own) && sysfs_exists("%s/events", debugfs) ? debugfs : own;
}

/*
 * x86 has "cpu" and s390 "cpum_cf"; hybrid machines and Arm have one PMU per kind of core, which tells its
 * cpus.
 */
static int is_core_pmu(void *ctx, const char *name)
{
	return !strcmp(name, "cpu") || !strcmp(name, "cpum_cf") ||
	       sysfs_exists("%s/%s/cpus", (const char *)ctx, name);
}

bool sysfs_has_core_pmu(const char *sysfs)
{
	char dir[PATH_MAX];

	(void)snprintf(dir, sizeof(dir), "%s/" SYSFS_PMUS, sysfs);
	return sysfs_each(dir, is_core_pmu, dir) > 0;
}
