/* One run of pstat. */
#include "record/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "event/counter_set.h"
#include "event/sysfs.h"
#include "record/describe.h"
#include "record/session.h"
#include "record/targets.h"
#include "record/tracepoints.h"

struct run {
	const struct run_config *config;
	struct loop loop;
	struct signal_source signals;
	struct sysperf sys;
	struct sysperf_kernel kernel;
	struct workload workload;
	struct targets targets;
	struct controls *controls;
	struct counter_set *counters;
	struct meta meta;
	struct session *session;
	int end_signal; /* the first of INT, TERM, HUP, QUIT; 0: none came */
	bool let_go;      /* the command was executed */
	bool misused;     /* a descriptor the user named cannot be used */
	bool not_started; /* the command could not be: its errno is the reason */
	bool told;        /* on_failure was called */
	uint64_t t0_mono_ns, t0_wall_ns; /* when it was let go */
};

static bool workload_runs(const struct run *run)
{
	return run->let_go && !run->workload.reaped;
}

/* --- what happens meanwhile ------------------------------------------------------------------------------------------ */

/* The session ended by itself. A command that is still there is asked to end, but left alone when recording failed. */
static void on_session_end(void *data)
{
	struct run *run = data;
	const struct ps_error *failure = session_failure(run->session);
	enum marker_cause cause = session_end_cause(run->session);

	if (failure && !run->told) {
		run->told = true;
		run->config->on_failure(run->config->data, failure);
	}
	if (!workload_runs(run))
		loop_stop(&run->loop);
	else if (cause == MARKER_TIMEOUT || cause == MARKER_COMMAND)
		(void)workload_kill(&run->workload, SIGTERM); /* -ESRCH: it has just ended */
}

static void on_session_step(void *data, const char *text)
{
	struct run *run = data;

	run->config->on_step(run->config->data, text);
}

static void on_channel_note(void *data, const char *text)
{
	struct run *run = data;

	run->config->on_note(run->config->data, text);
}

static int on_command(void *data, const struct command *command, struct reply *reply, struct ps_error *err)
{
	struct run *run = data;

	return session_command(run->session, command, reply, err);
}

static void toggle(struct run *run, enum marker_cause cause)
{
	session_switch(run->session, session_state(run->session) == SESSION_PAUSED, cause,
		       clock_mono_ns(&clock_system));
}

static void on_toggle_key(void *data)
{
	toggle(data, MARKER_COMMAND);
}

static int on_workload_end(void *data, int fd, short revents, struct ps_error *err)
{
	struct run *run = data;
	int rc = workload_reap(&run->workload, err);

	(void)revents;
	if (rc <= 0)
		return rc;
	loop_remove(&run->loop, fd);
	session_end(run->session, MARKER_EXIT);
	loop_stop(&run->loop);
	return 0;
}

static void on_targets_gone(void *data)
{
	struct run *run = data;

	if (!workload_runs(run))
		session_end(run->session, MARKER_EXIT);
}

/* --- signals --------------------------------------------------------------------------------------------------------- */

static bool ends_run(int signo)
{
	return signo == SIGINT || signo == SIGTERM || signo == SIGHUP || signo == SIGQUIT;
}

/*
 * The first one ends the counting and is passed on; the second one ends the command. What the terminal sends has reached
 * the command too, as it is in the same process group.
 */
static void end_by_signal(struct run *run, const struct signalfd_siginfo *info)
{
	int signo = (int)info->ssi_signo;
	bool again = run->end_signal != 0;

	if (!again)
		run->end_signal = signo;
	session_end(run->session, MARKER_SIGNAL);
	if (!workload_runs(run))
		loop_stop(&run->loop);
	else if (again)
		(void)workload_kill(&run->workload, SIGKILL);
	else if (info->ssi_code != SI_KERNEL)
		(void)workload_kill(&run->workload, signo);
}

static int on_signal(void *data, int fd, short revents, struct ps_error *err)
{
	struct run *run = data;
	const struct controls_config *controls = &run->config->controls;
	struct signalfd_siginfo info;
	int rc;

	(void)fd;
	(void)revents;
	while ((rc = signal_source_next(&run->signals, &info, err)) > 0) {
		int signo = (int)info.ssi_signo;
		uint64_t now = clock_mono_ns(&clock_system);

		if (signo == controls->pause_signal)
			session_switch(run->session, false, MARKER_SIGNAL, now);
		else if (signo == controls->resume_signal)
			session_switch(run->session, true, MARKER_SIGNAL, now);
		else if (signo == controls->toggle_signal)
			toggle(run, MARKER_SIGNAL);
		else if (ends_run(signo))
			end_by_signal(run, &info);
	}
	return rc;
}

