/* The options of `pstat record` and `pstat stat`. */
#include "cli/pstat_options.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>

#include "host/facts.h"
#include "report/view.h"

#define DEFAULT_ZSTD_LEVEL 6
#define DEFAULT_INTERVAL_NS (100 * NS_PER_MS)
#define LEAST_INTERVAL_NS (NS_PER_MS / 10)
#define SYSFS "/sys"

/* --- one setter per row ---------------------------------------------------------------------------------------------- */

static int set_event(void *config, const char *value, struct ps_error *err)
{
	struct pstat_options *options = config;

	return event_list_parse(&options->events, value, err);
}

static int set_interval(void *config, const char *value, struct ps_error *err)
{
	struct pstat_options *options = config;
	int64_t ns;
	int rc = option_ms(value, false, &ns, err);

	if (rc < 0)
		return rc;
	if (ns > 0 && ns < (int64_t)LEAST_INTERVAL_NS)
		return ps_fail(err, "usage", EINVAL, "%s ms is below the least interval of 0.1 ms", value);
	options->run.interval_ns = (uint64_t)ns;
	options->interval_given = true;
	return 0;
}

static int set_delay(void *config, const char *value, struct ps_error *err)
{
	struct pstat_options *options = config;

	return option_ms(value, true, &options->run.delay_ns, err);
}

static int set_timeout(void *config, const char *value, struct ps_error *err)
{
	struct pstat_options *options = config;
	int64_t ns;
	int rc = option_ms(value, false, &ns, err);

	if (rc == 0 && ns == 0)
		rc = ps_fail(err, "usage", EINVAL, "a session of no time counts nothing");
	if (rc == 0)
		options->run.timeout_ns = (uint64_t)ns;
	return rc;
}

static int set_interval_count(void *config, const char *value, struct ps_error *err)
{
	struct pstat_options *options = config;
	long count;
	int rc = option_number(value, 1, LONG_MAX, &count, err);

	if (rc == 0)
		options->run.interval_count = (uint64_t)count;
	return rc;
}

static int set_fd(int *fd, const char *value, struct ps_error *err)
{
	long number;
	int rc = option_number(value, 0, INT_MAX, &number, err);

	if (rc == 0)
		*fd = (int)number;
	return rc;
}

static int set_cmd_fd(void *config, const char *value, struct ps_error *err)
{
	return set_fd(&((struct pstat_options *)config)->run.controls.cmd_fd, value, err);
}

static int set_ack_fd(void *config, const char *value, struct ps_error *err)
{
	return set_fd(&((struct pstat_options *)config)->run.controls.ack_fd, value, err);
}

static int set_ready_fd(void *config, const char *value, struct ps_error *err)
{
	return set_fd(&((struct pstat_options *)config)->run.controls.ready_fd, value, err);
}

/* "fd:C[,A]" or "fifo:C[,A]" */
static int set_control(void *config, const char *value, struct ps_error *err)
{
	struct pstat_options *options = config;
	struct controls_config *controls = &options->run.controls;
	bool fds = !strncmp(value, "fd:", 3), fifos = !strncmp(value, "fifo:", 5);
	char *second;
	int rc = 0;

	if (!fds && !fifos) {
		ps_fail(err, "usage", EINVAL, "\"%s\" begins with neither fd: nor fifo:", value);
		ps_hint(err, "write fd:CMD[,ACK] with numbers or fifo:CMD[,ACK] with paths");
		return -EINVAL;
	}
	free(options->control);
	options->control = strdup(strchr(value, ':') + 1);
	if (!options->control)
		return ps_fail(err, "usage", ENOMEM, "reading \"%s\"", value);
	second = strchr(options->control, ',');
	if (second)
		*second++ = '\0';
	if (fifos) {
		if (!*options->control || (second && !*second))
			return ps_fail(err, "usage", EINVAL, "a path is missing in \"%s\"", value);
		controls->fifo_cmd = options->control;
		controls->fifo_ack = second;
		return 0;
	}
	rc = set_fd(&controls->text_cmd_fd, options->control, err);
	return rc == 0 && second ? set_fd(&controls->text_ack_fd, second, err) : rc;
}

