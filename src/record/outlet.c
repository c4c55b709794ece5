/* The consumer's descriptor in the loop. */
#include "record/outlet.h"

void outlet_init(struct outlet *outlet, const struct consumer *consumer, struct loop *loop,
		 void (*on_failure)(void *data, const struct ps_error *err), void *data)
{
	*outlet = (struct outlet){
		.consumer = consumer, .loop = loop, .fd = -1, .on_failure = on_failure, .data = data,
	};
}

void outlet_fini(struct outlet *outlet)
{
	if (outlet->fd >= 0)
		loop_remove(outlet->loop, outlet->fd);
	outlet->fd = -1;
}

/* A failure is the session's to deal with: the loop goes on, for commands are still answered. */
static int on_room(void *data, int fd, short revents, struct ps_error *err)
{
	struct outlet *outlet = data;
	struct ps_error failed = PS_ERROR_INIT;
	int rc = outlet->consumer->ready(outlet->consumer->ctx, &failed);

	(void)fd;
	(void)revents;
	(void)err;
	if (rc == 0)
		rc = outlet_watch(outlet, &failed);
	if (rc < 0) {
		outlet_fini(outlet);
		outlet->on_failure(outlet->data, &failed);
	}
	return 0;
}

int outlet_watch(struct outlet *outlet, struct ps_error *err)
{
	const struct consumer *consumer = outlet->consumer;
	int fd = consumer->waits ? consumer->waits(consumer->ctx) : -1;

	if (fd == outlet->fd)
		return 0;
	outlet_fini(outlet);
	if (fd < 0)
		return 0;
	outlet->fd = fd;
	return loop_add(outlet->loop, fd, POLLOUT, on_room, outlet, err);
}
