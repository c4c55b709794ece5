/* Options: getopt tables and --help from one table. */
#include "cli/option.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define HELP_COLUMN 28
#define YEAR_MS (365.0 * 24 * 3600 * 1000)
#define LONG_ONLY 256 /* getopt values of rows without a letter: this plus the row */

static size_t row_count(const struct option_row *rows)
{
	size_t n = 0;

	while (rows[n].name)
		n++;
	return n;
}

/* getopt's two tables. letters has room for 3 * n + 3 characters. */
static void fill_tables(const struct option_row *rows, size_t n, bool anywhere, struct option *longs, char *letters)
{
	if (!anywhere)
		*letters++ = '+'; /* stop at the first operand: the rest is the command's */
	*letters++ = ':';
	for (size_t i = 0; i < n; i++) {
		longs[i] = (struct option){
			.name = rows[i].name,
			.has_arg = rows[i].arg ? required_argument : no_argument,
			.val = rows[i].letter ? rows[i].letter : LONG_ONLY + (int)i,
		};
		if (!rows[i].letter)
			continue;
		*letters++ = rows[i].letter;
		if (rows[i].arg)
			*letters++ = ':';
	}
	*letters = '\0';
}

static const struct option_row *row_of(const struct option_row *rows, int value)
{
	if (value >= LONG_ONLY)
		return &rows[value - LONG_ONLY];
	for (; rows->name; rows++)
		if (rows->letter == value)
			return rows;
	return NULL;
}

/* What the user typed, for the message. */
static int refuse(int value, char *argv[], struct ps_error *err)
{
	const char *typed = argv[optind - 1];
	char letter[3] = { '-', (char)optopt, '\0' };

	if (optopt > 0 && optopt < LONG_ONLY && strncmp(typed, "--", 2))
		typed = letter;
	if (value == ':')
		return ps_fail(err, "usage", EINVAL, "option %s needs an argument", typed);
	return ps_fail(err, "usage", EINVAL, "unknown option %s", typed);
}

static int set_row(const struct option_row *row, void *config, const char *value, struct ps_error *err)
{
	struct ps_error inner = PS_ERROR_INIT;
	int rc = 0;

	if (row->set)
		rc = row->set(config, value, &inner);
	else if (row->arg)
		memcpy((char *)config + row->at, &value, sizeof(value));
	else
		memset((char *)config + row->at, true, sizeof(bool));
	if (rc >= 0)
		return 0;
	if (row->letter)
		ps_fail(err, "usage", -rc, "-%c, --%s: %s", row->letter, row->name, inner.what);
	else
		ps_fail(err, "usage", -rc, "--%s: %s", row->name, inner.what);
	if (inner.hint[0])
		ps_hint(err, "%s", inner.hint);
	return rc;
}

int option_parse(const struct option_row *rows, int argc, char *argv[], bool anywhere, void *config,
		 struct ps_error *err)
{
	size_t n = row_count(rows);
	_cleanup_free_ struct option *longs = calloc(n + 1, sizeof(*longs));
	_cleanup_free_ char *letters = calloc(3, n + 1);
	int value;

	if (!longs || !letters)
		return ps_fail(err, "usage", ENOMEM, "reading the options");
	fill_tables(rows, n, anywhere, longs, letters);
	optind = 0; /* a fresh start, GNU's way */
	opterr = 0;
	while ((value = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		int rc;

		if (value == '?' || value == ':')
			return refuse(value, argv, err);
		rc = set_row(row_of(rows, value), config, optarg, err);
		if (rc < 0)
			return rc;
	}
	return optind;
}

void option_help(const struct option_row *rows, FILE *out)
{
	for (; rows->name; rows++) {
		const char *line = rows->help;
		int used = rows->letter ? fprintf(out, "  -%c, --%s", rows->letter, rows->name) :
					  fprintf(out, "      --%s", rows->name);

		if (rows->arg)
			used += fprintf(out, " %s", rows->arg);
		if (used > HELP_COLUMN - 2) {
			fputc('\n', out);
			used = 0;
		}
		while (line) {
			const char *end = strchr(line, '\n');
			int len = end ? (int)(end - line) : (int)strlen(line);

			fprintf(out, "%*s%.*s\n", HELP_COLUMN - used, "", len, line);
			line = end ? end + 1 : NULL;
			used = 0;
		}
	}
}

int option_number(const char *text, long first, long last, long *value, struct ps_error *err)
{
	char *end;

	errno = 0;
	*value = strtol(text, &end, 10);
	if (end == text || *end || isspace((unsigned char)*text))
		return ps_fail(err, "usage", EINVAL, "\"%s\" is not a whole number", text);
	if (errno || *value < first || *value > last)
		return ps_fail(err, "usage", EINVAL, "%s is not in %ld to %ld", text, first, last);
	return 0;
}

int option_ms(const char *text, bool minus_one, int64_t *ns, struct ps_error *err)
{
	char *end;
	double ms = strtod(text, &end);

	if (end == text || *end || isspace((unsigned char)*text) || !isfinite(ms) ||
	    strspn(text, "+-.0123456789eE") != strlen(text))
		return ps_fail(err, "usage", EINVAL, "\"%s\" is not a number of milliseconds", text);
	if (minus_one && !strcmp(text, "-1")) {
		*ns = -1;
		return 0;
	}
	if (ms < 0 || ms > YEAR_MS)
		return ps_fail(err, "usage", EINVAL, "%s ms is not %s", text,
			       ms < 0 ? (minus_one ? "-1 or a time from 0 on" : "a time from 0 on") : "within a year");
	*ns = llround(ms * 1e6);
	return 0;
}

int option_ids(const char *text, pid_t **ids, struct ps_error *err)
{
	_cleanup_free_ pid_t *list = calloc(strlen(text) / 2 + 1, sizeof(*list));
	int n = 0;

	if (!list)
		return ps_fail(err, "usage", ENOMEM, "reading \"%s\"", text);
	for (const char *at = text;; at++) {
		char *end;
		long id = strtol(at, &end, 10);

		if (!isdigit((unsigned char)*at) || id < 1 || id > INT_MAX || (*end && *end != ','))
			return ps_fail(err, "usage", EINVAL, "\"%s\" is no list of ids like 12,34", text);
		list[n++] = (pid_t)id;
		if (!*end)
			break;
		at = end;
	}
	*ids = attr_take(&list);
	return n;
}
