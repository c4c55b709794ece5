/* A file that was built, opened by a reader. */
#include "lib/reader_case.h"

#include <check.h>
#include <stdlib.h>

void opened_built(struct opened *opened, struct file_builder *builder, bool seekable)
{
	struct ps_error err = PS_ERROR_INIT;
	struct source *source;
	size_t len;

	opened->file = builder_file(builder, &len, NULL);
	builder_fini(builder);
	ck_assert_int_eq(source_open_memory(&source, opened->file, len, !seekable, NULL), 0);
	ck_assert_msg(reader_open(&opened->reader, source, &err) == 0, "%s", err.what);
}

void opened_close(struct opened *opened)
{
	reader_free(opened->reader);
	free(opened->file);
}

void opened_good(const struct reader *reader)
{
	ck_assert_msg(!reader_warnings(reader), "%s", reader_warning(reader, 0));
	ck_assert(!reader_damaged(reader));
}

bool opened_next(struct reader *reader, struct record *rec)
{
	struct ps_error err = PS_ERROR_INIT;
	int rc;

	do {
		rc = reader_next(reader, rec, &err);
		ck_assert_msg(rc >= 0, "%s", err.what);
	} while (rc > 0 && (rec->type == FORMAT_COMPRESSED || rec->type == FORMAT_COMPRESSED2 ||
			    rec->type == FORMAT_HEADER_ATTR || rec->type == FORMAT_HEADER_FEATURE));
	return rc > 0;
}

void builder_update(struct file_builder *builder, uint64_t kind, uint64_t id, const char *text)
{
	builder_u64(builder, kind);
	builder_u64(builder, id);
	builder_text(builder, text, 8);
	builder_record(builder, FORMAT_EVENT_UPDATE, 0);
}
