/* Bytes to read: a regular file, a stream or memory, behind one set of calls. */
#include "data/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/tempfile.h"

#define DROP_BYTES 65536 /* read at once to go forward in a stream */

enum source_kind {
	SOURCE_FILE,
	SOURCE_STREAM,
	SOURCE_MEMORY,
};

struct source {
	enum source_kind kind;
	const struct io_ops *io;
	int fd;               /* owned; -1 for memory */
	const uint8_t *bytes; /* memory, borrowed */
	bool seekable;
	uint64_t base;   /* FILE: where its offset 0 is (standard input may have been read from before) */
	uint64_t size;   /* from base; UINT64_MAX for a stream */
	uint64_t offset; /* of the next read */
	int (*on_wait)(void *data, struct ps_error *err); /* NULL: nobody cares */
	void *on_wait_data;
	char *folder;    /* owned; NULL: a file by itself */
	unsigned part, parts; /* of the folder: the next one, and behind the last */
};

/* fd is taken, also on error. */
static int source_new(struct source **source, int fd, const struct io_ops *io, struct ps_error *err)
{
	struct source *made = calloc(1, sizeof(*made));

	if (!made) {
		if (fd >= 0)
			(void)close(fd); /* only ever read from */
		return ps_fail(err, "source", ENOMEM, "opening the input");
	}
	made->fd = fd;
	made->io = io;
	*source = made;
	return 0;
}

static int open_fd(const char *path, struct ps_error *err)
{
	bool standard = !strcmp(path, "-");
	int fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) :
			    open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return ps_fail(err, "source", errno, "opening %s", standard ? "standard input" : path);
	return fd;
}

/* Behind the largest number that a file data.N in a folder has. */
static int count_parts(const char *folder, unsigned *parts, struct ps_error *err)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	if (!dir)
		return ps_fail(err, "source", errno, "listing %s", folder);
	*parts = 0;
	while ((entry = readdir(dir))) {
		unsigned number;
		int end = 0;

		if (sscanf(entry->d_name, "data.%5u%n", &number, &end) == 1 && !entry->d_name[end] && number >= *parts)
			*parts = number + 1;
	}
	(void)closedir(dir); /* only ever read from */
	return 0;
}

