/*
 * Header features: one row per feature with its number, name, encoder, decoder and printer. The writer, the reader and the
 * header view all walk the same table.
 */
#ifndef DATA_FEATURE_H
#define DATA_FEATURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buffer.h"
#include "pstat/format.h"

struct meta;

struct feature_topology_cpu {
	uint32_t core;
	uint32_t package;
	uint32_t die;
};

struct feature_numa_node {
	uint32_t node;
	uint64_t total_kib, free_kib;
	char *cpulist; /* "0-3"; owned */
};

struct feature_pmu {
	uint32_t type;
	char *name; /* owned */
};

struct feature_group {
	char *name;       /* owned; may be empty */
	uint32_t leader;  /* index of the leader's event */
	uint32_t members; /* leader included */
};

struct feature_build_id {
	uint16_t misc; /* PERF_RECORD_MISC_KERNEL or _USER */
	int32_t pid;
	uint8_t id[FORMAT_BUILD_ID_BYTES];
	uint8_t id_bytes;
	char *path; /* owned */
};

/* A feature that has no field below is kept as the bytes the file had. */
struct feature_raw {
	uint32_t number;
	bool swapped;   /* they are in the other byte order */
	uint8_t *bytes; /* owned */
	size_t len;
};

/* Strings and arrays are owned. `present` says which ones are meant; the rest is zero. */
struct feature_set {
	bool present[FORMAT_FEATURE_BITS];
	uint64_t offset[FORMAT_FEATURE_BITS]; /* in the file that was read; 0: not known */
	char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid;
	uint32_t cpus_available, cpus_online;
	uint64_t total_mem_kib;
	char **cmdline;
	size_t n_cmdline;
	char **core_lists, **package_lists, **die_lists; /* CPU_TOPOLOGY: cpu lists as text */
	size_t n_core_lists, n_package_lists, n_die_lists;
	struct feature_topology_cpu *topology; /* one per available CPU */
	size_t n_topology;
	struct feature_numa_node *numa;
	size_t n_numa;
	struct feature_pmu *pmus;
	size_t n_pmus;
	struct feature_group *groups;
	size_t n_groups;
	struct feature_build_id *build_ids;
	size_t n_build_ids;
	uint64_t sample_first_ns, sample_last_ns; /* SAMPLE_TIME */
	uint64_t clock_res_ns;                    /* CLOCKID: the clock's resolution */
	uint32_t compressed_version, compressed_type, compressed_level, compressed_ratio, compressed_mmap_len;
	uint32_t clock_data_version, clock_data_clockid; /* as read; written from meta's t0 */
	uint64_t clock_data_wall_ns, clock_data_mono_ns;
	uint8_t *tracing_data; /* TRACING_DATA payload as in the file */
	size_t tracing_data_bytes;
	struct feature_raw *raw;
	size_t n_raw;
};

void feature_set_init(struct feature_set *set);
void feature_set_fini(struct feature_set *set);

struct feature {
	uint32_t number;  /* FORMAT_FEATURE_ */
	const char *name; /* "HOSTNAME" */
	/* Appends the payload, host order. NULL for features pstat does not write. */
	int (*encode)(const struct meta *meta, struct buffer *out, struct ps_error *err);
	/* Fills meta from a payload; a refused one leaves meta as it was. swapped: other byte order. */
	int (*decode)(struct meta *meta, const uint8_t *bytes, size_t len, bool swapped, struct ps_error *err);
	/* The lines that `perf report --header-only -I` has for it, "# ..." */
	void (*print)(const struct meta *meta, FILE *out);
};

/* The row of a number, or NULL for one this version does not know. */
const struct feature *feature_find(uint32_t number);

/* "HOSTNAME", or NULL. */
const char *feature_name(uint32_t number);

/* Encodes one present feature. 0, or -errno; -ENOSYS when pstat does not write it. */
int feature_encode(const struct meta *meta, uint32_t number, struct buffer *out, struct ps_error *err)
	_must_check_;

/*
 * Decodes one payload into meta, marking it present. A number this version does not know is kept raw; an empty payload,
 * which perf writes for what it could not find out, changes nothing else. 0 or -errno (-EBADMSG: a length in it does not
 * fit).
 */
int feature_decode(struct meta *meta, uint32_t number, const uint8_t *bytes, size_t len, bool swapped,
		   struct ps_error *err) _must_check_;

#endif
