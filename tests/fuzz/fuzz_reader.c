/* Fuzz target: any bytes as a recording, seekable and as a stream, through the views that look at every record. */
#include <stdint.h>
#include <stdio.h>

#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void show(const char *name, const uint8_t *bytes, size_t len, bool stream, FILE *out)
{
	static const struct view_options options = { .first = true };
	struct source *source;
	struct reader *reader;
	int rc;

	if (source_open_memory(&source, bytes, len, stream, NULL) < 0 || reader_open(&reader, source, NULL) < 0)
		return;
	rc = report_run(view_find(name), &options, "fuzz", reader, out, NULL);
	(void)rc; /* both are fine: what counts is that it comes back */
	reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *const names[] = { "stats", "dump", "header", "csv", "summary" };
	FILE *out = fopen("/dev/null", "w");

	if (!out)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		show(names[i], bytes, len, false, out);
		show(names[i], bytes, len, true, out);
	}
	(void)fclose(out);
	return 0;
}
