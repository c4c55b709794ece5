/* Fields of CSV (RFC 4180; lines end with a bare LF) that the long and the wide form share. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "report/view.h"

/* These write millions of short pieces, and out has one writer: the stream's lock is left alone. */

/* A field that needs no quotes: a number, a word of ours. */
void csv_put_plain(FILE *out, const char *text);

/* One field: quoted when it holds a comma, a quote or a line break. */
void csv_put(FILE *out, const char *text);

/* source,start_s,end_s, with the comma at the end */
void csv_put_front(const struct view_run *run, FILE *out, uint64_t start_ns, uint64_t end_ns);

/* N or N:label, without a comma */
void csv_put_window(FILE *out, const struct timeline_span *span);

/* cpu,tid,comm, without a comma at the end */
void csv_put_place(FILE *out, const struct timeline_row *row);

#endif
