/* A recording that is described, rewritten and loaded again. */
#include "lib/rewrite_case.h"

#include <check.h>
#include <stdio.h>

#include "lib/tempdir.h"

#define OUT "rewritten.data"

void rewriting_begin(struct rewriting *rw)
{
	*rw = (struct rewriting){ .options = { .io = &io_system }, .err = PS_ERROR_INIT };
	builder_init(&rw->builder);
	tempdir_make(rw->dir);
	(void)snprintf(rw->path, sizeof(rw->path), "%s/" OUT, rw->dir);
}

void rewriting_end(struct rewriting *rw)
{
	recording_fini(&rw->recording);
	tempdir_remove(rw->dir);
}

int rewriting_bytes(struct rewriting *rw, const uint8_t *bytes, size_t len)
{
	struct source *source;
	struct reader *reader = NULL;
	int rc;

	ck_assert_int_eq(source_open_memory(&source, bytes, len, false, NULL), 0);
	rc = reader_open(&reader, source, &rw->err);
	if (rc == 0)
		rc = rewrite_run(reader, rw->path, &rw->options, &rw->result, &rw->err);
	reader_free(reader);
	return rc;
}

int rewriting_built(struct rewriting *rw)
{
	size_t len, data_at;
	uint8_t *file = builder_file(&rw->builder, &len, &data_at);
	int rc;

	builder_fini(&rw->builder);
	if (rw->spoil_at)
		file[data_at + rw->spoil_at] ^= 0xff;
	rc = rewriting_bytes(rw, file, len - rw->cut_bytes);
	free(file);
	return rc;
}

int rewriting_run(struct rewriting *rw)
{
	int rc = rewriting_built(rw);

	if (rc == 0)
		ck_assert_msg(recording_load(&rw->recording, rw->path), "%s", rw->recording.why);
	return rc;
}

void rewriting_good(struct rewriting *rw)
{
	int rc = rewriting_run(rw);

	ck_assert_msg(rc == 0, "%s", rw->err.what);
}
