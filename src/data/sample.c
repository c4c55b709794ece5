/* SAMPLE records in full, and the trailers of the kernel's other records. */
#include "data/sample.h"

#include <errno.h>

#include "pstat/format.h"

#define WORD sizeof(uint64_t)
#define BRANCH_WORDS 3
#define HEADER_BYTES sizeof(struct perf_event_header)
/* Newer than the headers of some supported systems. */
#define BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define BRANCH_COUNTERS (UINT64_C(1) << 19)
#define READ_LOST (UINT64_C(1) << 4)

#define TRAILER_FIELDS                                                                                    \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_IDENTIFIER)

const struct meta_event *sample_event(const struct meta *meta, const struct record_sample *sample)
{
	const struct meta_sample_key *key;
	struct meta_sample_key room;

	if (meta->n_events <= 1) /* as perf does: whatever the id says, there is no choice */
		return meta->n_events ? &meta->events[0] : NULL;
	key = meta_sample_key(meta, &room);
	if (!key->has_id)
		return key->uniform ? &meta->events[0] : NULL;
	return sample->id ? meta_find_id(meta, sample->id) : &meta->events[0];
}

static bool take_words(struct cursor *cur, uint64_t n, struct sample_words *words)
{
	if (n > cur->left / WORD)
		return false;
	words->n = (size_t)n;
	words->swapped = cur->swapped;
	words->at = cursor_take(cur, (size_t)n * WORD);
	return true;
}

static bool take_counted(struct cursor *cur, size_t words_each, struct sample_words *words)
{
	uint64_t n;

	return cursor_u64(cur, &n) && n <= cur->left / WORD && take_words(cur, n * words_each, words);
}

static bool take_bytes(struct cursor *cur, uint64_t len, struct sample_bytes *bytes)
{
	if (len > cur->left)
		return false;
	bytes->len = (size_t)len;
	bytes->at = cursor_take(cur, (size_t)len);
	return true;
}

bool sample_parse_read(struct cursor *cur, uint64_t format, struct sample_read *read)
{
	bool group = format & PERF_FORMAT_GROUP;
	uint64_t n = 1;

	read->format = format;
	read->stride = 1u + !!(format & PERF_FORMAT_ID) + !!(format & READ_LOST);
	if (group && !cursor_u64(cur, &n))
		return false;
	if (n > cur->left / WORD)
		return false;
	if (!group && !take_words(cur, 1, &read->values))
		return false;
	if ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) && !cursor_u64(cur, &read->enabled_ns))
		return false;
	if ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) && !cursor_u64(cur, &read->running_ns))
		return false;
	read->n_values = (size_t)n;
	if (group)
		return take_words(cur, n * read->stride, &read->values);
	/* of a single counter the times stand between the value and its id */
	size_t behind = read->stride - 1;

	read->stride = 1;
	return cursor_take(cur, behind * WORD) != NULL;
}

static bool take_read(struct cursor *cur, struct sample *sample)
{
	return sample_parse_read(cur, sample->event ? sample->event->attr.read_format : 0, &sample->read);
}

static bool take_callchain(struct cursor *cur, struct sample *sample)
{
	return take_counted(cur, 1, &sample->callchain);
}

static bool take_raw(struct cursor *cur, struct sample *sample)
{
	uint32_t len;

	return cursor_u32(cur, &len) && take_bytes(cur, len, &sample->raw);
}

static bool take_branches(struct cursor *cur, struct sample *sample)
{
	uint64_t kind = sample->event ? sample->event->attr.branch_sample_type : 0, n;

	if (!cursor_u64(cur, &n) || n > cur->left / WORD)
		return false;
	sample->has_branch_index = kind & BRANCH_HW_INDEX;
	if (sample->has_branch_index && !cursor_u64(cur, &sample->branch_index))
		return false;
	if (!take_words(cur, n * BRANCH_WORDS, &sample->branches))
		return false;
	return !(kind & BRANCH_COUNTERS) || take_words(cur, n, &sample->branch_counters);
}

static bool take_regs(struct cursor *cur, uint64_t mask, struct sample_regs *regs)
{
	regs->mask = mask;
	if (!cursor_u64(cur, &regs->abi))
		return false;
	return !regs->abi || take_words(cur, (uint64_t)__builtin_popcountll(mask), &regs->values);
}

static bool take_user_regs(struct cursor *cur, struct sample *sample)
{
	return take_regs(cur, sample->event ? sample->event->attr.sample_regs_user : 0, &sample->user_regs);
}

static bool take_intr_regs(struct cursor *cur, struct sample *sample)
{
	return take_regs(cur, sample->event ? sample->event->attr.sample_regs_intr : 0, &sample->intr_regs);
}

