/* Runs a counter set: start, stop, read, switch. */
#include "event/counter_set.h"

#include <errno.h>
#include <stdlib.h>

#include "event/counter.h"
#include "event/counter_set_priv.h"
#include "pstat/format.h"

int counter_set_each_cpu(struct counter_set *set, counter_set_fn fn, void *ctx, struct ps_error *err)
{
	const struct sysperf *sys = set->sys;
	bool moved = false;
	size_t first = 0;
	int here, rc = 0;

	if (set->cpus[0] < 0)
		return fn(set, 0, ctx, err);
	here = sys->current_cpu(sys->ctx);
	for (size_t i = 0; i < set->n_cpus; i++)
		if (set->cpus[i] == here)
			first = i;
	for (size_t k = 0; k < set->n_cpus && rc >= 0; k++) {
		size_t i = first + k < set->n_cpus ? first + k : first + k - set->n_cpus;

		if (set->cpu_groups && set->cpu_groups[i] == set->cpu_groups[i + 1])
			continue;
		/* A CPU that is offline or not ours to run on is touched from here: dearer, but right. */
		if (set->cpus[i] != here && sys->move_to(sys->ctx, set->cpus[i]) >= 0) {
			here = set->cpus[i];
			moved = true;
		}
		rc = fn(set, i, ctx, err);
	}
	if (moved) /* fails only when those CPUs were taken from us meanwhile: stay, then */
		(void)sys->move_back(sys->ctx);
	return rc;
}

/* A counter whose thread or CPU went away keeps the values it had. */
static bool is_gone(ssize_t rc)
{
	return rc == -ESRCH || rc == -ENODEV;
}

static const char *group_name(const struct counter_set *set, const struct group *group)
{
	return set->events[set->members[group->first].event].name;
}

static void store(const struct member *member, uint64_t val, uint64_t enabled_ns, uint64_t running_ns)
{
	struct cell *cell = member->cell;

	cell->val = val;
	if (member->off) {
		cell->enabled_ns = member->closing ? member->frozen_enabled_ns : cell->enabled_ns + FORMAT_OFF_NS;
		cell->running_ns = member->frozen_ns;
	} else {
		cell->enabled_ns = enabled_ns - member->skipped_enabled_ns;
		cell->running_ns = running_ns - member->skipped_ns;
	}
}

/* One read(2) into set->buf. 1, 0 when there is nothing to be had (any more), or -errno. */
static int read_words(struct counter_set *set, const struct group *group, int fd, size_t words,
		      struct ps_error *err)
{
	ssize_t want = (ssize_t)(words * sizeof(*set->buf));
	ssize_t n = counter_read(set->sys, fd, set->buf, (size_t)want);

	if (n == want)
		return 1;
	if (is_gone(n))
		return 0;
	/* The kernel gives nothing for a pinned event that it could not keep on the hardware. */
	if (n == 0 && set->events[set->members[group->first].event].attr.pinned)
		return 0;
	if (n < 0)
		return ps_fail(err, "counters", (int)-n, "reading %s", group_name(set, group));
	return ps_fail(err, "counters", EIO, "reading %s gave %zd of %zd bytes", group_name(set, group), n,
		       want);
}

/*
 * Reads the group's times, as the values' header or from its leader. As read_words; they are in buf[1] and
 * buf[2].
 */
static int read_times(struct counter_set *set, const struct group *group, struct ps_error *err)
{
	return read_words(set, group, group->leader, set->single_reads ? SINGLE_WORDS : group_words(group),
			  err);
}

static int read_singly(struct counter_set *set, const struct group *group, struct ps_error *err)
{
	int rc = read_times(set, group, err);
	uint64_t enabled_ns = set->buf[1], running_ns = set->buf[2];

	for (size_t i = 0; i < group->n && rc > 0; i++) {
		const struct member *member = &set->members[group->first + i];

		rc = read_words(set, group, member->fd, SINGLE_WORDS, err);
		if (rc > 0)
			store(member, set->buf[0], enabled_ns, running_ns);
	}
	return rc < 0 ? rc : 0;
}

static int read_group(struct counter_set *set, const struct group *group, struct ps_error *err)
{
	const uint64_t *value = set->buf + GROUP_WORDS + MEMBER_WORDS * group_dummies(group);
	int rc;

	if (set->single_reads)
		return read_singly(set, group, err);
	rc = read_times(set, group, err);
	if (rc <= 0)
		return rc;
	for (size_t i = 0; i < group->n; i++, value += MEMBER_WORDS) {
		const struct member *member = &set->members[group->first + i];

		if (value[1] != member->id)
			return ps_fail(err, "counters", EIO, "reading %s gave the values of another event",
				       group_name(set, group));
		store(member, value[0], set->buf[1], set->buf[2]);
	}
	return 0;
}

static int read_cpu(struct counter_set *set, size_t cpu, void *ctx, struct ps_error *err)
{
	int rc = 0;

	(void)ctx;
	for (size_t i = set->cpu_groups[cpu]; i < set->cpu_groups[cpu + 1] && rc >= 0; i++)
		rc = read_group(set, &set->groups[i], err);
	return rc;
}

