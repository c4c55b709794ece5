/* Writer and reader together: whole files, and every way a recorder can die. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "data/reader.h"
#include "data/writer.h"
#include "lib/made_recording.h"
#include "lib/unit.h"

#define ROUNDS 12
#define PATH "recording.data"

struct bytes {
	uint8_t *at; /* owned */
	size_t len;
};

static struct bytes slurp(const char *path)
{
	struct stat st;
	struct bytes bytes;
	int fd = open(path, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	bytes.len = (size_t)st.st_size;
	bytes.at = malloc(bytes.len + 1);
	ck_assert_int_eq(read(fd, bytes.at, bytes.len), st.st_size);
	ck_assert_int_eq(close(fd), 0);
	return bytes;
}

/* Forms: plain, compressed; CPUs or tasks. */
static struct bytes record(bool compressed, bool per_task)
{
	const struct writer_options options = { .zstd_level = compressed ? 3 : 0, .io = &io_system };
	const struct made made = { .per_task = per_task, .rounds = ROUNDS };
	struct ps_error err = PS_ERROR_INIT;
	struct consumer consumer;
	struct writer *writer;
	struct bytes bytes;
	struct meta meta;
	char folder[] = "recording-XXXXXX", path[64];

	ck_assert_ptr_nonnull(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/" PATH, folder);
	made_meta(&meta, &made);
	ck_assert_int_eq(writer_open(&writer, path, &options, &err), 0);
	consumer = writer_consumer(writer);
	ck_assert_msg(made_write(&consumer, &meta, &made, &err) == 0, "%s", err.what);
	writer_free(writer);
	meta_fini(&meta);
	bytes = slurp(path);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(rmdir(folder), 0);
	return bytes;
}

struct found {
	size_t rounds, markers, details;
	bool right; /* every STAT had the value that was described */
};

/* Checks each value against the description, and counts. */
static void take(struct found *found, const struct meta *meta, const struct record *rec)
{
	const struct meta_event *event = NULL;

	if (rec->type == FORMAT_STAT_ROUND)
		found->rounds++;
	if (rec->type == FORMAT_HEADER_EVENT_TYPE)
		found->details += rec->detail.seq > 0;
	if (rec->type == PERF_RECORD_SAMPLE || rec->type == FORMAT_STAT)
		event = meta_find_id(meta, rec->type == FORMAT_STAT ? rec->stat.id : rec->sample.id);
	if (!event)
		return;
	if (rec->type == PERF_RECORD_SAMPLE) {
		found->markers += event->role != META_COUNTER;
		return;
	}
	for (size_t k = 0; k < event->n_ids; k++)
		if (event->ids[k] == rec->stat.id)
			found->right &= rec->stat.val ==
					made_value((size_t)(event - meta->events), k, found->rounds);
}

static struct reader *open_bytes(const struct bytes *bytes, size_t len)
{
	struct ps_error err = PS_ERROR_INIT;
	struct reader *reader;
	struct source *source;

	ck_assert_int_eq(source_open_memory(&source, bytes->at, len, false, NULL), 0);
	if (reader_open(&reader, source, &err) == 0)
		return reader;
	ck_assert_int_eq(err.code, EBADMSG);
	return NULL;
}

static struct found read_rest(struct reader *reader)
{
	struct found found = { .right = true };
	struct record rec;

	while (reader_next(reader, &rec, NULL) > 0)
		take(&found, reader_meta(reader), &rec);
	return found;
}

START_TEST(everything_recorded_is_read_back)
{
	const bool compressed = _i & 1, per_task = _i & 2;
	struct bytes bytes = record(compressed, per_task);
	struct reader *reader = open_bytes(&bytes, bytes.len);
	struct found found = read_rest(reader);
	const struct meta *meta = reader_meta(reader);

	ck_assert_msg(!reader_warnings(reader), "%s", reader_warning(reader, 0));
	ck_assert_uint_eq(found.rounds, ROUNDS);
	ck_assert_uint_eq(found.markers, found.details);
	ck_assert_uint_eq(found.markers, 2 * 3 + 1);
	ck_assert(found.right);
	ck_assert_str_eq(meta->features.hostname, "somewhere");
	ck_assert_str_eq(meta->events[0].unit, "msec");
	ck_assert_uint_eq(meta->events[MADE_UNSUPPORTED].n_ids, 0);
	ck_assert(meta->has_t0);
	ck_assert_uint_eq(meta->t0_mono_ns, MADE_T0_NS);
	ck_assert_uint_eq(meta->t0_wall_ns, MADE_WALL_NS);
	ck_assert_uint_eq(meta->n_threads, per_task ? MADE_CELLS : 1);
	ck_assert_uint_eq(meta->n_cpus, per_task ? 1 : MADE_CELLS);
	reader_free(reader);
	free(bytes.at);
}
END_TEST

START_TEST(every_cut_of_it_reads_as_a_true_part)
{
	struct bytes bytes = record(_i, false);
	size_t rounds = 0;

	for (size_t cut = 0; cut < bytes.len; cut++) {
		struct reader *reader = open_bytes(&bytes, cut);
		struct found found;

		if (!reader)
			continue;
		found = read_rest(reader);
		ck_assert(found.right);
		ck_assert_uint_ge(found.rounds, rounds);
		ck_assert(reader_damaged(reader));
		rounds = found.rounds;
		reader_free(reader);
	}
	ck_assert_uint_eq(rounds, ROUNDS); /* without its table it still has all of them */
	free(bytes.at);
}
END_TEST

/* The two writes of a checkpoint: records and table are there, the header still tells an earlier size. */
START_TEST(death_between_the_writes_of_a_checkpoint_loses_nothing)
{
	struct bytes bytes = record(_i, false);
	uint64_t data_at, whole, size = 0;

	memcpy(&data_at, bytes.at + 40, sizeof(data_at));
	memcpy(&whole, bytes.at + FORMAT_DATA_SIZE_AT, sizeof(whole));
	while (size < whole) {
		struct reader *reader;
		uint16_t record_bytes;

		memcpy(&record_bytes, bytes.at + data_at + size + 6, sizeof(record_bytes));
		size += record_bytes;
		if (size == whole)
			break;
		memcpy(bytes.at + FORMAT_DATA_SIZE_AT, &size, sizeof(size));
		reader = open_bytes(&bytes, bytes.len);
		ck_assert_uint_eq(read_rest(reader).rounds, ROUNDS);
		ck_assert(!reader_damaged(reader));
		ck_assert_uint_eq(reader_warnings(reader), 1);
		ck_assert_str_eq(reader_meta(reader)->features.hostname, "somewhere");
		reader_free(reader);
	}
	free(bytes.at);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, everything_recorded_is_read_back, 0, 4);
	tcase_add_loop_test(tcase, every_cut_of_it_reads_as_a_true_part, 0, 2);
	tcase_add_loop_test(tcase, death_between_the_writes_of_a_checkpoint_loses_nothing, 0, 2);
}

int main(void)
{
	return unit_main("recording", add);
}
