/* Raises the limit of open files for many counters. */
#include <dirent.h>
#include <errno.h>
#include <sys/resource.h>

#include "event/opening.h"

#define SPARE_FDS 64 /* for files, pipes and what else the session opens */

/* Descriptors in use now; an upper guess when /proc does not tell. */
static size_t open_now(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	if (!dir)
		return SPARE_FDS;
	while (readdir(dir))
		n++;
	(void)closedir(dir); /* only read from */
	return n;
}

int opening_limit(size_t need, struct ps_error *err)
{
	struct rlimit limit;
	rlim_t all = need + open_now() + SPARE_FDS;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return ps_fail(err, "counters", errno, "asking for the limit of open files");
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= all)
		return 0;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < all) {
		(void)ps_fail(err, "counters", EMFILE,
			      "%zu counters need %llu open files, the hard limit is %llu", need,
			      (unsigned long long)all, (unsigned long long)limit.rlim_max);
		ps_hint(err,
			"raise it (ulimit -Hn %llu as root, or LimitNOFILE=), or count fewer events, threads or CPUs",
			(unsigned long long)all);
		return -EMFILE;
	}
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return ps_fail(err, "counters", errno, "raising the limit of open files to %llu",
			       (unsigned long long)limit.rlim_max);
	return 0;
}
