/* Makes a recording for stock perf to read: writer-perf system|task OUT LEVEL [EVENTS-FOLDER]; OUT - is a stream. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "data/writer.h"
#include "lib/made_recording.h"

#define ROUNDS 30

/* A file of tracefs, appended whole. */
static int append_file(const char *folder, const char *name, struct buffer *out, bool with_length)
{
	char path[4096];
	char bytes[65536];
	FILE *file;
	uint64_t len;
	int rc = 0;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	if (!file)
		return -errno;
	len = fread(bytes, 1, sizeof(bytes), file);
	(void)fclose(file);
	if (with_length)
		rc = buffer_append(out, &len, sizeof(len), NULL);
	return rc < 0 ? rc : buffer_append(out, bytes, len, NULL);
}

static int append_word(struct buffer *out, uint32_t v)
{
	return buffer_append(out, &v, sizeof(v), NULL);
}

/* The short form of a TRACING_DATA payload with one event. */
static int make_tracing(const char *folder, struct buffer *out)
{
	static const char head[] = "\027\010\104tracing0.6\0\0\010";
	const uint64_t none = 0;
	int rc = buffer_append(out, head, sizeof(head) - 1, NULL);

	rc |= append_word(out, 4096);
	rc |= buffer_append(out, "header_page", sizeof("header_page"), NULL);
	rc |= append_file(folder, "header_page", out, true);
	rc |= buffer_append(out, "header_event", sizeof("header_event"), NULL);
	rc |= append_file(folder, "header_event", out, true);
	rc |= append_word(out, 0) | append_word(out, 1);
	rc |= buffer_append(out, "sched", sizeof("sched"), NULL) | append_word(out, 1);
	rc |= append_file(folder, "sched/sched_switch/format", out, true);
	rc |= append_word(out, 0) | append_word(out, 0);
	return rc | buffer_append(out, &none, sizeof(none), NULL);
}

static int write_out(const char *path, int level, const struct made *made, struct ps_error *err)
{
	const struct writer_options options = { .zstd_level = level, .io = &io_system };
	struct consumer consumer;
	struct writer *writer;
	struct meta meta;
	int rc = writer_open(&writer, path, &options, err);

	if (rc < 0)
		return rc;
	made_meta(&meta, made);
	consumer = writer_consumer(writer);
	rc = made_write(&consumer, &meta, made, err);
	writer_free(writer);
	meta_fini(&meta);
	return rc;
}

int main(int argc, char **argv)
{
	struct made made = { .rounds = ROUNDS };
	struct buffer tracing = BUFFER_INIT(0);
	struct buffer id = BUFFER_INIT(0);
	struct ps_error err = PS_ERROR_INIT;
	int rc = 0;

	if (argc < 4)
		return 2;
	made.per_task = !strcmp(argv[1], "task");
	if (argc > 4) {
		rc = make_tracing(argv[4], &tracing) | append_file(argv[4], "sched/sched_switch/id", &id, false) |
		     buffer_append(&id, "", 1, NULL);
		made.tracing_data = tracing.data;
		made.tracing_bytes = tracing.len;
		made.tracepoint_id = rc < 0 ? 0 : strtoull((const char *)id.data, NULL, 10);
	}
	if (rc >= 0)
		rc = write_out(argv[2], atoi(argv[3]), &made, &err);
	if (rc < 0)
		(void)fprintf(stderr, "writer-perf: %s: %s\n", err.what, strerror(-rc));
	buffer_fini(&tracing);
	buffer_fini(&id);
	return rc < 0;
}
