/* Several recordings through one view, one after the other or some at once. */
#ifndef CLI_REPORT_FILES_H
#define CLI_REPORT_FILES_H

#include <stdio.h>

#include "cli/report_options.h"

/*
 * Shows the n files at paths in their order; out gets the view, standard error the warnings. Returns the worst of their exit
 * statuses.
 */
int report_files(const struct report_options *options, int n, char *const paths[], FILE *out);

#endif
