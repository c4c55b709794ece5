/*
 * Memory that runs out on order, for all code that is linked into the test program: its allocating calls are wrapped by the
 * linker (fault_alloc_ldflags in data_read.mk), which works beside a sanitizer's allocator. What shared libraries
 * allocate inside is not reached, but their calls that return memory are.
 */
#ifndef TESTS_FAULT_ALLOC_H
#define TESTS_FAULT_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* From now on the at-th allocation fails (from 1), and with `dry` all that follow it. 0: none fails. */
void fault_alloc_set(size_t at, bool dry);

/* Whether one has failed since then. */
bool fault_alloc_hit(void);

#endif
