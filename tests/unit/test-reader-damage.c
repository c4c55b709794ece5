/* Damaged and hostile files: what is good comes out, what is lost is said, nothing hangs. */
#include <errno.h>
#include <string.h>
#include <zstd.h>

#include "data/reader.h"
#include "lib/file_builder.h"
#include "lib/unit.h"

#define ROUNDS 5

struct outcome {
	int rc; /* of reader_open, or of the last reader_next */
	size_t stats, rounds, records, warnings;
	bool damaged;
};

/* Reads everything there is from a copy of exactly len bytes, so that a sanitizer sees each read beyond it.
 */
static struct outcome read_all(const uint8_t *file, size_t len, bool stream)
{
	struct outcome outcome = { 0 };
	uint8_t *copy = malloc(len ? len : 1);
	struct reader *reader;
	struct source *source;
	struct record rec;

	memcpy(copy, file, len);
	ck_assert_int_eq(source_open_memory(&source, copy, len, stream, NULL), 0);
	outcome.rc = reader_open(&reader, source, NULL);
	if (outcome.rc == 0) {
		while ((outcome.rc = reader_next(reader, &rec, NULL)) > 0) {
			outcome.records++;
			outcome.stats += rec.type == FORMAT_STAT && !rec.raw_only;
			outcome.rounds += rec.type == FORMAT_STAT_ROUND && !rec.raw_only;
		}
		outcome.damaged = reader_damaged(reader);
		outcome.warnings = reader_warnings(reader);
		reader_free(reader);
	}
	free(copy);
	return outcome;
}

/* The forms: plain file, plain stream, a file of independent frames (a round each), a stream with one frame
 * through all. */
enum form {
	PLAIN_FILE,
	PLAIN_STREAM,
	FRAMES_FILE,
	CHAIN_STREAM,
	FORMS,
};

static uint8_t *build(enum form form, size_t *len, size_t *data_at)
{
	struct file_builder builder;
	uint8_t *file;

	builder_init(&builder);
	builder.stream = form == PLAIN_STREAM || form == CHAIN_STREAM;
	builder_two_events(&builder);
	builder_string(&builder, "host");
	builder_feature(&builder, FORMAT_FEATURE_HOSTNAME);
	if (form >= FRAMES_FILE)
		builder_pack(&builder);
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		builder_stat(&builder, 1, i * 10);
		builder_stat(&builder, 2, i * 20);
		builder_round(&builder, i);
		if (form >= FRAMES_FILE)
			builder_flush(&builder, FORMAT_COMPRESSED, 0,
				      form == FRAMES_FILE ? BUILDER_FRAMES : BUILDER_CHAIN);
	}
	if (form >= FRAMES_FILE)
		builder_unpack(&builder);
	file = builder_file(&builder, len, data_at);
	builder_fini(&builder);
	return file;
}

START_TEST(every_truncation_gives_what_is_before_it)
{
	bool stream = _i == PLAIN_STREAM || _i == CHAIN_STREAM;
	size_t len, data_at, rounds = 0;
	uint8_t *file = build(_i, &len, &data_at);
	struct outcome whole = read_all(file, len, stream);

	ck_assert_uint_eq(whole.rounds, ROUNDS);
	ck_assert(!whole.damaged);
	for (size_t cut = 0; cut < len; cut++) {
		struct outcome outcome = read_all(file, cut, stream);

		if (outcome.rc < 0) {
			ck_assert_uint_lt(cut, data_at);
			continue;
		}
		ck_assert_uint_ge(outcome.rounds, rounds); /* more of the file never gives less */
		ck_assert_uint_le(outcome.rounds, ROUNDS);
		ck_assert_uint_le(outcome.stats, 2 * ROUNDS);
		rounds = outcome.rounds;
		if (!stream)
			ck_assert_msg(outcome.damaged && outcome.warnings, "cut at %zu of %zu", cut, len);
	}
	ck_assert_uint_ge(rounds, ROUNDS - 1);
	free(file);
}
END_TEST

START_TEST(no_flipped_byte_crashes_or_multiplies)
{
	static const uint8_t flips[] = { 0xff, 0x80, 0x01, 0x10 };
	bool stream = _i == PLAIN_STREAM || _i == CHAIN_STREAM;
	size_t len;
	uint8_t *file = build(_i, &len, NULL);

	for (size_t at = 0; at < len; at++)
		for (size_t k = 0; k < ARRAY_SIZE(flips); k++) {
			struct outcome outcome;

			file[at] ^= flips[k];
			outcome = read_all(file, len, stream);
			file[at] ^= flips[k];
			if (_i <
			    FRAMES_FILE) /* a changed back reference of zstd can make many more of them */
				ck_assert_uint_le(outcome.records, len / 8);
			ck_assert(outcome.rc == 0 || outcome.rc == -EBADMSG);
		}
	free(file);
}
END_TEST

