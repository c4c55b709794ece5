/* GNU build ids, by libelf. */
#ifndef HOST_BUILDID_H
#define HOST_BUILDID_H

#include <stdint.h>

#include "base/error.h"

/* Reads the build id of an ELF file into id (20 bytes, longer ids are cut). Returns its length, 0 when it has none, -errno. */
int buildid_of_file(const char *path, uint8_t id[20], struct ps_error *err) _must_check_;

#endif
