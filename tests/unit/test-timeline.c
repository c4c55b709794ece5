/* The timeline: every order of markers and readings gives the intervals, pauses, windows and totals it should. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/recording.h"
#include "lib/unit.h"
#include "report/timeline.h"

#define MS(ns) ((ns) / 1000000)

struct log {
	FILE *out;
	char *text;
	size_t len;
	uint64_t sums[8], totals[8]; /* per event: raw over all intervals, and in the total */
	int fail_at;                 /* calls until an op fails; 0: never */
};

static int log_end(struct log *log, struct ps_error *err)
{
	fputc('\n', log->out);
	if (log->fail_at && --log->fail_at == 0)
		return ps_fail(err, "test", ECANCELED, "enough");
	return 0;
}

static void log_row(struct log *log, const struct timeline_row *row)
{
	const struct timeline_value *value = &row->value;

	fprintf(log->out, " %c", (char)('a' + row->event));
	if (row->cpu >= 0)
		fprintf(log->out, "@%d", row->cpu);
	if (row->tid >= 0)
		fprintf(log->out, "/%d(%s)", (int)row->tid, row->comm ? row->comm : "");
	if (value->state == VALUE_NOT_COUNTED)
		fprintf(log->out, "=none");
	else
		fprintf(log->out, "=%" PRIu64 "%s", value->scaled, value->is_scaled ? "~" : "");
	if (value->samples)
		fprintf(log->out, "(%" PRIu64 "x,%" PRIu64 ")", value->samples, value->period);
}

static void log_span(struct log *log, const char *what, const struct timeline_span *span)
{
	fprintf(log->out, "%s %" PRIu64 "-%" PRIu64, what, MS(span->start_ns), MS(span->end_ns));
	if (span->window)
		fprintf(log->out, " w%u", span->window);
	if (span->label)
		fprintf(log->out, ":%s", span->label);
	if (span->counted_ns != span->end_ns - span->start_ns)
		fprintf(log->out, " counted %" PRIu64, MS(span->counted_ns));
	if (span->unread)
		fprintf(log->out, " unread");
	for (size_t i = 0; i < span->n_rows; i++)
		if (span->rows[i].value.state != VALUE_NOT_SUPPORTED)
			log_row(log, &span->rows[i]);
}

static int on_interval(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct log *log = ctx;

	log_span(log, "i", span);
	for (size_t i = 0; i < span->n_rows; i++)
		log->sums[span->rows[i].event] += span->rows[i].value.raw;
	return log_end(log, err);
}

static int on_window(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	log_span(ctx, "w", span);
	return log_end(ctx, err);
}

static int on_total(void *ctx, const struct timeline_span *span, struct ps_error *err)
{
	struct log *log = ctx;

	log_span(log, "t", span);
	for (size_t i = 0; i < span->n_rows; i++)
		log->totals[span->rows[i].event] += span->rows[i].value.raw;
	return log_end(log, err);
}

static int on_pause(void *ctx, uint64_t start_ns, uint64_t end_ns, struct ps_error *err)
{
	fprintf(((struct log *)ctx)->out, "p %" PRIu64 "-%" PRIu64, MS(start_ns), MS(end_ns));
	return log_end(ctx, err);
}

static int on_marker(void *ctx, const struct timeline_marker *marker, struct ps_error *err)
{
	struct log *log = ctx;

	fprintf(log->out, "m%s %" PRIu64, marker->role == META_PAUSE ? "P" : marker->role == META_RESUME ? "R" : "M",
		MS(marker->time_ns));
	if (marker->has_detail)
		fprintf(log->out, " #%" PRIu64 " %s", marker->seq, marker_cause_name(marker->cause));
	if (marker->label)
		fprintf(log->out, " %s", marker->label);
	return log_end(log, err);
}

static const struct timeline_ops all_ops = { on_interval, on_pause, on_marker, on_window, on_total };

static int put(void *ctx, const struct record *rec, struct ps_error *err)
{
	return timeline_put(ctx, rec, err);
}

static struct timeline *make(const struct meta *meta, const struct timeline_options *options, struct log *log)
{
	struct timeline *timeline;

