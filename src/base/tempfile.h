/* A file without a name, for what is too large for memory. */
#ifndef BASE_TEMPFILE_H
#define BASE_TEMPFILE_H

#include "base/error.h"

/*
 * Makes one in the folder that TMPDIR names (or /tmp); nobody else sees it and it goes with its descriptor, which is the
 * caller's and open for reading and writing. Returns the descriptor or -errno.
 */
int tempfile_open(struct ps_error *err) _must_check_;

#endif
