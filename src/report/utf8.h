/* Text from a file as UTF-8 that any reader of JSON accepts. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include <stdio.h>

/* The text for people: control characters and what is not UTF-8 become '?'. */
void utf8_put(FILE *out, const char *text);

/* A copy of text in which every byte that is not part of valid UTF-8 is replaced by U+FFFD. Free it; NULL without memory. */
char *utf8_clean(const char *text);

#endif
