/* The session: what each event does while running and while paused. */
#include "record/session.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "data/meta.h"
#include "record/session_private.h"

uint64_t session_now_ns(const struct session *session)
{
	return clock_mono_ns(session->options.clock);
}

void session_step(const struct session *session, uint64_t at_ns, const char *fmt, ...)
{
	char text[256];
	int used;
	va_list args;

	if (!session->options.on_step)
		return;
	used = snprintf(text, sizeof(text), "%.6f s: ", (double)(int64_t)(at_ns - session->t0_ns) / 1e9);
	va_start(args, fmt);
	(void)vsnprintf(text + used, sizeof(text) - (size_t)used, fmt, args);
	va_end(args);
	session->options.on_step(session->options.data, text);
}

/* Timers are best effort once the session ends: their handlers look at the state. */
static void disarm_all(struct session *session)
{
	struct timer_source *timers[] = {
		&session->tick, &session->delay, &session->timeout, &session->checkpoint,
	};

	for (size_t i = 0; i < ARRAY_SIZE(timers); i++)
		if (timers[i]->fd >= 0)
			ps_ignore(timer_source_disarm(timers[i], NULL));
}

static void ended(struct session *session, enum marker_cause cause)
{
	session->state = SESSION_ENDED;
	session->end_cause = cause;
	disarm_all(session);
	if (session->options.on_end)
		session->options.on_end(session->options.data);
}

/* Recording ends here; what has been written stays whole. The first failure is the one that is told. */
static void fail(struct session *session, const struct ps_error *err)
{
	if (session->failure.code)
		return;
	session->failure = *err;
	if (session->state != SESSION_PAUSED)
		ps_ignore(counter_set_stop(session->counters, NULL)); /* already failing; nobody reads them any more */
	ended(session, MARKER_UNKNOWN);
}

static void on_output_failure(void *data, const struct ps_error *err)
{
	fail(data, err);
}

/* Turns a failed step into the session's failure. */
static bool good(struct session *session, int rc, const struct ps_error *err)
{
	if (rc < 0)
		fail(session, err);
	return rc >= 0;
}

/* The same for what went to the consumer, which may have no room for it now. */
static void put(struct session *session, int rc, struct ps_error *err)
{
	if (rc >= 0)
		rc = outlet_watch(&session->outlet, err);
	(void)good(session, rc, err);
}

void session_put_marker(struct session *session, enum meta_role role, enum marker_cause cause,
		       uint64_t request_ns, uint64_t done_ns, const char *label)
{
	struct ps_error err = PS_ERROR_INIT;

	if (session->failure.code)
		return;
	put(session, emit_marker(&session->emit, role, cause, request_ns, done_ns, label, &err), &err);
}

void session_put_reading(struct session *session, uint64_t at_ns)
{
	struct ps_error err = PS_ERROR_INIT;

	if (session->failure.code)
		return;
	put(session, emit_reading(&session->emit, session->counters, at_ns - session->t0_ns, &err), &err);
}

bool session_read(struct session *session)
{
	struct ps_error err = PS_ERROR_INIT;
	int rc = counter_set_settle(session->counters, &err);

	if (rc == 0)
		rc = counter_set_read(session->counters, &err);
	return good(session, rc, &err);
}

uint64_t session_intervals_left(const struct session *session)
{
	if (!session->options.interval_count)
		return UINT64_MAX;
	if (session->emit.rounds >= session->options.interval_count)
		return 0;
	return session->options.interval_count - session->emit.rounds;
}

/* --- the two switches ------------------------------------------------------------------------------------------------ */

void session_answer(struct reply *reply, int result)
{
	if (reply)
		reply->send(reply, result);
}

void session_resume(struct session *session, enum marker_cause cause, uint64_t request_ns,
		   const char *label, struct reply *reply)
{
	struct ps_error err = PS_ERROR_INIT;
	int rc = counter_set_start(session->counters, &err);
	uint64_t done_ns = session_now_ns(session);

	session_answer(reply, rc);
	if (rc < 0) {
		session_step(session, done_ns, "resume failed: %s: %s", err.what, strerror(err.code));
		ps_ignore(counter_set_stop(session->counters, NULL)); /* some may run */
		return;
	}
	session->state = SESSION_RUNNING;
	session->windows++;
	session_put_marker(session, META_RESUME, cause, request_ns, done_ns, label);
	(void)good(session, counter_set_settle(session->counters, &err), &err);
	if (session->options.interval_ns && session->state == SESSION_RUNNING)
		(void)good(session, timer_source_arm(&session->tick, done_ns + session->options.interval_ns,
						     session->options.interval_ns, &err), &err);
	session_step(session, done_ns, "resume (%s), window %u", marker_cause_name(cause), session->windows);
}

