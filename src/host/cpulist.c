/* Lists of CPUs as text, "0-3,8". */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/textfile.h"
#include "host/facts.h"

#define CPU_MAX 65534 /* what a CPU_MAP can hold */

/* One "N" or "N-M" at *text; steps over it. 0 or -EINVAL. */
static int parse_range(const char **text, long *first, long *last)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	*first = *last = strtol(*text, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return -EINVAL;
		*last = strtol(end + 1, &end, 10);
	}
	*text = end;
	return *last < *first || *last > CPU_MAX ? -EINVAL : 0;
}

/* Marks the CPUs of text in seen. 0 or -EINVAL. */
static int mark_cpus(const char *text, unsigned char *seen)
{
	long first, last;

	for (;;) {
		if (parse_range(&text, &first, &last) < 0)
			return -EINVAL;
		memset(seen + first, 1, (size_t)(last - first) + 1);
		if (!*text)
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

int host_parse_cpus(const char *text, int32_t **cpus, struct ps_error *err)
{
	_cleanup_free_ unsigned char *seen = calloc(CPU_MAX + 1, 1);
	_cleanup_free_ int32_t *list = NULL;
	size_t n = 0;

	if (!seen)
		return ps_fail(err, "cpus", ENOMEM, "reading the list %s", text);
	if (mark_cpus(text, seen) < 0) {
		ps_fail(err, "cpus", EINVAL, "\"%s\" is no list of CPUs", text);
		ps_hint(err, "write it as 0-3,8");
		return -EINVAL;
	}
	for (size_t i = 0; i <= CPU_MAX; i++)
		n += seen[i];
	list = calloc(n, sizeof(*list));
	if (!list)
		return ps_fail(err, "cpus", ENOMEM, "reading the list %s", text);
	n = 0;
	for (int32_t i = 0; i <= CPU_MAX; i++)
		if (seen[i])
			list[n++] = i;
	*cpus = attr_take(&list);
	return (int)n;
}

int host_online_cpus(const char *sysfs, int32_t **cpus, struct ps_error *err)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char *text = NULL;
	int rc;

	if (asprintf(&path, "%s/devices/system/cpu/online", sysfs) < 0) {
		path = NULL;
		return ps_fail(err, "cpus", ENOMEM, "looking for the online CPUs");
	}
	rc = textfile_read(path, 65536, &text, err);
	return rc < 0 ? rc : host_parse_cpus(text, cpus, err);
}
