/* Opens a counter set: all places, again until the threads of the target stood still meanwhile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/counter.h"
#include "event/opening.h"

#define MAX_TRIES 50 /* a target that makes threads without end is counted as it was found last */

static bool thread_known(const struct counter_set *set, pid_t tid)
{
	for (size_t i = 0; i < set->n_tids; i++)
		if (set->tids[i] == tid)
			return true;
	return false;
}

static int add_threads(struct counter_set *set, const pid_t *tids, size_t n, struct ps_error *err)
{
	pid_t *more = reallocarray(set->tids, set->n_tids + n + 1, sizeof(*more));

	if (!more)
		return ps_fail(err, "counters", ENOMEM, "listing %zu threads", n);
	set->tids = more;
	for (size_t i = 0; i < n; i++)
		if (!thread_known(set, tids[i]))
			set->tids[set->n_tids++] = tids[i];
	return 0;
}

/*
 * Adds the threads process pid has now. Two listings must agree, for the kernel may leave out a thread of a
 * process whose threads come and go while it is listed. Returns how many there are, 0 when it is gone, or
 * -errno.
 */
static int scan(const struct counter_set *set, pid_t pid, pid_t **tids, struct ps_error *err)
{
	_cleanup_free_ pid_t *before = NULL;
	int n_before = -1, n = 0;

	for (int tries = 0; tries < MAX_TRIES; tries++) {
		pid_t *now = NULL;

		n = set->sys->threads(set->sys->ctx, pid, &now);
		if (n == -ESRCH)
			n = 0;
		if (n < 0)
			return ps_fail(err, "counters", -n, "listing the threads of process %d", (int)pid);
		bool same = n == n_before && (!n || !memcmp(before, now, (size_t)n * sizeof(*now)));

		free(before);
		before = now;
		n_before = n;
		if (same)
			break;
	}
	*tids = attr_take(&before);
	return n;
}

/* Makes the list of threads: those named one by one, then those of the processes. */
static int list_threads(struct opening *o, struct ps_error *err)
{
	const struct target *target = o->target;
	int rc = 0;

	o->set->n_tids = 0;
	rc = add_threads(o->set, target->tids, target->n_tids, err);
	o->n_named = o->set->n_tids;
	for (size_t i = 0; i < target->n_pids && !rc; i++) {
		_cleanup_free_ pid_t *tids = NULL;
		int n = scan(o->set, target->pids[i], &tids, err);

		if (!n)
			return ps_fail(err, "counters", ESRCH, "no process %d", (int)target->pids[i]);
		rc = n < 0 ? n : add_threads(o->set, tids, (size_t)n, err);
	}
	free(o->gone);
	o->gone = calloc(o->set->n_tids + 1, sizeof(*o->gone));
	return rc ? rc : o->gone ? 0 : ps_fail(err, "counters", ENOMEM, "listing threads");
}

/* Did a thread come while the others were opened? It may have been inherited, or not: nobody can tell. */
static int threads_came(const struct opening *o, struct ps_error *err)
{
	for (size_t i = 0; i < o->target->n_pids; i++) {
		_cleanup_free_ pid_t *tids = NULL;
		int n = scan(o->set, o->target->pids[i], &tids, err);

		for (int k = 0; k < n; k++)
			if (!thread_known(o->set, tids[k]))
				return OPENING_AGAIN;
		if (n < 0)
			return n;
	}
	return OPENING_DONE;
}

/*
 * A child that was forked between two members of a group has a part of the group only, and the kernel refuses
 * (ECHILD) to add its values up, for as long as the group lives.
 */
static bool child_came(const struct counter_set *set)
{
	size_t words = SINGLE_WORDS;

	for (size_t i = 0; i < set->n_groups; i++)
		if (group_words(&set->groups[i]) > words)
			words = group_words(&set->groups[i]);
	_cleanup_free_ uint64_t *buf = malloc(words * sizeof(*buf));

	for (size_t i = 0; buf && i < set->n_groups; i++)
		if (counter_read(set->sys, set->groups[i].leader, buf, words * sizeof(*buf)) == -ECHILD)
			return true;
	return false;
}

static int open_cpu(struct counter_set *set, size_t cpu, void *ctx, struct ps_error *err)
{
	(void)set;
	return opening_place(ctx, cpu, err);
}

static int open_places(struct opening *o, struct ps_error *err)
{
	int rc = 0;

	if (opening_per_cpu(o))
		return counter_set_each_cpu(o->set, open_cpu, o, err);
	for (size_t i = 0; i < o->set->n_tids && !rc; i++)
		rc = opening_place(o, i, err);
	return rc;
}

