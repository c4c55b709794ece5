/* Inputs of pstat-report: opening them, and what it takes to show them while they still come in. */
#ifndef CLI_REPORT_INPUT_H
#define CLI_REPORT_INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "data/reader.h"

/*
 * Opens path. Whenever the input has to be waited for, out is flushed, so that what is there can be seen. stop_fd (see
 * report_input_stop) ends the following of a file; -1: it is not followed. The first Ctrl-C during a stream is left to the one
 * who records it, for the end of the stream brings the totals. 0 or -errno.
 */
int report_input_open(struct reader **reader, const char *path, int stop_fd, FILE *out, struct ps_error *err)
	_must_check_;

/* From now on Ctrl-C makes this descriptor readable and does nothing else. The descriptor, or -errno. */
int report_input_stop(struct ps_error *err) _must_check_;

#endif