/* A signal by name, with or without SIG, or by number; only those that are free to be used. */
static int set_signal(int *signo, const char *value, struct ps_error *err)
{
	const char *name = strncasecmp(value, "SIG", 3) ? value : value + 3;
	long number = 0;

	for (int i = 1; i < NSIG && !number; i++) {
		const char *abbrev = sigabbrev_np(i);

		if (abbrev && !strcasecmp(abbrev, name))
			number = i;
	}
	if (!number && option_number(value, 1, SIGRTMAX, &number, NULL) < 0)
		return ps_fail(err, "usage", EINVAL, "\"%s\" is no signal", value);
	switch (number) {
	case SIGKILL:
	case SIGSTOP:
	case SIGINT:
	case SIGTERM:
	case SIGHUP:
	case SIGQUIT:
	case SIGCHLD:
	case SIGPIPE:
		ps_fail(err, "usage", EINVAL, "%s has a meaning already", value);
		ps_hint(err, "use USR1, USR2 or a real-time signal");
		return -EINVAL;
	}
	*signo = (int)number;
	return 0;
}

static int set_pause_signal(void *config, const char *value, struct ps_error *err)
{
	return set_signal(&((struct pstat_options *)config)->run.controls.pause_signal, value, err);
}

static int set_resume_signal(void *config, const char *value, struct ps_error *err)
{
	return set_signal(&((struct pstat_options *)config)->run.controls.resume_signal, value, err);
}

static int set_toggle_signal(void *config, const char *value, struct ps_error *err)
{
	return set_signal(&((struct pstat_options *)config)->run.controls.toggle_signal, value, err);
}

static int set_ids(pid_t **list, const pid_t **ids, size_t *n, const char *value, struct ps_error *err)
{
	pid_t *read;
	int rc = option_ids(value, &read, err);

	if (rc < 0)
		return rc;
	free(*list);
	*list = read;
	*ids = read;
	*n = (size_t)rc;
	return 0;
}

static int set_pid(void *config, const char *value, struct ps_error *err)
{
	struct pstat_options *options = config;

	return set_ids(&options->pids, &options->run.pids, &options->run.n_pids, value, err);
}

static int set_tid(void *config, const char *value, struct ps_error *err)
{
	struct pstat_options *options = config;

	return set_ids(&options->tids, &options->run.tids, &options->run.n_tids, value, err);
}

static int set_level(void *config, const char *value, struct ps_error *err)
{
	long level;
	int rc = option_number(value, 0, 22, &level, err);

	if (rc == 0)
		((struct pstat_options *)config)->zstd_level = (int)level;
	return rc;
}

static int set_format(void *config, const char *value, struct ps_error *err)
{
	struct pstat_options *options = config;

	options->view = view_find(value);
	if (!options->view || options->view->records)
		return ps_fail(err, "usage", EINVAL, "\"%s\" is no format for live output", value);
	return 0;
}

/* --- the tables ------------------------------------------------------------------------------------------------------ */

#define AT(field) NULL, offsetof(struct pstat_options, field)

