/* Opens all groups of a counter set at one place: on one CPU or on one thread. */
#include <errno.h>
#include <stdlib.h>

#include "event/counter.h"
#include "event/opening.h"

#define MOVES_MAX 4 /* so often a group is begun anew; each time is a matter of microseconds */

/* A group while it is being opened. Its members are the last ones of the set. */
struct draft {
	struct group group;
	int fd; /* what members join; -1 while there is no leader */
};

static struct open_request request_at(const struct opening *o, size_t place, int group_fd)
{
	bool per_cpu = opening_per_cpu(o);

	return (struct open_request){
		.tid = per_cpu ? -1 : o->set->tids[place],
		.cpu = per_cpu ? o->set->cpus[place] : -1,
		.group_fd = group_fd,
		.inherit = !per_cpu && o->target->inherit,
		.enable_on_exec = !per_cpu && o->target->enable_on_exec,
		.group_reads = !o->set->single_reads,
	};
}

/*
 * Room for one more group and for all members it may get, so that nothing can fail once a descriptor is open.
 */
static int make_room(struct counter_set *set, size_t members, struct ps_error *err)
{
	if (set->n_groups == set->room_groups) {
		size_t room = set->room_groups ? 2 * set->room_groups : 16;
		struct group *groups = reallocarray(set->groups, room, sizeof(*groups));

		if (!groups)
			return ps_fail(err, "counters", ENOMEM, "opening %zu groups", room);
		set->groups = groups;
		set->room_groups = room;
	}
	if (set->n_members + members > set->room_members) {
		size_t room = 2 * set->room_members + members;
		struct member *list = reallocarray(set->members, room, sizeof(*list));

		if (!list)
			return ps_fail(err, "counters", ENOMEM, "opening %zu counters", room);
		set->members = list;
		set->room_members = room;
	}
	return 0;
}

static void draft_drop(struct counter_set *set, struct draft *draft, struct event_state *states)
{
	while (set->n_members > draft->group.first) {
		struct member *member = &set->members[--set->n_members];

		counter_close(set->sys, member->fd);
		states[member->event].opened--;
	}
	if (draft->group.dummies) {
		counter_close(set->sys, draft->group.kick);
		counter_close(set->sys, draft->group.leader);
	}
	*draft =
		(struct draft){ .group = { .place = draft->group.place, .first = set->n_members }, .fd = -1 };
}

/* The group becomes part of the set, unless it came out empty. */
static void draft_finish(struct counter_set *set, struct draft *draft, struct event_state *states)
{
	draft->group.n = set->n_members - draft->group.first;
	if (!draft->group.n) {
		draft_drop(set, draft, states);
		return;
	}
	set->groups[set->n_groups++] = draft->group;
}

static void draft_add(struct counter_set *set, struct draft *draft, size_t event, int fd)
{
	set->members[set->n_members++] = (struct member){ .fd = fd, .event = (uint32_t)event };
	if (draft->fd < 0) {
		draft->fd = fd;
		draft->group.leader = fd;
	}
}

/* With solo a group begins with its two dummies. 0 or -errno. */
static int draft_start(struct opening *o, struct draft *draft)
{
	struct open_request request = request_at(o, draft->group.place, -1);
	int fd, kick;

	if (!o->set->solo)
		return 0;
	fd = open_dummy(o->set->sys, &request);
	if (fd < 0)
		return fd;
	request.group_fd = fd;
	request.stopped = true;
	kick = open_dummy(o->set->sys, &request);
	if (kick < 0) {
		counter_close(o->set->sys, fd);
		return kick;
	}
	draft->group.dummies = true;
	draft->group.kick = kick;
	draft->group.leader = fd;
	draft->fd = fd;
	return 0;
}

/*
 * While a thread makes others that inherit its counters and gives way to them, the kernel exchanges its counters with theirs,
 * for they all count the same. A group that was begun at the thread is then at another one, and what is to join it at the first
 * is refused: EINVAL, or ENODEV when the other thread has ended. It has to be begun anew. fd: what joining returned.
 */
static bool may_have_moved(const struct opening *o, int fd)
{
	return o->target->inherit && !opening_per_cpu(o) && (fd == -EINVAL || fd == -ENODEV);
}

