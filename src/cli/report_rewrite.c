/* pstat-report --convert and --repair: one recording in, a clean one out. */
#include "cli/report_rewrite.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/message.h"
#include "cli/report_status.h"

#define LINE_BYTES 1024

/* The output takes the place of what has its name, and that must not be the only copy of what is being read. */
static int refuse_same(const char *path, const char *out, struct ps_error *err)
{
	struct stat a, b;

	if (stat(path, &a) < 0 || stat(out, &b) < 0 || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return 0;
	if (!S_ISREG(a.st_mode))
		return 0;
	(void)ps_fail(err, "output", EINVAL, "%s is the recording that is read", out);
	ps_hint(err, "name another file; the recording is never changed");
	return -EINVAL;
}

static int rewrite(const struct report_options *options, const char *path, const char *out, struct reader **reader,
		   struct rewrite_result *result, struct ps_error *err)
{
	struct source *source;
	int rc = refuse_same(path, out, err);

	if (rc == 0)
		rc = source_open(&source, path, &io_system, err);
	if (rc == 0)
		rc = reader_open(reader, source, err);
	return rc < 0 ? rc : rewrite_run(*reader, out, &options->rewriting, result, err);
}

int report_rewrite(const struct report_options *options, const char *path)
{
	const char *out = options->convert ? options->convert : options->repair;
	struct ps_error err = PS_ERROR_INIT;
	struct rewrite_result result = { .kept = 0 };
	struct reader *reader = NULL;
	char line[LINE_BYTES];
	int rc = rewrite(options, path, out, &reader, &result, &err);
	size_t warnings = reader ? reader_warnings(reader) : 0;

	for (size_t i = 0; i < warnings; i++)
		fprintf(stderr, REPORT_PROGRAM ": %s: %s\n", path, reader_warning(reader, i));
	reader_free(reader);
	if (rc < 0) {
		message_error(REPORT_PROGRAM, &err);
		return STATUS_UNREADABLE;
	}
	fprintf(stderr, REPORT_PROGRAM ": %s: %s\n", out, rewrite_describe(&result, line, sizeof(line)));
	if (options->strict && (warnings || rewrite_lost(&result)))
		return STATUS_UNREADABLE;
	return result.read_damaged || result.damaged ? STATUS_DAMAGED : STATUS_GOOD;
}
