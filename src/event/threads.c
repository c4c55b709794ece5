/* Lists the threads of a process. */
#include "event/threads.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/attr.h"

static int compare(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* A thread's number from its folder's name; 0 for "." and "..". */
static pid_t parse_tid(const char *name)
{
	char *end;
	long tid = strtol(name, &end, 10);

	return *end || tid <= 0 || tid > 0x7fffffff ? 0 : (pid_t)tid;
}

static int collect(DIR *dir, pid_t **tids)
{
	_cleanup_free_ pid_t *list = NULL;
	size_t n = 0, room = 0;
	struct dirent *entry;

	while (errno = 0, (entry = readdir(dir))) {
		pid_t tid = parse_tid(entry->d_name);

		if (!tid)
			continue;
		if (n == room) {
			pid_t *more = realloc(list, (room = room ? 2 * room : 16) * sizeof(*list));

			if (!more)
				return -ENOMEM;
			list = more;
		}
		list[n++] = tid;
	}
	if (errno && errno != ESRCH && errno != ENOENT)
		return -errno;
	if (!n)
		return -ESRCH;
	qsort(list, n, sizeof(*list), compare);
	*tids = attr_take(&list);
	return (int)n;
}

int threads_list(const char *proc, pid_t pid, pid_t **tids)
{
	char path[256];
	DIR *dir;
	int n;

	(void)snprintf(path, sizeof(path), "%s/%d/task", proc, (int)pid);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : -errno;
	n = collect(dir, tids);
	(void)closedir(dir); /* only read from */
	return n;
}