static int explain(const struct opening *o, int code, size_t event, size_t place, struct ps_error *err)
{
	struct open_request request = request_at(o, place, -1);
	struct explain_facts facts;

	explain_facts(&facts);
	facts.fds_needed = opening_places(o) * o->list->n;
	return explain_open(err, code, &o->list->events[event], request.cpu, request.tid, &facts);
}

/*
 * ENODEV is said of a CPU that is not there and of an event that is not: only the first refuses a dummy as
 * well.
 */
static bool place_is_missing(const struct opening *o, size_t place)
{
	struct open_request request = request_at(o, place, -1);
	int fd = open_dummy(o->set->sys, &request);

	if (fd >= 0)
		counter_close(o->set->sys, fd);
	return fd == -ENODEV;
}

/* Before Linux 4.13 inherited counters could not be read by group. Only there a dummy is refused for that. */
static bool group_reads_refused(const struct opening *o, size_t place)
{
	struct open_request request = request_at(o, place, -1);
	int fd;

	if (!request.inherit || !request.group_reads)
		return false;
	fd = open_dummy(o->set->sys, &request);
	if (fd >= 0)
		counter_close(o->set->sys, fd);
	return fd == -EINVAL;
}

/* Decides what a refused open means. 0: this event is not counted here, go on. OPENING_AGAIN, or -errno. */
static int refused(struct opening *o, int code, size_t event, size_t place, struct ps_error *err)
{
	struct event_state *state = &o->states[event];

	if (code == ESRCH && o->gone && place >= o->n_named) {
		o->gone[place] = true;
		return 0;
	}
	if (state->kernel_forbidden ||
	    (open_event_lacks(code) && !(code == ENODEV && place_is_missing(o, place)))) {
		state->code = code;
		return 0;
	}
	if (code == EINVAL && group_reads_refused(o, place)) {
		o->set->single_reads = true;
		return OPENING_AGAIN;
	}
	if (o->list->events[event].is_default && code == EINVAL) {
		state->code = code;
		return 0;
	}
	return explain(o, code, event, place, err);
}

static bool wanted_at(const struct opening *o, const struct event *event, size_t place)
{
	if (!event->cpus || !opening_per_cpu(o))
		return true;
	for (size_t i = 0; i < event->n_cpus; i++)
		if (event->cpus[i] == o->set->cpus[place])
			return true;
	return false;
}

/* A descriptor, -errno, or -ENODATA when the event has no business here. */
static int open_member(struct opening *o, size_t event, size_t place, int group_fd)
{
	const struct event *e = &o->list->events[event];
	struct event_state *state = &o->states[event];
	struct open_request request = request_at(o, place, group_fd);
	int fd;

	if (state->kernel_forbidden || !wanted_at(o, e, place) || (o->gone && o->gone[place]))
		return -ENODATA;
	fd = open_event(o->set->sys, e, state, &request);
	if (fd >= 0)
		state->opened++;
	return fd;
}

/* An event with the dummies that solo wants before it, if it does. As open_member. */
static int open_with_dummies(struct opening *o, struct draft *draft, size_t event)
{
	for (int moves = 0;; moves++) {
		int rc = draft_start(o, draft);
		int fd = rc < 0 ? rc : open_member(o, event, draft->group.place, draft->fd);

		if (!o->set->solo || !may_have_moved(o, fd) || moves == MOVES_MAX)
			return fd;
		draft_drop(o->set, draft, o->states);
	}
}

/* An event in a group of its own. */
static int open_single(struct opening *o, size_t event, size_t place, struct ps_error *err)
{
	struct draft draft = { .group = { .place = place, .first = o->set->n_members }, .fd = -1 };
	int rc = make_room(o->set, 1, err);
	int fd;

	if (rc < 0)
		return rc;
	fd = open_with_dummies(o, &draft, event);
	if (o->set->solo && (fd == -EINVAL || fd == -ENODEV)) { /* it does not go with them, or they do not stay */
		draft_drop(o->set, &draft, o->states);
		fd = open_member(o, event, place, -1);
	}
	if (fd >= 0)
		draft_add(o->set, &draft, event, fd);
	draft_finish(o->set, &draft, o->states);
	return fd >= 0 || fd == -ENODATA ? OPENING_DONE : refused(o, -fd, event, place, err);
}

