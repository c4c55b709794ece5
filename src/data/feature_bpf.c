/* Header features about BPF programs: BPF_PROG_INFO and BPF_BTF, kept as bytes. */
#include <inttypes.h>

#include "data/feature_internal.h"

/* Places in the kernel's struct bpf_prog_info; what it points to is an offset into the data behind it. */
#define INFO_ID_AT 4
#define INFO_TAG_AT 8
#define INFO_NAME_AT 64
#define INFO_NAME_BYTES 16
#define INFO_N_KSYMS_AT 104
#define INFO_KSYMS_AT 112
#define INFO_LENGTHS_AT 120
#define INFO_MIN_BYTES 128 /* older kernels tell nothing that is printed */
#define INFO_N_TAGS_AT 180
#define INFO_TAGS_AT 184
#define INFO_TAGS_END 192
#define TAG_BYTES 8

struct prog {
	const uint8_t *info;
	uint32_t info_bytes;
	const uint8_t *data;
	uint32_t data_bytes;
	bool swapped;
};

/* Entry i of an array in the data whose offset stands at `at` of the info; NULL when it is not inside. */
static const uint8_t *array_entry(const struct prog *prog, size_t at, uint64_t i, size_t each)
{
	uint64_t offset = bytes_u64(prog->info + at, prog->swapped);

	if (offset > prog->data_bytes || i >= (prog->data_bytes - offset) / each)
		return NULL;
	return prog->data + offset + i * each;
}

static void print_prog_name(const struct prog *prog, uint32_t i, uint32_t n, FILE *out)
{
	const uint8_t *tag = i || prog->info_bytes < INFO_TAGS_END ? NULL : prog->info + INFO_TAG_AT;
	char name[INFO_NAME_BYTES + 1] = "";

	if (prog->info_bytes >= INFO_TAGS_END && i < bytes_u32(prog->info + INFO_N_TAGS_AT, prog->swapped))
		tag = array_entry(prog, INFO_TAGS_AT, i, TAG_BYTES);
	(void)fputs("bpf_prog_", out);
	for (size_t k = 0; tag && k < TAG_BYTES; k++)
		(void)fprintf(out, "%02x", tag[k]);
	memcpy(name, prog->info + INFO_NAME_AT, INFO_NAME_BYTES);
	if (n > 1 || name[0]) {
		(void)fputc('_', out);
		feature_print_text(n > 1 ? "F" : name, out);
	}
}

static void print_prog(const struct prog *prog, FILE *out)
{
	uint32_t id = bytes_u32(prog->info + INFO_ID_AT, prog->swapped);
	uint32_t n = bytes_u32(prog->info + INFO_N_KSYMS_AT, prog->swapped);

	if (n > 1)
		(void)fprintf(out, "# bpf_prog_info %u:\n", id);
	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *addr = array_entry(prog, INFO_KSYMS_AT, i, sizeof(uint64_t));
		const uint8_t *len = array_entry(prog, INFO_LENGTHS_AT, i, sizeof(uint32_t));

		if (!addr || !len)
			return;
		(void)fprintf(out, n > 1 ? "# \tsub_prog %u: " : "# bpf_prog_info %u: ", n > 1 ? i : id);
		print_prog_name(prog, i, n, out);
		(void)fprintf(out, " addr %#" PRIx64 " size %u\n", bytes_u64(addr, prog->swapped),
			      bytes_u32(len, prog->swapped));
	}
}

/* u32 count; programs of u32 info and data lengths, u64 set of arrays, info, data. */
bool feature_walk_bpf_prog_info(struct cursor *cur, FILE *out)
{
	uint32_t n = 0;

	if (!cursor_count(cur, 2 * sizeof(uint64_t), &n))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		struct prog prog = { .swapped = cur->swapped };
		uint64_t arrays;

		if (!cursor_u32(cur, &prog.info_bytes) || !cursor_u32(cur, &prog.data_bytes) ||
		    !cursor_u64(cur, &arrays))
			return false;
		prog.info = cursor_take(cur, prog.info_bytes);
		prog.data = prog.info ? cursor_take(cur, prog.data_bytes) : NULL;
		if (!prog.data)
			return false;
		if (out && prog.info_bytes >= INFO_MIN_BYTES)
			print_prog(&prog, out);
	}
	return true;
}

/* u32 count; u32 id, u32 length, data. */
bool feature_walk_bpf_btf(struct cursor *cur, FILE *out)
{
	uint32_t n = 0;

	if (!cursor_count(cur, sizeof(uint64_t), &n))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t id = 0, len = 0;

		if (!cursor_u32(cur, &id) || !cursor_u32(cur, &len) || !cursor_take(cur, len))
			return false;
		if (out)
			(void)fprintf(out, "# btf info of id %u\n", id);
	}
	return true;
}