static void put_u64(uint8_t *file, size_t at, uint64_t v)
{
	memcpy(file + at, &v, sizeof(v));
}

struct header_case {
	size_t at; /* in the header */
	uint64_t value;
	int rc;
};

static const struct header_case header_cases[] = {
	{ 8, 0, -EBADMSG },               /* header.size */
	{ 8, 103, -EBADMSG },
	{ 8, UINT64_MAX, -EBADMSG },
	{ 16, 0, -EBADMSG },              /* attr entry */
	{ 16, 8, -EBADMSG },
	{ 16, UINT64_MAX, -EBADMSG },
	{ 24, UINT64_MAX, -EBADMSG },     /* attrs.offset */
	{ 24, UINT64_MAX - 200, -EBADMSG },
	{ 32, UINT64_MAX, -EBADMSG },     /* attrs.size */
	{ 32, UINT64_C(1) << 62, -EBADMSG },
	{ 40, UINT64_C(1) << 40, -EBADMSG }, /* data.offset */
	{ 40, UINT64_MAX, -EBADMSG },
	{ 48, UINT64_MAX, 0 },            /* data.size: to the end of the file */
	{ 48, UINT64_C(1) << 32, 0 },
	{ 72, UINT64_MAX, 0 },            /* features that are not there */
};

START_TEST(hostile_headers_are_refused_or_survived)
{
	const struct header_case *which = &header_cases[_i];
	size_t len;
	uint8_t *file = build(PLAIN_FILE, &len, NULL);
	struct outcome outcome;

	put_u64(file, which->at, which->value);
	outcome = read_all(file, len, false);
	ck_assert_int_eq(outcome.rc, which->rc);
	if (outcome.rc == 0) {
		ck_assert(outcome.damaged);
		ck_assert_uint_eq(outcome.rounds, ROUNDS);
	}
	free(file);
}
END_TEST

START_TEST(ids_that_many_events_share_do_not_multiply)
{
	size_t len;
	uint8_t *file = build(PLAIN_FILE, &len, NULL);
	struct outcome outcome;

	/* both entries claim nearly all of the file as their ids: the second one has to be refused */
	put_u64(file, 104 + 16 + 128, 0);
	put_u64(file, 104 + 16 + 128 + 8, len - 8);
	put_u64(file, 104 + 16 + 144 + 128, 0);
	put_u64(file, 104 + 16 + 144 + 128 + 8, len - 8);
	outcome = read_all(file, len, false);
	ck_assert_int_eq(outcome.rc, 0);
	ck_assert(outcome.damaged);
	ck_assert_uint_eq(outcome.warnings, 1);
	free(file);
}
END_TEST

START_TEST(file_that_was_never_finished_is_read_to_its_end)
{
	struct file_builder builder;
	struct outcome outcome;
	size_t len;
	uint8_t *file;

	builder_init(&builder);
	builder_two_events(&builder);
	builder_stat(&builder, 1, 1);
	builder_round(&builder, 1);
	file = builder_file(&builder, &len, NULL);
	builder_fini(&builder);
	put_u64(file, FORMAT_DATA_SIZE_AT, 0);
	outcome = read_all(file, len, false);
	ck_assert_uint_eq(outcome.stats, 1);
	ck_assert_uint_eq(outcome.rounds, 1);
	ck_assert(outcome.damaged);
	ck_assert_uint_eq(outcome.warnings, 1);
	free(file);
}
END_TEST

START_TEST(finished_file_without_records_is_good)
{
	struct file_builder builder;
	struct outcome outcome;
	size_t len;
	uint8_t *file;

	builder_init(&builder);
	builder_two_events(&builder);
	builder_string(&builder, "host");
	builder_feature(&builder, FORMAT_FEATURE_HOSTNAME);
	file = builder_file(&builder, &len, NULL);
	builder_fini(&builder);
	outcome = read_all(file, len, false);
	ck_assert_int_eq(outcome.rc, 0);
	ck_assert_uint_eq(outcome.records, 0);
	ck_assert(!outcome.damaged);
	free(file);
}
END_TEST

/*
 * A recorder killed between its two writes of a checkpoint: new records and a new table stand where the old
 * table was, the header still tells the old size. The payload stands in front, as in pstat's files.
 */
