/* A recording that is described, rewritten and loaded again. */
#ifndef TESTS_REWRITE_CASE_H
#define TESTS_REWRITE_CASE_H

#include "data/rewrite.h"
#include "lib/file_builder.h"
#include "lib/strict_recording.h"

/* Description in, result and the new file out. */
struct rewriting {
	struct file_builder builder;
	struct rewrite_options options;
	size_t cut_bytes;              /* off the end of the file */
	size_t spoil_at;               /* a byte that is changed, from the records' begin; 0: none */
	struct rewrite_result result;
	struct recording recording;    /* loaded when it went well */
	struct ps_error err;
	char dir[64], path[96];
};

/* An empty description and a folder for the output; and everything is freed and removed. */
void rewriting_begin(struct rewriting *rw);
void rewriting_end(struct rewriting *rw);

/* Rewrites these bytes. What rewrite_run, or reader_open, returned. */
int rewriting_bytes(struct rewriting *rw, const uint8_t *bytes, size_t len);

/* Rewrites what was described. What rewrite_run returned. */
int rewriting_built(struct rewriting *rw);

/* The same and, when that went well, loads the result. */
int rewriting_run(struct rewriting *rw);

/* The same; it must go well. */
void rewriting_good(struct rewriting *rw);

#endif
