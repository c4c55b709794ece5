/* Fields of CSV. */
#include "report/csv.h"

#include <string.h>

#include "report/quantity.h"

void csv_put_plain(FILE *out, const char *text)
{
	(void)fputs_unlocked(text, out);
}

/* prefix needs no quotes of its own. */
static void put_prefixed(FILE *out, const char *prefix, const char *text)
{
	bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';

	if (quoted)
		(void)putc_unlocked('"', out);
	(void)fputs_unlocked(prefix, out);
	if (!quoted) {
		(void)fputs_unlocked(text, out);
		return;
	}
	for (; *text; text++) {
		if (*text == '"')
			(void)putc_unlocked('"', out);
		(void)putc_unlocked(*text, out);
	}
	(void)putc_unlocked('"', out);
}

void csv_put(FILE *out, const char *text)
{
	put_prefixed(out, "", text);
}

void csv_put_front(const struct view_run *run, FILE *out, uint64_t start_ns, uint64_t end_ns)
{
	char number[TEXT_NUMBER];

	csv_put(out, run->input.source);
	(void)putc_unlocked(',', out);
	(void)fputs_unlocked(quantity_time(number, run, start_ns), out);
	(void)putc_unlocked(',', out);
	(void)fputs_unlocked(quantity_time(number, run, end_ns), out);
	(void)putc_unlocked(',', out);
}

void csv_put_window(FILE *out, const struct timeline_span *span)
{
	char prefix[TEXT_NUMBER];

	if (!span->window)
		return;
	text_unsigned(prefix, span->window);
	if (span->label)
		(void)strcat(prefix, ":");
	put_prefixed(out, prefix, span->label ? span->label : "");
}

void csv_put_place(FILE *out, const struct timeline_row *row)
{
	char number[TEXT_NUMBER];

	if (row->cpu >= 0)
		csv_put_plain(out, text_unsigned(number, (uint64_t)row->cpu));
	(void)putc_unlocked(',', out);
	if (row->tid >= 0)
		csv_put_plain(out, text_unsigned(number, (uint64_t)row->tid));
	(void)putc_unlocked(',', out);
	if (row->comm)
		csv_put(out, row->comm);
}
