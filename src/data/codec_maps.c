/* THREAD_MAP, CPU_MAP, STAT_CONFIG and EVENT_UPDATE: the records that tell what the readings are of. */
#include <errno.h>

#include "data/codec_layout.h"

#define BITS_PER_BYTE 8
#define MASK8_PAD 4 /* a mask of 8-byte words begins at a multiple of 8 from its own start */

/* Room for n things of `each` bytes in scratch, set to 0 and in use; NULL with err filled. */
static void *scratch_array(struct codec_in *in, size_t n, size_t each)
{
	in->scratch->len = 0;
	if (buffer_append_zero(in->scratch, n * each, in->err) < 0)
		return NULL;
	return in->scratch->data;
}

/* The u64 count in front of an array whose entries have `each` bytes. */
static bool take_count(struct codec_in *in, size_t each, size_t *n)
{
	uint64_t count = 0;

	if (!cursor_u64(&in->rest, &count) || count > in->rest.left / each)
		return false;
	*n = (size_t)count;
	return true;
}

/* An array of the file can be used where it stands when neither order nor address are in the way. */
static bool usable_in_place(const struct codec_in *in)
{
	return !in->rest.swapped && (uintptr_t)in->rest.at % sizeof(uint64_t) == 0;
}

static bool comms_end(const uint8_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (at[(i + 1) * sizeof(struct format_thread_map_entry) - 1])
			return false;
	return true;
}

int codec_unpack_thread_map(struct codec_in *in)
{
	struct format_thread_map_entry *threads;
	size_t n;

	if (!take_count(in, sizeof(*threads), &n))
		return codec_damaged(in, "more threads than it has room for");
	in->rec->thread_map.n = n;
	if (usable_in_place(in) && comms_end(in->rest.at, n)) {
		in->rec->thread_map.threads = (const void *)in->rest.at;
		return 1;
	}
	threads = scratch_array(in, n, sizeof(*threads));
	if (n && !threads)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *at = in->rest.at + i * sizeof(*threads);

		threads[i].pid = bytes_u64(at, in->rest.swapped);
		memcpy(threads[i].comm, at + sizeof(uint64_t), sizeof(threads[i].comm) - 1);
	}
	in->rec->thread_map.threads = threads;
	return 1;
}

int codec_pack_thread_map(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	uint64_t n = rec->thread_map.n;
	int rc = buffer_append(out, &n, sizeof(n), err);

	return rc < 0 ? rc : buffer_append(out, rec->thread_map.threads, n * sizeof(*rec->thread_map.threads), err);
}

int codec_unpack_stat_config(struct codec_in *in)
{
	struct format_stat_config_entry *entries;
	size_t n;

	if (!take_count(in, sizeof(*entries), &n))
		return codec_damaged(in, "more entries than it has room for");
	in->rec->stat_config.n = n;
	if (usable_in_place(in)) {
		in->rec->stat_config.entries = (const void *)in->rest.at;
		return 1;
	}
	entries = scratch_array(in, n, sizeof(*entries));
	if (n && !entries)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		(void)cursor_u64(&in->rest, &entries[i].tag); /* counted above */
		(void)cursor_u64(&in->rest, &entries[i].value);
	}
	in->rec->stat_config.entries = entries;
	return 1;
}

int codec_pack_stat_config(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	uint64_t n = rec->stat_config.n;
	int rc = buffer_append(out, &n, sizeof(n), err);

	return rc < 0 ? rc : buffer_append(out, rec->stat_config.entries, n * sizeof(*rec->stat_config.entries), err);
}

static bool cursor_u16(struct cursor *cur, uint16_t *v)
{
	const uint8_t *at = cursor_take(cur, sizeof(*v));

	if (at)
		*v = bytes_u16(at, cur->swapped);
	return at != NULL;
}

static int unpack_cpu_list(struct codec_in *in, const int32_t **cpus, size_t *n_cpus)
{
	uint16_t n = 0;
	int32_t *to;

	if (!cursor_u16(&in->rest, &n) || n > in->rest.left / sizeof(uint16_t))
		return codec_damaged(in, "more CPUs than it has room for");
	to = scratch_array(in, n, sizeof(*to));
	if (n && !to)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		uint16_t cpu = FORMAT_CPU_ANY;

		(void)cursor_u16(&in->rest, &cpu); /* counted above */
		to[i] = cpu == FORMAT_CPU_ANY ? -1 : cpu;
	}
	*cpus = to;
	*n_cpus = n;
	return 1;
}

/* Word i of a mask. */
static uint64_t mask_word(const struct codec_in *in, const uint8_t *mask, size_t word_bytes, size_t i)
{
	return word_bytes == sizeof(uint32_t) ? bytes_u32(mask + i * word_bytes, in->rest.swapped) :
						bytes_u64(mask + i * word_bytes, in->rest.swapped);
}

