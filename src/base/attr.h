/* Compiler attributes and scope cleanup, so that contracts are checked and nothing leaks on an early return. */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#define _must_check_ __attribute__((warn_unused_result))
#define _printf_(fmt, args) __attribute__((format(printf, fmt, args)))
#define _nonnull_(...) __attribute__((nonnull(__VA_ARGS__)))
#define _unused_ __attribute__((unused))
#define _cleanup_(fn) __attribute__((cleanup(fn)))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static inline void attr_free(void *slot)
{
	free(*(void **)slot);
}

static inline void attr_close(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* nothing was written through it that this could lose */
}

#define _cleanup_free_ _cleanup_(attr_free)
#define _cleanup_close_ _cleanup_(attr_close)

/* Hands a pointer over: returns it and leaves NULL behind, which disarms _cleanup_free_. */
static inline void *attr_take(void *slot)
{
	void *ptr = *(void **)slot;

	*(void **)slot = NULL;
	return ptr;
}

/* The same for a descriptor. */
static inline int attr_take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif
