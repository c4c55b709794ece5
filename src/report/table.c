/* A table of text cells. */
#include "report/table.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "report/text.h"

void table_init(struct table *table, const char *align)
{
	*table = (struct table){ .align = align, .n_cols = strlen(align) };
}

void table_fini(struct table *table)
{
	for (size_t i = 0; i < table->n_cells; i++)
		free(table->cells[i]);
	free(table->cells);
	*table = (struct table){ .n_cols = 0 };
}

void table_put(struct table *table, const char *fmt, ...)
{
	char *text;
	va_list args;
	int len;

	if (table->n_cells == table->cap_cells) {
		size_t cap = table->cap_cells ? table->cap_cells * 2 : 64;
		char **grown = reallocarray(table->cells, cap, sizeof(*grown));

		if (!grown) {
			table->failed = true;
			return;
		}
		table->cells = grown;
		table->cap_cells = cap;
	}
	va_start(args, fmt);
	len = vasprintf(&text, fmt, args);
	va_end(args);
	if (len < 0)
		table->failed = true;
	else
		table->cells[table->n_cells++] = text;
}

void table_end_row(struct table *table)
{
	while (!table->failed && table->n_cells % table->n_cols)
		table_put(table, "%s", "");
}

static size_t column_width(const struct table *table, size_t col)
{
	size_t widest = 0;

	for (size_t i = col; i < table->n_cells; i += table->n_cols) {
		size_t width = text_width(table->cells[i]);

		if (width > widest)
			widest = width;
	}
	return widest;
}

static void print_row(const struct table *table, FILE *out, char *const *row, const size_t *widths)
{
	size_t due = 0; /* blanks that are only printed when something follows */

	for (size_t col = 0; col < table->n_cols; col++) {
		size_t fill = widths[col] - text_width(row[col]);

		if (table->align[col] == 'r')
			due += fill;
		if (*row[col]) {
			(void)fprintf(out, "%*s", (int)due, "");
			text_put_safe(out, row[col]);
			due = 0;
		} else {
			due += text_width(row[col]);
		}
		if (table->align[col] != 'r')
			due += fill;
		due += widths[col] ? 2 : 0; /* a column without any text takes no room */
	}
	(void)fputc('\n', out);
}

int table_print(const struct table *table, FILE *out, struct ps_error *err)
{
	_cleanup_free_ size_t *widths = calloc(table->n_cols + 1, sizeof(*widths));

	if (table->failed || !widths)
		return ps_fail(err, "report", ENOMEM, "laying out a table");
	for (size_t col = 0; col < table->n_cols; col++)
		widths[col] = column_width(table, col);
	for (size_t i = 0; i + table->n_cols <= table->n_cells; i += table->n_cols)
		print_row(table, out, table->cells + i, widths);
	return 0;
}
