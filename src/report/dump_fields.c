/* The view "dump": records that are a plain list of fields. */
#include <inttypes.h>

#include "report/dump.h"

LIST(mmap, { FIELD_U32, "pid" }, { FIELD_U32, "tid" }, { FIELD_HEX64, "start" }, { FIELD_HEX64, "len" },
     { FIELD_HEX64, "pgoff" }, { FIELD_TEXT, "path" });
LIST(lost, { FIELD_U64, "id" }, { FIELD_U64, "lost" });
LIST(comm, { FIELD_U32, "pid" }, { FIELD_U32, "tid" }, { FIELD_TEXT, "comm" });
LIST(task, { FIELD_U32, "pid" }, { FIELD_U32, "ppid" }, { FIELD_U32, "tid" }, { FIELD_U32, "ptid" },
     { FIELD_U64, "time" });
LIST(throttle, { FIELD_U64, "time" }, { FIELD_U64, "id" }, { FIELD_U64, "stream_id" });
LIST(aux, { FIELD_HEX64, "offset" }, { FIELD_HEX64, "size" }, { FIELD_HEX64, "flags" });
LIST(itrace_start, { FIELD_U32, "pid" }, { FIELD_U32, "tid" });
LIST(lost_samples, { FIELD_U64, "lost" });
LIST(switch_cpu_wide, { FIELD_U32, "next_prev_pid" }, { FIELD_U32, "next_prev_tid" });
LIST(ksymbol, { FIELD_HEX64, "addr" }, { FIELD_U32, "len" }, { FIELD_U16, "ksym_type" }, { FIELD_HEX16, "flags" },
     { FIELD_TEXT, "name" });
LIST(bpf_event, { FIELD_U16, "bpf_type" }, { FIELD_HEX16, "flags" }, { FIELD_U32, "id" }, { FIELD_TAG, "tag" });
LIST(cgroup, { FIELD_U64, "id" }, { FIELD_TEXT, "path" });
LIST(aux_output_hw_id, { FIELD_HEX64, "hw_id" });
LIST(tracing_data, { FIELD_U32, "payload" });
LIST(auxtrace, { FIELD_HEX64, "payload" }, { FIELD_HEX64, "offset" }, { FIELD_HEX64, "reference" },
     { FIELD_U32, "idx" }, { FIELD_S32, "tid" }, { FIELD_S32, "cpu" });
LIST(auxtrace_error, { FIELD_U32, "error_type" }, { FIELD_U32, "code" }, { FIELD_S32, "cpu" }, { FIELD_S32, "pid" },
     { FIELD_S32, "tid" }, { FIELD_U32, "fmt" }, { FIELD_HEX64, "ip" }, { FIELD_OPTION, NULL }, { FIELD_U64, "time" },
     { FIELD_TEXT, "message" });
LIST(stat, { FIELD_U64, "id" }, { FIELD_S32, "cpu" }, { FIELD_U32, "thread" }, { FIELD_U64, "value" },
     { FIELD_U64, "enabled" }, { FIELD_U64, "running" });
LIST(stat_round, { FIELD_U64, "round_type" }, { FIELD_U64, "time" });
LIST(time_conv, { FIELD_U64, "shift" }, { FIELD_U64, "mult" }, { FIELD_U64, "zero" }, { FIELD_OPTION, NULL },
     { FIELD_U64, "cycles" }, { FIELD_HEX64, "mask" }, { FIELD_HEX64, "caps" });
LIST(compressed2, { FIELD_U64, "compressed" });
LIST(nothing, { FIELD_OPTION, NULL });