/* Puts a file of the folder in the descriptor's place. */
static int open_part(struct source *source, const char *name, struct ps_error *err)
{
	_cleanup_free_ char *path = NULL;
	struct stat st;
	int fd;

	if (asprintf(&path, "%s/%s", source->folder, name) < 0) {
		path = NULL; /* asprintf leaves it undefined */
		return ps_fail(err, "source", ENOMEM, "opening %s", name);
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return ps_fail(err, "source", errno, "opening %s", path);
	(void)close(source->fd); /* only ever read from */
	source->fd = fd;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return ps_fail(err, "source", EINVAL, "%s is not a regular file", path);
	source->size = (uint64_t)st.st_size;
	source->offset = source->base = 0;
	return 0;
}

static int open_folder(struct source *source, const char *path, struct ps_error *err)
{
	int rc;

	source->folder = strdup(path);
	rc = source->folder ? count_parts(path, &source->parts, err) :
			      ps_fail(err, "source", ENOMEM, "opening %s", path);
	if (rc == 0)
		rc = open_part(source, "data", err);
	if (rc != -ENOENT)
		return rc;
	(void)ps_fail(err, "source", EISDIR, "opening %s", path);
	ps_hint(err, "of folders only those that perf record --threads makes can be read; they hold a file \"data\"");
	return -EISDIR;
}

int source_next_part(struct source *source, struct ps_error *err)
{
	char name[32];
	int rc;

	if (source->part >= source->parts)
		return 0;
	(void)snprintf(name, sizeof(name), "data.%u", source->part++);
	rc = open_part(source, name, err);
	return rc < 0 ? rc : 1;
}

/* What kind of thing the descriptor is, and where it stands. */
static int source_look(struct source *source, const char *path, struct ps_error *err)
{
	struct stat st;
	off_t at;

	if (fstat(source->fd, &st) < 0)
		return ps_fail(err, "source", errno, "looking at %s", path);
	if (S_ISDIR(st.st_mode)) {
		source->kind = SOURCE_FILE;
		source->seekable = true;
		return open_folder(source, path, err);
	}
	if (!S_ISREG(st.st_mode)) {
		source->kind = SOURCE_STREAM;
		source->size = UINT64_MAX;
		return 0;
	}
	at = lseek(source->fd, 0, SEEK_CUR);
	if (at < 0)
		return ps_fail(err, "source", errno, "looking at %s", path);
	source->kind = SOURCE_FILE;
	source->seekable = true;
	source->base = (uint64_t)at;
	source->size = st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
	return 0;
}

int source_look_again(struct source *source, struct ps_error *err)
{
	struct stat st;

	if (source->kind != SOURCE_FILE)
		return 0;
	if (fstat(source->fd, &st) < 0)
		return ps_fail(err, "source", errno, "looking at the file again");
	source->size = (uint64_t)st.st_size > source->base ? (uint64_t)st.st_size - source->base : 0;
	return 0;
}

int source_open(struct source **source, const char *path, const struct io_ops *io, struct ps_error *err)
{
	struct source *made = NULL;
	int fd = open_fd(path, err);
	int rc = fd < 0 ? fd : source_new(&made, fd, io, err);

	if (rc < 0)
		return rc;
	rc = source_look(made, path, err);
	if (rc < 0) {
		source_free(made);
		return rc;
	}
	*source = made;
	return 0;
}

int source_open_memory(struct source **source, const void *bytes, size_t len, bool stream,
		       struct ps_error *err)
{
	int rc = source_new(source, -1, NULL, err);

	if (rc < 0)
		return rc;
	(*source)->kind = SOURCE_MEMORY;
	(*source)->bytes = bytes;
	(*source)->seekable = !stream;
	(*source)->size = len;
	return 0;
}

bool source_seekable(const struct source *source)
{
	return source->seekable;
}

uint64_t source_bytes(const struct source *source)
{
	return source->seekable ? source->size : UINT64_MAX;
}

int64_t source_changed_s(const struct source *source)
{
	struct stat st;

	return source->fd >= 0 && fstat(source->fd, &st) == 0 && S_ISREG(st.st_mode) ? (int64_t)st.st_ctime : -1;
}

uint64_t source_offset(const struct source *source)
{
	return source->offset;
}

static ssize_t read_memory(struct source *source, void *buf, size_t len)
{
	uint64_t left = source->offset < source->size ? source->size - source->offset : 0;
	size_t n = len < left ? len : (size_t)left;

	if (n)
		memcpy(buf, source->bytes + source->offset, n);
	return (ssize_t)n;
}

/* Offsets that off_t cannot hold come from damaged headers and are beyond any end. */
static ssize_t read_file(struct source *source, void *buf, size_t len, struct ps_error *err)
{
	uint64_t at;

	if (__builtin_add_overflow(source->base, source->offset, &at) || at > INT64_MAX - len)
		return 0;
	return io_pread_full(source->io, source->fd, buf, len, (off_t)at, err);
}

void source_on_wait(struct source *source, int (*fn)(void *data, struct ps_error *err), void *data)
{
	source->on_wait = fn;
	source->on_wait_data = data;
}

int source_about_to_wait(const struct source *source, struct ps_error *err)
{
	return source->on_wait ? source->on_wait(source->on_wait_data, err) : 0;
}

int source_descriptor(const struct source *source)
{
	return source->fd;
}

/* One successful read(2) of a stream. */
static ssize_t read_once(const struct source *source, void *buf, size_t len, struct ps_error *err)
{
	struct pollfd pfd = { .fd = source->fd, .events = POLLIN };
	int rc = source->on_wait && poll(&pfd, 1, 0) == 0 ? source_about_to_wait(source, err) : 0;

	if (rc < 0)
		return rc;
	for (;;) {
		ssize_t n = source->io->read(source->io->ctx, source->fd, buf, len);

		if (n >= 0)
			return n;
		if (errno == EAGAIN && poll(&pfd, 1, -1) >= 0)
			continue;
		if (errno != EINTR)
			return ps_fail(err, "source", errno, "reading the stream at offset %llu",
				       (unsigned long long)source->offset);
	}
}

static ssize_t advanced(struct source *source, ssize_t n)
{
	if (n > 0)
		source->offset += (uint64_t)n;
	return n;
}

ssize_t source_read(struct source *source, void *buf, size_t len, struct ps_error *err)
{
	switch (source->kind) {
	case SOURCE_MEMORY:
		return advanced(source, read_memory(source, buf, len));
	case SOURCE_FILE:
		return advanced(source, read_file(source, buf, len, err));
	default:
		return advanced(source, io_read_full(source->io, source->fd, buf, len, err));
	}
}

ssize_t source_read_some(struct source *source, void *buf, size_t len, struct ps_error *err)
{
	if (source->kind != SOURCE_STREAM)
		return source_read(source, buf, len, err);
	return advanced(source, read_once(source, buf, len, err));
}

static int drop_until(struct source *source, uint64_t offset, struct ps_error *err)
{
	uint8_t dropped[DROP_BYTES];

	while (source->offset < offset) {
		uint64_t left = offset - source->offset;
		ssize_t n = source_read(source, dropped, left < DROP_BYTES ? (size_t)left : DROP_BYTES, err);

		if (n <= 0)
			return (int)n;
	}
	return 0;
}

int source_seek(struct source *source, uint64_t offset, struct ps_error *err)
{
	if (source->seekable) {
		source->offset = offset;
		return 0;
	}
	if (offset < source->offset)
		return ps_fail(err, "source", ESPIPE, "going back from offset %llu to %llu of a stream",
			       (unsigned long long)source->offset, (unsigned long long)offset);
	return drop_until(source, offset, err);
}

static int copy_stream(struct source *source, int to, struct ps_error *err)
{
	uint8_t bytes[DROP_BYTES];
	ssize_t n;

	while ((n = source_read(source, bytes, sizeof(bytes), err)) > 0) {
		int rc = io_write_full(&io_system, to, bytes, (size_t)n, err);

		if (rc < 0)
			return rc;
	}
	return (int)n;
}

int source_spool(struct source *source, const void *head, size_t len, struct ps_error *err)
{
	uint64_t offset = source->offset;
	_cleanup_close_ int fd = tempfile_open(err);
	int rc = fd < 0 ? fd : io_write_full(&io_system, fd, head, len, err);

	if (rc == 0)
		rc = copy_stream(source, fd, err);
	if (rc < 0)
		return rc;
	if (source->fd >= 0)
		(void)close(source->fd); /* only ever read from */
	source->size = source->offset;
	source->offset = offset;
	source->kind = SOURCE_FILE;
	source->seekable = true;
	source->base = 0;
	source->io = &io_system;
	source->fd = attr_take_fd(&fd);
	return 0;
}

void source_free(struct source *source)
{
	if (!source)
		return;
	if (source->fd >= 0)
		(void)close(source->fd); /* only ever read from */
	free(source->folder);
	free(source);
}
