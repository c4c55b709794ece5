/*
 * Every number and structure of a perf.data file that pstat writes or reads, defined here and nowhere else.
 *
 * Origin: the kernel's records, struct perf_event_attr and the PERF_SAMPLE_ and PERF_FORMAT_ bits come from
 * <linux/perf_event.h>; what perf adds on top (records from 64 on, header features) is described in pstat.data(5). All
 * integers are in the byte order of the machine that wrote the file, sizes are in bytes, times in nanoseconds unless a
 * field says otherwise. The structures mirror the file: do not reorder or extend them.
 */
#ifndef PSTAT_FORMAT_H
#define PSTAT_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

/* --- file header ---------------------------------------------------------------------------------------------------- */

#define FORMAT_MAGIC "PERFILE2"      /* the first 8 bytes; reversed in a file of the other byte order */
#define FORMAT_MAGIC_OLD "PERFFILE"  /* before Linux 3.2; readers use it only to take the byte order from attr.size */
#define FORMAT_MAGIC_BYTES 8
#define FORMAT_HEADER_BYTES 104      /* seekable file */
#define FORMAT_PIPE_HEADER_BYTES 16  /* stream: magic and this size, then records */
#define FORMAT_FEATURE_BITS 256      /* bits in the header's bitmap */
#define FORMAT_DATA_SIZE_AT 48       /* offset of data.size, the field that every checkpoint rewrites */
#define FORMAT_OFF_NS 1              /* enabled time by which a reading of an event that was switched off alone grows */
#define FORMAT_FLAGS_AT 72           /* offset of the feature bitmap */

struct format_section {
	uint64_t offset; /* from the start of the file */
	uint64_t size;
};

struct format_file_header {
	char magic[FORMAT_MAGIC_BYTES];
	uint64_t size;      /* FORMAT_HEADER_BYTES */
	uint64_t attr_size; /* one entry of attrs: attr.size + 16 */
	struct format_section attrs;
	struct format_section data;        /* the feature table stands at data.offset + data.size */
	struct format_section event_types; /* unused since Linux 3.0 */
	uint64_t flags[FORMAT_FEATURE_BITS / 64];
};

/* The attr pstat writes. Debian 12's perf refuses a file with larger ones. */
#define FORMAT_ATTR_BYTES 128
#define FORMAT_ATTR_MIN_BYTES 64 /* PERF_ATTR_SIZE_VER0, the smallest there is */

/* --- records -------------------------------------------------------------------------------------------------------- */

#define FORMAT_RECORD_MAX_BYTES 65528 /* header.size is a u16; the largest multiple of 8 */

/* Types from 64 on are perf's own. Those below are enum perf_event_type of <linux/perf_event.h>; the newest ones: */
enum {
	FORMAT_CALLCHAIN_DEFERRED = 22, /* since Linux 6.19 */

	FORMAT_HEADER_ATTR = 64,       /* stream: one attr with its ids */
	FORMAT_HEADER_EVENT_TYPE = 65, /* deprecated and skipped by every reader: carries pstat's marker details */
	FORMAT_HEADER_TRACING_DATA = 66,
	FORMAT_HEADER_BUILD_ID = 67,
	FORMAT_FINISHED_ROUND = 68,
	FORMAT_ID_INDEX = 69,
	FORMAT_AUXTRACE_INFO = 70,
	FORMAT_AUXTRACE = 71,
	FORMAT_AUXTRACE_ERROR = 72,
	FORMAT_THREAD_MAP = 73,
	FORMAT_CPU_MAP = 74,
	FORMAT_STAT_CONFIG = 75,
	FORMAT_STAT = 76,
	FORMAT_STAT_ROUND = 77,
	FORMAT_EVENT_UPDATE = 78,
	FORMAT_TIME_CONV = 79,
	FORMAT_HEADER_FEATURE = 80, /* stream: one header feature */
	FORMAT_COMPRESSED = 81,
	FORMAT_FINISHED_INIT = 82,
	FORMAT_COMPRESSED2 = 83,  /* since perf 6.16; perf 6.1 and 6.12 stop at it */
	FORMAT_BPF_METADATA = 84, /* since perf 6.17 */
};

/* struct perf_event_header of <linux/perf_event.h> starts every record: u32 type, u16 misc, u16 size. */

struct format_thread_map_entry {
	uint64_t pid; /* UINT64_MAX: no thread, system-wide counting */
	char comm[16];
};

enum { /* CPU_MAP.kind */
	FORMAT_CPU_MAP_CPUS = 0,
	FORMAT_CPU_MAP_MASK = 1,
	FORMAT_CPU_MAP_RANGE = 2,
};
#define FORMAT_CPU_ANY 0xffff /* in CPU_MAP: "no CPU", per-task counting */

enum { /* STAT_CONFIG.tag */
	FORMAT_STAT_CONFIG_AGGR_MODE = 0, /* pstat writes 1, "global", the only one that means the same to all perfs */
	FORMAT_STAT_CONFIG_INTERVAL = 1,  /* in ms; 0: one summary at the end */
	FORMAT_STAT_CONFIG_SCALE = 2,
	FORMAT_STAT_CONFIG_AGGR_LEVEL = 3,
};
#define FORMAT_AGGR_GLOBAL 1

struct format_stat_config_entry {
	uint64_t tag;
	uint64_t value;
};

