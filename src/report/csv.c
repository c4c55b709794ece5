/* Fields of CSV. */
#include "report/csv.h"

#include <string.h>

#include "report/quantity.h"

/* prefix needs no quotes of its own. */
static void put_prefixed(FILE *out, const char *prefix, const char *text)
{
	bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';

	if (quoted)
		(void)fputc('"', out);
	(void)fputs(prefix, out);
	if (!quoted) {
		(void)fputs(text, out);
		return;
	}
	for (; *text; text++) {
		if (*text == '"')
			(void)fputc('"', out);
		(void)fputc(*text, out);
	}
	(void)fputc('"', out);
}

void csv_put(FILE *out, const char *text)
{
	put_prefixed(out, "", text);
}

void csv_put_front(const struct view_run *run, uint64_t start_ns, uint64_t end_ns)
{
	char number[TEXT_NUMBER];

	csv_put(run->out, run->input.source);
	(void)fputc(',', run->out);
	(void)fputs(quantity_time(number, run, start_ns), run->out);
	(void)fputc(',', run->out);
	(void)fputs(quantity_time(number, run, end_ns), run->out);
	(void)fputc(',', run->out);
}

void csv_put_window(FILE *out, const struct timeline_span *span)
{
	char prefix[16];

	(void)snprintf(prefix, sizeof(prefix), "%u%s", span->window, span->label ? ":" : "");
	put_prefixed(out, prefix, span->label ? span->label : "");
}

void csv_put_place(FILE *out, const struct timeline_row *row)
{
	if (row->cpu >= 0)
		(void)fprintf(out, "%d", (int)row->cpu);
	(void)fputc(',', out);
	if (row->tid >= 0)
		(void)fprintf(out, "%lld", (long long)row->tid);
	(void)fputc(',', out);
	if (row->comm)
		csv_put(out, row->comm);
}
