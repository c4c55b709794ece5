/* What the files of the view "dump" share. */
#ifndef REPORT_DUMP_H
#define REPORT_DUMP_H

#include <stdio.h>

#include "data/cursor.h"
#include "data/meta.h"
#include "data/record.h"
#include "data/sample.h"

/* One record on its way out: a line, written piece by piece, each piece with a space in front. */
struct dump {
	FILE *out;
	const struct meta *meta;
	const struct record *rec;
	struct cursor body; /* what is not written yet, without the trailer */
};

enum field_kind {
	FIELD_END,
	FIELD_U16,
	FIELD_U32,
	FIELD_S32,
	FIELD_U64,
	FIELD_S64,
	FIELD_HEX16,
	FIELD_HEX32,
	FIELD_HEX64,
	FIELD_TAG,     /* 8 bytes */
	FIELD_TEXT,    /* all of the rest */
	FIELD_OPTION,  /* what follows is missing in files of older kernels or tools */
};

struct dump_field {
	enum field_kind kind;
	const char *name;
};

#define LIST(name, ...) static const struct dump_field name##_fields[] = { __VA_ARGS__, { FIELD_END, NULL } }

/* Writes the fields of a list as far as the record has them. False when it ended before; a cut one was then marked so. */
bool dump_put_fields(struct dump *dump, const struct dump_field *fields);

/* Types that a list of fields describes. False for a type that is not among them; then nothing was written. */
bool dump_by_fields(struct dump *dump);

/* Types with lists of their own in them. False for a type that is not among them. */
bool dump_by_hand(struct dump *dump);

/* A SAMPLE, all of its fields. */
void dump_sample(struct dump *dump);

/* What a counter or group of counters read. */
void dump_read_values(struct dump *dump, const struct sample_read *read);

/* For a record that ends before its type says. */
void dump_cut(struct dump *dump);

/* Text for people, in quotes; up to len bytes or the first NUL. */
void dump_text(struct dump *dump, const char *name, const uint8_t *text, size_t len);

/* Bytes as hex digits. */
void dump_hex(struct dump *dump, const char *name, const uint8_t *bytes, size_t len);

#endif