/* A counter that cannot be stopped is answered and the session goes on, still running. */
void session_pause(struct session *session, enum marker_cause cause, uint64_t request_ns,
			   struct reply *reply)
{
	struct ps_error err = PS_ERROR_INIT;
	int rc = counter_set_stop(session->counters, &err);
	uint64_t done_ns = session_now_ns(session);

	session_answer(reply, rc);
	if (rc < 0) {
		session_step(session, done_ns, "pause failed: %s: %s", err.what, strerror(err.code));
		return;
	}
	session->state = SESSION_PAUSED;
	if (session->options.interval_ns &&
	    !good(session, timer_source_disarm(&session->tick, &err), &err))
		return;
	if (!session_read(session))
		return;
	session_put_marker(session, META_PAUSE, cause, request_ns, done_ns, NULL);
	session_put_reading(session, done_ns);
	session_step(session, done_ns, "pause (%s)", marker_cause_name(cause));
}

void session_end_now(struct session *session, enum marker_cause cause, uint64_t request_ns, struct reply *reply)
{
	struct ps_error err = PS_ERROR_INIT;

	session->emit.last_round = session->options.single_summary;
	if (session->state == SESSION_RUNNING) {
		session_pause(session, cause, request_ns, reply);
	} else {
		session_answer(reply, 0);
		/* Nothing moved since the pause: this tells when the session ended. */
		if (session_read(session))
			session_put_reading(session, session_now_ns(session));
	}
	if (session->failure.code)
		return;
	put(session, emit_checkpoint(&session->emit, &err), &err);
	if (session->state != SESSION_ENDED)
		ended(session, cause);
	session_step(session, session_now_ns(session), "end (%s)", marker_cause_name(cause));
}

/* --- timers --------------------------------------------------------------------------------------------------------- */

void session_tick(struct session *session, uint64_t expiries)
{
	uint64_t at_ns = session_now_ns(session);

	if (expiries == 0 || session->state != SESSION_RUNNING)
		return;
	session->missed += expiries - 1;
	if (session_intervals_left(session) == 1)
		session_end_now(session, MARKER_TIMEOUT, at_ns, NULL); /* takes the last reading */
	else if (session_read(session))
		session_put_reading(session, at_ns);
}

void session_delay_over(struct session *session)
{
	session_switch(session, true, MARKER_DELAY, session_now_ns(session));
}

static int on_tick(void *data, int fd, short revents, struct ps_error *err)
{
	struct session *session = data;
	int64_t n = timer_source_take(&session->tick, err);

	(void)fd;
	(void)revents;
	if (n < 0)
		return (int)n;
	session_tick(session, (uint64_t)n);
	return 0;
}

static int on_delay(void *data, int fd, short revents, struct ps_error *err)
{
	struct session *session = data;
	int64_t n = timer_source_take(&session->delay, err);

	(void)fd;
	(void)revents;
	if (n > 0)
		session_delay_over(session);
	return n < 0 ? (int)n : 0;
}

static int on_timeout(void *data, int fd, short revents, struct ps_error *err)
{
	struct session *session = data;
	int64_t n = timer_source_take(&session->timeout, err);

	(void)fd;
	(void)revents;
	if (n > 0)
		session_end(session, MARKER_TIMEOUT);
	return n < 0 ? (int)n : 0;
}

static int on_checkpoint(void *data, int fd, short revents, struct ps_error *err)
{
	struct session *session = data;
	struct ps_error failed = PS_ERROR_INIT;
	int64_t n = timer_source_take(&session->checkpoint, err);

	(void)fd;
	(void)revents;
	if (n > 0 && session->state != SESSION_ENDED &&
	    good(session, counter_set_settle(session->counters, &failed), &failed))
		put(session, emit_tick(&session->emit, &failed), &failed);
	return n < 0 ? (int)n : 0;
}

static int add_timer(struct session *session, struct timer_source *timer, bool wanted, loop_fn fn,
		     struct ps_error *err)
{
	int rc;

	if (!wanted)
		return 0;
	rc = timer_source_open(timer, err);
	return rc < 0 ? rc : loop_add(session->loop, timer->fd, POLLIN, fn, session, err);
}

static int add_timers(struct session *session, struct ps_error *err)
{
	const struct session_options *options = &session->options;
	int rc = add_timer(session, &session->tick, options->interval_ns > 0, on_tick, err);

	if (rc == 0)
		rc = add_timer(session, &session->delay, options->delay_ns > 0, on_delay, err);
	if (rc == 0)
		rc = add_timer(session, &session->timeout, options->timeout_ns > 0, on_timeout, err);
	if (rc == 0)
		rc = add_timer(session, &session->checkpoint, true, on_checkpoint, err);
	return rc;
}

/* --- life ----------------------------------------------------------------------------------------------------------- */