START_TEST(unfinished_checkpoint_is_taken_in)
{
	struct file_builder builder;
	struct outcome outcome;
	size_t len, data_at;
	uint8_t *file;

	builder_init(&builder);
	builder_two_events(&builder);
	for (uint64_t i = 1; i <= 4; i++) {
		builder_stat(&builder, 1, i);
		builder_round(&builder, i);
	}
	file = builder_file(&builder, &len, &data_at);
	builder_fini(&builder);
	file = realloc(file, len + 16);
	put_u64(file, len, 104);     /* the new table: HOSTNAME, some bytes of the file */
	put_u64(file, len + 8, 0);
	put_u64(file, FORMAT_DATA_SIZE_AT, 2 * (48 + 24));
	put_u64(file, FORMAT_FLAGS_AT, UINT64_C(1) << FORMAT_FEATURE_HOSTNAME);
	outcome = read_all(file, len + 16, false);
	ck_assert_uint_eq(outcome.rounds, 4);
	ck_assert(!outcome.damaged);
	ck_assert_uint_eq(outcome.warnings, 1);
	free(file);
}
END_TEST

/* Damage to the first, a middle and the last of the frames. */
START_TEST(damaged_frame_costs_only_itself)
{
	static const size_t victims[] = { 0, 2, ROUNDS - 1 };
	size_t len, at;
	uint8_t *file = build(FRAMES_FILE, &len, &at);
	struct outcome outcome;

	for (size_t i = 0; i < victims[_i]; i++) {
		uint16_t size;

		memcpy(&size, file + at + 6, sizeof(size));
		at += size;
	}
	file[at + 8 + 12] ^= 0x55;
	outcome = read_all(file, len, false);
	ck_assert_int_eq(outcome.rc, 0);
	ck_assert(outcome.damaged);
	ck_assert_uint_eq(outcome.rounds, ROUNDS - 1);
	ck_assert_uint_eq(outcome.stats, 2 * (ROUNDS - 1));
	free(file);
}
END_TEST

START_TEST(damage_in_a_chain_keeps_what_was_before)
{
	size_t len, at = 0;
	uint8_t *file = build(CHAIN_STREAM, &len, NULL);
	struct outcome outcome;

	for (size_t i = 0; i < 3; at++) /* the third compressed record */
		i += at >= 16 && file[at] == FORMAT_COMPRESSED && !file[at + 1] && !file[at + 2] &&
		     !file[at + 4] && !file[at + 5];
	memset(file + at - 1 + 8, 0xff, 4);
	outcome = read_all(file, len, true);
	ck_assert_int_eq(outcome.rc, 0);
	ck_assert(outcome.damaged);
	ck_assert_uint_eq(outcome.rounds, 2);
	free(file);
}
END_TEST

/* A record that decompresses to far more than its share: neither time nor memory go with it. */
START_TEST(bomb_is_defused)
{
	const size_t plain = 256u << 20;
	struct file_builder builder;
	struct outcome outcome;
	ZSTD_CCtx *ctx = ZSTD_createCCtx();
	uint8_t *zeros = calloc(1, 1u << 20), *packed = malloc(65536), *file;
	ZSTD_outBuffer out = { packed, 65000, 0 };
	size_t len;

	for (size_t done = 0; done < plain; done += 1u << 20) {
		ZSTD_inBuffer in = { zeros, 1u << 20, 0 };

		ZSTD_compressStream2(ctx, &out, &in, ZSTD_e_continue);
		ck_assert_uint_eq(in.pos, in.size);
	}
	ck_assert_uint_eq(ZSTD_compressStream2(ctx, &out, &(ZSTD_inBuffer){ 0 }, ZSTD_e_end), 0);
	ZSTD_freeCCtx(ctx);
	builder_init(&builder);
	builder_two_events(&builder);
	builder_raw(&builder, packed, out.pos);
	builder_record(&builder, FORMAT_COMPRESSED, 0);
	builder_pack(&builder);
	builder_round(&builder, 1);
	builder_flush(&builder, FORMAT_COMPRESSED, 0, BUILDER_FRAMES);
	builder_unpack(&builder);
	file = builder_file(&builder, &len, NULL);
	builder_fini(&builder);
	outcome = read_all(file, len, false);
	ck_assert_int_eq(outcome.rc, 0);
	ck_assert(outcome.damaged);
	ck_assert_uint_eq(outcome.rounds, 1);
	free(file);
	free(packed);
	free(zeros);
}
END_TEST

