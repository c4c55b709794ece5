/* The writer: what it makes is right, at every checkpoint, as a file and as a stream. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/unit.h"
#include "lib/writer_case.h"

static struct writer_case t;

static void setup(void)
{
	writer_case_init(&t);
}

static void teardown(void)
{
	writer_case_fini(&t);
}

static void check_readings(const struct recording *recording)
{
	struct buffer scratch = BUFFER_INIT(0);
	size_t at = 0, round = 0, n = 0;
	struct record rec;

	while (recording_next(recording, &at, &rec, &scratch)) {
		const struct meta_event *event;

		if (rec.type == FORMAT_STAT_ROUND) {
			round++;
			ck_assert_uint_eq(rec.round.time_ns, round * MADE_ROUND_NS);
		}
		if (rec.type != FORMAT_STAT)
			continue;
		event = meta_find_id(&recording->meta, rec.stat.id);
		ck_assert_ptr_nonnull(event);
		ck_assert_uint_eq(rec.stat.val,
				  made_value((size_t)(event - recording->meta.events),
					     rec.stat.id - event->ids[0], round));
		ck_assert_uint_eq(rec.stat.enabled_ns, (round + 1) * MADE_ROUND_NS);
		n++;
	}
	ck_assert_uint_eq(round, t.made.rounds);
	ck_assert_uint_eq(n, t.made.rounds * WRITER_CASE_STATS);
	buffer_fini(&scratch);
}

static void check_attrs(const struct recording *recording)
{
	ck_assert_uint_eq(recording->meta.n_events, t.meta.n_events);
	for (size_t i = 0; i < t.meta.n_events; i++) {
		const struct meta_event *event = &recording->meta.events[i];

		ck_assert_uint_eq(event->attr.size, FORMAT_ATTR_BYTES);
		ck_assert_uint_eq(event->attr.sample_type, FORMAT_SAMPLE_TYPE);
		ck_assert_uint_eq(event->attr.read_format, 3);
		ck_assert(event->attr.sample_id_all && event->attr.use_clockid);
		ck_assert_int_eq(event->attr.clockid, 1);
		ck_assert_str_eq(event->name, t.meta.events[i].name);
		ck_assert_uint_eq(event->n_ids, t.meta.events[i].n_ids);
		ck_assert_uint_eq(event->attr.config, t.meta.events[i].attr.config);
	}
}

START_TEST(a_recording_holds_what_was_put)
{
	static const int levels[] = { 0, 1, 6 };
	struct recording recording;
	const struct feature_set *set = &recording.meta.features;
	int level = levels[_i];

	t.made.rounds = 300;
	ck_assert_int_eq(writer_case_write(&t, level, NULL), 0);
	ck_assert_msg(recording_load(&recording, t.path), "%s", recording.why);
	check_attrs(&recording);
	check_readings(&recording);
	ck_assert_uint_eq(recording_count(&recording, FORMAT_HEADER_EVENT_TYPE), 7);
	ck_assert_uint_eq(recording_count(&recording, FORMAT_FINISHED_ROUND), 300);
	ck_assert_uint_eq(recording_count(&recording, FORMAT_FINISHED_INIT), 1);
	ck_assert(recording.meta.is_stat && recording.meta.has_t0);
	ck_assert_uint_eq(recording.meta.t0_wall_ns, MADE_WALL_NS);
	ck_assert_uint_eq(set->sample_first_ns, MADE_T0_NS + 1);
	ck_assert_uint_eq(set->sample_last_ns, MADE_T0_NS + 300 * MADE_ROUND_NS);
	ck_assert_int_eq(set->present[FORMAT_FEATURE_COMPRESSED], level > 0);
	ck_assert_int_eq(recording.frames > 0, level > 0);
	if (level) {
		ck_assert_uint_eq(set->compressed_level, (unsigned int)level);
		ck_assert_uint_gt(set->compressed_ratio, 1);
		ck_assert_uint_le(recording.largest_frame, FORMAT_FRAME_PLAIN_BYTES);
		ck_assert_uint_ge(set->compressed_mmap_len, FORMAT_FRAME_PLAIN_BYTES);
	}
	recording_fini(&recording);
}
END_TEST

START_TEST(the_order_in_front_of_the_readings_is_the_one_perf_needs)
{
	static const uint32_t order[] = { FORMAT_EVENT_UPDATE, FORMAT_THREAD_MAP, FORMAT_CPU_MAP,
					  FORMAT_STAT_CONFIG, PERF_RECORD_COMM, FORMAT_FINISHED_INIT };
	struct buffer scratch = BUFFER_INIT(0);
	struct recording recording;
	struct record rec;
	size_t at = 0, step = 0, updates = 0;

	ck_assert_int_eq(writer_case_write(&t, 0, NULL), 0);
	ck_assert_msg(recording_load(&recording, t.path), "%s", recording.why);
	while (step + 1 < ARRAY_SIZE(order) && recording_next(&recording, &at, &rec, &scratch)) {
		if (rec.type == FORMAT_EVENT_UPDATE) {
			updates++;
			ck_assert_ptr_nonnull(meta_find_id(&recording.meta, rec.update.id));
		}
		while (rec.type != order[step])
			ck_assert_uint_lt(++step, ARRAY_SIZE(order));
	}
	/* a name for each event with ids, unit and scale of the first, CPUs of the one with its own */
	ck_assert_uint_eq(updates, t.meta.n_events - 1 + 3);
	buffer_fini(&scratch);
	recording_fini(&recording);
}
END_TEST

