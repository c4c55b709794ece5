/* What tests of counter sets have in common. */
#include "lib/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/resolve.h"

void counters_init(struct counters *c, const char *events)
{
	memset(c, 0, sizeof(*c));
	c->fake = malloc(sizeof(*c->fake));
	if (!c->fake)
		abort();
	fake_sysperf_init(c->fake, &c->log);
	if (events && event_list_parse(&c->list, events, &c->err) < 0) {
		fprintf(stderr, "%s: %s\n%s\n", events, c->err.what, c->err.hint);
		abort();
	}
}

struct event *counters_add(struct counters *c, uint32_t type, uint64_t config)
{
	char name[64];
	struct event *event;

	snprintf(name, sizeof(name), "%u:%llu", type, (unsigned long long)config);
	event = event_list_add(&c->list, (struct span){ name, strlen(name) });
	if (!event)
		abort();
	event->attr.type = type;
	event->attr.config = config;
	return event;
}

int counters_open(struct counters *c, const struct target *target)
{
	return counter_set_open(&c->set, &c->fake->sys, &c->list, target, &c->err);
}

int counters_open_thread(struct counters *c)
{
	pid_t tid = 7;

	return counters_open(c, &(struct target){ .tids = &tid, .n_tids = 1, .inherit = true });
}

int counters_open_cpus(struct counters *c, int n)
{
	int32_t cpus[64];

	for (int i = 0; i < n; i++)
		cpus[i] = i;
	return counters_open(c, &(struct target){ .cpus = cpus, .n_cpus = n });
}

/* "fd10003" becomes "fd3", in place. */
static void renumber(char *text)
{
	char *to = text;

	for (const char *from = text; *from;) {
		if (!strncmp(from, "fd1", 3)) {
			char *end;
			long fd = strtol(from + 2, &end, 10) - FAKE_FIRST_FD;

			to += sprintf(to, "fd%ld", fd);
			from = end;
			continue;
		}
		*to++ = *from++;
	}
	*to = '\0';
}

const char *counters_log(struct counters *c)
{
	if (c->log.text)
		renumber(c->log.text);
	c->log.len = 0; /* the text stays until the next line is added */
	return call_log_text(&c->log);
}

const struct cell *counters_cell(const struct counters *c, size_t event, size_t i)
{
	const struct counter_set_event *e = counter_set_event(c->set, event);

	if (i >= e->n_cells)
		abort();
	return &e->cells[i];
}

bool counters_fini(struct counters *c)
{
	bool clean;

	counter_set_free(c->set);
	clean = fake_open_fds(c->fake) == 0;
	event_list_fini(&c->list);
	call_log_fini(&c->log);
	free(c->fake);
	return clean;
}
