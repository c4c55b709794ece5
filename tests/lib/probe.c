/* pstat-probe EVENT: can this machine count it? Opens it on itself; exits 77 with the reason when it cannot. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "event/counter_set.h"

enum { CAN = 0, USAGE = 2, CANNOT = 77 };

static int refuse(const struct ps_error *err)
{
	fprintf(stderr, "%s: %s: %s\n", err->where, err->what, strerror(err->code));
	if (err->hint[0])
		fprintf(stderr, "hint: %s\n", err->hint);
	return CANNOT;
}

/* Everything the probe looks at is read once, so that a counter that opens and cannot be read is found as well. */
static int probe(const struct sysperf *sys, const struct event_list *list, struct ps_error *err)
{
	pid_t self = getpid();
	struct target target = { .tids = &self, .n_tids = 1, .inherit = true };
	struct counter_set *set;
	int rc = counter_set_open(&set, sys, list, &target, err);

	if (rc < 0)
		return refuse(err);
	rc = counter_set_start(set, err);
	if (!rc)
		rc = counter_set_stop(set, err);
	if (!rc)
		rc = counter_set_read(set, err);
	for (size_t i = 0; i < counter_set_n_events(set) && !rc; i++) {
		const struct counter_set_event *event = counter_set_event(set, i);

		if (event->unsupported)
			rc = ps_fail(err, "probe", event->unsupported, "%s is not supported", event->name);
	}
	counter_set_free(set);
	return rc < 0 ? refuse(err) : CAN;
}

int main(int argc, char **argv)
{
	struct event_list list = { 0 };
	struct ps_error err = PS_ERROR_INIT;
	struct sysperf_kernel kernel = { 0 };
	struct sysperf sys;
	int rc;

	if (argc != 2) {
		fprintf(stderr, "usage: pstat-probe EVENT[,EVENT...]\n");
		return USAGE;
	}
	if (sysperf_kernel_init(&sys, &kernel) < 0) {
		perror("pstat-probe");
		return CANNOT;
	}
	rc = event_list_parse(&list, argv[1], &err) < 0 ? refuse(&err) : probe(&sys, &list, &err);
	event_list_fini(&list);
	sysperf_kernel_fini(&kernel);
	return rc;
}
