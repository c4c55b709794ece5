/*
 * The views against golden files: recordings built in memory with fixed times and host facts, through the live report into
 * text. PSTAT_UPDATE_GOLDEN=1 (make update-golden) rewrites tests/golden/ in the source tree instead of comparing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/recording.h"
#include "lib/unit.h"
#include "report/report.h"

/* What is recorded. */
enum subject {
	WINDOWS, /* pauses, labels, marks, multiplexing, an event that is not supported */
	CPUS,    /* system-wide on three CPUs */
	THREADS,
	MANY,    /* 120 windows, three labels and none */
	SAMPLES, /* sampled only */
	NEVER,   /* never resumed */
};

static void add_facts(struct meta *meta)
{
	struct feature_set *features = &meta->features;

	features->hostname = strdup("bench-3");
	features->osrelease = strdup("6.1.0-18-amd64");
	features->arch = strdup("x86_64");
	features->cpudesc = strdup("Example CPU @ 2.00GHz");
	features->version = strdup("pstat 0.1.0");
	features->cpus_online = 4;
	features->n_cmdline = 2;
	features->cmdline = calloc(2, sizeof(*features->cmdline));
	features->cmdline[0] = strdup("./server");
	features->cmdline[1] = strdup("--name=a,\"b\"\033[31m\xff");
}

