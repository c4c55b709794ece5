/*
 * A strict look at a whole recording in memory, apart from the reader: what is wrong with it is a text, not a warning. It
 * judges what the writer made; the reader has tests of its own.
 */
#ifndef TESTS_STRICT_RECORDING_H
#define TESTS_STRICT_RECORDING_H

#include <stdbool.h>

#include "base/buffer.h"
#include "data/meta.h"
#include "data/record.h"

struct recording {
	struct buffer file;
	struct format_file_header header; /* zero for a stream */
	struct meta meta;                 /* from attrs and features only */
	struct buffer plain;              /* all records, those out of frames in their place */
	size_t frames, largest_frame;
	bool is_stream;
	char why[256]; /* what is wrong, or empty */
};

/* Reads and checks a file: header, attrs, records, features. Returns whether all of it is right; rec is the caller's to recording_fini in any case. */
bool recording_load(struct recording *recording, const char *path);
void recording_fini(struct recording *recording);

/*
 * The next record of recording->plain from *at on, decoded where it can be (scratch as for codec_decode). False after the
 * last; a record that does not decode fails the test.
 */
bool recording_next(const struct recording *recording, size_t *at, struct record *rec,
		    struct buffer *scratch);

/* How many records of a type it has. */
size_t recording_count(const struct recording *recording, uint32_t type);

#endif
