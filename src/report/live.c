/* A view behind a session: the consumer that shows what is being counted. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>

#include "data/stream_queue.h"
#include "report/drive.h"
#include "report/report.h"

#define QUEUE_BYTES ((size_t)4 << 20) /* hours of a terminal that is held up, at ten intervals a second */
#define MERGE_BYTES (QUEUE_BYTES / 2) /* from here on readings wait for the next one, for counts are cumulative */

/* The view prints into memory; what one record made it print goes to the descriptor whole, or not at all. */
struct live_report {
	struct live_options options;
	FILE *out; /* owned: memory, its bytes in text */
	char *text;
	size_t room;    /* what open_memstream tells; how much was printed is where out stands */
	size_t rest_at; /* what the view's end printed, from there on, waits in text for live_report_drain */
	int fd;         /* a duplicate, so that the descriptor that others share stays as it is. Owned */
	struct nonblock to;
	struct stream_queue queue;
	uint64_t sent;
	struct live_backlog backlog;
	struct drive drive;
	bool marked;     /* a marker came since the last reading: what it ends or begins is not merged with others */
	bool in_reading; /* a count came, its round did not yet */
	bool merging;    /* and it is left to the next reading */
	bool failed; /* an error was returned: what follows would be half a report */
};

int live_report_new(struct live_report **live, const struct live_options *options, struct ps_error *err)
{
	struct live_report *made;
	int rc;

	if (options->view->records)
		return ps_fail(err, "report", ENOTSUP, "%s shows the records of a file", options->view->name);
	made = calloc(1, sizeof(*made));
	if (!made)
		return ps_fail(err, "report", ENOMEM, "making a live report");
	made->options = *options;
	made->fd = fcntl(options->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	made->out = open_memstream(&made->text, &made->room);
	if (made->fd < 0 || !made->out)
		rc = ps_fail(err, "report", errno, "making a live report");
	else
		rc = stream_queue_init(&made->queue, QUEUE_BYTES, err);
	if (rc < 0) {
		live_report_free(made);
		return rc;
	}
	nonblock_init(&made->to, made->fd, options->io);
	*live = made;
	return 0;
}

static int keep(struct live_report *live, int rc)
{
	live->failed |= rc < 0;
	return rc;
}

static int pump(struct live_report *live, struct ps_error *err)
{
	int rc = stream_queue_pump(&live->queue, &live->to, &live->sent, NULL);

	return rc < 0 ? ps_fail(err, "report", -rc, "writing the report") : 0;
}

static int live_ready(void *ctx, struct ps_error *err)
{
	struct live_report *live = ctx;

	return keep(live, pump(live, err));
}

static int live_waits(void *ctx)
{
	const struct live_report *live = ctx;

	return !live->failed && stream_queue_waits(&live->queue) ? live->fd : -1;
}

/* Makes text what was printed. 0 or -ENOMEM. */
static int take_text(struct live_report *live, size_t *len, struct ps_error *err)
{
	off_t at = ftello(live->out);

	if (at < 0 || (at && fflush(live->out)) || ferror(live->out))
		return ps_fail(err, "report", ENOMEM, "keeping what is printed");
	*len = (size_t)at;
	return 0;
}

/* Brings what was printed on its way. */
static int send_text(struct live_report *live, struct ps_error *err)
{
	struct stream_unit unit = { .kind = STREAM_READING };
	size_t len;
	int rc = take_text(live, &len, err);

	if (rc < 0 || !len)
		return rc;
	unit.bytes = (uint32_t)len;
	if (len > UINT32_MAX || !stream_queue_push(&live->queue, live->text, unit))
		live->backlog.dropped++;
	rewind(live->out);
	return pump(live, err);
}

static int live_start(void *ctx, const struct meta *meta, struct ps_error *err)
{
	static const struct view_input input = { .source = "live" };
	struct live_report *live = ctx;
	const struct live_options *options = &live->options;
	int rc;

	drive_fini(&live->drive);
	live->failed = live->marked = live->in_reading = live->merging = false;
	rc = drive_begin(&live->drive, options->view, options->viewing, meta, &input, live->out, err);
	if (rc == 0)
		rc = send_text(live, err);
	if (rc == 0 && options->on_start)
		rc = options->on_start(options->data, err);
	return keep(live, rc);
}

/* Whether a record belongs to a reading that the next one covers. */
static bool merges(struct live_report *live, const struct record *rec)
{
	bool merging;

	live->marked |= rec->type == PERF_RECORD_SAMPLE;
	if (rec->type != FORMAT_STAT && rec->type != FORMAT_STAT_ROUND)
		return false;
	if (!live->in_reading) {
		live->in_reading = true;
		live->merging = !live->marked && stream_queue_waits(&live->queue) > MERGE_BYTES;
		live->backlog.merged += live->merging;
	}
	merging = live->merging;
	if (rec->type == FORMAT_STAT_ROUND)
		live->in_reading = live->marked = live->merging = false;
	return merging;
}

static int live_put(void *ctx, const struct record *rec, struct ps_error *err)
{
	struct live_report *live = ctx;
	int rc = merges(live, rec) ? 0 : drive_put(&live->drive, rec, err);

	return keep(live, rc < 0 ? rc : send_text(live, err));
}

/* What the end prints is not sent through the queue: it is to be waited for, but not here. */
static int live_finish(void *ctx, struct ps_error *err)
{
	struct live_report *live = ctx;
	int rc = live->failed || !live->drive.begun ? 0 : drive_end(&live->drive, err);

	drive_fini(&live->drive);
	return keep(live, rc);
}

struct consumer live_report_consumer(struct live_report *live)
{
	return (struct consumer){
		.ctx = live,
		.start = live_start,
		.put = live_put,
		.checkpoint = live_ready,
		.tick = live_ready,
		.finish = live_finish,
		.waits = live_waits,
		.ready = live_ready,
	};
}

/* 1, to go on after it, or -errno. */
static int wait_for_room(const struct live_report *live, struct ps_error *err)
{
	struct pollfd pfd = { .fd = live->fd, .events = POLLOUT };

	if (poll(&pfd, 1, -1) >= 0 || errno == EINTR)
		return 1;
	return ps_fail(err, "report", errno, "waiting for room to write");
}

/* One step: what there is room for of the queue, then of text. 1 there is more, 0 all is written, -errno. */
static int drain_some(struct live_report *live, size_t len, struct ps_error *err)
{
	ssize_t n;
	int rc = pump(live, err);

	if (rc < 0)
		return rc;
	if (stream_queue_waits(&live->queue))
		return wait_for_room(live, err);
	if (live->rest_at == len)
		return 0;
	n = nonblock_write(&live->to, live->text + live->rest_at, len - live->rest_at);
	if (n == -EAGAIN)
		return wait_for_room(live, err);
	if (n < 0)
		return ps_fail(err, "report", (int)-n, "writing the report");
	live->rest_at += (size_t)n;
	return 1;
}

int live_report_drain(struct live_report *live, struct ps_error *err)
{
	size_t len;
	int rc = live->failed ? 0 : take_text(live, &len, err); /* whoever met a failure knows of it */

	if (live->failed || rc < 0)
		return rc;
	do
		rc = drain_some(live, len, err);
	while (rc > 0);
	return keep(live, rc);
}

struct live_backlog live_report_backlog(const struct live_report *live)
{
	return live->backlog;
}

void live_report_free(struct live_report *live)
{
	if (!live)
		return;
	drive_fini(&live->drive);
	if (live->out)
		(void)fclose(live->out); /* memory */
	free(live->text);
	stream_queue_fini(&live->queue);
	if (live->fd >= 0)
		(void)close(live->fd); /* every write was looked at; a file's owner closes it with a look at the result */
	free(live);
}