#define ROWS_OF_BOTH                                                                                                   \
	{ "event", 'e', "LIST", "events to count, as perf writes them; repeatable\n(default: those of perf stat)",     \
	  set_event, 0 },                                                                                                 \
	{ "delay", 'D', "MS", "start counting after MS; -1: start paused and wait for a resume", set_delay, 0 },          \
	{ "pid", 'p', "PID[,PID...]", "count existing processes with all their threads", set_pid, 0 },                   \
	{ "tid", 't', "TID[,TID...]", "count existing threads", set_tid, 0 },                                            \
	{ "all-cpus", 'a', NULL, "count everything on all online CPUs", AT(all_cpus) },                               \
	{ "cpu", 'C', "CPUS", "count everything on these CPUs, as 0-3,8", AT(cpu_list) },                                  \
	{ "no-inherit", 'i', NULL, "do not count children and threads made later", AT(no_inherit) },                  \
	{ "cmd-fd", 0, "N", "read binary commands (0 pause, 1 resume) from descriptor N", set_cmd_fd, 0 },               \
	{ "cmd-ack-fd", 0, "N", "answer each of them on descriptor N", set_ack_fd, 0 },                                  \
	{ "control", 0, "fd:C[,A]|fifo:C[,A]", "read perf's text commands, answer on A", set_control, 0 },               \
	{ "control-dir", 0, "DIR", "make the FIFOs DIR/cmd and DIR/ack for pstat ctl --dir", AT(run.controls.dir) },       \
	{ "workload-control", 0, NULL, "hand the command descriptors to control pstat with", AT(run.controls.workload) },  \
	{ "keys", 0, NULL, "space switches, m marks, q stops, on the terminal", AT(run.controls.keys) },                           \
	{ "ready-fd", 0, "N", "write one byte to descriptor N when the counters are open", set_ready_fd, 0 },            \
	{ "pause-signal", 0, "SIG", "pause when this signal comes", set_pause_signal, 0 },                               \
	{ "resume-signal", 0, "SIG", "resume when this signal comes", set_resume_signal, 0 },                            \
	{ "toggle-signal", 0, "SIG", "pause or resume when this signal comes", set_toggle_signal, 0 },                   \
	{ "timeout", 0, "MS", "end the session after MS", set_timeout, 0 },                                              \
	{ "interval-count", 0, "N", "end the session after N intervals", set_interval_count, 0 },                        \
	{ "strict", 0, NULL, "an event that cannot be counted here is an error", AT(run.strict) }

#define ROWS_OF_THE_END                                                                                                \
	{ "quiet", 'q', NULL, "only say what went wrong", AT(quiet) },                                                \
	{ "verbose", 'v', NULL, "tell each control step with its time", AT(verbose) },                                \
	{ "help", 'h', NULL, "show this and exit", AT(help) },                                                        \
	{ NULL, 0, NULL, NULL, NULL, 0 }

static const struct option_row record_rows[] = {
	{ "interval", 'I', "MS", "a reading every MS milliseconds, from 0.1 (default 100);\n"
	  "0: only at pauses and at the end", set_interval, 0 },
	ROWS_OF_BOTH,
	{ "output", 'o', "FILE", "write to FILE (default pstat.data); - is standard output", AT(output) },
	{ "compression-level", 'z', "LEVEL", "zstd level 1 to 22 (default 6); 0: do not compress", set_level, 0 },
	ROWS_OF_THE_END,
};

static const struct option_row stat_rows[] = {
	{ "interval", 'I', "MS", "print every MS milliseconds, from 0.1 (default 0: once, at the end)", set_interval, 0 },
	ROWS_OF_BOTH,
	{ "format", 'f', "FORMAT", "summary, timeline, csv, ...: see pstat-report(1)\n"
	  "(default: summary; with -I: timeline)", set_format, 0 },
	{ "output", 'o', "FILE", "write to FILE (default: standard error); - is standard output", AT(output) },
	ROWS_OF_THE_END,
};

void pstat_options_help(bool is_stat, FILE *out)
{
	option_help(is_stat ? stat_rows : record_rows, out);
}

/* --- checking what belongs together ---------------------------------------------------------------------------------- */

static int usage(struct ps_error *err, const char *what)
{
	return ps_fail(err, "usage", EINVAL, "%s", what);
}

static int check_targets(const struct pstat_options *options, struct ps_error *err)
{
	const struct run_config *run = &options->run;
	bool cpus = options->all_cpus || options->cpu_list;
	bool tasks = run->n_pids || run->n_tids;

	if (cpus && tasks)
		return usage(err, "-a and -C count whole CPUs, -p and -t tasks: choose one");
	if (options->all_cpus && options->cpu_list)
		return usage(err, "-a is all CPUs and -C some: choose one");
	if (!cpus && !tasks && !run->command)
		return usage(err, "nothing to count: give a command, -p, -t, -a or -C");
	return 0;
}