START_TEST(big_recordings_are_cut_into_frames_without_checkpoints)
{
	struct writer *writer = writer_case_open(&t, t.path, 1, false);
	struct consumer consumer = writer_consumer(writer);
	struct recording recording;

	t.made.rounds = 1000;
	ck_assert_int_eq(consumer.start(consumer.ctx, &t.meta, NULL), 0);
	for (size_t i = 0; i < t.made.rounds; i++)
		ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, i, NULL), 0);
	ck_assert_uint_gt(writer_case_stats(&t), 900 * WRITER_CASE_STATS); /* full batches do not wait */
	ck_assert_int_eq(consumer.finish(consumer.ctx, NULL), 0);
	ck_assert_uint_gt(writer_plain_bytes(writer), 1000 * 48 * WRITER_CASE_STATS);
	ck_assert_msg(recording_load(&recording, t.path), "%s", recording.why);
	ck_assert_uint_eq(writer_file_bytes(writer), recording.file.len);
	ck_assert_uint_eq(recording.frames, writer_plain_bytes(writer) / FORMAT_FRAME_PLAIN_BYTES + 1);
	ck_assert_uint_gt(recording.largest_frame, FORMAT_FRAME_PLAIN_BYTES - 100);
	check_readings(&recording);
	recording_fini(&recording);
	writer_free(writer);
}
END_TEST

START_TEST(the_file_is_complete_at_every_checkpoint)
{
	struct writer *writer = writer_case_open(&t, t.path, _i ? 3 : 0, false);
	struct consumer consumer = writer_consumer(writer);

	ck_assert_int_eq(consumer.start(consumer.ctx, &t.meta, NULL), 0);
	ck_assert_uint_eq(writer_case_stats(&t), 0);
	for (size_t i = 0; i < t.made.rounds; i++) {
		ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, i, NULL), 0);
		ck_assert_uint_eq(writer_case_stats(&t), i * WRITER_CASE_STATS);
		ck_assert_int_eq(consumer.checkpoint(consumer.ctx, NULL), 0);
		ck_assert_uint_eq(writer_case_stats(&t), (i + 1) * WRITER_CASE_STATS);
	}
	writer_free(writer); /* a session that dies without finish */
	ck_assert_uint_eq(writer_case_stats(&t), t.made.rounds * WRITER_CASE_STATS);
}
END_TEST

START_TEST(a_checkpoint_without_news_writes_nothing)
{
	struct writer *writer = writer_case_open(&t, t.path, 3, false);
	struct consumer consumer = writer_consumer(writer);
	size_t writes;

	ck_assert_int_eq(consumer.start(consumer.ctx, &t.meta, NULL), 0);
	ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, 0, NULL), 0);
	ck_assert_int_eq(consumer.checkpoint(consumer.ctx, NULL), 0);
	writes = t.io.writes;
	ck_assert_int_eq(consumer.checkpoint(consumer.ctx, NULL), 0);
	ck_assert_int_eq(consumer.finish(consumer.ctx, NULL), 0);
	ck_assert_uint_eq(t.io.writes, writes);
	writer_free(writer);
}
END_TEST

