/* The formats of counted tracepoints. */
#include "record/tracepoints.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/textfile.h"
#include "data/tracing.h"

#define TEXT_MAX (1u << 20)

struct found {
	char *system, *text; /* owned */
};

static int read_below(const char *tracefs, const char *name, char **text, struct ps_error *err)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/events/%s", tracefs, name);
	return textfile_read_whole(path, TEXT_MAX, text, err);
}

static int find(struct found *found, const char *tracepoint, const char *tracefs, struct ps_error *err)
{
	const char *colon = strchr(tracepoint, ':');
	_cleanup_free_ char *name = NULL;
	int rc;

	if (!colon)
		return ps_fail(err, "tracepoints", EINVAL, "%s is no tracepoint", tracepoint);
	found->system = strndup(tracepoint, (size_t)(colon - tracepoint));
	if (!found->system || asprintf(&name, "%s/%s/format", found->system, colon + 1) < 0) {
		name = NULL;
		return ps_fail(err, "tracepoints", ENOMEM, "describing %s", tracepoint);
	}
	rc = read_below(tracefs, name, &found->text, err);
	return rc < 0 ? rc : 0;
}

static int by_system(const void *a, const void *b)
{
	return strcmp(((const struct found *)a)->system, ((const struct found *)b)->system);
}

static int encode(struct meta *meta, const struct found *found, size_t n, const char *tracefs, struct ps_error *err)
{
	_cleanup_free_ struct tracing_format *formats = calloc(n, sizeof(*formats));
	_cleanup_free_ char *page = NULL;
	_cleanup_free_ char *event = NULL;
	struct buffer payload = BUFFER_INIT(0);
	int rc;

	if (!formats)
		return ps_fail(err, "tracepoints", ENOMEM, "describing %zu tracepoints", n);
	for (size_t i = 0; i < n; i++)
		formats[i] = (struct tracing_format){ found[i].system, found[i].text };
	rc = read_below(tracefs, "header_page", &page, err);
	if (rc >= 0)
		rc = read_below(tracefs, "header_event", &event, err);
	if (rc >= 0)
		rc = tracing_encode(page, event, formats, n, &payload, err);
	if (rc < 0) {
		buffer_fini(&payload);
		return rc;
	}
	meta->features.tracing_data = payload.data;
	meta->features.tracing_data_bytes = payload.len;
	meta->features.present[FORMAT_FEATURE_TRACING_DATA] = true;
	return 0;
}

int describe_tracepoints(struct meta *meta, const struct counter_set *counters, const char *tracefs,
			 struct ps_error *err)
{
	size_t n_events = counter_set_n_events(counters), n = 0;
	_cleanup_free_ struct found *found = calloc(n_events + 1, sizeof(*found));
	int rc = 0;

	if (!found)
		return ps_fail(err, "tracepoints", ENOMEM, "describing tracepoints");
	for (size_t i = 0; rc == 0 && i < n_events; i++) {
		const char *tracepoint = counter_set_event(counters, i)->event->tracepoint;

		if (tracepoint)
			rc = find(&found[n++], tracepoint, tracefs, err);
	}
	if (rc == 0 && n) {
		qsort(found, n, sizeof(*found), by_system);
		rc = encode(meta, found, n, tracefs, err);
	}
	for (size_t i = 0; i < n; i++) {
		free(found[i].system);
		free(found[i].text);
	}
	return rc;
}
