/*
 * Rewrites a recording, of whatever form, as a clean seekable one of this machine's byte order that stock perf (6.1) reads:
 * attrs of 128 bytes, features in front, records plain or in independent frames. Optionally only a part of it.
 */
#ifndef DATA_REWRITE_H
#define DATA_REWRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io.h"
#include "data/reader.h"

#define REWRITE_TYPES 8 /* unknown record types that are told apart */

struct rewrite_options {
	int zstd_level; /* 1-22; 0 = plain records */
	bool keep_damaged; /* write what a damaged input still has; otherwise damage is -EBADMSG and nothing is written */
	bool cut;       /* keep from_ns to to_ns only: since t0, or since the first sample where there are no markers */
	uint64_t from_ns, to_ns;
	unsigned window_first, window_last; /* keep these windows only; 0, 0: all */
	const struct io_ops *io; /* &io_system outside of tests */
};

struct rewrite_unknown {
	uint32_t type;
	uint64_t n;
};

/* What became of it. */
struct rewrite_result {
	bool read_damaged;    /* the reader's warnings tell what was lost before */
	uint64_t kept;        /* records, wrappers not counted */
	uint64_t cut;         /* outside of the part that was asked for */
	uint64_t damaged;     /* a length in it does not fit */
	uint64_t ownerless;   /* of an id that no event has */
	uint64_t readings;    /* that had lost some of their counters */
	uint64_t unknown;     /* of types that stock perf refuses */
	struct rewrite_unknown types[REWRITE_TYPES];
	size_t n_types;
	uint64_t aux;         /* records of AUX area data */
	uint32_t features[8]; /* numbers of header features that have no place */
	size_t n_features;    /* how many there were; the first 8 are named */
};

/*
 * Reads all of reader (borrowed, nothing read from it yet) and writes path, which appears only when it is complete and
 * replaces what had that name; a pipe is written at the end. The records wait in a temporary file, so memory does not grow
 * with them. 0, or -errno: -EBADMSG a damaged input without keep_damaged, -ENODATA the part asked for does not exist.
 */
int rewrite_run(struct reader *reader, const char *path, const struct rewrite_options *options,
		struct rewrite_result *result, struct ps_error *err) _must_check_;

/* Whether anything of the input was not kept although it was asked for. */
bool rewrite_lost(const struct rewrite_result *result);

/* What was kept and lost in one line: "12 records kept, nothing was lost". Returns text. */
char *rewrite_describe(const struct rewrite_result *result, char *text, size_t len);

#endif
