/* Follows a recording that is still being written: how far it goes by now, whether more will come, and the wait for it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/inotify.h>

#include "data/reader_private.h"

/* Between two looks at a file that inotify says nothing about: one on a network, or one whose recorder has just died. */
#define LOOK_AGAIN_MS 1000

/* A watch on the file, whatever it is called by now. -1: not to be had. */
static int watch(int fd)
{
	char path[sizeof("/proc/self/fd/") + 3 * sizeof(fd)];
	_cleanup_close_ int watch_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (watch_fd < 0 || inotify_add_watch(watch_fd, path, IN_MODIFY | IN_CLOSE_WRITE) < 0)
		return -1;
	return attr_take_fd(&watch_fd);
}

void reader_follow(struct reader *reader, int stop_fd)
{
	struct reader_follow *follow = &reader->follow;
	int fd = source_descriptor(reader->source);

	if (follow->on || fd < 0 || !source_seekable(reader->source))
		return;
	*follow = (struct reader_follow){ .on = true, .watch_fd = watch(fd), .stop_fd = stop_fd };
}

void follow_fini(struct reader *reader)
{
	struct reader_follow *follow = &reader->follow;

	if (follow->on && follow->watch_fd >= 0)
		(void)close(follow->watch_fd); /* only ever read from */
	follow->on = false;
}

/* Whether a recorder holds the file. Where files cannot be locked nobody does, and their end is the end. */
static bool is_written(const struct reader *reader)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return fcntl(source_descriptor(reader->source), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* Where the records end by now: a file says so in its header, a stream in a file ends with it. 0 or -errno. */
static int find_end(struct reader *reader, uint64_t *end, struct ps_error *err)
{
	struct source *source = reader->source;
	uint64_t at = source_offset(source), size = 0;
	ssize_t got;
	int rc = source_look_again(source, err);

	*end = source_bytes(source);
	if (rc < 0 || reader->stream)
		return rc;
	rc = source_seek(source, FORMAT_DATA_SIZE_AT, err);
	if (rc < 0)
		return rc;
	got = source_read(source, &size, sizeof(size), err);
	if (got < 0)
		return (int)got;
	size = bytes_u64(&size, reader->swapped);
	*end = size > *end ? reader->data_start : reader->data_start + size;
	return source_seek(source, at, err);
}

/* 1 the file may have changed, 0 to be stopped, -errno. */
static int wait_for_change(const struct reader_follow *follow, struct ps_error *err)
{
	struct pollfd fds[] = {
		{ .fd = follow->watch_fd, .events = POLLIN }, { .fd = follow->stop_fd, .events = POLLIN },
	};
	char events[4096];

	if (poll(fds, ARRAY_SIZE(fds), LOOK_AGAIN_MS) < 0 && errno != EINTR)
		return ps_fail(err, "reader", errno, "waiting for the recording to grow");
	while (follow->watch_fd >= 0 && read(follow->watch_fd, events, sizeof(events)) > 0)
		; /* which change it was does not matter */
	return !fds[1].revents;
}

/* The lock is looked at before the size: what was written before it was let go is then seen. */
int follow_more(struct reader *reader, struct ps_error *err)
{
	struct reader_block *block = &reader->block;
	int rc = 1;

	while (rc > 0) {
		bool written = is_written(reader);
		uint64_t at = block->offset + block->end, end;

		rc = find_end(reader, &end, err);
		if (rc < 0)
			return rc;
		if (end > at) {
			reader->data_end = end;
			block->left = end - at;
			return 1;
		}
		if (!written)
			return 0;
		rc = source_about_to_wait(reader->source, err);
		if (rc == 0)
			rc = wait_for_change(&reader->follow, err);
	}
	return rc;
}
