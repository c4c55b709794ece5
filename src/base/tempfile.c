/* A file without a name. */
#include "base/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int tempfile_open(struct ps_error *err)
{
	const char *folder = getenv("TMPDIR");
	_cleanup_free_ char *path = NULL;
	int fd;

	if (asprintf(&path, "%s/pstat-XXXXXX", folder && *folder ? folder : "/tmp") < 0) {
		path = NULL; /* asprintf leaves it undefined */
		return ps_fail(err, "tempfile", ENOMEM, "naming a temporary file");
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0) {
		int code = errno;

		(void)ps_fail(err, "tempfile", code, "making a temporary file %s", path);
		ps_hint(err, "what does not fit into memory is kept in the folder that TMPDIR names");
		return -code;
	}
	if (unlink(path) < 0) {
		int code = errno;

		(void)close(fd); /* nothing is in it */
		return ps_fail(err, "tempfile", code, "removing the name %s", path);
	}
	return fd;
}
