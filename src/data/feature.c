/* Header features: the one table of them. */
#include "data/feature.h"

#include <errno.h>

#include "data/feature_internal.h"

/* The functions of a row whose payload is kept as bytes. */
#define RAW_FEATURE(topic, number)                                                                            \
	static FEATURE_DECODE(decode_##topic)                                                                 \
	{                                                                                                     \
		struct cursor cur = { bytes, len, swapped };                                                  \
                                                                                                              \
		if (!feature_walk_##topic(&cur, NULL))                                                        \
			return feature_damaged(err, number, "a length in it does not fit");                   \
		return feature_keep_raw(meta, number, bytes, len, swapped, err);                              \
	}                                                                                                     \
	static FEATURE_PRINT(print_##topic)                                                                   \
	{                                                                                                     \
		const struct feature_raw *raw = feature_find_raw(&meta->features, number);                    \
		struct cursor cur = { 0 };                                                                    \
                                                                                                              \
		if (raw)                                                                                      \
			cur = (struct cursor){ raw->bytes, raw->len, raw->swapped };                          \
		(void)feature_walk_##topic(&cur, out); /* checked when it was decoded */                      \
	}

RAW_FEATURE(branch_stack, FORMAT_FEATURE_BRANCH_STACK)
RAW_FEATURE(auxtrace, FORMAT_FEATURE_AUXTRACE)
RAW_FEATURE(cache, FORMAT_FEATURE_CACHE)
RAW_FEATURE(mem_topology, FORMAT_FEATURE_MEM_TOPOLOGY)
RAW_FEATURE(dir_format, FORMAT_FEATURE_DIR_FORMAT)
RAW_FEATURE(bpf_prog_info, FORMAT_FEATURE_BPF_PROG_INFO)
RAW_FEATURE(bpf_btf, FORMAT_FEATURE_BPF_BTF)
RAW_FEATURE(cpu_pmu_caps, FORMAT_FEATURE_CPU_PMU_CAPS)
RAW_FEATURE(hybrid_topology, FORMAT_FEATURE_HYBRID_TOPOLOGY)
RAW_FEATURE(pmu_caps, FORMAT_FEATURE_PMU_CAPS)

#define ROW(name, topic) \
	[FORMAT_FEATURE_##name] = { FORMAT_FEATURE_##name, #name, feature_encode_##topic, \
				    feature_decode_##topic, feature_print_##topic }
#define SILENT_ROW(name, topic) \
	[FORMAT_FEATURE_##name] = { FORMAT_FEATURE_##name, #name, feature_encode_##topic, \
				    feature_decode_##topic, NULL }
#define RAW_ROW(name, topic) \
	[FORMAT_FEATURE_##name] = { FORMAT_FEATURE_##name, #name, NULL, decode_##topic, print_##topic }

static const struct feature features[] = {
	SILENT_ROW(TRACING_DATA, tracing_data),
	SILENT_ROW(BUILD_ID, build_id),
	ROW(HOSTNAME, hostname),
	ROW(OSRELEASE, osrelease),
	ROW(VERSION, version),
	ROW(ARCH, arch),
	ROW(NRCPUS, nrcpus),
	ROW(CPUDESC, cpudesc),
	ROW(CPUID, cpuid),
	ROW(TOTAL_MEM, total_mem),
	ROW(CMDLINE, cmdline),
	ROW(EVENT_DESC, event_desc),
	ROW(CPU_TOPOLOGY, cpu_topology),
	ROW(NUMA_TOPOLOGY, numa_topology),
	RAW_ROW(BRANCH_STACK, branch_stack),
	ROW(PMU_MAPPINGS, pmu_mappings),
	ROW(GROUP_DESC, group_desc),
	RAW_ROW(AUXTRACE, auxtrace),
	ROW(STAT, stat),
	RAW_ROW(CACHE, cache),
	ROW(SAMPLE_TIME, sample_time),
	RAW_ROW(MEM_TOPOLOGY, mem_topology),
	ROW(CLOCKID, clockid),
	RAW_ROW(DIR_FORMAT, dir_format),
	RAW_ROW(BPF_PROG_INFO, bpf_prog_info),
	RAW_ROW(BPF_BTF, bpf_btf),
	ROW(COMPRESSED, compressed),
	RAW_ROW(CPU_PMU_CAPS, cpu_pmu_caps),
	ROW(CLOCK_DATA, clock_data),
	RAW_ROW(HYBRID_TOPOLOGY, hybrid_topology),
	RAW_ROW(PMU_CAPS, pmu_caps),
};

const struct feature *feature_find(uint32_t number)
{
	return number < ARRAY_SIZE(features) && features[number].name ? &features[number] : NULL;
}

const char *feature_name(uint32_t number)
{
	const struct feature *feature = feature_find(number);

	return feature ? feature->name : NULL;
}

int feature_encode(const struct meta *meta, uint32_t number, struct buffer *out, struct ps_error *err)
{
	const struct feature *feature = feature_find(number);

	if (!feature || !feature->encode)
		return ps_fail(err, "header", ENOSYS, "feature %u is not written", number);
	return feature->encode(meta, out, err);
}

int feature_decode(struct meta *meta, uint32_t number, const uint8_t *bytes, size_t len, bool swapped,
		   struct ps_error *err)
{
	const struct feature *feature = feature_find(number);
	int rc;

	if (number >= FORMAT_FEATURE_BITS)
		return ps_fail(err, "header", EBADMSG, "feature number %u", number);
	if (!len && number != FORMAT_FEATURE_STAT) /* perf had nothing to say: `perf stat record` sets such bits */
		rc = 0;
	else if (feature)
		rc = feature->decode(meta, bytes, len, swapped, err);
	else
		rc = feature_keep_raw(meta, number, bytes, len, swapped, err);
	if (rc >= 0)
		meta->features.present[number] = true;
	return rc;
}
