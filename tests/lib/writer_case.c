/* What tests of the writer share. */
#include "lib/writer_case.h"

#include <stdio.h>
#include <string.h>

#include "lib/unit.h"

void writer_case_init(struct writer_case *t)
{
	memset(t, 0, sizeof(*t));
	memcpy(t->dir, "writer.XXXXXX", sizeof("writer.XXXXXX"));
	ck_assert_ptr_nonnull(mkdtemp(t->dir));
	(void)snprintf(t->path, sizeof(t->path), "%s/out", t->dir);
	fault_io_init(&t->io);
	t->made.rounds = WRITER_CASE_ROUNDS;
	made_meta(&t->meta, &t->made);
}

void writer_case_fini(struct writer_case *t)
{
	char old[80];

	(void)snprintf(old, sizeof(old), "%s.old", t->path);
	(void)unlink(t->path);
	(void)unlink(old);
	ck_assert_int_eq(rmdir(t->dir), 0);
	meta_fini(&t->meta);
}

struct writer *writer_case_open(struct writer_case *t, const char *to, int level, bool keep_old)
{
	const struct writer_options options = { .zstd_level = level, .keep_old = keep_old, .io = &t->io.ops };
	struct writer *writer = NULL;

	ck_assert_int_eq(writer_open(&writer, to, &options, NULL), 0);
	return writer;
}

int writer_case_write(struct writer_case *t, int level, struct ps_error *err)
{
	struct writer *writer = writer_case_open(t, t->path, level, false);
	struct consumer consumer = writer_consumer(writer);
	int rc = made_write(&consumer, &t->meta, &t->made, err);

	writer_free(writer);
	return rc;
}

size_t writer_case_stats(const struct writer_case *t)
{
	struct recording recording;
	size_t n;

	ck_assert_msg(recording_load(&recording, t->path), "%s", recording.why);
	n = recording_count(&recording, FORMAT_STAT);
	recording_fini(&recording);
	return n;
}