/* AUXTRACE and TRACING_DATA whose payload claims to be longer than the rest of the input. */
START_TEST(payload_beyond_the_end_stops_the_reading)
{
	static const uint64_t sizes[] = { 100, UINT32_MAX - 7, UINT64_C(1) << 40, UINT64_MAX };
	bool stream = _i % 2;
	struct file_builder builder;
	struct outcome outcome;
	uint8_t *file;
	size_t len;

	builder_init(&builder);
	builder.stream = stream;
	builder_two_events(&builder);
	builder_stat(&builder, 1, 1);
	builder_u64(&builder, sizes[_i / 2]);
	builder_u64(&builder, 0);
	builder_record(&builder, FORMAT_AUXTRACE, 0);
	builder_stat(&builder, 1, 1);
	file = builder_file(&builder, &len, NULL);
	builder_fini(&builder);
	outcome = read_all(file, len, stream);
	ck_assert_int_eq(outcome.rc, 0);
	ck_assert(outcome.damaged);
	ck_assert_uint_eq(outcome.stats, 1);
	free(file);
}
END_TEST

START_TEST(bad_record_sizes_stop_the_reading_and_name_the_place)
{
	static const uint16_t sizes[] = { 0, 4, 7, 65535 };
	struct source *source;
	struct reader *reader;
	struct record rec;
	size_t len, at, n = 0;
	uint8_t *file = build(PLAIN_FILE, &len, &at);
	char place[32];

	at += 48 + 48 + 24;
	memcpy(file + at + 6, &sizes[_i], sizeof(sizes[_i]));
	(void)snprintf(place, sizeof(place), "offset %zu", at);
	ck_assert_int_eq(source_open_memory(&source, file, len, false, NULL), 0);
	ck_assert_int_eq(reader_open(&reader, source, NULL), 0);
	while (reader_next(reader, &rec, NULL) > 0)
		n++;
	ck_assert_uint_eq(n, 3);
	ck_assert(reader_damaged(reader));
	ck_assert_uint_eq(reader_warnings(reader), 1);
	ck_assert_msg(strstr(reader_warning(reader, 0), place) != NULL, "%s", reader_warning(reader, 0));
	reader_free(reader);
	free(file);
}
END_TEST

START_TEST(warnings_do_not_grow_with_the_damage)
{
	struct file_builder builder;
	struct outcome outcome;
	uint8_t *file;
	size_t len;

	builder_init(&builder);
	builder_two_events(&builder);
	for (int i = 0; i < 5000; i++) {
		builder_u64(&builder, 1);
		builder_record(&builder, PERF_RECORD_SAMPLE, 0);
	}
	file = builder_file(&builder, &len, NULL);
	builder_fini(&builder);
	outcome = read_all(file, len, false);
	ck_assert_uint_eq(outcome.records, 5000);
	ck_assert_uint_le(outcome.warnings, 100);
	ck_assert(outcome.damaged);
	free(file);
}
END_TEST

START_TEST(what_is_no_recording_is_refused)
{
	static const char *const files[] = { "", "PERF", "PERFILE2",
					     "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\0\0\0\0" };
	static const size_t lens[] = { 0, 4, 8, 20 };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct outcome outcome = read_all((const uint8_t *)files[i], lens[i], _i);

		ck_assert_int_eq(outcome.rc, -EBADMSG);
	}
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, every_truncation_gives_what_is_before_it, 0, FORMS);
	tcase_add_loop_test(tcase, no_flipped_byte_crashes_or_multiplies, 0, FORMS);
	tcase_add_loop_test(tcase, hostile_headers_are_refused_or_survived, 0, ARRAY_SIZE(header_cases));
	tcase_add_test(tcase, ids_that_many_events_share_do_not_multiply);
	tcase_add_test(tcase, file_that_was_never_finished_is_read_to_its_end);
	tcase_add_test(tcase, finished_file_without_records_is_good);
	tcase_add_test(tcase, unfinished_checkpoint_is_taken_in);
	tcase_add_loop_test(tcase, damaged_frame_costs_only_itself, 0, 3);
	tcase_add_test(tcase, damage_in_a_chain_keeps_what_was_before);
	tcase_add_test(tcase, bomb_is_defused);
	tcase_add_loop_test(tcase, payload_beyond_the_end_stops_the_reading, 0, 8);
	tcase_add_loop_test(tcase, bad_record_sizes_stop_the_reading_and_name_the_place, 0, 4);
	tcase_add_test(tcase, warnings_do_not_grow_with_the_damage);
	tcase_add_loop_test(tcase, what_is_no_recording_is_refused, 0, 2);
}

int main(void)
{
	return unit_main("reader-damage", add);
}