static int open_signals(struct run *run, struct ps_error *err)
{
	const struct controls_config *controls = &run->config->controls;
	const int wanted[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, controls->pause_signal,
			       controls->resume_signal, controls->toggle_signal };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (wanted[i])
			sigaddset(&set, wanted[i]);
	return signal_source_open(&run->signals, &set, err);
}

/* --- setting up, in this order --------------------------------------------------------------------------------------- */

static int fork_command(struct run *run, struct ps_error *err)
{
	struct workload_start start = {
		.argv = run->config->command,
		.signals = &run->signals,
		.control = controls_for_workload(run->controls),
		.stdout_to_stderr = run->config->stdout_taken,
	};

	return workload_fork(&run->workload, &start, err);
}

static int prepare(struct run *run, struct ps_error *err)
{
	const struct run_config *config = run->config;
	int rc = sysperf_kernel_init(&run->sys, &run->kernel);

	if (rc < 0)
		return ps_fail(err, "run", -rc, "looking at the CPUs pstat may run on");
	rc = open_signals(run, err);
	if (rc == 0) {
		rc = controls_check(&config->controls, err);
		run->misused = rc < 0;
	}
	if (rc == 0)
		rc = controls_new(&run->controls, &config->controls, err);
	if (rc < 0 || !config->command)
		return rc;
	rc = workload_check(config->command[0], err);
	run->not_started = rc < 0;
	if (rc == 0)
		rc = fork_command(run, err);
	return rc;
}

/* The command alone is the target: it is counted from its exec on. */
static bool counts_workload(const struct run_config *config)
{
	return config->command && !config->n_pids && !config->n_tids && !config->n_cpus;
}

static int check_strict(const struct run *run, struct ps_error *err)
{
	for (size_t i = 0; run->config->strict && i < counter_set_n_events(run->counters); i++) {
		const struct counter_set_event *event = counter_set_event(run->counters, i);

		if (!event->unsupported)
			continue;
		ps_fail(err, "events", event->unsupported, "%s is not supported here, and --strict was given",
			event->name);
		return -err->code;
	}
	return 0;
}

static int open_counters(struct run *run, struct ps_error *err)
{
	const struct run_config *config = run->config;
	bool launched = counts_workload(config);
	struct target target = {
		.pids = config->pids,
		.n_pids = config->n_pids,
		.tids = launched ? &run->workload.pid : config->tids,
		.n_tids = launched ? 1 : config->n_tids,
		.cpus = config->cpus,
		.n_cpus = config->n_cpus,
		.inherit = config->inherit,
		.enable_on_exec = launched && config->delay_ns == 0,
		.solo = controls_text(&config->controls),
	};
	int rc = targets_open(&run->targets, &run->loop, config->pids, config->n_pids, config->tids, config->n_tids,
			      on_targets_gone, run, err);

	if (rc == 0)
		rc = counter_set_open(&run->counters, &run->sys, config->events, &target, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < counter_set_n_notes(run->counters); i++)
		config->on_note(config->data, counter_set_note(run->counters, i));
	return check_strict(run, err);
}

static pid_t marker_pid(const struct run *run)
{
	pid_t first = counter_set_thread(run->counters, 0);

	return first > 0 ? first : getpid();
}

static int make_session(struct run *run, struct ps_error *err)
{
	const struct run_config *config = run->config;
	bool single = !config->interval_ns && !controls_any(&config->controls);
	struct describe_options about = {
		.argc = config->argc,
		.argv = config->argv,
		.interval_ns = config->interval_ns,
		.single_summary = single,
		.marks = controls_text(&config->controls) || config->controls.keys,
		.sysfs = "/sys",
	};
	struct session_options options = {
		.interval_ns = config->interval_ns,
		.delay_ns = config->delay_ns,
		.timeout_ns = config->timeout_ns,
		.interval_count = config->interval_count,
		.counters_running = config->command && config->delay_ns == 0,
		.single_summary = single,
		.marker_pid = marker_pid(run),
		.clock = &clock_system,
		.on_end = on_session_end,
		.on_step = config->on_step ? on_session_step : NULL,
		.data = run,
	};
	struct controls_calls calls = { on_command, on_toggle_key, on_channel_note, run };
	int rc = describe(&run->meta, run->counters, &about, err);

	if (rc == 0)
		rc = describe_tracepoints(&run->meta, run->counters, tracefs_default(), err);
	if (rc == 0)
		rc = session_new(&run->session, &options, run->counters, &run->meta, config->consumer, &run->loop, err);
	if (rc == 0)
		rc = controls_start(run->controls, &run->loop, &clock_system, &calls, err);
	if (rc == 0)
		rc = loop_add(&run->loop, run->signals.fd, POLLIN, on_signal, run, err);
	if (rc == 0 && config->command)
		rc = loop_add(&run->loop, run->workload.pidfd, POLLIN, on_workload_end, run, err);
	return rc;
}

