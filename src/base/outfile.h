/* An output file that appears whole or not at all: written beside its name, put into place by a rename. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stdbool.h>

#include "base/error.h"

struct outfile {
	int fd;        /* open for writing, CLOEXEC; -1 when closed */
	bool seekable; /* a regular file; false for a pipe, a terminal, /dev/null and the like */
	char *path;    /* the final name, owned; NULL once discarded or for standard output */
	char *temp;    /* the name it has until published, owned; NULL when there is none */
};

#define OUTFILE_INIT { -1, false, NULL, NULL }

/*
 * Opens path for writing. "-" is standard output (a duplicate of it). Something that exists and is not a regular file (a
 * FIFO, /dev/null) is opened as it is; otherwise a new file with mode 0600 is made in the same folder under a temporary
 * name. A symbolic link is followed, so that the file it names is replaced or made and the link stays. 0 or -errno; on
 * error out is left as OUTFILE_INIT.
 */
int outfile_open(struct outfile *out, const char *path, struct ps_error *err) _must_check_;

/*
 * Gives a new file the mode that the umask leaves of 0666, for what is no more private than other output. What is no regular
 * file stays as it is. 0 or -errno.
 */
int outfile_share(struct outfile *out, struct ps_error *err) _must_check_;

/*
 * Gives the file its name. keep_old: an existing file becomes path.old first. Does nothing for what is not a regular file,
 * and nothing the second time. 0 or -errno; on error the file still has its temporary name.
 */
int outfile_publish(struct outfile *out, bool keep_old, struct ps_error *err) _must_check_;

/* Closes, and removes the file when it was never published. Safe to call twice. 0 or what close(2) said (-errno). */
int outfile_close(struct outfile *out, struct ps_error *err);

#endif
