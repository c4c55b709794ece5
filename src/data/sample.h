/* Everything a SAMPLE can hold beyond record_sample, and the id and time behind the kernel's other records. */
#ifndef DATA_SAMPLE_H
#define DATA_SAMPLE_H

#include "data/cursor.h"
#include "data/meta.h"
#include "data/record.h"

/* 8-byte words where they stand in the record, in the file's byte order: read them with sample_word(). */
struct sample_words {
	const uint8_t *at;
	size_t n;
	bool swapped;
};

static inline uint64_t sample_word(const struct sample_words *words, size_t i)
{
	return bytes_u64(words->at + i * sizeof(uint64_t), words->swapped);
}

struct sample_bytes {
	const uint8_t *at;
	size_t len;
};

/* What read(2) would have given: of one counter, or of a group. */
struct sample_read {
	uint64_t format; /* PERF_FORMAT_ bits */
	uint64_t enabled_ns, running_ns;
	size_t n_values;
	size_t stride;              /* words per value: the value, then id and lost when format has them */
	struct sample_words values; /* n_values * stride words */
};

struct sample_regs {
	uint64_t abi; /* PERF_SAMPLE_REGS_ABI_; 0: none were taken */
	uint64_t mask;
	struct sample_words values; /* one per bit of mask, lowest first */
};

struct sample {
	const struct meta_event *event; /* whose sample it is; NULL when no event has its id */
	uint64_t type;                  /* the sample_type it was read by: says which fields below are meant */
	struct sample_read read;
	struct sample_words callchain; /* addresses, and PERF_CONTEXT_ marks between them */
	struct sample_bytes raw;
	bool has_branch_index;
	uint64_t branch_index;
	struct sample_words branches;        /* three words each: from, to, flags */
	struct sample_words branch_counters; /* one word per branch, or none */
	struct sample_regs user_regs, intr_regs;
	struct sample_bytes stack;
	uint64_t stack_used; /* how much of stack the kernel could read */
	uint64_t weight;     /* WEIGHT, or the three parts of WEIGHT_STRUCT in one word */
	uint64_t data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct sample_bytes aux;
};

/*
 * The event whose SAMPLE this is, from the fields that the codec has filled. NULL when its id belongs to none. Constant
 * time.
 */
const struct meta_event *sample_event(const struct meta *meta, const struct record_sample *sample);

/*
 * Parses all of a SAMPLE record into *sample, which points into rec->raw. 0, or -EBADMSG when a length in it does not fit;
 * what stands before the damage is then filled in.
 */
int sample_parse(const struct meta *meta, const struct record *rec, struct sample *sample, struct ps_error *err)
	_must_check_;

/*
 * The same check, and brings copy (the record's bytes, its header excepted) into this machine's byte order where
 * rec->raw_swapped. Raw data, stacks and AUX data stay as they are. 0 or -EBADMSG.
 */
int sample_turn(const struct meta *meta, const struct record *rec, uint8_t *copy, struct ps_error *err) _must_check_;

/* What sample_id_all adds to the kernel's records; fields that sample_type does not have are 0. */
struct sample_trailer {
	uint64_t type; /* the sample_type it was read by */
	uint32_t pid, tid;
	uint64_t time_ns, id, stream_id;
	uint32_t cpu;
	size_t bytes; /* how much of the record's end it takes */
};

/* True when the record has one (never for SAMPLE and for perf's own records). */
bool sample_parse_trailer(const struct meta *meta, const struct record *rec, struct sample_trailer *trailer);

/* Turns the bytes of a trailer that was parsed from the other byte order. */
void sample_turn_trailer(const struct sample_trailer *trailer, uint8_t *bytes);

/* The counter values of a READ record (after pid and tid), by event's read_format. False when they do not fit. */
bool sample_parse_read(struct cursor *cur, uint64_t read_format, struct sample_read *read);

#endif
