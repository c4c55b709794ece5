/* Notices FIFOs that were removed and made anew. */
#include "control/fifo_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "control/endpoint.h"
#include "loop/timer_source.h"

#define PERIOD_NS (500 * NS_PER_MS)

/* One path, and which file is open. Open, so its inode number cannot be another file's meanwhile. */
struct watched {
	char *path; /* NULL: there is none */
	dev_t dev;
	ino_t ino;
};

struct fifo_watch {
	struct watched cmd, ack;
	struct timer_source timer;
	struct loop *loop;
	fifo_watch_fn fn;
	void *data;
};

enum found { FOUND_SAME, FOUND_NEW, FOUND_NONE };

static enum found look(const struct watched *watched)
{
	struct stat st;

	if (!watched->path)
		return FOUND_SAME;
	if (stat(watched->path, &st) < 0 || !S_ISFIFO(st.st_mode))
		return FOUND_NONE;
	return st.st_dev == watched->dev && st.st_ino == watched->ino ? FOUND_SAME : FOUND_NEW;
}

static int remember(struct watched *watched, int fd, struct ps_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return ps_fail(err, "control", errno, "looking at %s", watched->path);
	watched->dev = st.st_dev;
	watched->ino = st.st_ino;
	return 0;
}

/* The descriptor of a new one, -1 when it is the same. -errno when it has gone again, and the next look will tell. */
static int open_new(const struct watched *watched, enum found found)
{
	return found == FOUND_NEW ? endpoint_open_fifo(watched->path, O_RDWR, NULL) : -1;
}

static int check(struct fifo_watch *watch, struct ps_error *err)
{
	enum found cmd = look(&watch->cmd), ack = look(&watch->ack);
	_cleanup_close_ int cmd_fd = -1, ack_fd = -1;
	int rc = 0;

	if (cmd == FOUND_NONE || ack == FOUND_NONE || (cmd == FOUND_SAME && ack == FOUND_SAME))
		return 0;
	cmd_fd = open_new(&watch->cmd, cmd);
	ack_fd = open_new(&watch->ack, ack);
	if ((cmd == FOUND_NEW && cmd_fd < 0) || (ack == FOUND_NEW && ack_fd < 0))
		return 0;
	if (cmd_fd >= 0)
		rc = remember(&watch->cmd, cmd_fd, err);
	if (rc == 0 && ack_fd >= 0)
		rc = remember(&watch->ack, ack_fd, err);
	return rc < 0 ? rc : watch->fn(watch->data, attr_take_fd(&cmd_fd), attr_take_fd(&ack_fd), err);
}

static int on_timer(void *data, int fd, short revents, struct ps_error *err)
{
	struct fifo_watch *watch = data;
	int64_t n = timer_source_take(&watch->timer, err);

	(void)fd;
	(void)revents;
	return n > 0 ? check(watch, err) : (int)n;
}

static int start_timer(struct fifo_watch *watch, const struct clock *clock, struct ps_error *err)
{
	int rc = timer_source_open(&watch->timer, err);

	if (rc == 0)
		rc = timer_source_arm(&watch->timer, clock_mono_ns(clock) + PERIOD_NS, PERIOD_NS, err);
	return rc == 0 ? loop_add(watch->loop, watch->timer.fd, POLLIN, on_timer, watch, err) : rc;
}

int fifo_watch_new(struct fifo_watch **out, struct loop *loop, const struct clock *clock, const char *cmd_path, int cmd_fd,
		   const char *ack_path, int ack_fd, fifo_watch_fn fn, void *data, struct ps_error *err)
{
	struct fifo_watch *watch = calloc(1, sizeof(*watch));
	int rc = 0;

	if (!watch)
		return ps_fail(err, "control", ENOMEM, "watching %s", cmd_path);
	*watch = (struct fifo_watch){ .timer.fd = -1, .loop = loop, .fn = fn, .data = data };
	watch->cmd.path = strdup(cmd_path);
	watch->ack.path = ack_path ? strdup(ack_path) : NULL;
	if (!watch->cmd.path || (ack_path && !watch->ack.path))
		rc = ps_fail(err, "control", ENOMEM, "watching %s", cmd_path);
	if (rc == 0)
		rc = remember(&watch->cmd, cmd_fd, err);
	if (rc == 0 && ack_path)
		rc = remember(&watch->ack, ack_fd, err);
	if (rc == 0)
		rc = start_timer(watch, clock, err);
	if (rc < 0)
		fifo_watch_free(watch);
	else
		*out = watch;
	return rc;
}

void fifo_watch_free(struct fifo_watch *watch)
{
	if (!watch)
		return;
	if (watch->timer.fd >= 0) {
		loop_remove(watch->loop, watch->timer.fd);
		timer_source_close(&watch->timer);
	}
	free(watch->cmd.path);
	free(watch->ack.path);
	free(watch);
}
