/* An attr in words, as the header's event lines have it: every field that is not 0, in a fixed order. */
#include <inttypes.h>

#include "data/feature_internal.h"

struct bit_name {
	uint64_t bit;
	const char *name;
};

static const struct bit_name sample_bits[] = {
	{ PERF_SAMPLE_IP, "IP" }, { PERF_SAMPLE_TID, "TID" }, { PERF_SAMPLE_TIME, "TIME" },
	{ PERF_SAMPLE_ADDR, "ADDR" }, { PERF_SAMPLE_READ, "READ" }, { PERF_SAMPLE_CALLCHAIN, "CALLCHAIN" },
	{ PERF_SAMPLE_ID, "ID" }, { PERF_SAMPLE_CPU, "CPU" }, { PERF_SAMPLE_PERIOD, "PERIOD" },
	{ PERF_SAMPLE_STREAM_ID, "STREAM_ID" }, { PERF_SAMPLE_RAW, "RAW" },
	{ PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" }, { PERF_SAMPLE_REGS_USER, "REGS_USER" },
	{ PERF_SAMPLE_STACK_USER, "STACK_USER" }, { PERF_SAMPLE_IDENTIFIER, "IDENTIFIER" },
	{ PERF_SAMPLE_REGS_INTR, "REGS_INTR" }, { PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ PERF_SAMPLE_WEIGHT, "WEIGHT" }, { PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" }, { PERF_SAMPLE_AUX, "AUX" },
	{ PERF_SAMPLE_CGROUP, "CGROUP" }, { PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" }, { PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
};

static const struct bit_name branch_bits[] = {
	{ PERF_SAMPLE_BRANCH_USER, "USER" }, { PERF_SAMPLE_BRANCH_KERNEL, "KERNEL" },
	{ PERF_SAMPLE_BRANCH_HV, "HV" }, { PERF_SAMPLE_BRANCH_ANY, "ANY" },
	{ PERF_SAMPLE_BRANCH_ANY_CALL, "ANY_CALL" }, { PERF_SAMPLE_BRANCH_ANY_RETURN, "ANY_RETURN" },
	{ PERF_SAMPLE_BRANCH_IND_CALL, "IND_CALL" }, { PERF_SAMPLE_BRANCH_ABORT_TX, "ABORT_TX" },
	{ PERF_SAMPLE_BRANCH_IN_TX, "IN_TX" }, { PERF_SAMPLE_BRANCH_NO_TX, "NO_TX" },
	{ PERF_SAMPLE_BRANCH_COND, "COND" }, { PERF_SAMPLE_BRANCH_CALL_STACK, "CALL_STACK" },
	{ PERF_SAMPLE_BRANCH_IND_JUMP, "IND_JUMP" }, { PERF_SAMPLE_BRANCH_CALL, "CALL" },
	{ PERF_SAMPLE_BRANCH_NO_FLAGS, "NO_FLAGS" }, { PERF_SAMPLE_BRANCH_NO_CYCLES, "NO_CYCLES" },
	{ PERF_SAMPLE_BRANCH_TYPE_SAVE, "TYPE_SAVE" }, { PERF_SAMPLE_BRANCH_HW_INDEX, "HW_INDEX" },
	{ PERF_SAMPLE_BRANCH_PRIV_SAVE, "PRIV_SAVE" },
};

static const struct bit_name read_bits[] = {
	{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
	{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
	{ PERF_FORMAT_ID, "ID" }, { PERF_FORMAT_GROUP, "GROUP" }, { PERF_FORMAT_LOST, "LOST" },
};

static void print_bits(const char *label, uint64_t value, const struct bit_name *names, size_t n, FILE *out)
{
	bool more = false;

	if (!value)
		return;
	(void)fprintf(out, ", %s = ", label);
	for (size_t i = 0; i < n; i++)
		if (value & names[i].bit) {
			(void)fprintf(out, "%s%s", more ? "|" : "", names[i].name);
			more = true;
		}
}

static void print_number(const char *label, uint64_t value, FILE *out)
{
	if (value)
		(void)fprintf(out, ", %s = %" PRIu64, label, value);
}

static void print_hex(const char *label, uint64_t value, FILE *out)
{
	if (value)
		(void)fprintf(out, ", %s = %#" PRIx64, label, value);
}

/* The single bits up to the two of precise_ip, and those behind them; bitfields have no address for a table. */
static void print_flags(const struct perf_event_attr *attr, FILE *out)
{
	print_number("disabled", attr->disabled, out);
	print_number("inherit", attr->inherit, out);
	print_number("pinned", attr->pinned, out);
	print_number("exclusive", attr->exclusive, out);
	print_number("exclude_user", attr->exclude_user, out);
	print_number("exclude_kernel", attr->exclude_kernel, out);
	print_number("exclude_hv", attr->exclude_hv, out);
	print_number("exclude_idle", attr->exclude_idle, out);
	print_number("mmap", attr->mmap, out);
	print_number("comm", attr->comm, out);
	print_number("freq", attr->freq, out);
	print_number("inherit_stat", attr->inherit_stat, out);
	print_number("enable_on_exec", attr->enable_on_exec, out);
	print_number("task", attr->task, out);
	print_number("watermark", attr->watermark, out);
	print_number("precise_ip", attr->precise_ip, out);
	print_number("mmap_data", attr->mmap_data, out);
	print_number("sample_id_all", attr->sample_id_all, out);
	print_number("exclude_host", attr->exclude_host, out);
	print_number("exclude_guest", attr->exclude_guest, out);
	print_number("exclude_callchain_kernel", attr->exclude_callchain_kernel, out);
	print_number("exclude_callchain_user", attr->exclude_callchain_user, out);
	print_number("mmap2", attr->mmap2, out);
	print_number("comm_exec", attr->comm_exec, out);
	print_number("use_clockid", attr->use_clockid, out);
	print_number("context_switch", attr->context_switch, out);
	print_number("write_backward", attr->write_backward, out);
	print_number("namespaces", attr->namespaces, out);
	print_number("ksymbol", attr->ksymbol, out);
	print_number("bpf_event", attr->bpf_event, out);
	print_number("aux_output", attr->aux_output, out);
	print_number("cgroup", attr->cgroup, out);
	print_number("text_poke", attr->text_poke, out);
	print_number("build_id", attr->build_id, out);
	print_number("inherit_thread", attr->inherit_thread, out);
	print_number("remove_on_exec", attr->remove_on_exec, out);
	print_number("sigtrap", attr->sigtrap, out);
}

void feature_print_attr(const struct perf_event_attr *attr, FILE *out)
{
	print_number("type", attr->type, out);
	print_number("size", attr->size, out);
	print_hex("config", attr->config, out);
	print_number("{ sample_period, sample_freq }", attr->sample_period, out);
	print_bits("sample_type", attr->sample_type, sample_bits, ARRAY_SIZE(sample_bits), out);
	print_bits("read_format", attr->read_format, read_bits, ARRAY_SIZE(read_bits), out);
	print_flags(attr, out);
	print_number("{ wakeup_events, wakeup_watermark }", attr->wakeup_events, out);
	print_number("bp_type", attr->bp_type, out);
	print_hex("{ bp_addr, config1 }", attr->config1, out);
	print_hex("{ bp_len, config2 }", attr->config2, out);
	print_bits("branch_sample_type", attr->branch_sample_type, branch_bits, ARRAY_SIZE(branch_bits), out);
	print_hex("sample_regs_user", attr->sample_regs_user, out);
	print_number("sample_stack_user", attr->sample_stack_user, out);
	if (attr->clockid)
		(void)fprintf(out, ", clockid = %d", attr->clockid);
	print_hex("sample_regs_intr", attr->sample_regs_intr, out);
	print_number("aux_watermark", attr->aux_watermark, out);
	print_number("sample_max_stack", attr->sample_max_stack, out);
	print_number("aux_sample_size", attr->aux_sample_size, out);
	print_number("sig_data", attr->sig_data, out);
}
