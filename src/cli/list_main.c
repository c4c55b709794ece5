/* `pstat list`. */
#include "cli/list_main.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/option.h"
#include "event/spec.h"

struct list_options {
	bool help;
};

static const struct option_row rows[] = {
	{ "help", 'h', NULL, "show this and exit", NULL, offsetof(struct list_options, help) },
	{ NULL, 0, NULL, NULL, NULL, 0 },
};

static int print_event(void *ctx, const char *name, const char *what, const char *about)
{
	size_t *n = ctx;

	++*n;
	printf("  %-44s [%s]%s%s\n", name, what, about && *about ? " " : "", about ? about : "");
	return ferror(stdout) ? -EIO : 0;
}

/* What is missing from the list for want of tracefs, where it could have been meant. */
static void tell_tracepoints(const char *pattern, size_t n)
{
	struct ps_error err = PS_ERROR_INIT;

	if ((!pattern || strchr(pattern, ':') || !n) && event_tracepoints_check(NULL, &err) < 0)
		message_error("pstat list", &err);
}

int list_main(int argc, char *argv[])
{
	struct list_options options = { false };
	struct ps_error err = PS_ERROR_INIT;
	size_t n = 0;
	int first = option_parse(rows, argc, argv, true, &options, &err);

	if (first < 0 || argc - first > 1) {
		if (first >= 0)
			ps_fail(&err, "usage", EINVAL, "one PATTERN at most");
		message_error("pstat list", &err);
		return 2;
	}
	if (options.help) {
		puts("Usage: pstat list [PATTERN]\n\nLists the events this machine can count; PATTERN is a glob.\n");
		option_help(rows, stdout);
		return 0;
	}
	if (event_catalogue(argv[first], print_event, &n, &err) < 0 || (fflush(stdout) != 0 &&
	    ps_fail(&err, "output", errno, "writing the list") < 0)) {
		message_error("pstat list", &err);
		return 125;
	}
	tell_tracepoints(argv[first], n);
	if (n)
		return 0;
	fprintf(stderr, "pstat list: no event matches %s\n", argv[first] ? argv[first] : "*");
	return 1;
}