static int unpack_cpu_mask(struct codec_in *in, const int32_t **cpus, size_t *n_cpus)
{
	uint16_t words = 0, word_bytes = 0;
	const uint8_t *mask;
	size_t n = 0, filled = 0;
	int32_t *to;

	if (!cursor_u16(&in->rest, &words) || !cursor_u16(&in->rest, &word_bytes) ||
	    (word_bytes != sizeof(uint32_t) && word_bytes != sizeof(uint64_t)))
		return codec_damaged(in, "a CPU mask of a strange kind");
	if (word_bytes == sizeof(uint64_t) && !cursor_take(&in->rest, MASK8_PAD))
		return codec_damaged(in, "a CPU mask without its words");
	mask = cursor_take(&in->rest, (size_t)words * word_bytes);
	if (!mask)
		return codec_damaged(in, "a CPU mask larger than it has room for");
	for (size_t i = 0; i < words; i++)
		n += (size_t)__builtin_popcountll(mask_word(in, mask, word_bytes, i));
	to = scratch_array(in, n, sizeof(*to));
	if (n && !to)
		return -ENOMEM;
	for (size_t i = 0; i < words; i++)
		for (uint64_t word = mask_word(in, mask, word_bytes, i); word; word &= word - 1)
			to[filled++] = (int32_t)(i * word_bytes * BITS_PER_BYTE) + __builtin_ctzll(word);
	*cpus = to;
	*n_cpus = n;
	return 1;
}

static int unpack_cpu_range(struct codec_in *in, const int32_t **cpus, size_t *n_cpus)
{
	const uint8_t *any = cursor_take(&in->rest, 2);
	uint16_t first = 0, last = 0;
	size_t n = 0;
	int32_t *to;

	if (!any || !cursor_u16(&in->rest, &first) || !cursor_u16(&in->rest, &last) || last < first)
		return codec_damaged(in, "a CPU range that is none");
	to = scratch_array(in, (size_t)(last - first) + 2, sizeof(*to));
	if (!to)
		return -ENOMEM;
	if (any[0])
		to[n++] = -1;
	for (int32_t cpu = first; cpu <= last; cpu++)
		to[n++] = cpu;
	*cpus = to;
	*n_cpus = n;
	return 1;
}

/* A cpu map: u16 kind and what belongs to it. */
static int unpack_cpus(struct codec_in *in, const int32_t **cpus, size_t *n_cpus)
{
	uint16_t kind = 0;

	if (!cursor_u16(&in->rest, &kind))
		return codec_damaged(in, "no CPU map in it");
	switch (kind) {
	case FORMAT_CPU_MAP_CPUS:
		return unpack_cpu_list(in, cpus, n_cpus);
	case FORMAT_CPU_MAP_MASK:
		return unpack_cpu_mask(in, cpus, n_cpus);
	case FORMAT_CPU_MAP_RANGE:
		return unpack_cpu_range(in, cpus, n_cpus);
	default:
		return codec_damaged(in, "a CPU map of an unknown kind");
	}
}

static int pack_cpus(const int32_t *cpus, size_t n, struct buffer *out, struct ps_error *err)
{
	uint16_t head[2] = { FORMAT_CPU_MAP_CPUS, (uint16_t)n };
	int rc;

	if (n > UINT16_MAX)
		return ps_fail(err, "record", EMSGSIZE, "%zu CPUs do not fit a CPU map", n);
	rc = buffer_append(out, head, sizeof(head), err);
	for (size_t i = 0; i < n && rc >= 0; i++) {
		uint16_t cpu = cpus[i] < 0 ? FORMAT_CPU_ANY : (uint16_t)cpus[i];

		if (cpus[i] >= FORMAT_CPU_ANY)
			return ps_fail(err, "record", EMSGSIZE, "CPU %d does not fit a CPU map", cpus[i]);
		rc = buffer_append(out, &cpu, sizeof(cpu), err);
	}
	return rc;
}

int codec_unpack_cpu_map(struct codec_in *in)
{
	return unpack_cpus(in, &in->rec->cpu_map.cpus, &in->rec->cpu_map.n);
}

int codec_pack_cpu_map(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	return pack_cpus(rec->cpu_map.cpus, rec->cpu_map.n, out, err);
}

int codec_unpack_update(struct codec_in *in)
{
	struct record_update *update = &in->rec->update;
	uint64_t bits = 0;

	switch (update->kind) {
	case FORMAT_UPDATE_UNIT:
	case FORMAT_UPDATE_NAME:
		update->text = codec_text(in);
		return update->text ? 1 : codec_damaged(in, "its text has no end");
	case FORMAT_UPDATE_SCALE:
		if (!cursor_u64(&in->rest, &bits))
			return codec_damaged(in, "no scale in it");
		memcpy(&update->scale, &bits, sizeof(bits));
		return 1;
	case FORMAT_UPDATE_CPUS:
		return unpack_cpus(in, &update->cpus, &update->n_cpus);
	default: /* a kind of a newer perf: id and kind are all there is to say */
		return 1;
	}
}

int codec_pack_update(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	const struct record_update *update = &rec->update;

	switch (update->kind) {
	case FORMAT_UPDATE_UNIT:
	case FORMAT_UPDATE_NAME:
		return buffer_append(out, update->text, strlen(update->text) + 1, err);
	case FORMAT_UPDATE_SCALE:
		return buffer_append(out, &update->scale, sizeof(update->scale), err);
	case FORMAT_UPDATE_CPUS:
		return pack_cpus(update->cpus, update->n_cpus, out, err);
	default:
		return ps_fail(err, "record", ENOSYS, "event updates of kind %llu are not written",
			       (unsigned long long)update->kind);
	}
}
