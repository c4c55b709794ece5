/* System calls that fail on order, over the real ones. For tests of everything that reads and writes. */
#ifndef TESTS_FAULT_IO_H
#define TESTS_FAULT_IO_H

#include <stdbool.h>

#include "base/io.h"

struct fault_io {
	struct io_ops ops; /* give its address to what is tested */
	size_t calls;      /* so far */
	size_t writes;     /* of these, pwritev and write */
	size_t fail_at;    /* this call fails, counted from 1; 0 = none */
	bool dead;         /* and all after it, as if the process were gone */
	int code;          /* with this errno */
	size_t at_most;    /* bytes that one call moves; 0 = all */
	bool interrupted;  /* every other call fails with EINTR */
	size_t disk_bytes; /* a disk of this size: what lies beyond is not written (ENOSPC); 0 = endless */
};

void fault_io_init(struct fault_io *io);

#endif