/* Closes what belongs to threads that ended before they were counted, and forgets these threads. */
static int drop_gone(struct opening *o, struct ps_error *err)
{
	struct counter_set *set = o->set;
	size_t kept = 0, places = 0;

	for (size_t i = 0; i < set->n_groups; i++) {
		const struct group *group = &set->groups[i];

		if (!o->gone[group->place]) {
			set->groups[kept++] = *group;
			continue;
		}
		for (size_t m = group->first; m < group->first + group->n; m++)
			o->states[set->members[m].event].opened--;
		counter_set_close_group(set, group);
	}
	set->n_groups = kept;
	_cleanup_free_ size_t *moved = calloc(set->n_tids + 1, sizeof(*moved));

	if (!moved)
		return ps_fail(err, "counters", ENOMEM, "listing threads");
	for (size_t i = 0; i < set->n_tids; i++) {
		moved[i] = places;
		if (!o->gone[i])
			set->tids[places++] = set->tids[i];
	}
	for (size_t i = 0; i < kept; i++)
		set->groups[i].place = moved[set->groups[i].place];
	set->n_tids = places;
	return 0;
}

/* One attempt. OPENING_DONE, OPENING_AGAIN or -errno. */
static int try_once(struct opening *o, struct ps_error *err)
{
	struct counter_set *set = o->set;
	int rc = 0;

	for (size_t i = 0; i < o->list->n; i++) {
		o->states[i].opened = 0;
		o->states[i].code = o->list->events[i].unsupported;
	}
	if (!opening_per_cpu(o))
		rc = list_threads(o, err);
	if (!rc)
		rc = opening_limit(opening_places(o) * (o->list->n + (set->solo ? 2 * o->plan.n_groups : 0)),
				   err);
	if (!rc)
		rc = open_places(o, err);
	if (!rc)
		rc = threads_came(o, err);
	if (!rc && o->target->inherit && !o->target->enable_on_exec && !set->single_reads && child_came(set))
		rc = OPENING_AGAIN;
	return rc;
}

static int open_until_stable(struct opening *o, struct ps_error *err)
{
	struct counter_set *set = o->set;
	int rc = OPENING_AGAIN;

	for (int tries = 0; tries < MAX_TRIES && rc == OPENING_AGAIN; tries++) {
		counter_set_close_all(set);
		rc = try_once(o, err);
	}
	if (rc == OPENING_AGAIN) {
		/* Read one by one, values of half inherited groups can be had. */
		counter_set_close_all(set);
		set->single_reads = true;
		rc = try_once(o, err);
		if (rc == OPENING_AGAIN)
			rc = counter_set_add_note(
				set, err,
				"threads kept coming while counters were opened: those that came in "
				"the last moments may not be counted");
	}
	if (!rc && o->gone)
		rc = drop_gone(o, err);
	if (!rc && !opening_per_cpu(o) && !set->n_tids)
		rc = ps_fail(err, "counters", ESRCH, "no process %d", (int)o->target->pids[0]);
	return rc;
}

/* What can be refused before anything is opened. */
static int check(const struct event_list *list, const struct target *target, struct ps_error *err)
{
	if (!target->n_cpus && !target->n_tids && !target->n_pids)
		return ps_fail(err, "counters", EINVAL, "there is nothing to count on");
	for (size_t i = 0; i < list->n; i++) {
		const struct event *event = &list->events[i];

		if (!event->cpu_only || target->n_cpus)
			continue;
		(void)ps_fail(err, "counters", EINVAL, "%s cannot be counted per task", event->name);
		ps_hint(err, "it belongs to whole CPUs: use -a");
		return -EINVAL;
	}
	return 0;
}

static int make_set(struct counter_set *set, const struct target *target, struct ps_error *err)
{
	set->solo = target->solo;
	set->inherits = target->inherit && !target->n_cpus;
	set->running = target->enable_on_exec;
	set->n_cpus = target->n_cpus ? target->n_cpus : 1;
	set->n_tids = 1;
	set->cpus = malloc(set->n_cpus * sizeof(*set->cpus));
	set->tids = malloc(sizeof(*set->tids));
	if (!set->cpus || !set->tids)
		return ps_fail(err, "counters", ENOMEM, "opening counters");
	set->cpus[0] = -1;
	set->tids[0] = -1;
	if (target->n_cpus)
		memcpy(set->cpus, target->cpus, target->n_cpus * sizeof(*set->cpus));
	return 0;
}

int counter_set_open(struct counter_set **set, const struct sysperf *sys, const struct event_list *list,
		     const struct target *target, struct ps_error *err)
{
	struct opening o = { .list = list, .target = target };
	int rc = check(list, target, err);

	if (rc < 0)
		return rc;
	o.set = calloc(1, sizeof(*o.set));
	o.states = calloc(list->n + 1, sizeof(*o.states));
	if (!o.set || !o.states) {
		rc = ps_fail(err, "counters", ENOMEM, "opening %zu events", list->n);
		goto out;
	}
	o.set->sys = sys;
	rc = make_set(o.set, target, err);
	if (!rc)
		rc = plan_make(&o.plan, list, err);
	if (!rc)
		rc = open_until_stable(&o, err);
	if (!rc)
		rc = counter_set_build(o.set, list, o.states, err);
	if (!rc) {
		*set = o.set;
		o.set = NULL;
	}
out:
	plan_fini(&o.plan);
	free(o.gone);
	free(o.states);
	counter_set_free(o.set);
	return rc;
}
