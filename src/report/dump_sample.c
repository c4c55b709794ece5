/* The view "dump": samples with all of their fields, and counter values. */
#include <inttypes.h>

#include "data/sample.h"
#include "report/dump.h"

/* The fields that the codec decodes, in the kernel's order. */
static void put_basic(struct dump *dump, uint64_t type)
{
	const struct record_sample *sample = &dump->rec->sample;
	FILE *out = dump->out;

	if (type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID))
		(void)fprintf(out, " id %" PRIu64, sample->id);
	if (type & PERF_SAMPLE_IP)
		(void)fprintf(out, " ip %#" PRIx64, sample->ip);
	if (type & PERF_SAMPLE_TID)
		(void)fprintf(out, " pid %" PRIu32 " tid %" PRIu32, sample->pid, sample->tid);
	if (type & PERF_SAMPLE_TIME)
		(void)fprintf(out, " time %" PRIu64, sample->time_ns);
	if (type & PERF_SAMPLE_ADDR)
		(void)fprintf(out, " addr %#" PRIx64, sample->addr);
	if (type & PERF_SAMPLE_STREAM_ID)
		(void)fprintf(out, " stream_id %" PRIu64, sample->stream_id);
	if (type & PERF_SAMPLE_CPU)
		(void)fprintf(out, " cpu %" PRIu32, sample->cpu);
	(void)fprintf(out, " period %" PRIu64, sample->period);
}

static void put_words(struct dump *dump, const char *name, const struct sample_words *words)
{
	(void)fprintf(dump->out, " %s [", name);
	for (size_t i = 0; i < words->n; i++)
		(void)fprintf(dump->out, "%s%#" PRIx64, i ? ", " : "", sample_word(words, i));
	(void)fputc(']', dump->out);
}

void dump_read_values(struct dump *dump, const struct sample_read *read)
{
	size_t id_at = read->format & PERF_FORMAT_ID ? 1 : 0;

	(void)fputs(" read", dump->out);
	if (read->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		(void)fprintf(dump->out, " enabled %" PRIu64, read->enabled_ns);
	if (read->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		(void)fprintf(dump->out, " running %" PRIu64, read->running_ns);
	for (size_t i = 0; i < read->n_values; i++) {
		size_t at = i * read->stride;

		(void)fprintf(dump->out, " value %" PRIu64, sample_word(&read->values, at));
		if (id_at && read->stride > 1)
			(void)fprintf(dump->out, " id %" PRIu64, sample_word(&read->values, at + id_at));
		if (read->stride > 1 + id_at)
			(void)fprintf(dump->out, " lost %" PRIu64, sample_word(&read->values, at + id_at + 1));
	}
}

static void put_branches(struct dump *dump, const struct sample *sample)
{
	FILE *out = dump->out;

	(void)fputs(" branches [", out);
	for (size_t i = 0; i + 2 < sample->branches.n; i += 3)
		(void)fprintf(out, "%s%#" PRIx64 "->%#" PRIx64 " flags %#" PRIx64, i ? ", " : "",
			      sample_word(&sample->branches, i), sample_word(&sample->branches, i + 1),
			      sample_word(&sample->branches, i + 2));
	(void)fputc(']', out);
	if (sample->has_branch_index)
		(void)fprintf(out, " branch_index %" PRIu64, sample->branch_index);
	if (sample->branch_counters.n)
		put_words(dump, "branch_counters", &sample->branch_counters);
}

static void put_regs(struct dump *dump, const char *name, const struct sample_regs *regs)
{
	(void)fprintf(dump->out, " %s abi %" PRIu64 " mask %#" PRIx64, name, regs->abi, regs->mask);
	if (regs->abi)
		put_words(dump, "values", &regs->values);
}

static void put_lists(struct dump *dump, const struct sample *sample)
{
	uint64_t type = sample->type;

	if (type & PERF_SAMPLE_READ)
		dump_read_values(dump, &sample->read);
	if (type & PERF_SAMPLE_CALLCHAIN)
		put_words(dump, "callchain", &sample->callchain);
	if (type & PERF_SAMPLE_RAW)
		dump_hex(dump, "raw", sample->raw.at, sample->raw.len);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(dump, sample);
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(dump, "user_regs", &sample->user_regs);
	if (type & PERF_SAMPLE_STACK_USER) {
		(void)fprintf(dump->out, " stack_used %" PRIu64, sample->stack_used);
		dump_hex(dump, "stack", sample->stack.at, sample->stack.len);
	}
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(dump, "intr_regs", &sample->intr_regs);
	if (type & PERF_SAMPLE_AUX)
		dump_hex(dump, "aux", sample->aux.at, sample->aux.len);
}

static void put_numbers(struct dump *dump, const struct sample *sample)
{
	const struct {
		uint64_t bit;
		const char *name;
		uint64_t value;
	} numbers[] = {
		{ PERF_SAMPLE_WEIGHT, "weight", sample->weight },
		{ PERF_SAMPLE_WEIGHT_STRUCT, "weight_struct", sample->weight },
		{ PERF_SAMPLE_DATA_SRC, "data_src", sample->data_src },
		{ PERF_SAMPLE_TRANSACTION, "transaction", sample->transaction },
		{ PERF_SAMPLE_PHYS_ADDR, "phys_addr", sample->phys_addr },
		{ PERF_SAMPLE_CGROUP, "cgroup", sample->cgroup },
		{ PERF_SAMPLE_DATA_PAGE_SIZE, "data_page_size", sample->data_page_size },
		{ PERF_SAMPLE_CODE_PAGE_SIZE, "code_page_size", sample->code_page_size },
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (sample->type & numbers[i].bit)
			(void)fprintf(dump->out, " %s %#" PRIx64, numbers[i].name, numbers[i].value);
}

void dump_sample(struct dump *dump)
{
	struct sample sample;
	int rc = sample_parse(dump->meta, dump->rec, &sample, NULL);

	if (sample.event)
		dump_text(dump, "event", (const uint8_t *)sample.event->name, strlen(sample.event->name));
	else
		(void)fputs(" event unknown", dump->out);
	put_basic(dump, sample.type);
	if (rc < 0) {
		dump_cut(dump);
		return;
	}
	put_lists(dump, &sample);
	put_numbers(dump, &sample);
}