/* task-clock, page-faults, instructions, cycles (multiplexed), an energy event, cache-misses (not supported) */
static void add_events(struct meta *meta)
{
	struct meta_event *energy;

	recording_add_event(meta, "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 1, 1);
	recording_add_event(meta, "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 2, 1);
	recording_add_event(meta, "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 3, 1);
	recording_add_event(meta, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 4, 1);
	energy = recording_add_event(meta, "power/energy-pkg,\"x\"/", 9, 2, 5, 1);
	energy->scale = 2.3283064365386962890625e-10;
	energy->unit = strdup("Joules");
	recording_add_event(meta, "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 0, 0);
}

static void make_meta(struct meta *meta, enum subject subject)
{
	if (subject == WINDOWS) {
		meta_init(meta);
		add_events(meta);
		recording_add_markers(meta);
		add_facts(meta);
		meta->has_t0 = meta->is_stat = meta->scale = true;
		meta->t0_mono_ns = RECORDING_T0_NS;
		meta->t0_wall_ns = UINT64_C(1700000000123456789);
		meta->interval_ms = 100;
		return;
	}
	recording_meta(meta, subject != CPUS && subject != THREADS && subject != SAMPLES);
	add_facts(meta);
	if (subject == THREADS) {
		meta->n_threads = 2;
		meta->threads = calloc(2, sizeof(*meta->threads));
		meta->threads[0] = (struct meta_thread){ 4711, "main" };
		meta->threads[1] = (struct meta_thread){ 4712, "work,er\"1" };
	}
	if (subject == SAMPLES) {
		meta->is_stat = meta->has_t0 = false;
		meta->t0_wall_ns = 0;
	}
}

static const char windows_script[] =
	"P0 R50=warm s1=9000000 s2=120 s3=1000000,10,10 s4=800000,10,5 s5=4294967296 o60 "
	"P80 s1=29000000 s2=121 s3=3000000,30,30 s4=2100000,30,15 s5=8589934592 o80 "
	"M100=half,way "
	"R200=run s1=129000000 s2=121 s3=9000000,130,130 s4=7000000,130,65 s5=21474836480 o300 "
	"s1=129000000 s2=121 s3=9000000,230,130 s4=7000000,230,65 s5=21474836480 o400 "
	"P410 s1=139000000 s2=125 s3=9900000,240,140 s4=7700000,240,70 s5=22548578304 o410";

static const char *const scripts[] = {
	[WINDOWS] = windows_script,
	[CPUS] = "s1@0=5 s2@1=6 s3@2=1 s11@1=7 o100 s1@0=8 s2@1=6 s3@2=9 s11@1=9 o200",
	[THREADS] = "s1/0=5 s2/1=6 s11/0=7 s12/1=1 o100 s1/0=8 s2/1=6 s11/0=9 s12/1=2 o200",
	[SAMPLES] = "x1@10=1000 x1@20=1000 x11@35=1 x1@50=500",
	[NEVER] = "P0 s1=0 s2=0 s11=0 f1500",
};

static int play_many(const struct consumer *consumer, struct ps_error *err)
{
	static const char *const labels[] = { "=parse", "=sort", "", "=print" };
	char script[160];
	int rc = recording_play("P0", consumer->put, consumer->ctx, err);

	for (unsigned i = 0; rc >= 0 && i < 120; i++) {
		unsigned at = 10 + 10 * i;

		(void)snprintf(script, sizeof(script), "R%u%s P%u s1=%u s11=%u o%u", at, labels[i % ARRAY_SIZE(labels)],
			       at + 5 + i % 3, 100 * i + i % 7, i + 1, at + 5 + i % 3);
		rc = recording_play(script, consumer->put, consumer->ctx, err);
	}
	return rc;
}

static int feed(const struct consumer *consumer, const struct meta *meta, enum subject subject, struct ps_error *err)
{
	int rc = consumer->start(consumer->ctx, meta, err), rc_finish;

	if (rc == 0)
		rc = subject == MANY ? play_many(consumer, err) :
				       recording_play(scripts[subject], consumer->put, consumer->ctx, err);
	if (rc == 0)
		rc = consumer->checkpoint(consumer->ctx, err);
	rc_finish = consumer->finish(consumer->ctx, rc ? NULL : err);
	return rc ? rc : rc_finish;
}

/* A view's text; to be freed. */
static char *show(const char *view, const struct view_options *options, enum subject subject)
{
	const struct live_options living = {
		.view = view_find(view), .viewing = options, .fd = memfd_create(view, MFD_CLOEXEC), .io = &io_system,
	};
	struct ps_error err = PS_ERROR_INIT;
	struct live_report *live;
	struct consumer consumer;
	struct meta meta;
	char *text;
	off_t len;
	int rc;

	ck_assert_int_ge(living.fd, 0);
	ck_assert_ptr_nonnull(living.view);
	make_meta(&meta, subject);
	ck_assert_int_eq(live_report_new(&live, &living, &err), 0);
	consumer = live_report_consumer(live);
	rc = feed(&consumer, &meta, subject, &err);
	ck_assert_msg(rc == 0, "%s: %s: %s", view, err.where, err.what);
	ck_assert_int_eq(live_report_drain(live, &err), 0);
	live_report_free(live);
	meta_fini(&meta);
	len = lseek(living.fd, 0, SEEK_END);
	text = calloc(1, (size_t)len + 1);
	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(pread(living.fd, text, (size_t)len, 0), len);
	close(living.fd);
	return text;
}

static const struct {
	const char *golden, *view;
	enum subject subject;
	struct view_options options;
} goldens[] = {
	{ "summary.txt", "summary", WINDOWS, { .first = true } },
	{ "summary-narrow.txt", "summary", WINDOWS, { .first = true, .columns = 80, .time = VIEW_TIME_MONO } },
	{ "summary-window.txt", "summary", WINDOWS, { .first = true, .window_first = 2, .window_last = 2 } },
	{ "summary-cpus.txt", "summary", CPUS, { .first = true, .per = TIMELINE_PER_CPU } },
	{ "summary-threads.txt", "summary", THREADS, { .first = true, .per = TIMELINE_PER_THREAD } },
	{ "summary-many.txt", "summary", MANY, { .first = true } },
	{ "summary-samples.txt", "summary", SAMPLES, { .first = true } },
	{ "summary-never.txt", "summary", NEVER, { .first = true } },
	{ "timeline.txt", "timeline", WINDOWS, { .first = true } },
	{ "timeline-utf8.txt", "timeline", WINDOWS, { .first = true, .columns = 140, .utf8 = true, .flush = true } },
	{ "timeline-narrow.txt", "timeline", WINDOWS, { .first = true, .columns = 60, .time = VIEW_TIME_WALL } },
	{ "timeline-cpus.txt", "timeline", CPUS, { .first = true, .per = TIMELINE_PER_CPU } },
	{ "timeline-samples.txt", "timeline", SAMPLES, { .first = true } },
	{ "csv.csv", "csv", WINDOWS, { .first = true } },
	{ "csv-wall.csv", "csv", WINDOWS, { .first = true, .time = VIEW_TIME_WALL } },
	{ "csv-mono-second.csv", "csv", WINDOWS, { .time = VIEW_TIME_MONO, .window_first = 1, .window_last = 1 } },
	{ "csv-cpus.csv", "csv", CPUS, { .first = true, .per = TIMELINE_PER_CPU } },
	{ "csv-threads.csv", "csv", THREADS, { .first = true, .per = TIMELINE_PER_THREAD } },
	{ "csv-samples.csv", "csv", SAMPLES, { .first = true } },
	{ "csv-wide.csv", "csv-wide", WINDOWS, { .first = true } },
	{ "csv-wide-cpus.csv", "csv-wide", CPUS, { .first = true, .per = TIMELINE_PER_CPU } },
	{ "csv-wide-threads.csv", "csv-wide", THREADS, { .first = true, .per = TIMELINE_PER_THREAD } },
	{ "json.jsonl", "json", WINDOWS, { .first = true } },
	{ "json-wall.jsonl", "json", WINDOWS, { .first = true, .time = VIEW_TIME_WALL } },
	{ "json-threads.jsonl", "json", THREADS, { .first = true, .per = TIMELINE_PER_THREAD } },
	{ "json-samples.jsonl", "json", SAMPLES, { .first = true } },
};

static char *golden_path(const char *name)
{
	const char *srcdir = getenv("PSTAT_SRCDIR");
	char *path;

	ck_assert_int_ge(asprintf(&path, "%s/tests/golden/%s", srcdir ? srcdir : ".", name), 0);
	return path;
}

static void write_golden(const char *name, const char *text)
{
	char *path = golden_path(name);
	FILE *file = fopen(path, "w");

	ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
	free(path);
}

/* The golden file's text; to be freed. */
static char *read_golden(const char *name)
{
	char *path = golden_path(name), *text = NULL;
	size_t cap = 0;
	FILE *file = fopen(path, "r");
	ssize_t n;

	ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
	n = getdelim(&text, &cap, '\0', file);
	fclose(file);
	free(path);
	return n < 0 ? strdup("") : text;
}

START_TEST(view_shows_what_the_golden_file_has)
{
	char *got = show(goldens[_i].view, &goldens[_i].options, goldens[_i].subject), *want;

	if (getenv("PSTAT_UPDATE_GOLDEN")) {
		write_golden(goldens[_i].golden, got);
	} else {
		want = read_golden(goldens[_i].golden);
		ck_assert_msg(!strcmp(got, want), "%s differs; wanted:\n%s\ngot:\n%s", goldens[_i].golden, want, got);
		free(want);
	}
	free(got);
}
END_TEST

/* Every line that is as wide as asked for, or narrower. */
START_TEST(timeline_fits_the_terminal)
{
	struct view_options options = { .first = true, .columns = (unsigned)_i };
	char *text = show("timeline", &options, WINDOWS), *rest = text, *line;

	while ((line = strtok_r(rest, "\n", &rest)))
		ck_assert_msg(strlen(line) <= (size_t)_i, "%zu > %d: %s", strlen(line), _i, line);
	free(text);
}
END_TEST

START_TEST(every_view_has_a_name_and_help)
{
	for (size_t i = 0; views[i]; i++) {
		ck_assert_ptr_eq(view_find(views[i]->name), views[i]);
		ck_assert(views[i]->help && *views[i]->help);
	}
	ck_assert_ptr_null(view_find("nonsense"));
}
END_TEST

/* A full disk is told, not swallowed. */
START_TEST(write_error_comes_back)
{
	struct view_options options = { .first = true };
	struct ps_error err = PS_ERROR_INIT;
	const struct live_options living = {
		.view = views[_i], .viewing = &options, .fd = open("/dev/full", O_WRONLY | O_CLOEXEC), .io = &io_system,
	};
	struct live_report *live;
	struct consumer consumer;
	struct meta meta;
	int rc;

	ck_assert_int_ge(living.fd, 0);
	if (views[_i]->records) {
		ck_assert_int_eq(live_report_new(&live, &living, &err), -ENOTSUP);
		close(living.fd);
		return;
	}
	make_meta(&meta, MANY);
	ck_assert_int_eq(live_report_new(&live, &living, &err), 0);
	consumer = live_report_consumer(live);
	rc = feed(&consumer, &meta, MANY, &err);
	if (rc == 0) /* it prints at the end only */
		rc = live_report_drain(live, &err);
	ck_assert_int_eq(rc, -ENOSPC);
	ck_assert_str_eq(err.what, "writing the report");
	live_report_free(live);
	meta_fini(&meta);
	close(living.fd);
}
END_TEST

/* The wall clock cannot be shown where the recording does not tell it, and is not made up. */
START_TEST(unknown_wall_clock_is_refused)
{
	struct view_options options = { .first = true, .time = VIEW_TIME_WALL };
	struct ps_error err = PS_ERROR_INIT;
	const struct live_options living = {
		.view = view_find("csv"), .viewing = &options, .fd = open("/dev/null", O_WRONLY | O_CLOEXEC), .io = &io_system,
	};
	struct live_report *live;
	struct consumer consumer;
	struct meta meta;

	ck_assert_int_ge(living.fd, 0);
	make_meta(&meta, CPUS);
	meta.t0_wall_ns = 0;
	ck_assert_int_eq(live_report_new(&live, &living, &err), 0);
	consumer = live_report_consumer(live);
	ck_assert_int_eq(feed(&consumer, &meta, CPUS, &err), -ENODATA);
	ck_assert_str_ne(err.hint, "");
	live_report_free(live);
	meta_fini(&meta);
	close(living.fd);
}
END_TEST

static void add(TCase *tcase)
{
	int n_views = 0;

	while (views[n_views])
		n_views++;
	tcase_add_loop_test(tcase, view_shows_what_the_golden_file_has, 0, (int)ARRAY_SIZE(goldens));
	tcase_add_loop_test(tcase, timeline_fits_the_terminal, 60, 200);
	tcase_add_test(tcase, every_view_has_a_name_and_help);
	tcase_add_loop_test(tcase, write_error_comes_back, 0, n_views);
	tcase_add_test(tcase, unknown_wall_clock_is_refused);
}

int main(void)
{
	return unit_main("views", add);
}
