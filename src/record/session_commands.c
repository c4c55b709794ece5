/* What a session does with each command of a controller. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/session_private.h"

static void mark(struct session *session, const struct command *command, struct reply *reply)
{
	uint64_t at_ns = session_now_ns(session);

	session_answer(reply, 0);
	session_put_marker(session, META_MARK, MARKER_MARK, command->request_ns, at_ns, command->text);
	session_step(session, at_ns, "mark %s", command->text ? command->text : "");
}

static void list_events(const struct session *session, bool verbose, struct reply *reply)
{
	char line[256];

	for (size_t i = 0; reply->line && i < counter_set_n_events(session->counters); i++) {
		const struct counter_set_event *event = counter_set_event(session->counters, i);

		(void)snprintf(line, sizeof(line), "%s%s%s", event->name,
			       event->unsupported ? " (not supported)" : "", event->off ? " (off)" : "");
		if (verbose && !event->unsupported)
			(void)snprintf(line, sizeof(line), "%s: type %u, config 0x%llx, %zu counters%s",
				       event->name, event->event->attr.type,
				       (unsigned long long)event->event->attr.config, event->n_cells,
				       event->off ? ", off" : "");
		reply->line(reply, line);
	}
	session_answer(reply, 0);
}

/* The event's place in the set, or the number of events when there is none of that name. */
static size_t find_event(const struct session *session, const char *name)
{
	size_t n = counter_set_n_events(session->counters), i = 0;

	while (i < n && (!name || strcmp(counter_set_event(session->counters, i)->name, name)))
		i++;
	return i;
}

/*
 * One event off or on. The interval up to here is closed while the event is off, so that it is counted for the whole of an
 * interval or not at all.
 */
static void switch_event(struct session *session, const char *name, bool on, struct reply *reply)
{
	struct ps_error err = PS_ERROR_INIT;
	size_t i = find_event(session, name);
	bool running = session->state == SESSION_RUNNING, was_read = false;
	uint64_t at_ns;
	int rc;

	if (i == counter_set_n_events(session->counters)) {
		session_answer(reply, -ENOENT);
		return;
	}
	if (on && counter_set_event(session->counters, i)->unsupported) {
		session_answer(reply, -EOPNOTSUPP);
		return;
	}
	if (on && running)
		was_read = session_read(session);
	at_ns = session_now_ns(session);
	rc = counter_set_switch(session->counters, i, on, &err);
	session_answer(reply, rc);
	if (rc < 0)
		session_step(session, at_ns, "%s %s failed: %s", on ? "enable" : "disable", name, err.what);
	if (rc >= 0 && !on && running) {
		at_ns = session_now_ns(session);
		was_read = session_read(session);
	}
	if (was_read)
		session_put_reading(session, at_ns);
	if (rc >= 0)
		session_step(session, at_ns, "%s %s", on ? "enable" : "disable", name);
}

/* After the end: what asks for nothing is done, the rest is refused. */
static int command_after_end(enum command_kind kind)
{
	switch (kind) {
	case COMMAND_PAUSE:
	case COMMAND_PING:
	case COMMAND_STOP:
		return 0;
	case COMMAND_INVALID:
		return -EINVAL;
	default:
		return -ESHUTDOWN;
	}
}

static void command_running(struct session *session, const struct command *command, struct reply *reply)
{
	bool running = session->state == SESSION_RUNNING;

	switch (command->kind) {
	case COMMAND_PAUSE:
		if (running)
			session_pause(session, MARKER_COMMAND, command->request_ns, reply);
		else
			session_answer(reply, 0);
		break;
	case COMMAND_RESUME:
		if (running)
			session_answer(reply, 0);
		else
			session_resume(session, MARKER_COMMAND, command->request_ns, command->text, reply);
		break;
	case COMMAND_MARK:
		mark(session, command, reply);
		break;
	case COMMAND_PING:
		session_answer(reply, 0);
		break;
	case COMMAND_STOP:
		session_end_now(session, MARKER_COMMAND, command->request_ns, reply);
		break;
	case COMMAND_EVLIST:
		list_events(session, command->text != NULL, reply);
		break;
	case COMMAND_ENABLE_EVENT:
	case COMMAND_DISABLE_EVENT:
		switch_event(session, command->text, command->kind == COMMAND_ENABLE_EVENT, reply);
		break;
	case COMMAND_INVALID:
		session_answer(reply, -EINVAL);
		break;
	}
}

/* A pause may have taken the last reading that --interval-count allows. */
static void end_when_full(struct session *session)
{
	if (session_intervals_left(session) == 0 && session->state != SESSION_ENDED)
		session_end_now(session, MARKER_TIMEOUT, session_now_ns(session), NULL);
}

int session_command(void *data, const struct command *command, struct reply *reply, struct ps_error *err)
{
	struct session *session = data;

	(void)err;
	if (session->state == SESSION_ENDED)
		session_answer(reply, command_after_end(command->kind));
	else
		command_running(session, command, reply);
	end_when_full(session);
	return 0;
}

void session_switch(struct session *session, bool run, enum marker_cause cause, uint64_t request_ns)
{
	if (run && session->state == SESSION_PAUSED)
		session_resume(session, cause, request_ns, NULL, NULL);
	else if (!run && session->state == SESSION_RUNNING)
		session_pause(session, cause, request_ns, NULL);
	end_when_full(session);
}
