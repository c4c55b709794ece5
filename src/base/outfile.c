/* An output file that appears whole or not at all. */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as many as the kernel follows */

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

/* Bytes of path up to and with its last slash. */
static int folder_bytes(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path) + 1 : 0;
}

/* Puts what the link *path names in its place: 1, 0 when it is no link, or -errno. */
static int follow_link(char **path)
{
	char target[PATH_MAX];
	ssize_t len = readlink(*path, target, sizeof(target) - 1);
	char *next;

	if (len < 0)
		return errno == EINVAL || errno == ENOENT ? 0 : -errno;
	target[len] = '\0';
	if (asprintf(&next, "%.*s%s", *target == '/' ? 0 : folder_bytes(*path), *path, target) < 0)
		return -ENOMEM;
	free(*path);
	*path = next;
	return 1;
}

/* The name behind path when links are followed, also where nothing is yet; the caller's. -errno when there is none. */
static int follow_links(const char *path, char **end)
{
	_cleanup_free_ char *at = strdup(path);
	int rc = at ? 1 : -ENOMEM;

	for (int links = 0; rc > 0; links++)
		rc = links > LINKS_MAX ? -ELOOP : follow_link(&at);
	if (rc == 0)
		*end = attr_take(&at);
	return rc;
}

static int open_beside(struct outfile *out, const char *path, struct ps_error *err)
{
	_cleanup_free_ char *final = NULL;
	_cleanup_free_ char *temp = NULL;
	int rc = follow_links(path, &final), folder;

	if (rc < 0)
		return ps_fail(err, "output", -rc, "finding the file behind %s", path);
	folder = folder_bytes(final);
	if (asprintf(&temp, "%.*s.%s.XXXXXX", folder, final, final + folder) < 0) {
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

int outfile_share(struct outfile *out, struct ps_error *err)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	if (out->temp && fchmod(out->fd, 0666 & ~mask) < 0)
		return ps_fail(err, "output", errno, "setting the mode of %s", out->path);
	return 0;
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