/* What one reading left behind is in the file after so many ticks, unless a full frame went there meanwhile. */
START_TEST(a_tick_writes_what_has_waited_long_enough)
{
	struct writer *writer = writer_case_open(&t, t.path, _i ? 3 : 0, false);
	struct consumer consumer = writer_consumer(writer);
	size_t rounds = 0, before;

	ck_assert_int_eq(consumer.start(consumer.ctx, &t.meta, NULL), 0);
	ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, rounds++, NULL), 0);
	for (int i = 1; i < CONSUMER_AGE_TICKS; i++) {
		ck_assert_int_eq(consumer.tick(consumer.ctx, NULL), 0);
		ck_assert_uint_eq(writer_case_stats(&t), 0);
	}
	ck_assert_int_eq(consumer.tick(consumer.ctx, NULL), 0);
	ck_assert_uint_eq(writer_case_stats(&t), WRITER_CASE_STATS);
	for (int i = 1; i < CONSUMER_AGE_TICKS; i++)
		ck_assert_int_eq(consumer.tick(consumer.ctx, NULL), 0);
	while (writer_case_stats(&t) == WRITER_CASE_STATS)
		ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, rounds++, NULL), 0);
	before = writer_case_stats(&t);
	for (int i = 1; i < CONSUMER_AGE_TICKS; i++) {
		ck_assert_int_eq(consumer.tick(consumer.ctx, NULL), 0);
		ck_assert_uint_eq(writer_case_stats(&t), before);
	}
	ck_assert_int_eq(consumer.tick(consumer.ctx, NULL), 0);
	ck_assert_uint_eq(writer_case_stats(&t), rounds * WRITER_CASE_STATS);
	writer_free(writer);
}
END_TEST

START_TEST(an_existing_file_is_kept_as_old_and_only_then)
{
	struct writer *writer;
	struct consumer consumer;
	char old[80], text[8] = "";
	FILE *file = fopen(t.path, "w");

	(void)snprintf(old, sizeof(old), "%s.old", t.path);
	ck_assert_int_ge(fputs("mine", file), 0);
	ck_assert_int_eq(fclose(file), 0);
	t.io.fail_at = 1;
	t.io.code = ENOSPC;
	writer = writer_case_open(&t, t.path, 3, true);
	consumer = writer_consumer(writer);
	ck_assert_int_eq(made_write(&consumer, &t.meta, &t.made, NULL), -ENOSPC);
	writer_free(writer);
	ck_assert_int_eq(access(old, F_OK), -1);
	writer = writer_case_open(&t, t.path, 3, true);
	consumer = writer_consumer(writer);
	ck_assert_int_eq(made_write(&consumer, &t.meta, &t.made, NULL), 0);
	writer_free(writer);
	file = fopen(old, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), file));
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_str_eq(text, "mine");
	ck_assert_uint_eq(writer_case_stats(&t), WRITER_CASE_ROUNDS * WRITER_CASE_STATS);
}
END_TEST

START_TEST(a_writer_that_never_started_leaves_nothing)
{
	writer_free(writer_case_open(&t, t.path, 3, false));
	ck_assert_int_eq(access(t.path, F_OK), -1);
	writer_free(NULL);
}
END_TEST

START_TEST(a_refused_record_leaves_the_recording_as_it_was)
{
	struct writer *writer = writer_case_open(&t, t.path, 3, false);
	struct consumer consumer = writer_consumer(writer);
	char *label = calloc(1, 70000);
	struct record rec = { .type = FORMAT_HEADER_EVENT_TYPE };

	memset(label, 'x', 69999);
	rec.detail.id = FORMAT_MARKER_ID_MARK;
	rec.detail.label = label;
	ck_assert_int_eq(consumer.start(consumer.ctx, &t.meta, NULL), 0);
	ck_assert_int_eq(consumer.put(consumer.ctx, &rec, NULL), -EMSGSIZE);
	rec.type = PERF_RECORD_AUX;
	ck_assert_int_eq(consumer.put(consumer.ctx, &rec, NULL), -ENOSYS);
	ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, 0, NULL), 0);
	ck_assert_int_eq(consumer.finish(consumer.ctx, NULL), 0);
	ck_assert_uint_eq(writer_case_stats(&t), WRITER_CASE_STATS);
	writer_free(writer);
	free(label);
}
END_TEST

