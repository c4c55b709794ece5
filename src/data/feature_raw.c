/* Header features that are kept as bytes: the walk over them that checks their lengths and prints them. */
#include <inttypes.h>

#include "data/feature_internal.h"

#define BITS_PER_WORD 64
#define CAPS_MIN_BYTES 8 /* two empty strings */

bool feature_walk_branch_stack(struct cursor *cur, FILE *out)
{
	(void)cur;
	if (out)
		(void)fputs("# contains samples with branch stack\n", out);
	return true;
}

bool feature_walk_auxtrace(struct cursor *cur, FILE *out)
{
	(void)cur; /* an index of the AUX data, of use only to who decodes that */
	if (out)
		(void)fputs("# contains AUX area data (e.g. instruction trace)\n", out);
	return true;
}

static bool walk_cache_level(struct cursor *cur, FILE *out)
{
	uint32_t words[4] = { 0 }; /* level, line size, sets, ways */
	const char *type, *size, *map;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!cursor_u32(cur, &words[i]))
			return false;
	type = cursor_string(cur);
	size = type ? cursor_string(cur) : NULL;
	map = size ? cursor_string(cur) : NULL;
	if (map && out) {
		(void)fprintf(out, "#  L%u ", words[0]);
		feature_print_text(type, out);
		(void)fprintf(out, "%*s", strlen(type) < 15 ? (int)(15 - strlen(type)) + 1 : 1, "");
		(void)fprintf(out, "%*s", strlen(size) < 8 ? (int)(8 - strlen(size)) : 0, "");
		feature_print_text(size, out);
		(void)fputs(" [", out);
		feature_print_text(map, out);
		(void)fputs("]\n", out);
	}
	return map != NULL;
}

/* u32 version and count, then levels of four numbers and three strings. */
bool feature_walk_cache(struct cursor *cur, FILE *out)
{
	uint32_t version = 0, n = 0;

	if (!cursor_u32(cur, &version) || !cursor_count(cur, 4 * sizeof(uint32_t), &n))
		return false;
	if (out)
		(void)fputs("# CPU cache info:\n", out);
	for (uint32_t i = 0; i < n; i++)
		if (!walk_cache_level(cur, out))
			return false;
	return true;
}

/* "24G": the largest unit of which there is more than one. */
static void print_size(uint64_t bytes, FILE *out)
{
	static const char units[] = "BKMG";
	size_t i = 0;

	while (bytes / 1024 > 1 && i + 2 < sizeof(units)) {
		bytes /= 1024;
		i++;
	}
	(void)fprintf(out, "%" PRIu64 "%c", bytes, units[i]);
}

static bool bit_at(const struct cursor *words, uint64_t i)
{
	return bytes_u64(words->at + i / BITS_PER_WORD * sizeof(uint64_t), words->swapped) >> i % BITS_PER_WORD & 1;
}

static uint64_t count_bits(const struct cursor *words, uint64_t bits)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < bits; i++)
		n += bit_at(words, i);
	return n;
}

/* "0-23,32": the numbers of the bits that are set. */
static void print_ranges(const struct cursor *words, uint64_t bits, FILE *out)
{
	bool more = false;

	for (uint64_t i = 0; i < bits; i++) {
		uint64_t first = i;

		if (!bit_at(words, i))
			continue;
		while (i + 1 < bits && bit_at(words, i + 1))
			i++;
		(void)fprintf(out, "%s%" PRIu64, more ? "," : "", first);
		if (i > first)
			(void)fprintf(out, "-%" PRIu64, i);
		more = true;
	}
}

/* u64 version, block size and count; nodes of u64 number, u64 block count and a bitmap of blocks (u64 bits, words). */
bool feature_walk_mem_topology(struct cursor *cur, FILE *out)
{
	uint64_t version = 0, block_bytes = 0, n = 0;

	if (!cursor_u64(cur, &version) || !cursor_u64(cur, &block_bytes) || !cursor_u64(cur, &n) ||
	    n > cur->left / (3 * sizeof(uint64_t)))
		return false;
	if (out)
		(void)fprintf(out, "# memory nodes (nr %" PRIu64 ", block size %#" PRIx64 "):\n", n, block_bytes);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t node = 0, size = 0, bits = 0;
		struct cursor words;

		if (!cursor_u64(cur, &node) || !cursor_u64(cur, &size) || !cursor_u64(cur, &bits))
			return false;
		words = *cur;
		if (bits > cur->left * 8 ||
		    !cursor_take(cur, (size_t)((bits + BITS_PER_WORD - 1) / BITS_PER_WORD * sizeof(uint64_t))))
			return false;
		if (!out)
			continue;
		(void)fprintf(out, "#  %3" PRIu64 " [", node);
		print_size(block_bytes * count_bits(&words, bits), out);
		(void)fputs("]: ", out);
		print_ranges(&words, bits, out);
		(void)fputc('\n', out);
	}
	return true;
}

bool feature_walk_dir_format(struct cursor *cur, FILE *out)
{
	uint64_t version = 0;

	if (!cursor_u64(cur, &version))
		return false;
	if (out)
		(void)fprintf(out, "# directory data version : %" PRIu64 "\n", version);
	return true;
}

/* n pairs of strings: "a=1, b=2". */
static bool walk_caps(struct cursor *cur, uint32_t n, FILE *out)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *name = cursor_string(cur);
		const char *value = name ? cursor_string(cur) : NULL;

		if (!value)
			return false;
		if (!out)
			continue;
		(void)fputs(i ? ", " : "", out);
		feature_print_text(name, out);
		(void)fputc('=', out);
		feature_print_text(value, out);
	}
	return true;
}

static bool print_caps(const char *pmu, uint32_t n, struct cursor caps, FILE *out)
{
	(void)fputs("# ", out);
	feature_print_text(pmu, out);
	(void)fputs(n ? " pmu capabilities: " : " pmu capabilities: not available", out);
	(void)walk_caps(&caps, n, out); /* checked before */
	(void)fputc('\n', out);
	return true;
}

bool feature_walk_cpu_pmu_caps(struct cursor *cur, FILE *out)
{
	struct cursor caps;
	uint32_t n = 0;

	if (!cursor_count(cur, CAPS_MIN_BYTES, &n))
		return false;
	caps = *cur;
	if (!walk_caps(cur, n, NULL))
		return false;
	return !out || print_caps("cpu", n, caps, out);
}

/* u32 count of PMUs, each with a u32 count of pairs, the pairs and then its name. */
bool feature_walk_pmu_caps(struct cursor *cur, FILE *out)
{
	uint32_t pmus = 0;

	if (!cursor_count(cur, CAPS_MIN_BYTES, &pmus))
		return false;
	for (uint32_t i = 0; i < pmus; i++) {
		struct cursor caps;
		const char *name;
		uint32_t n = 0;

		if (!cursor_count(cur, CAPS_MIN_BYTES, &n))
			return false;
		caps = *cur;
		if (!walk_caps(cur, n, NULL) || !(name = cursor_string(cur)))
			return false;
		if (out)
			(void)print_caps(name, n, caps, out);
	}
	return true;
}

bool feature_walk_hybrid_topology(struct cursor *cur, FILE *out)
{
	uint32_t n = 0;

	if (!cursor_count(cur, CAPS_MIN_BYTES, &n))
		return false;
	if (out)
		(void)fputs("# hybrid cpu system:\n", out);
	for (uint32_t i = 0; i < n; i++) {
		const char *pmu = cursor_string(cur);
		const char *cpus = pmu ? cursor_string(cur) : NULL;

		if (!cpus)
			return false;
		if (!out)
			continue;
		(void)fputs("# ", out);
		feature_print_text(pmu, out);
		(void)fputs(" cpu list : ", out);
		feature_print_text(cpus, out);
		(void)fputc('\n', out);
	}
	return true;
}