int session_new(struct session **out, const struct session_options *options, struct counter_set *counters,
		struct meta *meta, const struct consumer *consumer, struct loop *loop, struct ps_error *err)
{
	struct session *session = calloc(1, sizeof(*session));
	int rc;

	if (!session)
		return ps_fail(err, "session", ENOMEM, "starting");
	session->options = *options;
	session->counters = counters;
	session->meta = meta;
	session->loop = loop;
	session->end_cause = MARKER_UNKNOWN;
	session->tick.fd = session->delay.fd = session->timeout.fd = session->checkpoint.fd = -1;
	emit_init(&session->emit, meta, consumer, options->marker_pid);
	outlet_init(&session->outlet, consumer, loop, on_output_failure, session);
	rc = add_timers(session, err);
	if (rc < 0) {
		session_free(session);
		return rc;
	}
	*out = session;
	return 0;
}

/* The start of counting, or of waiting, at t0. */
static int begin_state(struct session *session, bool t0_given, struct ps_error *err)
{
	const struct session_options *options = &session->options;
	bool run = options->delay_ns == 0;
	int rc = 0;

	if (run && !options->counters_running)
		rc = counter_set_start(session->counters, err);
	if (rc < 0)
		return rc;
	if (!t0_given)
		clock_pair(options->clock, &session->meta->t0_mono_ns, &session->meta->t0_wall_ns);
	session->meta->has_t0 = true;
	session->t0_ns = session->meta->t0_mono_ns;
	session->state = run ? SESSION_RUNNING : SESSION_PAUSED;
	session->windows = run;
	return 0;
}

static int arm_timers(struct session *session, struct ps_error *err)
{
	const struct session_options *options = &session->options;
	uint64_t t0 = session->t0_ns;
	int rc = timer_source_arm(&session->checkpoint, t0 + CONSUMER_TICK_NS, CONSUMER_TICK_NS, err);

	if (rc == 0 && options->interval_ns && session->state == SESSION_RUNNING)
		rc = timer_source_arm(&session->tick, t0 + options->interval_ns, options->interval_ns, err);
	if (rc == 0 && options->delay_ns > 0)
		rc = timer_source_arm(&session->delay, t0 + (uint64_t)options->delay_ns, 0, err);
	if (rc == 0 && options->timeout_ns)
		rc = timer_source_arm(&session->timeout, t0 + options->timeout_ns, 0, err);
	return rc;
}

int session_begin(struct session *session, uint64_t t0_mono_ns, uint64_t t0_wall_ns, struct ps_error *err)
{
	bool run;
	int rc;

	session->meta->t0_mono_ns = t0_mono_ns;
	session->meta->t0_wall_ns = t0_wall_ns;
	rc = begin_state(session, t0_mono_ns != 0, err);
	if (rc == 0)
		rc = emit_start(&session->emit, err);
	if (!good(session, rc, err))
		return rc;
	run = session->state == SESSION_RUNNING;
	session_put_marker(session, run ? META_RESUME : META_PAUSE, MARKER_START, session->t0_ns, session->t0_ns, NULL);
	session_step(session, session->t0_ns, run ? "start, window 1" : "start, paused");
	return arm_timers(session, err);
}

void session_end(struct session *session, enum marker_cause cause)
{
	if (session->state != SESSION_ENDED)
		session_end_now(session, cause, session_now_ns(session), NULL);
}

void session_abort(struct session *session, const struct ps_error *err)
{
	fail(session, err);
}

int session_finish(struct session *session, struct ps_error *err)
{
	struct ps_error finish = PS_ERROR_INIT;
	int rc;

	outlet_fini(&session->outlet);
	rc = emit_finish(&session->emit, &finish);
	if (session->failure.code) {
		*err = session->failure;
		return -err->code;
	}
	if (rc < 0)
		*err = finish;
	return rc;
}

void session_free(struct session *session)
{
	if (!session)
		return;
	outlet_fini(&session->outlet);
	struct timer_source *timers[] = {
		&session->tick, &session->delay, &session->timeout, &session->checkpoint,
	};

	for (size_t i = 0; i < ARRAY_SIZE(timers); i++) {
		if (timers[i]->fd < 0)
			continue;
		loop_remove(session->loop, timers[i]->fd);
		timer_source_close(timers[i]);
	}
	free(session);
}

/* --- what can be asked ---------------------------------------------------------------------------------------------- */

enum session_state session_state(const struct session *session)
{
	return session->state;
}

const struct ps_error *session_failure(const struct session *session)
{
	return session->failure.code ? &session->failure : NULL;
}

enum marker_cause session_end_cause(const struct session *session)
{
	return session->end_cause;
}

unsigned session_windows(const struct session *session)
{
	return session->windows;
}

uint64_t session_readings(const struct session *session)
{
	return session->emit.rounds;
}

uint64_t session_missed_ticks(const struct session *session)
{
	return session->missed;
}
