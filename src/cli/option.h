/* Options: one row each drives getopt and --help, so that neither can say what the other does not know. */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"

struct option_row {
	const char *name;  /* long name, without dashes */
	char letter;       /* 0: none */
	const char *arg;   /* what its argument is called, "MS"; NULL: takes none */
	const char *help;  /* one line, or more joined by newlines */
	/* Stores the value. 0, or -errno with err saying what is wrong with it. */
	int (*set)(void *config, const char *value, struct ps_error *err);
	/* Without set: where in config the value goes as it is, a const char * (borrowed), or true for a row without arg. */
	size_t at;
};

/*
 * Parses argv[1...] up to the first word that is no option, or "--". Returns the index of the first operand, or -errno with
 * err naming the option. rows ends with a NULL name. With anywhere, operands may stand between options; they are moved to
 * the end. Uses getopt_long(3), so it must not be called from two threads.
 */
int option_parse(const struct option_row *rows, int argc, char *argv[], bool anywhere, void *config,
		 struct ps_error *err) _must_check_;

/* One line per option, aligned. */
void option_help(const struct option_row *rows, FILE *out);

/* A whole number in first..last. 0 or -EINVAL with a message. */
int option_number(const char *text, long first, long last, long *value, struct ps_error *err) _must_check_;

/* Milliseconds with fractions to ns; at most a year. -1 is let through as -1 when allowed. 0 or -EINVAL. */
int option_ms(const char *text, bool minus_one, int64_t *ns, struct ps_error *err) _must_check_;

/* "12,34": positive numbers. Returns how many; *ids is the caller's to free. -EINVAL, -ENOMEM. */
int option_ids(const char *text, pid_t **ids, struct ps_error *err) _must_check_;

#endif
