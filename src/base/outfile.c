/* An output file that appears whole or not at all. */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct outfile outfile_none = OUTFILE_INIT;

static int open_as_it_is(struct outfile *out, const char *path, struct ps_error *err)
{
	out->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (out->fd < 0)
		return ps_fail(err, "output", errno, "opening %s", path);
	return 0;
}

static int open_stdout(struct outfile *out, struct ps_error *err)
{
	out->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (out->fd < 0)
		return ps_fail(err, "output", errno, "using standard output");
	return 0;
}

static int open_beside(struct outfile *out, const char *path, struct ps_error *err)
{
	_cleanup_free_ char *real = realpath(path, NULL);
	_cleanup_free_ char *final = strdup(real ? real : path);
	_cleanup_free_ char *temp = NULL;
	const char *slash = final ? strrchr(final, '/') : NULL;
	int folder = slash ? (int)(slash - final) + 1 : 0;

	if (!final || asprintf(&temp, "%.*s.%s.XXXXXX", folder, final, final + folder) < 0) {
		temp = NULL; /* asprintf leaves it undefined */
		return ps_fail(err, "output", ENOMEM, "naming the output %s", path);
	}
	out->fd = mkostemp(temp, O_CLOEXEC);
	if (out->fd < 0) {
		int code = errno;

		ps_fail(err, "output", code, "creating %s", path);
		ps_hint(err, "the file is made in the folder of its name; choose another with -o");
		return -code;
	}
	out->seekable = true;
	out->path = attr_take(&final);
	out->temp = attr_take(&temp);
	return 0;
}

int outfile_open(struct outfile *out, const char *path, struct ps_error *err)
{
	struct stat st;

	*out = outfile_none;
	if (!strcmp(path, "-"))
		return open_stdout(out, err);
	if (!*path || path[strlen(path) - 1] == '/')
		return ps_fail(err, "output", *path ? EISDIR : ENOENT, "creating \"%s\"", path);
	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return ps_fail(err, "output", EISDIR, "creating %s", path);
		if (!S_ISREG(st.st_mode))
			return open_as_it_is(out, path, err);
	} else if (errno != ENOENT) {
		return ps_fail(err, "output", errno, "looking at %s", path);
	}
	return open_beside(out, path, err);
}

static int keep_as_old(const char *path, struct ps_error *err)
{
	_cleanup_free_ char *old = NULL;

	if (asprintf(&old, "%s.old", path) < 0) {
		old = NULL;
		return ps_fail(err, "output", ENOMEM, "naming %s.old", path);
	}
	if (rename(path, old) < 0 && errno != ENOENT)
		return ps_fail(err, "output", errno, "keeping the existing %s as %s", path, old);
	return 0;
}

int outfile_publish(struct outfile *out, bool keep_old, struct ps_error *err)
{
	int rc;

	if (!out->temp)
		return 0;
	rc = keep_old ? keep_as_old(out->path, err) : 0;
	if (rc < 0)
		return rc;
	if (rename(out->temp, out->path) < 0)
		return ps_fail(err, "output", errno, "putting %s into place", out->path);
	free(attr_take(&out->temp));
	return 0;
}

int outfile_close(struct outfile *out, struct ps_error *err)
{
	int rc = 0;

	if (out->fd >= 0 && close(out->fd) < 0 && errno != EINTR)
		rc = ps_fail(err, "output", errno, "closing %s", out->path ? out->path : "the output");
	if (out->temp && unlink(out->temp) < 0 && rc == 0 && errno != ENOENT)
		rc = ps_fail(err, "output", errno, "removing %s", out->temp);
	free(out->temp);
	free(out->path);
	*out = outfile_none;
	return rc;
}