struct format_stat { /* after the record header */
	uint64_t id;
	int32_t cpu;     /* CPU number, -1 for per-task counting */
	uint32_t thread; /* index into THREAD_MAP */
	uint64_t val;    /* raw and cumulative, as read(2) gave it */
	uint64_t enabled_ns;
	uint64_t running_ns;
};

enum { /* STAT_ROUND.type */
	FORMAT_ROUND_INTERVAL = 0,
	FORMAT_ROUND_FINAL = 1,
};

struct format_stat_round {
	uint64_t type;
	uint64_t time_ns; /* since t0 */
};

enum { /* EVENT_UPDATE.kind */
	FORMAT_UPDATE_UNIT = 0,  /* text */
	FORMAT_UPDATE_SCALE = 1, /* IEEE double */
	FORMAT_UPDATE_NAME = 2,  /* text */
	FORMAT_UPDATE_CPUS = 3,  /* a cpu map */
};

/* --- compression ---------------------------------------------------------------------------------------------------- */

#define FORMAT_COMPRESS_ZSTD 1          /* COMPRESSED feature: type */
#define FORMAT_FRAME_PLAIN_BYTES 65024  /* most bytes in one frame, so that even random data stays one record */
#define FORMAT_SKIPPABLE_MAGIC UINT32_C(0x184D2A50) /* zstd skippable frame (RFC 8878 3.1.2), pads a record to 8 */

/* --- header features ------------------------------------------------------------------------------------------------ */

enum {
	FORMAT_FEATURE_TRACING_DATA = 1,
	FORMAT_FEATURE_BUILD_ID = 2,
	FORMAT_FEATURE_HOSTNAME = 3,
	FORMAT_FEATURE_OSRELEASE = 4,
	FORMAT_FEATURE_VERSION = 5,
	FORMAT_FEATURE_ARCH = 6,
	FORMAT_FEATURE_NRCPUS = 7,
	FORMAT_FEATURE_CPUDESC = 8,
	FORMAT_FEATURE_CPUID = 9,
	FORMAT_FEATURE_TOTAL_MEM = 10,
	FORMAT_FEATURE_CMDLINE = 11,
	FORMAT_FEATURE_EVENT_DESC = 12,
	FORMAT_FEATURE_CPU_TOPOLOGY = 13,
	FORMAT_FEATURE_NUMA_TOPOLOGY = 14,
	FORMAT_FEATURE_BRANCH_STACK = 15,
	FORMAT_FEATURE_PMU_MAPPINGS = 16,
	FORMAT_FEATURE_GROUP_DESC = 17,
	FORMAT_FEATURE_AUXTRACE = 18,
	FORMAT_FEATURE_STAT = 19,
	FORMAT_FEATURE_CACHE = 20,
	FORMAT_FEATURE_SAMPLE_TIME = 21,
	FORMAT_FEATURE_MEM_TOPOLOGY = 22,
	FORMAT_FEATURE_CLOCKID = 23,
	FORMAT_FEATURE_DIR_FORMAT = 24,
	FORMAT_FEATURE_BPF_PROG_INFO = 25,
	FORMAT_FEATURE_BPF_BTF = 26,
	FORMAT_FEATURE_COMPRESSED = 27,
	FORMAT_FEATURE_CPU_PMU_CAPS = 28,
	FORMAT_FEATURE_CLOCK_DATA = 29,
	FORMAT_FEATURE_HYBRID_TOPOLOGY = 30,
	FORMAT_FEATURE_PMU_CAPS = 31,

	FORMAT_FEATURE_SIMPLEPERF_META = 129, /* Android's simpleperf: NUL-ended keys and values in turn */
};

#define FORMAT_STRING_ALIGN 64 /* header strings: u32 length, then text and NULs to a multiple of this */
#define FORMAT_BUILD_ID_BYTES 20
#define FORMAT_BUILD_ID_SIZE_VALID 0x8000 /* misc bit: the byte behind the id holds its length */

/* --- pstat's use ---------------------------------------------------------------------------------------------------- */

/* IDENTIFIER|IP|TID|TIME|CPU|PERIOD in every attr, so that any reader finds id and time of every record. */
#define FORMAT_SAMPLE_TYPE                                                                          \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* Ids of the marker events; the kernel counts its own up from small numbers. */
#define FORMAT_MARKER_ID_PAUSE (UINT64_C(1) << 62)
#define FORMAT_MARKER_ID_RESUME ((UINT64_C(1) << 62) + 1)
#define FORMAT_MARKER_ID_MARK ((UINT64_C(1) << 62) + 2)
#define FORMAT_MARKER_NAME_PAUSE "pstat:pause"
#define FORMAT_MARKER_NAME_RESUME "pstat:resume"
#define FORMAT_MARKER_NAME_MARK "pstat:mark"
#define FORMAT_MARKER_DETAIL_MIN_BYTES 80 /* whole record of type 65 */

_Static_assert(sizeof(struct format_file_header) == FORMAT_HEADER_BYTES, "file header");
_Static_assert(sizeof(struct format_stat) == 40, "STAT is 48 bytes with its header");
_Static_assert(sizeof(struct format_stat_round) == 16, "STAT_ROUND is 24 bytes with its header");
_Static_assert(sizeof(struct format_thread_map_entry) == 24, "THREAD_MAP entry");

#endif
