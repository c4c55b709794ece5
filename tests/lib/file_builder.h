/*
 * Makes perf.data files from a description, in either byte order, seekable or as a stream, plain or compressed. It knows
 * the format by itself and uses none of the code under test, so that what a test expects does not come from that code.
 * Failures (no memory) end the test program.
 */
#ifndef TESTS_FILE_BUILDER_H
#define TESTS_FILE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILDER_EVENTS 8
#define BUILDER_IDS 8
#define BUILDER_FEATURES 8

struct builder_bytes {
	uint8_t *at; /* owned */
	size_t len;
};

struct builder_event {
	uint32_t type;
	uint64_t config, sample_type, read_format, sample_period, branch_sample_type;
	uint64_t sample_regs_user, sample_regs_intr;
	bool sample_id_all;
	uint64_t ids[BUILDER_IDS];
	size_t n_ids;
};

enum builder_packing {
	BUILDER_FRAMES, /* each COMPRESSED record is a zstd frame of its own */
	BUILDER_CHAIN,  /* one zstd frame goes through all of them, as perf writes it */
};

struct file_builder {
	/* The description; set these before the first record. */
	bool big_endian, stream;
	bool old_magic;      /* PERFFILE */
	uint32_t attr_bytes; /* attr.size; 0 = 128 */
	struct builder_event events[BUILDER_EVENTS];
	size_t n_events;

	/* Private. */
	struct {
		uint32_t number;
		struct builder_bytes payload;
	} features[BUILDER_FEATURES];
	size_t n_features;
	struct builder_bytes body, records, packed;
	bool packing;
	bool head_done;
	void *chain;
};

void builder_init(struct file_builder *builder);
void builder_fini(struct file_builder *builder);

/* Appends to the body of the record (or payload) being described, in the file's byte order. */
void builder_u8(struct file_builder *builder, uint8_t v);
void builder_u16(struct file_builder *builder, uint16_t v);
void builder_u32(struct file_builder *builder, uint32_t v);
void builder_u64(struct file_builder *builder, uint64_t v);
void builder_raw(struct file_builder *builder, const void *bytes, size_t len);
/* Text with its NUL, padded with NULs to a multiple of align. */
void builder_text(struct file_builder *builder, const char *text, size_t align);
/* A header string: u32 length, text. */
void builder_string(struct file_builder *builder, const char *text);

/* The body so far becomes a record. */
void builder_record(struct file_builder *builder, uint32_t type, uint16_t misc);
/* Bytes behind a record that belong to no record (payloads of AUXTRACE and the like, and damage). */
void builder_loose(struct file_builder *builder, const void *bytes, size_t len);
/* The body so far becomes a header feature. Ask for them in order of their numbers. */
void builder_feature(struct file_builder *builder, uint32_t number);

/* Records from here on are held back; _flush makes one record of type (81 or 83) out of len of their bytes, 0 = all. */
void builder_pack(struct file_builder *builder);
void builder_flush(struct file_builder *builder, uint32_t type, size_t len, enum builder_packing packing);
/* Ends holding back; everything held back must have been flushed. */
void builder_unpack(struct file_builder *builder);

/* The whole file; free it. Where its records begin is *data_at (may be NULL). */
uint8_t *builder_file(struct file_builder *builder, size_t *len, size_t *data_at);

/* Records in use by many tests. */
void builder_comm(struct file_builder *builder, uint32_t pid, const char *comm); /* no trailer */
void builder_stat(struct file_builder *builder, uint64_t id, uint64_t value);     /* cpu -1, thread 0, times = value */
void builder_round(struct file_builder *builder, uint64_t time_ns);
/* A SAMPLE of sample_type FORMAT_SAMPLE_TYPE. */
void builder_sample(struct file_builder *builder, uint64_t id, uint64_t time_ns, uint64_t period);

/* Two counters with id 1 and 2 and sample_type FORMAT_SAMPLE_TYPE: task-clock and page-faults. */
void builder_two_events(struct file_builder *builder);

#endif
