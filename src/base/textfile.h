/* Small text files of /proc and /sys, read whole. */
#ifndef BASE_TEXTFILE_H
#define BASE_TEXTFILE_H

#include "base/error.h"

/*
 * Reads at most max bytes of a file into a new string that ends with NUL; white space at its end is cut off. *text is the
 * caller's to free. Returns the length, or -errno (-EFBIG: longer than max).
 */
int textfile_read(const char *path, size_t max, char **text, struct ps_error *err) _must_check_;

/* The same with the white space at the end kept. */
int textfile_read_whole(const char *path, size_t max, char **text, struct ps_error *err) _must_check_;

/* textfile_read for a name made by printf. */
int textfile_readf(size_t max, char **text, const char *fmt, ...) _printf_(3, 4) _must_check_;

#endif
