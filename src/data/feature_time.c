/* Header features about clocks, time spans, readings and compression. */
#include <time.h>

#include "base/clock.h"
#include "data/feature_internal.h"

#define NS_PER_US UINT64_C(1000)
#define CLOCK_DATA_VERSION 1
#define MHZ_PER_NS UINT64_C(1000) /* what perf prints as a frequency: the resolution times this */

FEATURE_ENCODE(feature_encode_stat)
{
	(void)meta;
	(void)out; /* its bit says it all */
	(void)err;
	return 0;
}

FEATURE_DECODE(feature_decode_stat)
{
	(void)bytes;
	(void)len;
	(void)swapped;
	(void)err;
	meta->is_stat = true;
	return 0;
}

FEATURE_PRINT(feature_print_stat)
{
	(void)meta;
	(void)fputs("# contains stat data\n", out);
}

FEATURE_ENCODE(feature_encode_sample_time)
{
	int rc = feature_put_u64(out, meta->features.sample_first_ns, err);

	return rc < 0 ? rc : feature_put_u64(out, meta->features.sample_last_ns, err);
}

FEATURE_DECODE(feature_decode_sample_time)
{
	struct cursor cur = { bytes, len, swapped };
	uint64_t first = 0, last = 0;

	if (!cursor_u64(&cur, &first) || !cursor_u64(&cur, &last))
		return feature_damaged(err, FORMAT_FEATURE_SAMPLE_TIME, "too short");
	meta->features.sample_first_ns = first;
	meta->features.sample_last_ns = last;
	return 0;
}

static void print_us(const char *label, uint64_t ns, FILE *out)
{
	(void)fprintf(out, "# %s : %llu.%06llu\n", label, (unsigned long long)(ns / NS_PER_S),
		      (unsigned long long)(ns % NS_PER_S / NS_PER_US));
}

FEATURE_PRINT(feature_print_sample_time)
{
	const struct feature_set *set = &meta->features;

	print_us("time of first sample", set->sample_first_ns, out);
	print_us("time of last sample", set->sample_last_ns, out);
	(void)fprintf(out, "# sample duration : %10.3f ms\n",
		      (double)(set->sample_last_ns - set->sample_first_ns) / (double)NS_PER_MS);
}

FEATURE_ENCODE(feature_encode_clockid)
{
	return feature_put_u64(out, meta->features.clock_res_ns, err);
}

FEATURE_DECODE(feature_decode_clockid)
{
	struct cursor cur = { bytes, len, swapped };

	if (!cursor_u64(&cur, &meta->features.clock_res_ns))
		return feature_damaged(err, FORMAT_FEATURE_CLOCKID, "too short");
	return 0;
}

FEATURE_PRINT(feature_print_clockid)
{
	(void)fprintf(out, "# clockid frequency: %llu MHz\n",
		      (unsigned long long)(meta->features.clock_res_ns * MHZ_PER_NS));
}

/* Always of t0, so that a round's time is an offset from it. */
FEATURE_ENCODE(feature_encode_clock_data)
{
	int rc = feature_put_u32(out, CLOCK_DATA_VERSION, err);

	if (rc >= 0)
		rc = feature_put_u32(out, CLOCK_MONOTONIC, err);
	if (rc >= 0)
		rc = feature_put_u64(out, meta->t0_wall_ns, err);
	return rc < 0 ? rc : feature_put_u64(out, meta->t0_mono_ns, err);
}

FEATURE_DECODE(feature_decode_clock_data)
{
	struct feature_set *set = &meta->features;
	struct cursor cur = { bytes, len, swapped };
	uint32_t version = 0, clockid = 0;
	uint64_t wall = 0, mono = 0;

	if (!cursor_u32(&cur, &version) || !cursor_u32(&cur, &clockid) || !cursor_u64(&cur, &wall) ||
	    !cursor_u64(&cur, &mono))
		return feature_damaged(err, FORMAT_FEATURE_CLOCK_DATA, "too short");
	set->clock_data_version = version;
	set->clock_data_clockid = clockid;
	set->clock_data_wall_ns = wall;
	set->clock_data_mono_ns = mono;
	if (version && clockid == CLOCK_MONOTONIC) {
		meta->has_t0 = true;
		meta->t0_mono_ns = mono;
		meta->t0_wall_ns = wall;
	}
	return 0;
}

static const char *clock_name(uint32_t clockid)
{
	static const struct {
		uint32_t id;
		const char *name;
	} names[] = {
		{ CLOCK_REALTIME, "realtime" }, { CLOCK_MONOTONIC, "monotonic" },
		{ CLOCK_MONOTONIC_RAW, "monotonic_raw" }, { CLOCK_BOOTTIME, "boottime" },
		{ CLOCK_TAI, "tai" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].id == clockid)
			return names[i].name;
	return "(not found)";
}

FEATURE_PRINT(feature_print_clock_data)
{
	const struct feature_set *set = &meta->features;
	const char *name = clock_name(set->clock_data_clockid);
	time_t seconds = (time_t)(set->clock_data_wall_ns / NS_PER_S);
	unsigned int us = (unsigned int)(set->clock_data_wall_ns % NS_PER_S / NS_PER_US);
	char text[64] = "<error>";
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	(void)fprintf(out, "# clockid: %s (%u)\n", name, set->clock_data_clockid);
	(void)fprintf(out, "# reference time: %s.%06u = %lld.%06u (TOD) = %llu.%09llu (%s)\n", text, us,
		      (long long)seconds, us, (unsigned long long)(set->clock_data_mono_ns / NS_PER_S),
		      (unsigned long long)(set->clock_data_mono_ns % NS_PER_S), name);
}

FEATURE_ENCODE(feature_encode_compressed)
{
	const struct feature_set *set = &meta->features;
	const uint32_t words[] = {
		set->compressed_version, set->compressed_type,     set->compressed_level,
		set->compressed_ratio,   set->compressed_mmap_len,
	};

	return buffer_append(out, words, sizeof(words), err);
}

FEATURE_DECODE(feature_decode_compressed)
{
	struct feature_set *set = &meta->features;
	struct cursor cur = { bytes, len, swapped };
	uint32_t words[5] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!cursor_u32(&cur, &words[i]))
			return feature_damaged(err, FORMAT_FEATURE_COMPRESSED, "too short");
	set->compressed_version = words[0];
	set->compressed_type = words[1];
	set->compressed_level = words[2];
	set->compressed_ratio = words[3];
	set->compressed_mmap_len = words[4];
	return 0;
}

FEATURE_PRINT(feature_print_compressed)
{
	const struct feature_set *set = &meta->features;

	(void)fprintf(out, "# compressed : %s, level = %d, ratio = %d\n",
		      set->compressed_type == FORMAT_COMPRESS_ZSTD ? "Zstd" : "Unknown",
		      (int)set->compressed_level, (int)set->compressed_ratio);
}
