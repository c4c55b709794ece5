/* Small text files, read whole. */
#include "base/textfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/io.h"

int textfile_read_whole(const char *path, size_t max, char **text, struct ps_error *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *buf = NULL;
	ssize_t n;

	if (fd < 0)
		return ps_fail(err, "file", errno, "opening %s", path);
	if (max > INT_MAX - 1)
		max = INT_MAX - 1;
	buf = malloc(max + 1);
	if (!buf)
		return ps_fail(err, "file", ENOMEM, "reading %s", path);
	n = io_read_full(&io_system, fd, buf, max + 1, err);
	if (n < 0)
		return (int)n;
	if ((size_t)n > max)
		return ps_fail(err, "file", EFBIG, "reading %s: longer than %zu bytes", path, max);
	buf[n] = '\0';
	*text = attr_take(&buf);
	return (int)n;
}

int textfile_read(const char *path, size_t max, char **text, struct ps_error *err)
{
	int n = textfile_read_whole(path, max, text, err);

	while (n > 0 && isspace((unsigned char)(*text)[n - 1]))
		(*text)[--n] = '\0';
	return n;
}

int textfile_readf(size_t max, char **text, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	return textfile_read(path, max, text, NULL);
}