START_TEST(a_record_larger_than_a_frame_is_written_as_it_is)
{
	struct writer *writer = writer_case_open(&t, t.path, 3, false);
	struct consumer consumer = writer_consumer(writer);
	char *label = calloc(1, 65400);
	struct record rec = { .type = FORMAT_HEADER_EVENT_TYPE };
	struct recording recording;

	memset(label, 'x', 65399);
	rec.detail.id = FORMAT_MARKER_ID_MARK;
	rec.detail.label = label;
	ck_assert_int_eq(consumer.start(consumer.ctx, &t.meta, NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(made_round(&consumer, &t.meta, &t.made, i, NULL), 0);
		ck_assert_int_eq(consumer.put(consumer.ctx, &rec, NULL), 0);
	}
	ck_assert_int_eq(consumer.finish(consumer.ctx, NULL), 0);
	writer_free(writer);
	ck_assert_msg(recording_load(&recording, t.path), "%s", recording.why);
	ck_assert_uint_eq(recording.frames, 2);
	ck_assert_uint_le(recording.largest_frame, FORMAT_FRAME_PLAIN_BYTES);
	ck_assert_uint_eq(recording_count(&recording, FORMAT_HEADER_EVENT_TYPE), 2 + 1);
	recording_fini(&recording);
	free(label);
}
END_TEST

START_TEST(a_target_too_large_for_the_format_is_refused_with_a_hint)
{
	struct ps_error err = PS_ERROR_INIT;

	free(t.meta.threads);
	t.meta.n_threads = 3000;
	t.meta.threads = calloc(t.meta.n_threads, sizeof(*t.meta.threads));
	ck_assert_int_eq(writer_case_write(&t, 3, &err), -EMSGSIZE);
	ck_assert_ptr_nonnull(strstr(err.hint, "2729 threads"));
	ck_assert_int_eq(access(t.path, F_OK), -1);
}
END_TEST

/* Writes a stream into a pipe that a child drains into path. */
static int write_stream(void)
{
	char name[32];
	int fds[2], status, rc;
	struct consumer consumer;
	struct writer *writer;
	pid_t child;

	ck_assert_int_eq(pipe(fds), 0);
	child = fork();
	if (child == 0) {
		int to = open(t.path, O_WRONLY | O_CREAT, 0600);
		char bytes[4096];
		ssize_t n;

		(void)close(fds[1]);
		while ((n = read(fds[0], bytes, sizeof(bytes))) > 0)
			if (write(to, bytes, (size_t)n) != n)
				_exit(1);
		_exit(n < 0);
	}
	(void)close(fds[0]);
	(void)snprintf(name, sizeof(name), "/dev/fd/%d", fds[1]);
	writer = writer_case_open(&t, name, 6, false);
	(void)close(fds[1]);
	consumer = writer_consumer(writer);
	rc = made_write(&consumer, &t.meta, &t.made, NULL);
	writer_free(writer);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	return rc;
}

START_TEST(a_stream_is_plain_and_tells_everything_in_records)
{
	struct recording recording;
	struct buffer scratch = BUFFER_INIT(0);
	struct record rec;
	size_t at = 0, features = 0;

	t.meta.features.present[FORMAT_FEATURE_TRACING_DATA] = true;
	t.io.at_most = 1000;
	t.io.interrupted = true;
	ck_assert_int_eq(write_stream(), 0);
	ck_assert_msg(recording_load(&recording, t.path), "%s", recording.why);
	ck_assert(recording.is_stream);
	ck_assert_uint_eq(recording.frames, 0);
	ck_assert_uint_eq(recording_count(&recording, FORMAT_HEADER_ATTR), t.meta.n_events);
	ck_assert_uint_eq(recording_count(&recording, FORMAT_STAT), WRITER_CASE_ROUNDS * WRITER_CASE_STATS);
	ck_assert_uint_eq(recording_count(&recording, FORMAT_HEADER_TRACING_DATA), 0);
	while (recording_next(&recording, &at, &rec, &scratch)) {
		uint64_t number;

		if (rec.type != FORMAT_HEADER_FEATURE)
			continue;
		memcpy(&number, rec.raw + 8, sizeof(number));
		ck_assert(number != FORMAT_FEATURE_COMPRESSED && number != FORMAT_FEATURE_TRACING_DATA);
		ck_assert_int_eq(feature_decode(&recording.meta, (uint32_t)number, rec.raw + 16,
						rec.bytes - 16, false, NULL), 0);
		features++;
	}
	ck_assert_uint_eq(features, 16);
	ck_assert_str_eq(recording.meta.features.hostname, "somewhere");
	buffer_fini(&scratch);
	recording_fini(&recording);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, a_recording_holds_what_was_put, 0, 3);
	tcase_add_test(tcase, the_order_in_front_of_the_readings_is_the_one_perf_needs);
	tcase_add_test(tcase, big_recordings_are_cut_into_frames_without_checkpoints);
	tcase_add_loop_test(tcase, the_file_is_complete_at_every_checkpoint, 0, 2);
	tcase_add_test(tcase, a_checkpoint_without_news_writes_nothing);
	tcase_add_loop_test(tcase, a_tick_writes_what_has_waited_long_enough, 0, 2);
	tcase_add_test(tcase, an_existing_file_is_kept_as_old_and_only_then);
	tcase_add_test(tcase, a_writer_that_never_started_leaves_nothing);
	tcase_add_test(tcase, a_refused_record_leaves_the_recording_as_it_was);
	tcase_add_test(tcase, a_record_larger_than_a_frame_is_written_as_it_is);
	tcase_add_test(tcase, a_target_too_large_for_the_format_is_refused_with_a_hint);
	tcase_add_test(tcase, a_stream_is_plain_and_tells_everything_in_records);
}

int main(void)
{
	return unit_main("writer", add);
}
