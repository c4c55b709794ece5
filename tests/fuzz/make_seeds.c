/* Writes the seeds of fuzz-reader into a folder: one small file for each form a recording can have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file_builder.h"
#include "pstat/format.h"

static const struct seed {
	const char *name;
	bool big_endian, stream;
	uint32_t packed_type;
	enum builder_packing packing;
} seeds[] = {
	{ "plain", false, false, 0, BUILDER_FRAMES },
	{ "plain-big", true, false, 0, BUILDER_FRAMES },
	{ "stream", false, true, 0, BUILDER_FRAMES },
	{ "stream-big", true, true, 0, BUILDER_FRAMES },
	{ "frames", false, false, FORMAT_COMPRESSED, BUILDER_FRAMES },
	{ "chain", false, true, FORMAT_COMPRESSED, BUILDER_CHAIN },
	{ "compressed2", true, false, FORMAT_COMPRESSED2, BUILDER_CHAIN },
};

static void put_features(struct file_builder *builder)
{
	builder_string(builder, "host");
	builder_feature(builder, FORMAT_FEATURE_HOSTNAME);
	builder_u32(builder, 2);
	builder_u32(builder, 2);
	builder_feature(builder, FORMAT_FEATURE_NRCPUS);
	builder_u32(builder, 1);
	builder_string(builder, "cmd");
	builder_feature(builder, FORMAT_FEATURE_CMDLINE);
	builder_u32(builder, 1);
	builder_u32(builder, 1);
	builder_string(builder, "software");
	builder_feature(builder, FORMAT_FEATURE_PMU_MAPPINGS);
}

static void put_maps(struct file_builder *builder)
{
	builder_u64(builder, FORMAT_UPDATE_NAME);
	builder_u64(builder, 1);
	builder_text(builder, "my-event", 8);
	builder_record(builder, FORMAT_EVENT_UPDATE, 0);
	builder_u64(builder, 1);
	builder_u64(builder, 10);
	builder_raw(builder, "comm\0\0\0\0\0\0\0\0\0\0\0", 16);
	builder_record(builder, FORMAT_THREAD_MAP, 0);
	builder_u16(builder, FORMAT_CPU_MAP_RANGE);
	builder_u16(builder, 1);
	builder_u16(builder, 0);
	builder_u16(builder, 1);
	builder_record(builder, FORMAT_CPU_MAP, 0);
	builder_u64(builder, 1);
	builder_u64(builder, FORMAT_STAT_CONFIG_INTERVAL);
	builder_u64(builder, 100);
	builder_record(builder, FORMAT_STAT_CONFIG, 0);
}

static void put_records(struct file_builder *builder)
{
	builder_comm(builder, 10, "comm");
	builder_sample(builder, 1, 1000, 1);
	for (uint64_t i = 1; i <= 2; i++) {
		builder_stat(builder, 1, i * 10);
		builder_stat(builder, 2, i * 20);
		builder_round(builder, i);
	}
	builder_u64(builder, 2); /* LOST */
	builder_u64(builder, 5);
	builder_record(builder, PERF_RECORD_LOST, 0);
	builder_u64(builder, 1); /* ID_INDEX */
	for (uint64_t i = 0; i < 4; i++)
		builder_u64(builder, i);
	builder_record(builder, FORMAT_ID_INDEX, 0);
}

static int write_seed(const char *folder, const struct seed *seed)
{
	struct file_builder builder;
	char path[4096];
	uint8_t *bytes;
	size_t len;
	FILE *file;

	builder_init(&builder);
	builder.big_endian = seed->big_endian;
	builder.stream = seed->stream;
	builder.attr_bytes = 64;
	builder_two_events(&builder);
	put_features(&builder);
	put_maps(&builder);
	if (seed->packed_type)
		builder_pack(&builder);
	put_records(&builder);
	for (size_t left = builder.packed.len; left; left = builder.packed.len)
		builder_flush(&builder, seed->packed_type, left > 200 ? 200 : 0, seed->packing);
	builder_unpack(&builder);
	bytes = builder_file(&builder, &len, NULL);
	builder_fini(&builder);
	(void)snprintf(path, sizeof(path), "%s/%s", folder, seed->name);
	file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, len, file) != len || fclose(file) != 0) {
		perror(path);
		return EXIT_FAILURE;
	}
	free(bytes);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(seeds) / sizeof(seeds[0]); i++)
		if (write_seed(argv[1], &seeds[i]) != EXIT_SUCCESS)
			return EXIT_FAILURE;
	return argc == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
