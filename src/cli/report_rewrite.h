/* pstat-report --convert and --repair. */
#ifndef CLI_REPORT_REWRITE_H
#define CLI_REPORT_REWRITE_H

#include "cli/report_options.h"

/* Rewrites the recording at path as the options say; tells on standard error. Returns the exit status. */
int report_rewrite(const struct report_options *options, const char *path);

#endif
