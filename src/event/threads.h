/* The threads of a process, as /proc lists them. */
#ifndef EVENT_THREADS_H
#define EVENT_THREADS_H

#include <sys/types.h>

/*
 * Lists the threads of pid below proc ("/proc"; another folder in tests), ascending. *tids is the caller's to
 * free. Returns how many, -ESRCH when there is no such process (or only its zombie is left), or -errno.
 */
int threads_list(const char *proc, pid_t pid, pid_t **tids);

#endif
