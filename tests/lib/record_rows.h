/* One record of every decoded form: how it is made and what it must decode to. */
#ifndef TESTS_RECORD_ROWS_H
#define TESTS_RECORD_ROWS_H

#include "lib/byte_builder.h"

struct record_row {
	uint32_t type;
	size_t least; /* bytes of the body below which it is damaged; the rest is padding */
	void (*make)(struct byte_builder *made);
	void (*check)(const struct record *rec);
};

#define RECORD_ROWS 20

extern const struct record_row record_rows[RECORD_ROWS];

/* The first row of a type. */
const struct record_row *record_row_of(uint32_t type);

#endif
