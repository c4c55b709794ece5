/* What tests of the writer share: a folder, faults on order and a recording to write. */
#ifndef TESTS_WRITER_CASE_H
#define TESTS_WRITER_CASE_H

#include "data/writer.h"
#include "lib/fault_io.h"
#include "lib/made_recording.h"
#include "lib/strict_recording.h"

#define WRITER_CASE_ROUNDS 30
#define WRITER_CASE_STATS 8 /* readings per round: 2 + 2 + 1 and 3 of markers */

struct writer_case {
	char dir[16];
	char path[64]; /* below dir; nothing is there yet */
	struct fault_io io;
	struct made made; /* system-wide */
	struct meta meta;
};

void writer_case_init(struct writer_case *t);

/* Fails when anything but the file and its .old is left. */
void writer_case_fini(struct writer_case *t);

struct writer *writer_case_open(struct writer_case *t, const char *to, int level, bool keep_old);

/* A whole recording at path. What made_write returned. */
int writer_case_write(struct writer_case *t, int level, struct ps_error *err);

/* Loads what is at path, which has to be right, and returns how many readings it has. */
size_t writer_case_stats(const struct writer_case *t);

#endif
