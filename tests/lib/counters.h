/* What tests of counter sets have in common: a fake kernel, a list of events and the set opened from them. */
#ifndef TESTS_COUNTERS_H
#define TESTS_COUNTERS_H

#include "event/counter_set.h"
#include "lib/fake_sysperf.h"

struct counters {
	struct call_log log;
	struct fake_sysperf *fake; /* owned */
	struct event_list list;
	struct counter_set *set;
	struct ps_error err;
};

void counters_init(struct counters *c, const char *events);

/* Adds an event that no parser is needed for. Its name is "TYPE:CONFIG". */
struct event *counters_add(struct counters *c, uint32_t type, uint64_t config);

/* Opens on one thread (tid 7), or on CPUs 0 to n - 1. Returns what counter_set_open did. */
int counters_open_thread(struct counters *c);
int counters_open_cpus(struct counters *c, int n);
int counters_open(struct counters *c, const struct target *target);

/* The lines logged since the last call, with descriptors counted from 0. Valid until the next call. */
const char *counters_log(struct counters *c);

const struct cell *counters_cell(const struct counters *c, size_t event, size_t i);

/* Frees everything; true when no descriptor was left open. */
bool counters_fini(struct counters *c);

#endif
