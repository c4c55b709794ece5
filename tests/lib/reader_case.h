/* A file that was built, opened by a reader. */
#ifndef TESTS_READER_CASE_H
#define TESTS_READER_CASE_H

#include "data/reader.h"
#include "lib/file_builder.h"

struct opened {
	struct reader *reader;
	uint8_t *file;
};

/* Takes the builder. seekable: otherwise the bytes come as a stream. */
void opened_built(struct opened *opened, struct file_builder *builder, bool seekable);
void opened_close(struct opened *opened);

/* No warnings so far, no damage. */
void opened_good(const struct reader *reader);

/* The next record that is not a wrapper or a head record. False at the end. */
bool opened_next(struct reader *reader, struct record *rec);

/* An EVENT_UPDATE with a text. */
void builder_update(struct file_builder *builder, uint64_t kind, uint64_t id, const char *text);

#endif