	memset(log, 0, sizeof(*log));
	log->out = open_memstream(&log->text, &log->len);
	ck_assert_ptr_nonnull(log->out);
	ck_assert_int_eq(timeline_new(&timeline, meta, options, &all_ops, log, NULL), 0);
	return timeline;
}

static void check_log(struct log *log, const char *script, const char *want)
{
	fclose(log->out);
	ck_assert_msg(!strcmp(log->text, want), "script %s\nwanted:\n%sgot:\n%s", script, want, log->text);
	free(log->text);
}

static void run(struct meta *meta, const struct timeline_options *options, const char *script, const char *want)
{
	struct log log;
	struct timeline *timeline = make(meta, options, &log);
	struct ps_error err = PS_ERROR_INIT;

	ck_assert_int_eq(recording_play(script, put, timeline, &err), 0);
	ck_assert_int_eq(timeline_finish(timeline, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(log.sums); i++)
		ck_assert_msg(log.sums[i] == log.totals[i], "event %zu: intervals sum up to %" PRIu64 ", total %" PRIu64
			      "\n%s", i, log.sums[i], log.totals[i], script);
	timeline_free(timeline);
	check_log(&log, script, want);
}

static const struct timeline_options whole = { TIMELINE_PER_TOTAL, 0, 0 };

/* Scripts over events a and b; c is not supported. */
static const struct {
	bool with_markers;
	const char *script, *want;
} cases[] = {
	/* one window, closed by the exit's pause */
	{ true, "R0 s1=5 s11=1 o100 s1=7 s11=1 o200 P250 s1=9 s11=4 o250",
	  "mR 0 #1 start\ni 0-100 w1 a=5 b=1\ni 100-200 w1 a=2 b=0\ni 200-250 w1 a=2 b=3\n"
	  "mP 250 #2 command\nw 0-250 w1 a=9 b=4\nt 0-250 a=9 b=4\n" },
	/* starts paused, two windows, the second with a label; a reading is taken at each pause */
	{ true, "P0 R50 s1=5 s11=0 o60 P80 s1=6 s11=2 o80 R200=two s1=7 s11=2 o300 P310 s1=10 s11=3 o310",
	  "mP 0 #1 start\np 0-50\nmR 50 #2 command\ni 50-60 w1 a=5 b=0\ni 60-80 w1 a=1 b=2\nmP 80 #3 command\n"
	  "w 50-80 w1 a=6 b=2\np 80-200\nmR 200 #4 command two\ni 200-300 w2:two a=1 b=0\ni 300-310 w2:two a=3 b=1\n"
	  "mP 310 #5 command\nw 200-310 w2:two a=4 b=1\nt 0-310 counted 140 a=10 b=3\n" },
	/* no details: SAMPLEs alone do */
	{ true, "r0 s1=5 p10 s1=6 o10 r20 s1=8 o30",
	  "mR 0\ni 0-10 w1 a=6 b=none\nmP 10\nw 0-10 w1 a=6 b=none\np 10-20\nmR 20\ni 20-30 w2 a=2 b=none\n"
	  "w 20-30 w2 a=2 b=none\nt 0-30 counted 20 a=8 b=none\n" },
	/* marks, in a window and in a pause */
	{ true, "R0 M5=here s1=1 o10 P20 s1=2 o20 M25=there",
	  "mR 0 #1 start\nmM 5 #2 mark here\ni 0-10 w1 a=1 b=none\ni 10-20 w1 a=1 b=none\nmP 20 #3 command\n"
	  "w 0-20 w1 a=2 b=none\nmM 25 #4 mark there\np 20-25\nt 0-25 counted 20 a=2 b=none\n" },
	/* never resumed: one reading so that perf has something to print */
	{ true, "P0 s1=0 s11=0 f500", "mP 0 #1 start\np 0-500\nt 0-500 counted 0 a=none b=none\n" },
	/* an empty recording, and one that only began */
	{ true, "", "t 0-0 a=none b=none\n" },
	{ true, "R0", "mR 0 #1 start\nw 0-0 w1 unread a=none b=none\nt 0-0 a=none b=none\n" },
	/* cut after the pause's marker: its reading never came */
	{ true, "R0 s1=5 o10 P20", "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nmP 20 #2 command\nw 0-20 w1 a=5 b=none\n"
	  "t 0-20 a=5 b=none\n" },
	/* cut inside a reading: that one is dropped */
	{ true, "R0 s1=5 o10 s1=6", "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nw 0-10 w1 a=5 b=none\nt 0-10 a=5 b=none\n" },
	/* a window that was cut before its first reading */
	{ true, "R0 s1=5 P10 s1=5 o10 R30", "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nmP 10 #2 command\nw 0-10 w1 a=5 b=none\n"
	  "p 10-30\nmR 30 #3 command\nw 30-30 w2 unread a=0 b=none\nt 0-30 counted 10 a=5 b=none\n" },
	/* the reading of a pause was lost: what came later belongs to the next window */
	{ true, "R0 s1=5 o10 P20 R40 s1=9 o50", "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nmP 20 #2 command\n"
	  "w 0-20 w1 a=5 b=none\np 20-40\nmR 40 #3 command\ni 40-50 w2 a=4 b=none\nw 40-50 w2 a=4 b=none\n"
	  "t 0-50 counted 30 a=9 b=none\n" },
	/* a resume was lost: counts go on, so a window is assumed from where the pause began */
	{ true, "R0 s1=5 P10 s1=5 o10 s1=5 o20 s1=8 o30 P40 s1=9 o40",
	  "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nmP 10 #2 command\nw 0-10 w1 a=5 b=none\ni 10-30 w2 a=3 b=none\n"
	  "i 30-40 w2 a=1 b=none\nmP 40 #3 command\nw 10-40 w2 a=4 b=none\nt 0-40 a=9 b=none\n" },
	/* the pause's reading and the resume were lost */
	{ true, "R0 s1=5 o10 P20 s1=9 o50", "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nmP 20 #2 command\nw 0-20 w1 a=5 b=none\n"
	  "i 20-50 w2 a=4 b=none\nw 20-50 w2 a=4 b=none\nt 0-50 a=9 b=none\n" },
	/* a pause was lost: the window ends with its last reading */
	{ true, "R0 s1=5 o10 R40 s1=9 o50", "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nw 0-10 w1 a=5 b=none\np 10-40\n"
	  "mR 40 #2 command\ni 40-50 w2 a=4 b=none\nw 40-50 w2 a=4 b=none\nt 0-50 counted 20 a=9 b=none\n" },
	/* the first marker was lost */
	{ true, "s1=5 o10 P20 s1=6 o20", "i 0-10 w1 a=5 b=none\ni 10-20 w1 a=1 b=none\nmP 20 #1 start\n"
	  "w 0-20 w1 a=6 b=none\nt 0-20 a=6 b=none\n" },
	/* two pauses in a row: the second tells nothing new */
	{ true, "R0 P10 s1=5 o10 P20 R30 P40 s1=6 o40", "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nmP 10 #2 command\n"
	  "w 0-10 w1 a=5 b=none\nmP 20 #3 command\np 10-30\nmR 30 #4 command\ni 30-40 w2 a=1 b=none\n"
	  "mP 40 #5 command\nw 30-40 w2 a=1 b=none\nt 0-40 counted 20 a=6 b=none\n" },
	/* a detail of another marker does not stick to this one */
	{ true, "R0 s1=1 o10 p20 s1=2 o20", "mR 0 #1 start\ni 0-10 w1 a=1 b=none\ni 10-20 w1 a=1 b=none\nmP 20\n"
	  "w 0-20 w1 a=2 b=none\nt 0-20 a=2 b=none\n" },
	/* a tick and the pause at the same time: no empty interval */
	{ true, "R0 s1=5 o10 P10 s1=5 o10", "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nmP 10 #2 command\nw 0-10 w1 a=5 b=none\n"
	  "t 0-10 a=5 b=none\n" },
	/* the marker events' own STAT records are no rows and no movement */
	{ true, "R0 s1=5 s4611686018427387904=0 P10 s1=5 s4611686018427387904=1 o10 s4611686018427387904=2 o30",
	  "mR 0 #1 start\ni 0-10 w1 a=5 b=none\nmP 10 #2 command\nw 0-10 w1 a=5 b=none\np 10-30\n"
	  "t 0-30 counted 10 a=5 b=none\n" },

	/* perf stat record -I: no markers, one window, STAT records behind the last round */
	{ false, "s1=5 s11=0 o100 s1=9 s11=1 o200 s1=12 s11=3 o250 s1=12 s11=3",
	  "i 0-100 w1 a=5 b=0\ni 100-200 w1 a=4 b=1\ni 200-250 w1 a=3 b=2\nw 0-250 w1 a=12 b=3\nt 0-250 a=12 b=3\n" },
	/* perf stat record: one final round */
	{ false, "s1=5 s11=0 f700", "i 0-700 w1 a=5 b=0\nw 0-700 w1 a=5 b=0\nt 0-700 a=5 b=0\n" },
	/* the same, cut before the round: counts without a time */
	{ false, "s1=5 s11=0", "i 0-0 w1 a=5 b=0\nw 0-0 w1 a=5 b=0\nt 0-0 a=5 b=0\n" },
	/* markers, cut in the first reading: nothing that could be placed */
	{ true, "R0 s1=5", "mR 0 #1 start\nw 0-0 w1 unread a=none b=none\nt 0-0 a=none b=none\n" },
	/* samples only */
	{ false, "x1@10=100 x1@20=50 x11@30=1",
	  "i 0-20 a=150(2x,150) b=1(1x,1)\nt 0-20 counted 0 a=150(2x,150) b=1(1x,1)\n" },

	/* cells: several add up, a missing one keeps its value, an unknown id is left out, any order will do */
	{ false, "s1=5 s2=6 s11=1 o10 s2=8 o20 s2=9 s1=7 s99=1 s11=2 o30",
	  "i 0-10 w1 a=11 b=1\ni 10-20 w1 a=2 b=0\ni 20-30 w1 a=3 b=1\nw 0-30 w1 a=16 b=2\nt 0-30 a=16 b=2\n" },
	/* a cell that appears later */
	{ false, "s1=5 o10 s1=6 s12=4 o20", "i 0-10 w1 a=5 b=none\ni 10-20 w1 a=1 b=4\nw 0-20 w1 a=6 b=4\nt 0-20 a=6 b=4\n" },
	/* multiplexed: summed over cells (and intervals) first, then scaled */
	{ false, "s1=100,10,5 s2=50,10,10 o10 s1=100,20,5 s2=70,20,20 o20",
	  "i 0-10 w1 a=200~ b=none\ni 10-20 w1 a=40~ b=none\nw 0-20 w1 a=272~ b=none\nt 0-20 a=272~ b=none\n" },
	/* on all the time, asleep, and not scheduled in */
	{ false, "s1=1,10,10 s11=0,0,0 o10 s1=1,10,10 s11=0,10,0 o20",
	  "i 0-10 w1 a=1 b=0\ni 10-20 w1 a=0 b=none\nw 0-20 w1 a=1 b=none\nt 0-20 a=1 b=none\n" },
	/* set back: counted from 0, never a giant number */
	{ false, "s1=500 o10 s1=20 o20 s1=25 o30",
	  "i 0-10 w1 a=500 b=none\ni 10-20 w1 a=20 b=none\ni 20-30 w1 a=5 b=none\nw 0-30 w1 a=525 b=none\n"
	  "t 0-30 a=525 b=none\n" },
	/* a clock that goes backwards loses no counts */
	{ false, "s1=5 o20 s1=6 o10 s1=9 o30", "i 0-20 w1 a=5 b=none\ni 20-20 w1 a=1 b=none\ni 20-30 w1 a=3 b=none\n"
	  "w 0-30 w1 a=9 b=none\nt 0-30 a=9 b=none\n" },
};

START_TEST(records_become_the_expected_calls)
{
	struct meta meta;

	recording_meta(&meta, cases[_i].with_markers);
	run(&meta, &whole, cases[_i].script, cases[_i].want);
	meta_fini(&meta);
}
END_TEST

/* The same without a t0 in the header, as after the loss of the feature section: the first marker is the zero point. */
START_TEST(first_marker_is_zero_without_clock_data)
{
	struct meta meta;

	recording_meta(&meta, cases[_i].with_markers);
	meta.has_t0 = false;
	run(&meta, &whole, cases[_i].script, cases[_i].want);
	meta_fini(&meta);
}
END_TEST

static const struct {
	enum timeline_per per;
	const char *script, *want;
} per_cases[] = {
	{ TIMELINE_PER_CPU, "s1@0=5 s2@1=6 s3@2/1=1 s4@2=2 s11@1=1 o10 s1@0=7 s2@1=6 s3@2/1=3 s4@2=2 s11@1=3 o20",
	  "i 0-10 w1 a@0=5 a@1=6 a@2=3 b@1=1\ni 10-20 w1 a@0=2 a@1=0 a@2=2 b@1=2\n"
	  "w 0-20 w1 a@0=7 a@1=6 a@2=5 b@1=3\nt 0-20 a@0=7 a@1=6 a@2=5 b@1=3\n" },
	{ TIMELINE_PER_THREAD, "s1/1=5 s2/0=6 s3@2/1=1 s11/7=4 o10",
	  "i 0-10 w1 a/100(main)=6 a/101(worker)=6 b=4\nw 0-10 w1 a/100(main)=6 a/101(worker)=6 b=4\n"
	  "t 0-10 a/100(main)=6 a/101(worker)=6 b=4\n" },
	{ TIMELINE_PER_TOTAL, "s1@0=5 s2@1=6 s3@2/1=1 o10",
	  "i 0-10 w1 a=12 b=none\nw 0-10 w1 a=12 b=none\nt 0-10 a=12 b=none\n" },
	/* rows stay with their sums when a CPU comes in between */
	{ TIMELINE_PER_CPU, "s1@0=5 s3@2=1 o10 s2@1=4 o20",
	  "i 0-10 w1 a@0=5 a@2=1 b=none\ni 10-20 w1 a@0=0 a@1=4 a@2=0 b=none\n"
	  "w 0-20 w1 a@0=5 a@1=4 a@2=1 b=none\nt 0-20 a@0=5 a@1=4 a@2=1 b=none\n" },
};

START_TEST(rows_per_cpu_and_thread)
{
	struct timeline_options options = { per_cases[_i].per, 0, 0 };
	struct meta meta;

	recording_meta(&meta, false);
	meta.threads = calloc(2, sizeof(*meta.threads));
	meta.n_threads = 2;
	meta.threads[0] = (struct meta_thread){ 100, "main" };
	meta.threads[1] = (struct meta_thread){ 101, "worker" };
	run(&meta, &options, per_cases[_i].script, per_cases[_i].want);
	meta_fini(&meta);
}
END_TEST

#define FOUR_WINDOWS "P0 R10 P20 s1=1 o20 R30 M35=x P40 s1=3 o40 R50 P60 s1=6 o60 R70 P80 s1=10 o80"

static const struct {
	unsigned first, last;
	const char *want;
} window_cases[] = {
	{ 2, 2, "mR 30 #4 command\nmM 35 #5 mark x\ni 30-40 w2 a=2 b=none\nmP 40 #6 command\nw 30-40 w2 a=2 b=none\n"
		"t 30-40 a=2 b=none\n" },
	{ 2, 3, "mR 30 #4 command\nmM 35 #5 mark x\ni 30-40 w2 a=2 b=none\nmP 40 #6 command\nw 30-40 w2 a=2 b=none\n"
		"p 40-50\nmR 50 #7 command\ni 50-60 w3 a=3 b=none\nmP 60 #8 command\nw 50-60 w3 a=3 b=none\n"
		"t 30-60 counted 20 a=5 b=none\n" },
	{ 4, 0, "mR 70 #9 command\ni 70-80 w4 a=4 b=none\nmP 80 #10 command\nw 70-80 w4 a=4 b=none\n"
		"t 70-80 a=4 b=none\n" },
	{ 9, 12, "t 0-0 a=0 b=none\n" },
};

START_TEST(selected_windows_only)
{
	struct timeline_options options = { TIMELINE_PER_TOTAL, window_cases[_i].first, window_cases[_i].last };
	struct meta meta;

	recording_meta(&meta, true);
	run(&meta, &options, FOUR_WINDOWS, window_cases[_i].want);
	meta_fini(&meta);
}
END_TEST

START_TEST(what_did_not_fit_is_counted)
{
	struct timeline *timeline;
	struct meta meta;
	struct log log;
	uint64_t t0;

	recording_meta(&meta, true);
	meta.has_t0 = false;
	timeline = make(&meta, &whole, &log);
	ck_assert(!timeline_t0(timeline, &t0));
	ck_assert_int_eq(recording_play("R0 s1=5 s99=1 s98=1 o10 R20 s1=2 o30", put, timeline, NULL), 0);
	ck_assert(timeline_t0(timeline, &t0));
	ck_assert_uint_eq(t0, RECORDING_T0_NS);
	ck_assert_uint_eq(timeline_strays(timeline), 2);
	ck_assert_uint_eq(timeline_set_back(timeline), 1);
	ck_assert_uint_eq(timeline_lost_markers(timeline), 1);
	timeline_free(timeline);
	fclose(log.out);
	free(log.text);
	meta_fini(&meta);
}
END_TEST

/* An op that fails at its n-th call ends the feeding with its error, whichever it is. */
START_TEST(error_of_an_op_comes_back)
{
	struct ps_error err = PS_ERROR_INIT;
	struct timeline *timeline;
	struct meta meta;
	struct log log;
	int rc;

	recording_meta(&meta, true);
	timeline = make(&meta, &whole, &log);
	log.fail_at = _i;
	rc = recording_play("P0 R10 s1=1 o15 P20 s1=1 o20 R30", put, timeline, &err);
	if (rc == 0)
		rc = timeline_finish(timeline, &err);
	ck_assert_int_eq(rc, -ECANCELED);
	ck_assert_str_eq(err.where, "test");
	timeline_free(timeline);
	fclose(log.out);
	free(log.text);
	meta_fini(&meta);
}
END_TEST

START_TEST(scale_off_leaves_counts_alone)
{
	struct meta meta;

	recording_meta(&meta, false);
	meta.scale = false;
	run(&meta, &whole, "s1=100,10,5 o10", "i 0-10 w1 a=100 b=none\nw 0-10 w1 a=100 b=none\nt 0-10 a=100 b=none\n");
	meta_fini(&meta);
}
END_TEST

START_TEST(cells_out_of_nothing_are_refused)
{
	struct record rec = { .type = FORMAT_STAT };
	struct ps_error err = PS_ERROR_INIT;
	struct timeline *timeline;
	struct meta meta;
	struct log log;
	int rc = 0;

	recording_meta(&meta, false);
	timeline = make(&meta, &whole, &log);
	rec.stat.id = 1;
	for (uint32_t i = 0; rc == 0 && i < 1000000; i++) {
		rec.stat.thread = i;
		rc = timeline_put(timeline, &rec, &err);
	}
	ck_assert_int_eq(rc, -EBADMSG);
	timeline_free(timeline);
	fclose(log.out);
	free(log.text);
	meta_fini(&meta);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, records_become_the_expected_calls, 0, (int)ARRAY_SIZE(cases));
	tcase_add_loop_test(tcase, first_marker_is_zero_without_clock_data, 0, 8);
	tcase_add_loop_test(tcase, rows_per_cpu_and_thread, 0, (int)ARRAY_SIZE(per_cases));
	tcase_add_loop_test(tcase, selected_windows_only, 0, (int)ARRAY_SIZE(window_cases));
	tcase_add_test(tcase, what_did_not_fit_is_counted);
	tcase_add_loop_test(tcase, error_of_an_op_comes_back, 1, 10);
	tcase_add_test(tcase, scale_off_leaves_counts_alone);
	tcase_add_test(tcase, cells_out_of_nothing_are_refused);
}

int main(void)
{
	return unit_main("timeline", add);
}
