/* A scripted controller for tests and benchmarks: what its two files share. */
#ifndef TESTS_CONTROLLER_H
#define TESTS_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define WORD_PAUSE 0
#define WORD_RESUME 1
#define WORD_DONE 2

#define CONTROLLER_ARGS 32 /* most words after a step's name */
#define CONTROLLER_LIMIT_MS 30000 /* longest wait for an answer or a condition */

struct controller {
	pid_t child;      /* the command; 0 once it was waited for */
	int status;       /* its wait status then */
	int cmd_fd;       /* commands are written here; -1: closed */
	int ack_fd;       /* answers are read here; -1: closed. May equal cmd_fd (a socket) */
	const char *step; /* what runs now, for messages */
};

struct step {
	const char *name;
	int args; /* how many words must follow; -1: one or more */
	int (*run)(struct controller *ctl, int n, char *const *args);
	const char *help;
};

/* Ends with a name of NULL. Each run returns 0, or -1 after controller_fail. */
extern const struct step controller_steps[];

/* Prints "controller: STEP: MESSAGE" to standard error. Returns -1. */
int controller_fail(const struct controller *ctl, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes all bytes of a command. 0 or -1. */
int controller_write(struct controller *ctl, const void *bytes, size_t len);

/* Reads exactly len bytes of answers. 1 done, 0 end of file before any byte, -1 failed. */
int controller_read(struct controller *ctl, void *bytes, size_t len);

/* Sends a word of the binary protocol and expects it done. 0 or -1. */
int controller_command(struct controller *ctl, int32_t word);

/* Times as many toggles as text says, binary or by perf's words, and prints their percentiles as JSON. 0 or -1. */
int controller_time(struct controller *ctl, const char *text, bool as_text);

/* CLOCK_MONOTONIC. */
uint64_t controller_now_ns(void);

/* Waits for the command's end. 0 or -1. */
int controller_reap(struct controller *ctl);

/* A decimal number (a sign is fine). 0 or -1. */
int controller_number(const struct controller *ctl, const char *text, long *value);

#endif
