/* Tracepoints that a recording names and does not describe: stock perf opens no file without a description. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "data/rewrite_private.h"
#include "data/tracing.h"

/* What the kernel's events/header_page says on a 64-bit machine. */
static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
static const char header_event[] = "# compressed entry header\n\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n\tarray       :   32 bits\n";

/* A tracepoint by what its name tells: "system:event". */
struct point {
	char *system; /* owned, as the text is */
	char *text;
};

static int make_point(struct point *point, const struct meta_event *event, struct ps_error *err)
{
	const char *name = event->name ? event->name : "";
	const char *colon = strchr(name, ':');
	const char *own = colon && colon[1] ? colon + 1 : "unknown";
	int len = (int)strcspn(own, ":\n");

	point->system = colon ? strndup(name, (size_t)(colon - name)) : strdup("unknown");
	if (point->system &&
	    asprintf(&point->text,
		     "name: %.*s\nID: %" PRIu64 "\nformat:\n"
		     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		     "\tfield:unsigned int data;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n",
		     len, own, (uint64_t)event->attr.config) >= 0)
		return 0;
	point->text = NULL; /* asprintf leaves it undefined */
	return ps_fail(err, "rewrite", ENOMEM, "describing %s", name);
}

/* Those of one system together, as the encoding wants them. */
static size_t by_system(const struct point *points, size_t n, struct tracing_format *formats)
{
	size_t done = 0;

	for (size_t i = 0; i < n; i++) {
		bool seen = false;

		for (size_t k = 0; k < i && !seen; k++)
			seen = !strcmp(points[k].system, points[i].system);
		for (size_t k = i; k < n && !seen; k++)
			if (!strcmp(points[k].system, points[i].system))
				formats[done++] = (struct tracing_format){ points[k].system, points[k].text };
	}
	return done;
}

int head_make_tracing(const struct meta *meta, struct buffer *out, struct ps_error *err)
{
	struct point *points = calloc(meta->n_events + 1, sizeof(*points));
	_cleanup_free_ struct tracing_format *formats = calloc(meta->n_events + 1, sizeof(*formats));
	size_t n = 0;
	int rc = 0;

	if (!points || !formats)
		rc = ps_fail(err, "rewrite", ENOMEM, "describing tracepoints");
	for (size_t i = 0; i < meta->n_events && rc >= 0; i++)
		if (meta->events[i].attr.type == PERF_TYPE_TRACEPOINT)
			rc = make_point(&points[n++], &meta->events[i], err);
	if (rc >= 0)
		rc = tracing_encode(header_page, header_event, formats, by_system(points, n, formats), out, err);
	for (size_t i = 0; i < n; i++) {
		free(points[i].system);
		free(points[i].text);
	}
	free(points);
	return rc;
}
