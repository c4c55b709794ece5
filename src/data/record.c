/* Names of record types and of the causes of a marker. */
#include "data/record.h"

#include <string.h>

#include "base/attr.h"

static const char *const type_names[] = {
	[PERF_RECORD_MMAP] = "MMAP",
	[PERF_RECORD_LOST] = "LOST",
	[PERF_RECORD_COMM] = "COMM",
	[PERF_RECORD_EXIT] = "EXIT",
	[PERF_RECORD_THROTTLE] = "THROTTLE",
	[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[PERF_RECORD_FORK] = "FORK",
	[PERF_RECORD_READ] = "READ",
	[PERF_RECORD_SAMPLE] = "SAMPLE",
	[PERF_RECORD_MMAP2] = "MMAP2",
	[PERF_RECORD_AUX] = "AUX",
	[PERF_RECORD_ITRACE_START] = "ITRACE_START",
	[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
	[PERF_RECORD_SWITCH] = "SWITCH",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	[PERF_RECORD_NAMESPACES] = "NAMESPACES",
	[PERF_RECORD_KSYMBOL] = "KSYMBOL",
	[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
	[PERF_RECORD_CGROUP] = "CGROUP",
	[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	[FORMAT_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
	[FORMAT_HEADER_ATTR] = "HEADER_ATTR",
	[FORMAT_HEADER_EVENT_TYPE] = "HEADER_EVENT_TYPE",
	[FORMAT_HEADER_TRACING_DATA] = "HEADER_TRACING_DATA",
	[FORMAT_HEADER_BUILD_ID] = "HEADER_BUILD_ID",
	[FORMAT_FINISHED_ROUND] = "FINISHED_ROUND",
	[FORMAT_ID_INDEX] = "ID_INDEX",
	[FORMAT_AUXTRACE_INFO] = "AUXTRACE_INFO",
	[FORMAT_AUXTRACE] = "AUXTRACE",
	[FORMAT_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
	[FORMAT_THREAD_MAP] = "THREAD_MAP",
	[FORMAT_CPU_MAP] = "CPU_MAP",
	[FORMAT_STAT_CONFIG] = "STAT_CONFIG",
	[FORMAT_STAT] = "STAT",
	[FORMAT_STAT_ROUND] = "STAT_ROUND",
	[FORMAT_EVENT_UPDATE] = "EVENT_UPDATE",
	[FORMAT_TIME_CONV] = "TIME_CONV",
	[FORMAT_HEADER_FEATURE] = "HEADER_FEATURE",
	[FORMAT_COMPRESSED] = "COMPRESSED",
	[FORMAT_FINISHED_INIT] = "FINISHED_INIT",
	[FORMAT_COMPRESSED2] = "COMPRESSED2",
	[FORMAT_BPF_METADATA] = "BPF_METADATA",
};

static const char *const cause_names[] = {
	[MARKER_START] = "start",   [MARKER_DELAY] = "delay",     [MARKER_COMMAND] = "command",
	[MARKER_SIGNAL] = "signal", [MARKER_EXIT] = "exit",       [MARKER_TIMEOUT] = "timeout",
	[MARKER_MARK] = "mark",     [MARKER_UNKNOWN] = "unknown",
};

const char *record_type_name(uint32_t type)
{
	return type < ARRAY_SIZE(type_names) ? type_names[type] : NULL;
}

const char *marker_cause_name(enum marker_cause cause)
{
	return cause_names[(size_t)cause < ARRAY_SIZE(cause_names) ? cause : MARKER_UNKNOWN];
}

enum marker_cause marker_cause_parse(const char *word, size_t len)
{
	for (size_t i = 0; i < MARKER_UNKNOWN; i++)
		if (strlen(cause_names[i]) == len && !memcmp(cause_names[i], word, len))
			return (enum marker_cause)i;
	return MARKER_UNKNOWN;
}
