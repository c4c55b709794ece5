/* The poll loop: places in the order of adding, squeezed only while no callback runs. */
#include "loop/loop.h"

#include <errno.h>
#include <string.h>

#define FIRST_CAP 8

struct loop_slot {
	loop_fn fn;
	void *data;
};

void loop_init(struct loop *loop)
{
	memset(loop, 0, sizeof(*loop));
}

void loop_fini(struct loop *loop)
{
	free(loop->fds);
	free(loop->slots);
	loop_init(loop);
}

/* The place of fd, loop->n when it is not watched. */
static size_t find(const struct loop *loop, int fd)
{
	size_t i = 0;

	if (fd < 0)
		return loop->n;
	while (i < loop->n && loop->fds[i].fd != fd)
		i++;
	return i;
}

static int grow(struct loop *loop, struct ps_error *err)
{
	size_t cap = loop->cap ? loop->cap * 2 : FIRST_CAP;
	struct pollfd *fds = realloc(loop->fds, cap * sizeof(*fds));
	struct loop_slot *slots;

	if (!fds)
		return ps_fail(err, "loop", ENOMEM, "watching %zu descriptors", cap);
	loop->fds = fds;
	slots = realloc(loop->slots, cap * sizeof(*slots));
	if (!slots)
		return ps_fail(err, "loop", ENOMEM, "watching %zu descriptors", cap);
	loop->slots = slots;
	loop->cap = cap;
	return 0;
}

/* Closes the gaps that removals left. */
static void squeeze(struct loop *loop)
{
	size_t kept = 0;

	for (size_t i = 0; i < loop->n; i++) {
		if (loop->fds[i].fd < 0)
			continue;
		loop->fds[kept] = loop->fds[i];
		loop->slots[kept] = loop->slots[i];
		kept++;
	}
	loop->n = kept;
}

int loop_add(struct loop *loop, int fd, short events, loop_fn fn, void *data, struct ps_error *err)
{
	int rc = 0;

	if (fd < 0)
		return ps_fail(err, "loop", EBADF, "watching descriptor %d", fd);
	if (find(loop, fd) < loop->n)
		return ps_fail(err, "loop", EEXIST, "watching descriptor %d twice", fd);
	if (loop->n == loop->cap)
		rc = grow(loop, err);
	if (rc < 0)
		return rc;
	loop->fds[loop->n] = (struct pollfd){ .fd = fd, .events = events };
	loop->slots[loop->n] = (struct loop_slot){ fn, data };
	loop->n++;
	return 0;
}

int loop_change(struct loop *loop, int fd, short events)
{
	size_t i = find(loop, fd);

	if (i == loop->n)
		return -ENOENT;
	loop->fds[i].events = events;
	return 0;
}

void loop_remove(struct loop *loop, int fd)
{
	size_t i = find(loop, fd);

	if (i == loop->n)
		return;
	loop->fds[i].fd = -1;
	loop->fds[i].revents = 0;
	if (!loop->depth)
		squeeze(loop);
}

void loop_stop(struct loop *loop)
{
	loop->stopped = true;
}

/* Everything is read again by index after each callback: it may have removed places or moved the arrays. */
static int dispatch(struct loop *loop, int due, struct ps_error *err)
{
	size_t n = loop->n; /* what callbacks add is polled before it is called */
	int rc = 0;

	for (size_t i = 0; i < n && due > 0 && rc >= 0 && !loop->stopped; i++) {
		struct pollfd pfd = loop->fds[i];
		struct loop_slot slot = loop->slots[i];

		if (pfd.fd < 0 || !pfd.revents)
			continue;
		due--;
		loop->fds[i].revents = 0;
		rc = slot.fn(slot.data, pfd.fd, pfd.revents, err);
		if ((pfd.revents & POLLNVAL) && loop->fds[i].fd == pfd.fd)
			loop_remove(loop, pfd.fd);
	}
	return rc < 0 ? rc : 0;
}

int loop_step(struct loop *loop, int timeout_ms, struct ps_error *err)
{
	int due = poll(loop->fds, (nfds_t)loop->n, timeout_ms);
	int rc;

	if (due < 0)
		return errno == EINTR ? 0 : ps_fail(err, "loop", errno, "polling %zu descriptors", loop->n);
	loop->depth++;
	rc = dispatch(loop, due, err);
	loop->depth--;
	if (!loop->depth)
		squeeze(loop);
	return rc;
}

int loop_run(struct loop *loop, struct ps_error *err)
{
	int rc = 0;

	while (rc >= 0 && !loop->stopped)
		rc = loop->n ? loop_step(loop, -1, err) :
			       ps_fail(err, "loop", EDEADLK, "waiting with nothing left to wait for");
	loop->stopped = false;
	return rc;
}