static int check_controls(const struct pstat_options *options, struct ps_error *err)
{
	const struct controls_config *controls = &options->run.controls;
	int fds[] = { controls->cmd_fd, controls->text_cmd_fd };

	if (controls->ack_fd >= 0 && controls->cmd_fd < 0)
		return usage(err, "--cmd-ack-fd answers what comes on --cmd-fd: give that too");
	if (controls->workload && !options->run.command)
		return usage(err, "--workload-control needs a command to hand the descriptors to");
	if (fds[0] >= 0 && fds[0] == fds[1])
		return usage(err, "--cmd-fd and --control read from the same descriptor");
	return 0;
}

static int check_signals(const struct controls_config *controls, struct ps_error *err)
{
	if ((controls->pause_signal && controls->pause_signal == controls->resume_signal) ||
	    (controls->toggle_signal && (controls->toggle_signal == controls->pause_signal ||
					 controls->toggle_signal == controls->resume_signal)))
		return usage(err, "one signal cannot mean two things");
	return 0;
}

static bool is_online(int32_t cpu, const int32_t *online, int n)
{
	for (int i = 0; i < n; i++)
		if (online[i] == cpu)
			return true;
	return false;
}

/* -a or -C to numbers; a CPU that is not online cannot be counted. */
static int find_cpus(struct pstat_options *options, struct ps_error *err)
{
	_cleanup_free_ int32_t *online = NULL;
	int n_online, n;

	if (!options->all_cpus && !options->cpu_list)
		return 0;
	n_online = host_online_cpus(SYSFS, &online, err);
	if (n_online < 0)
		return n_online;
	if (options->all_cpus) {
		options->cpus = attr_take(&online);
		n = n_online;
	} else {
		n = host_parse_cpus(options->cpu_list, &options->cpus, err);
		if (n < 0)
			return n;
	}
	for (int i = 0; online && i < n; i++) {
		if (is_online(options->cpus[i], online, n_online))
			continue;
		ps_fail(err, "cpus", ENODEV, "CPU %d is not online", options->cpus[i]);
		ps_hint(err, "see %s/devices/system/cpu/online for those that are", SYSFS);
		return -ENODEV;
	}
	options->run.cpus = options->cpus;
	options->run.n_cpus = (size_t)n;
	return 0;
}

static void set_defaults(struct pstat_options *options, bool is_stat)
{
	memset(options, 0, sizeof(*options));
	options->run.controls = (struct controls_config)CONTROLS_CONFIG_NONE;
	options->run.interval_ns = is_stat ? 0 : DEFAULT_INTERVAL_NS;
	options->zstd_level = DEFAULT_ZSTD_LEVEL;
}

int pstat_options_parse(struct pstat_options *options, bool is_stat, int argc, char *argv[], struct ps_error *err)
{
	int first, rc;

	set_defaults(options, is_stat);
	first = option_parse(is_stat ? stat_rows : record_rows, argc, argv, false, options, err);
	if (first < 0 || options->help)
		return first < 0 ? first : 0;
	if (first < argc)
		options->run.command = argv + first;
	options->run.inherit = !options->no_inherit;
	rc = check_targets(options, err);
	if (rc == 0)
		rc = check_controls(options, err);
	if (rc == 0)
		rc = check_signals(&options->run.controls, err);
	if (rc == 0)
		rc = find_cpus(options, err);
	if (rc == 0 && !options->events.n)
		rc = event_list_default(&options->events, err);
	options->run.events = &options->events;
	return rc;
}

void pstat_options_free(struct pstat_options *options)
{
	event_list_fini(&options->events);
	free(options->pids);
	free(options->tids);
	free(options->cpus);
	free(options->control);
}
