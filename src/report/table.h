/* A table of text cells, printed with aligned columns. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct table {
	const char *align; /* one letter per column: l left, r right; borrowed */
	size_t n_cols;
	char **cells; /* row by row; owned */
	size_t n_cells, cap_cells;
	bool failed; /* memory was short: printing fails */
};

void table_init(struct table *table, const char *align);
void table_fini(struct table *table);

/* The next cell, row by row. What goes wrong is told by table_print. */
void table_put(struct table *table, const char *fmt, ...) _printf_(2, 3);

/* Ends a row early: the rest of it is empty. */
void table_end_row(struct table *table);

/* Prints all rows, two blanks between columns and none at the ends of lines. 0 or -ENOMEM. */
int table_print(const struct table *table, FILE *out, struct ps_error *err) _must_check_;

#endif