/*
 * The command is let go, with the counters on where it starts counting: its own start at its exec, those of other targets
 * here. t0 is this moment. Nothing has been written yet, so a command that cannot be executed leaves nothing behind.
 */
static int let_go(struct run *run, struct ps_error *err)
{
	const struct run_config *config = run->config;
	int rc = 0;

	if (!config->command)
		return 0;
	if (!counts_workload(config) && config->delay_ns == 0)
		rc = counter_set_start(run->counters, err);
	if (rc < 0)
		return rc;
	clock_pair(&clock_system, &run->t0_mono_ns, &run->t0_wall_ns);
	rc = workload_go(&run->workload, config->command[0], err);
	run->let_go = rc == 0;
	run->not_started = rc < 0;
	return rc;
}

/* Exec is behind us, or there is none: from here on a failure leaves the command running. */
static int begin(struct run *run, struct ps_error *err)
{
	int rc = describe_programs(&run->meta, err);

	if (rc == 0)
		rc = session_begin(run->session, run->t0_mono_ns, run->t0_wall_ns, err);
	if (rc < 0)
		session_abort(run->session, err);
	return rc;
}

static int start(struct run *run, struct ps_error *err)
{
	int rc = prepare(run, err);

	if (rc == 0)
		rc = open_counters(run, err);
	if (rc == 0)
		rc = make_session(run, err);
	if (rc == 0)
		rc = controls_ready(run->controls, err); /* before the command can do anything that shows */
	if (rc == 0)
		rc = let_go(run, err);
	return rc;
}

/* --- the end --------------------------------------------------------------------------------------------------------- */

static int exit_status(const struct run *run)
{
	if (run->let_go)
		return workload_exit_status(&run->workload);
	if (run->end_signal && run->end_signal != SIGINT)
		return 128 + run->end_signal;
	return 0;
}

static int failure_status(const struct run *run, int rc)
{
	if (!run->not_started)
		return run->misused ? RUN_STATUS_USAGE : RUN_STATUS_FAILURE;
	if (rc == -ECHILD) /* a signal ended it before its exec, as it would have after */
		return workload_exit_status(&run->workload);
	return rc == -ENOENT ? RUN_STATUS_NOT_FOUND : RUN_STATUS_NOT_EXECUTABLE;
}

/* Served until it is over. When the loop itself fails recording ends, and the command is waited for all the same. */
static void serve(struct run *run, struct ps_error *err)
{
	int rc = 0;

	if (session_state(run->session) != SESSION_ENDED || workload_runs(run))
		rc = loop_run(&run->loop, err);
	if (rc == 0)
		rc = loop_step(&run->loop, 0, err); /* commands that came meanwhile get their answers */
	if (rc == 0)
		return;
	session_abort(run->session, err);
	if (workload_runs(run))
		workload_wait(&run->workload);
}

/* Everything is set up and the command runs. */
static int record(struct run *run, struct run_result *result, struct ps_error *err)
{
	struct ps_error meanwhile = PS_ERROR_INIT;
	int rc;

	(void)begin(run, &meanwhile); /* a failure is kept by the session */
	serve(run, &meanwhile);
	rc = session_finish(run->session, err);
	result->windows = session_windows(run->session);
	result->readings = session_readings(run->session);
	result->missed_ticks = session_missed_ticks(run->session);
	result->status = rc < 0 ? RUN_STATUS_FAILURE : exit_status(run);
	return run->told ? 0 : rc;
}

/* What came too late to matter must not take effect when the mask is given back. */
static void forget_signals(struct run *run)
{
	struct signalfd_siginfo info;

	if (run->signals.fd < 0)
		return;
	while (signal_source_next(&run->signals, &info, NULL) > 0)
		;
	signal_source_close(&run->signals);
}

static void fini(struct run *run)
{
	controls_free(run->controls);
	session_free(run->session);
	targets_close(&run->targets);
	counter_set_free(run->counters);
	workload_fini(&run->workload);
	meta_fini(&run->meta);
	forget_signals(run);
	sysperf_kernel_fini(&run->kernel);
	loop_fini(&run->loop);
}

int run(const struct run_config *config, struct run_result *result, struct ps_error *err)
{
	struct run run = { .config = config, .signals.fd = -1, .workload = WORKLOAD_NONE };
	int rc;

	memset(result, 0, sizeof(*result));
	loop_init(&run.loop);
	meta_init(&run.meta);
	rc = start(&run, err);
	if (rc < 0)
		result->status = failure_status(&run, rc);
	else
		rc = record(&run, result, err);
	fini(&run);
	return rc;
}