static const struct dump_field *const by_type[] = {
	[PERF_RECORD_MMAP] = mmap_fields,
	[PERF_RECORD_LOST] = lost_fields,
	[PERF_RECORD_COMM] = comm_fields,
	[PERF_RECORD_EXIT] = task_fields,
	[PERF_RECORD_THROTTLE] = throttle_fields,
	[PERF_RECORD_UNTHROTTLE] = throttle_fields,
	[PERF_RECORD_FORK] = task_fields,
	[PERF_RECORD_AUX] = aux_fields,
	[PERF_RECORD_ITRACE_START] = itrace_start_fields,
	[PERF_RECORD_LOST_SAMPLES] = lost_samples_fields,
	[PERF_RECORD_SWITCH] = nothing_fields,
	[PERF_RECORD_SWITCH_CPU_WIDE] = switch_cpu_wide_fields,
	[PERF_RECORD_KSYMBOL] = ksymbol_fields,
	[PERF_RECORD_BPF_EVENT] = bpf_event_fields,
	[PERF_RECORD_CGROUP] = cgroup_fields,
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = aux_output_hw_id_fields,
	[FORMAT_HEADER_TRACING_DATA] = tracing_data_fields,
	[FORMAT_FINISHED_ROUND] = nothing_fields,
	[FORMAT_AUXTRACE] = auxtrace_fields,
	[FORMAT_AUXTRACE_ERROR] = auxtrace_error_fields,
	[FORMAT_STAT] = stat_fields,
	[FORMAT_STAT_ROUND] = stat_round_fields,
	[FORMAT_TIME_CONV] = time_conv_fields,
	[FORMAT_COMPRESSED] = nothing_fields,
	[FORMAT_FINISHED_INIT] = nothing_fields,
	[FORMAT_COMPRESSED2] = compressed2_fields,
};

static size_t field_bytes(const struct dump *dump, enum field_kind kind)
{
	switch (kind) {
	case FIELD_U16:
	case FIELD_HEX16:
		return sizeof(uint16_t);
	case FIELD_U32:
	case FIELD_S32:
	case FIELD_HEX32:
		return sizeof(uint32_t);
	case FIELD_U64:
	case FIELD_S64:
	case FIELD_HEX64:
	case FIELD_TAG:
		return sizeof(uint64_t);
	case FIELD_TEXT:
		return dump->body.left;
	default:
		return 0;
	}
}

static void put_field(struct dump *dump, const struct dump_field *field, const uint8_t *at, size_t len)
{
	bool swapped = dump->body.swapped;

	switch (field->kind) {
	case FIELD_U16:
		(void)fprintf(dump->out, " %s %" PRIu16, field->name, bytes_u16(at, swapped));
		break;
	case FIELD_HEX16:
		(void)fprintf(dump->out, " %s %#" PRIx16, field->name, bytes_u16(at, swapped));
		break;
	case FIELD_U32:
		(void)fprintf(dump->out, " %s %" PRIu32, field->name, bytes_u32(at, swapped));
		break;
	case FIELD_S32:
		(void)fprintf(dump->out, " %s %" PRId32, field->name, (int32_t)bytes_u32(at, swapped));
		break;
	case FIELD_U64:
		(void)fprintf(dump->out, " %s %" PRIu64, field->name, bytes_u64(at, swapped));
		break;
	case FIELD_S64:
		(void)fprintf(dump->out, " %s %" PRId64, field->name, (int64_t)bytes_u64(at, swapped));
		break;
	case FIELD_HEX32:
		(void)fprintf(dump->out, " %s %#" PRIx32, field->name, bytes_u32(at, swapped));
		break;
	case FIELD_HEX64:
		(void)fprintf(dump->out, " %s %#" PRIx64, field->name, bytes_u64(at, swapped));
		break;
	case FIELD_TAG:
		dump_hex(dump, field->name, at, len);
		break;
	case FIELD_TEXT:
		dump_text(dump, field->name, at, len);
		break;
	default:
		break;
	}
}

bool dump_put_fields(struct dump *dump, const struct dump_field *field)
{
	bool optional = false;

	for (; field->kind != FIELD_END; field++) {
		size_t len = field_bytes(dump, field->kind);
		const uint8_t *at = cursor_take(&dump->body, len);

		optional |= field->kind == FIELD_OPTION;
		if (at) {
			put_field(dump, field, at, len);
			continue;
		}
		if (!optional)
			dump_cut(dump);
		return false;
	}
	return true;
}

bool dump_by_fields(struct dump *dump)
{
	uint32_t type = dump->rec->type;
	const struct dump_field *fields = type < ARRAY_SIZE(by_type) ? by_type[type] : NULL;

	if (fields)
		(void)dump_put_fields(dump, fields); /* has said so when the record is cut */
	return fields != NULL;
}
