/* The exit status of pstat-report. */
#ifndef CLI_REPORT_STATUS_H
#define CLI_REPORT_STATUS_H

enum {
	STATUS_GOOD = 0,
	STATUS_DAMAGED = 1,
	STATUS_UNREADABLE = 2,
	STATUS_WARNED = 3, /* shown, but --strict takes it for a failure: the program's status is that of UNREADABLE */
};

#endif