static bool take_stack(struct cursor *cur, struct sample *sample)
{
	uint64_t len;

	if (!cursor_u64(cur, &len) || !take_bytes(cur, len, &sample->stack))
		return false;
	return !len || cursor_u64(cur, &sample->stack_used);
}

static bool take_aux(struct cursor *cur, struct sample *sample)
{
	uint64_t len;

	return cursor_u64(cur, &len) && take_bytes(cur, len, &sample->aux);
}

/* In the kernel's order. A row is either one word or a function. */
static const struct sample_part {
	uint64_t bits;
	const char *name;
	size_t word_at; /* in struct sample, when take is NULL */
	bool (*take)(struct cursor *cur, struct sample *sample);
} parts[] = {
	{ PERF_SAMPLE_READ, "counter values", 0, take_read },
	{ PERF_SAMPLE_CALLCHAIN, "callchain", 0, take_callchain },
	{ PERF_SAMPLE_RAW, "raw data", 0, take_raw },
	{ PERF_SAMPLE_BRANCH_STACK, "branches", 0, take_branches },
	{ PERF_SAMPLE_REGS_USER, "user registers", 0, take_user_regs },
	{ PERF_SAMPLE_STACK_USER, "user stack", 0, take_stack },
	{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "weight", offsetof(struct sample, weight), NULL },
	{ PERF_SAMPLE_DATA_SRC, "data source", offsetof(struct sample, data_src), NULL },
	{ PERF_SAMPLE_TRANSACTION, "transaction", offsetof(struct sample, transaction), NULL },
	{ PERF_SAMPLE_REGS_INTR, "interrupt registers", 0, take_intr_regs },
	{ PERF_SAMPLE_PHYS_ADDR, "physical address", offsetof(struct sample, phys_addr), NULL },
	{ PERF_SAMPLE_CGROUP, "cgroup", offsetof(struct sample, cgroup), NULL },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, "data page size", offsetof(struct sample, data_page_size), NULL },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, "code page size", offsetof(struct sample, code_page_size), NULL },
	{ PERF_SAMPLE_AUX, "aux data", 0, take_aux },
};

static bool take_part(struct cursor *cur, const struct sample_part *part, struct sample *sample)
{
	uint64_t word;

	if (part->take)
		return part->take(cur, sample);
	if (!cursor_u64(cur, &word))
		return false;
	memcpy((char *)sample + part->word_at, &word, sizeof(word));
	return true;
}

static int too_short(const struct record *rec, const char *what, struct ps_error *err)
{
	return ps_fail(err, "sample", EBADMSG, "SAMPLE of %u bytes at offset %llu: its %s do not fit",
		       rec->bytes, (unsigned long long)rec->offset, what);
}

/* The fields of one word, in the order in which a sample has them, and the one in which a trailer has them. */
static const uint64_t sample_order[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,        PERF_SAMPLE_TID, PERF_SAMPLE_TIME,   PERF_SAMPLE_ADDR,
	PERF_SAMPLE_ID,         PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD,
};
static const uint64_t trailer_order[] = {
	PERF_SAMPLE_TID,       PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,  PERF_SAMPLE_IDENTIFIER,
};

static void turn_words(uint8_t *at, size_t len)
{
	for (; len >= WORD; at += WORD, len -= WORD) {
		uint64_t word = bytes_u64(at, true);

		memcpy(at, &word, sizeof(word));
	}
}

/* A word of two integers. */
static void turn_halves(uint8_t *at)
{
	const uint32_t halves[] = { bytes_u32(at, true), bytes_u32(at + sizeof(uint32_t), true) };

	memcpy(at, halves, sizeof(halves));
}

static void turn_fields(uint8_t *at, uint64_t type, const uint64_t order[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!(type & order[i]))
			continue;
		if (order[i] & (PERF_SAMPLE_TID | PERF_SAMPLE_CPU))
			turn_halves(at);
		else
			turn_words(at, WORD);
		at += WORD;
	}
}

static void turn_weights(uint8_t *at)
{
	const uint16_t upper[] = { bytes_u16(at + 4, true), bytes_u16(at + 6, true) };
	const uint32_t lower = bytes_u32(at, true);

	memcpy(at, &lower, sizeof(lower));
	memcpy(at + sizeof(lower), upper, sizeof(upper));
}

