/* Private to the feature table: the functions of its rows, by topic, and what they share. */
#ifndef DATA_FEATURE_INTERNAL_H
#define DATA_FEATURE_INTERNAL_H

#include "data/cursor.h"
#include "data/feature.h"
#include "data/meta.h"

/* For a payload whose lengths do not fit: fills err, returns -EBADMSG. */
int feature_damaged(struct ps_error *err, uint32_t number, const char *what);
int feature_no_memory(struct ps_error *err, uint32_t number);

/* A header string: u32 length, text, NULs. NULL is written as an empty one. */
int feature_put_string(struct buffer *out, const char *text, struct ps_error *err);
int feature_put_u32(struct buffer *out, uint32_t v, struct ps_error *err);
int feature_put_u64(struct buffer *out, uint64_t v, struct ps_error *err);

/* A list of n owned strings; frees them and the array. */
void feature_free_strings(char **strings, size_t n);

/*
 * u32 count and as many strings. 0 with *strings the caller's, or -errno with nothing taken. number: for the message.
 */
int feature_get_strings(struct cursor *cur, uint32_t number, char ***strings, size_t *n, struct ps_error *err);
int feature_put_strings(struct buffer *out, char *const *strings, size_t n, struct ps_error *err);

/* Prints text of a file: control characters become '?', so that a file cannot drive a terminal. NULL prints as "(null)". */
void feature_print_text(const char *text, FILE *out);

/* Keeps a copy of a payload as raw bytes, in place of those kept for the number before. 0 or -ENOMEM. */
int feature_keep_raw(struct meta *meta, uint32_t number, const uint8_t *bytes, size_t len, bool swapped,
		     struct ps_error *err);

/* The raw bytes kept for a number, or NULL. */
const struct feature_raw *feature_find_raw(const struct feature_set *set, uint32_t number);

#define FEATURE_ENCODE(name) int name(const struct meta *meta, struct buffer *out, struct ps_error *err)
#define FEATURE_DECODE(name) \
	int name(struct meta *meta, const uint8_t *bytes, size_t len, bool swapped, struct ps_error *err)
#define FEATURE_PRINT(name) void name(const struct meta *meta, FILE *out)

#define FEATURE_ALL(topic)               \
	FEATURE_ENCODE(feature_encode_##topic); \
	FEATURE_DECODE(feature_decode_##topic); \
	FEATURE_PRINT(feature_print_##topic)

/* feature_host.c */
FEATURE_ALL(hostname);
FEATURE_ALL(osrelease);
FEATURE_ALL(version);
FEATURE_ALL(arch);
FEATURE_ALL(cpudesc);
FEATURE_ALL(cpuid);
FEATURE_ALL(nrcpus);
FEATURE_ALL(total_mem);
FEATURE_ALL(cmdline);

/* feature_topology.c */
FEATURE_ALL(cpu_topology);
FEATURE_ALL(numa_topology);

/* feature_event.c */
FEATURE_ALL(event_desc);
FEATURE_ALL(pmu_mappings);
FEATURE_ALL(group_desc);

/* feature_time.c */
FEATURE_ALL(stat);
FEATURE_ALL(sample_time);
FEATURE_ALL(clockid);
FEATURE_ALL(clock_data);
FEATURE_ALL(compressed);

/* feature_object.c */
FEATURE_ALL(tracing_data);
FEATURE_ALL(build_id);

/*
 * feature_raw.c: payloads that are kept as bytes. One walk over the bytes both checks the lengths (out NULL) and prints. False
 * when a length does not fit.
 */
bool feature_walk_branch_stack(struct cursor *cur, FILE *out);
bool feature_walk_auxtrace(struct cursor *cur, FILE *out);
bool feature_walk_cache(struct cursor *cur, FILE *out);
bool feature_walk_mem_topology(struct cursor *cur, FILE *out);
bool feature_walk_dir_format(struct cursor *cur, FILE *out);
bool feature_walk_bpf_prog_info(struct cursor *cur, FILE *out);
bool feature_walk_bpf_btf(struct cursor *cur, FILE *out);
bool feature_walk_cpu_pmu_caps(struct cursor *cur, FILE *out);
bool feature_walk_pmu_caps(struct cursor *cur, FILE *out);
bool feature_walk_hybrid_topology(struct cursor *cur, FILE *out);

/* feature_attr.c: the attr's fields that are not 0, ", size = 128, config = 0x3, ..." */
void feature_print_attr(const struct perf_event_attr *attr, FILE *out);

#endif