int counter_set_read(struct counter_set *set, struct ps_error *err)
{
	int rc = counter_set_each_cpu(set, read_cpu, NULL, err);

	for (size_t i = 0; set->solo && i < set->n_members; i++)
		set->members[i].closing = false;
	return rc;
}

/* Starting and stopping goes on after a failure, so that as much as can be is in the state asked for. */
struct turn {
	bool on;
	int rc; /* of the first failure */
};

static int turn_cpu(struct counter_set *set, size_t cpu, void *ctx, struct ps_error *err)
{
	struct turn *turn = ctx;

	for (size_t i = set->cpu_groups[cpu]; i < set->cpu_groups[cpu + 1]; i++) {
		const struct group *group = &set->groups[i];
		int rc;

		if (turn->on && !group->dummies && set->members[group->first].off)
			continue;
		rc = turn->on ? counter_enable(set->sys, group->leader)
			      : counter_disable(set->sys, group->leader);
		if (rc < 0 && !is_gone(rc) && !turn->rc)
			turn->rc = ps_fail(err, "counters", -rc, "%s %s", turn->on ? "starting" : "stopping",
					   group_name(set, group));
	}
	return 0;
}

static int turn_all(struct counter_set *set, bool on, struct ps_error *err)
{
	struct turn turn = { .on = on };
	int rc = counter_set_each_cpu(set, turn_cpu, &turn, err);

	set->running = on;
	set->switched = true;
	return rc < 0 ? rc : turn.rc;
}

int counter_set_start(struct counter_set *set, struct ps_error *err)
{
	return turn_all(set, true, err);
}

int counter_set_stop(struct counter_set *set, struct ps_error *err)
{
	return turn_all(set, false, err);
}

int counter_set_settle(struct counter_set *set, struct ps_error *err)
{
	return set->inherits && set->switched ? turn_all(set, set->running, err) : 0;
}

struct flip {
	size_t event;
	bool on;
};

/* Has a running group scheduled anew, so that a member that was enabled counts from now on. */
static int kick(const struct counter_set *set, const struct group *group)
{
	int rc = counter_enable(set->sys, group->kick);

	return rc < 0 ? rc : counter_disable(set->sys, group->kick);
}

/* Both times of a member that is off are held: the group's go on, so what passes meanwhile is taken off later. */
static void hold_times(const struct counter_set *set, struct member *member, bool on)
{
	uint64_t enabled_ns = set->buf[1], running_ns = set->buf[2];

	if (on) {
		uint64_t held_ns = member->closing ? member->frozen_enabled_ns : member->cell->enabled_ns;

		member->skipped_enabled_ns = enabled_ns - held_ns;
		member->skipped_ns = running_ns - member->frozen_ns;
		member->closing = false;
	} else {
		member->frozen_enabled_ns = enabled_ns - member->skipped_enabled_ns;
		member->frozen_ns = running_ns - member->skipped_ns;
		member->closing = set->running;
	}
}

static int flip_member(struct counter_set *set, const struct group *group, struct member *member, bool on,
		       struct ps_error *err)
{
	bool by_leader = !group->dummies; /* stopping and starting it is then the same as turning the group */
	int rc = 0;

	if (!on && !(by_leader && !set->running))
		rc = counter_disable(set->sys, member->fd);
	if (rc < 0 && !is_gone(rc))
		return ps_fail(err, "counters", -rc, "switching %s off", group_name(set, group));
	rc = read_times(set, group, err);
	if (rc < 0)
		return rc;
	if (rc > 0)
		hold_times(set, member, on);
	member->off = !on;
	if (on && !(by_leader && !set->running))
		rc = counter_enable(set->sys, member->fd);
	if (rc >= 0 && on && group->dummies)
		rc = kick(set, group);
	return rc < 0 && !is_gone(rc)
		       ? ps_fail(err, "counters", -rc, "switching %s on", group_name(set, group))
		       : 0;
}

static int flip_cpu(struct counter_set *set, size_t cpu, void *ctx, struct ps_error *err)
{
	const struct flip *flip = ctx;

	for (size_t i = set->cpu_groups[cpu]; i < set->cpu_groups[cpu + 1]; i++) {
		const struct group *group = &set->groups[i];

		for (size_t m = group->first; m < group->first + group->n; m++) {
			struct member *member = &set->members[m];
			int rc = 0;

			if (member->event == flip->event && member->off == flip->on)
				rc = flip_member(set, group, member, flip->on, err);
			if (rc < 0)
				return rc;
		}
	}
	return 0;
}

int counter_set_switch(struct counter_set *set, size_t event, bool on, struct ps_error *err)
{
	struct flip flip = { .event = event, .on = on };
	int rc;

	if (event >= set->n_events)
		return ps_fail(err, "counters", ENOENT, "there is no event %zu", event);
	if (!set->solo)
		return ps_fail(err, "counters", EINVAL, "%s was not opened to be switched alone",
			       set->events[event].name);
	rc = counter_set_each_cpu(set, flip_cpu, &flip, err);
	if (rc >= 0)
		set->events[event].off = !on;
	return rc;
}