/* What stands in bytes without an order (a stack, raw or AUX data) is left; len covers the part and was checked. */
static void turn_part(uint64_t bits, uint64_t type, uint8_t *at, size_t len)
{
	uint32_t raw_len;

	switch (bits) {
	case PERF_SAMPLE_RAW:
		raw_len = bytes_u32(at, true);
		memcpy(at, &raw_len, sizeof(raw_len));
		return;
	case PERF_SAMPLE_STACK_USER:
		turn_words(at, WORD);
		if (len >= 2 * WORD) /* how much of it is used stands behind it */
			turn_words(at + len - WORD, WORD);
		return;
	case PERF_SAMPLE_AUX:
		turn_words(at, WORD);
		return;
	default:
		if (bits & type & PERF_SAMPLE_WEIGHT_STRUCT)
			turn_weights(at);
		else
			turn_words(at, len);
	}
}

/* copy: where to turn what was parsed, or NULL. */
static int walk(const struct meta *meta, const struct record *rec, struct sample *sample, uint8_t *copy,
		struct ps_error *err)
{
	struct cursor cur = {
		.at = rec->raw + HEADER_BYTES, .left = rec->bytes - HEADER_BYTES, .swapped = rec->raw_swapped,
	};
	const struct meta_event *by;

	memset(sample, 0, sizeof(*sample));
	sample->event = sample_event(meta, &rec->sample);
	by = sample->event || !meta->n_events ? sample->event : &meta->events[0];
	sample->type = by ? by->attr.sample_type : 0;
	if (!cursor_take(&cur, meta_leading_bytes(sample->type)))
		return too_short(rec, "first fields", err);
	if (copy)
		turn_fields(copy + HEADER_BYTES, sample->type, sample_order, ARRAY_SIZE(sample_order));
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const uint8_t *before = cur.at;

		if (!(sample->type & parts[i].bits))
			continue;
		if (!take_part(&cur, &parts[i], sample))
			return too_short(rec, parts[i].name, err);
		if (copy)
			turn_part(parts[i].bits, sample->type, copy + (before - rec->raw),
				  (size_t)(cur.at - before));
	}
	return 0;
}

int sample_parse(const struct meta *meta, const struct record *rec, struct sample *sample,
		 struct ps_error *err)
{
	return walk(meta, rec, sample, NULL, err);
}

int sample_turn(const struct meta *meta, const struct record *rec, uint8_t *copy, struct ps_error *err)
{
	struct sample sample;

	return walk(meta, rec, &sample, rec->raw_swapped ? copy : NULL, err);
}

void sample_turn_trailer(const struct sample_trailer *trailer, uint8_t *bytes)
{
	turn_fields(bytes, trailer->type, trailer_order, ARRAY_SIZE(trailer_order));
}

static bool may_have_trailer(const struct meta *meta, const struct record *rec)
{
	return meta->n_events && meta->events[0].attr.sample_id_all && rec->type < FORMAT_HEADER_ATTR &&
	       rec->type != PERF_RECORD_SAMPLE;
}

/* With IDENTIFIER the id is the last word, and says whose sample_type the rest has. */
static uint64_t trailer_type(const struct meta *meta, const struct record *rec)
{
	const struct meta_event *event = NULL;
	uint64_t type = meta->n_events ? meta->events[0].attr.sample_type : 0;

	if (meta->n_events > 1 && (type & PERF_SAMPLE_IDENTIFIER) && rec->bytes >= HEADER_BYTES + WORD)
		event = meta_find_id(meta, bytes_u64(rec->raw + rec->bytes - WORD, rec->raw_swapped));
	return (event ? event->attr.sample_type : type) & TRAILER_FIELDS;
}

bool sample_parse_trailer(const struct meta *meta, const struct record *rec, struct sample_trailer *trailer)
{
	uint64_t type = trailer_type(meta, rec);
	size_t bytes = (size_t)__builtin_popcountll(type) * WORD;
	struct cursor cur;
	uint32_t unused;

	memset(trailer, 0, sizeof(*trailer));
	if (!bytes || !may_have_trailer(meta, rec) || rec->bytes < HEADER_BYTES + bytes)
		return false;
	cur = (struct cursor){ rec->raw + rec->bytes - bytes, bytes, rec->raw_swapped };
	trailer->type = type;
	trailer->bytes = bytes;
	/* the length was checked for all of them at once */
	if (type & PERF_SAMPLE_TID)
		(void)(cursor_u32(&cur, &trailer->pid) && cursor_u32(&cur, &trailer->tid));
	if (type & PERF_SAMPLE_TIME)
		(void)cursor_u64(&cur, &trailer->time_ns);
	if (type & PERF_SAMPLE_ID)
		(void)cursor_u64(&cur, &trailer->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		(void)cursor_u64(&cur, &trailer->stream_id);
	if (type & PERF_SAMPLE_CPU)
		(void)(cursor_u32(&cur, &trailer->cpu) && cursor_u32(&cur, &unused));
	if (type & PERF_SAMPLE_IDENTIFIER)
		(void)cursor_u64(&cur, &trailer->id);
	return true;
}