/* A group that the user insists on, at a thread that does not hold still. */
static int unsettled(const struct opening *o, size_t place, struct ps_error *err)
{
	(void)ps_fail(err, "counter", EAGAIN, "opening a group on thread %d, which makes and ends threads all the time",
		      (int)o->set->tids[place]);
	ps_hint(err, "count the events without braces, or attach when fewer threads come and go");
	return -EAGAIN;
}

/* How one try to open a group went on. */
enum trial {
	TRIAL_GOES_ON,
	TRIAL_MOVED,  /* all of it has to be tried again */
	TRIAL_BROKEN, /* the weak group was given up */
};

/* A member that the group does not take. OPENING_DONE, OPENING_AGAIN or -errno. */
static int left_out(struct opening *o, struct plan_group *plan, size_t place, size_t event, int fd, enum trial *trial,
		    struct ps_error *err)
{
	if (plan->shared) {
		o->states[event].alone = true;
		return OPENING_DONE;
	}
	if (plan->weak) {
		plan->broken = true;
		*trial = TRIAL_BROKEN;
		return OPENING_DONE;
	}
	return fd == -ENODEV ? unsettled(o, place, err) : refused(o, -fd, event, place, err);
}

/* Opens one member into the draft. OPENING_DONE, OPENING_AGAIN or -errno. */
static int join(struct opening *o, struct plan_group *plan, struct draft *draft, size_t event, bool last,
		enum trial *trial, struct ps_error *err)
{
	size_t place = draft->group.place;
	int fd = open_member(o, event, place, draft->fd);
	bool moved = draft->fd >= 0 && may_have_moved(o, fd);

	if (fd >= 0)
		draft_add(o->set, draft, event, fd);
	if (fd >= 0 || fd == -ENODATA)
		return OPENING_DONE;
	if (moved && !last) {
		*trial = TRIAL_MOVED;
		return OPENING_DONE;
	}
	if (draft->fd >= 0 && (moved || fd == -EINVAL))
		return left_out(o, plan, place, event, fd, trial, err);
	return refused(o, -fd, event, place, err);
}

/* One try at the whole group. */
static int try_together(struct opening *o, struct plan_group *plan, struct draft *draft, bool last, enum trial *trial,
			struct ps_error *err)
{
	size_t first = o->plan.order[plan->first];
	int rc = draft_start(o, draft);

	*trial = may_have_moved(o, rc) && !last ? TRIAL_MOVED : TRIAL_GOES_ON;
	if (*trial == TRIAL_MOVED)
		return OPENING_DONE;
	if (rc < 0)
		return rc == -ENODEV ? unsettled(o, draft->group.place, err) :
				       refused(o, -rc, first, draft->group.place, err);
	for (size_t i = 0; i < plan->n && !rc && *trial == TRIAL_GOES_ON; i++) {
		size_t event = o->plan.order[plan->first + i];

		if (!o->states[event].alone)
			rc = join(o, plan, draft, event, last, trial, err);
	}
	return rc;
}

static int open_together(struct opening *o, struct plan_group *plan, size_t place, struct ps_error *err)
{
	struct draft draft = { .group = { .place = place, .first = o->set->n_members }, .fd = -1 };
	enum trial trial = TRIAL_MOVED;
	int rc = make_room(o->set, plan->n, err);

	for (int moves = 0; rc == 0 && trial == TRIAL_MOVED; moves++) {
		rc = try_together(o, plan, &draft, moves == MOVES_MAX, &trial, err);
		if (trial != TRIAL_GOES_ON)
			draft_drop(o->set, &draft, o->states);
	}
	draft_finish(o->set, &draft, o->states);
	return rc;
}

/* One planned group, and by themselves those of its events that cannot be in it. */
static int open_group(struct opening *o, struct plan_group *plan, size_t place, struct ps_error *err)
{
	int rc = plan->broken || plan->n == 1 ? OPENING_DONE : open_together(o, plan, place, err);

	for (size_t i = 0; i < plan->n && !rc; i++) {
		size_t event = o->plan.order[plan->first + i];

		if (plan->broken || plan->n == 1 || o->states[event].alone)
			rc = open_single(o, event, place, err);
	}
	return rc;
}

int opening_place(struct opening *o, size_t place, struct ps_error *err)
{
	int rc = OPENING_DONE;

	for (size_t i = 0; i < o->plan.n_groups && !rc; i++)
		rc = open_group(o, &o->plan.groups[i], place, err);
	return rc;
}
