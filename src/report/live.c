/* A view behind a session: the consumer that shows what is being counted. */
#include <errno.h>
#include <stdlib.h>

#include "report/drive.h"
#include "report/report.h"

struct live_report {
	const struct view *view;
	const struct view_options *options;
	FILE *out;
	struct drive drive;
	bool failed; /* an error was returned: what follows would be half a report */
};

int live_report_new(struct live_report **live, const struct view *view, const struct view_options *options, FILE *out,
		    struct ps_error *err)
{
	struct live_report *made;

	if (view->records)
		return ps_fail(err, "report", ENOTSUP, "%s shows the records of a file", view->name);
	made = calloc(1, sizeof(*made));
	if (!made)
		return ps_fail(err, "report", ENOMEM, "making a live report");
	made->view = view;
	made->options = options;
	made->out = out;
	*live = made;
	return 0;
}

static int keep(struct live_report *live, int rc)
{
	live->failed |= rc < 0;
	return rc;
}

static int live_start(void *ctx, const struct meta *meta, struct ps_error *err)
{
	static const struct view_input input = { .source = "live" };
	struct live_report *live = ctx;

	drive_fini(&live->drive);
	live->failed = false;
	return keep(live, drive_begin(&live->drive, live->view, live->options, meta, &input, live->out, err));
}

static int live_put(void *ctx, const struct record *rec, struct ps_error *err)
{
	struct live_report *live = ctx;

	return keep(live, drive_put(&live->drive, rec, err));
}

static int live_checkpoint(void *ctx, struct ps_error *err)
{
	struct live_report *live = ctx;

	return live->options->flush ? keep(live, drive_flush(&live->drive, err)) : 0;
}

static int live_finish(void *ctx, struct ps_error *err)
{
	struct live_report *live = ctx;
	int rc = live->failed || !live->drive.begun ? 0 : drive_end(&live->drive, err);

	drive_fini(&live->drive);
	return rc;
}

struct consumer live_report_consumer(struct live_report *live)
{
	return (struct consumer){
		.ctx = live,
		.start = live_start,
		.put = live_put,
		.checkpoint = live_checkpoint,
		.tick = live_checkpoint,
		.finish = live_finish,
	};
}

void live_report_free(struct live_report *live)
{
	if (!live)
		return;
	drive_fini(&live->drive);
	free(live);
}
