/* What is asked of the ends of a control connection before they are used. Reading and writing them is base/nonblock.h. */
#ifndef CONTROL_ENDPOINT_H
#define CONTROL_ENDPOINT_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Checks that a descriptor is open and has the right direction, and makes it close-on-exec. 0 or -EBADF with a message that
 * calls it name.
 */
int endpoint_check(int fd, bool write, const char *name, struct ps_error *err) _must_check_;

/*
 * Opens a FIFO in non-blocking mode. mode O_RDWR: the other ends may come and go. O_WRONLY fails with -ENXIO when nobody
 * reads. The descriptor, or -errno with a hint.
 */
int endpoint_open_fifo(const char *path, int mode, struct ps_error *err) _must_check_;

#endif
