/* The view "dump": records that hold lists, texts or structures of their own. */
#include <inttypes.h>

#include "data/codec.h"
#include "data/sample.h"
#include "report/dump.h"

#define MMAP2_BUILD_ID (1u << 14) /* misc: a build id stands where device and inode would */
#define BUILD_ID_AT 4             /* in those bytes: u8 length, 3 bytes, the id */
#define BUILD_ID_SIZE_AT 20       /* in HEADER_BUILD_ID: the length behind the id */
#define BPF_NAME_BYTES 64
#define BPF_VALUE_BYTES 256

LIST(mapping, { FIELD_U32, "pid" }, { FIELD_U32, "tid" }, { FIELD_HEX64, "start" }, { FIELD_HEX64, "len" },
     { FIELD_HEX64, "pgoff" });
LIST(inode, { FIELD_U32, "maj" }, { FIELD_U32, "min" }, { FIELD_U64, "ino" }, { FIELD_U64, "ino_generation" });
LIST(protection, { FIELD_HEX32, "prot" }, { FIELD_HEX32, "flags" }, { FIELD_TEXT, "path" });
LIST(task, { FIELD_U32, "pid" }, { FIELD_U32, "tid" });
LIST(text_poke, { FIELD_HEX64, "addr" }, { FIELD_U16, "old_len" }, { FIELD_U16, "new_len" });
LIST(deferred, { FIELD_HEX64, "cookie" }, { FIELD_U64, "nr" });
LIST(event_type, { FIELD_U64, "id" }, { FIELD_TEXT, "name" });
LIST(auxtrace_info, { FIELD_U32, "auxtrace_type" }, { FIELD_U32, "reserved" });
LIST(namespace, { FIELD_HEX64, "dev" }, { FIELD_U64, "ino" });
LIST(index_entry, { FIELD_U64, "id" }, { FIELD_U64, "idx" }, { FIELD_S64, "cpu" }, { FIELD_S64, "tid" });

static void dump_mmap2(struct dump *dump)
{
	const uint8_t *build_id;

	if (!dump_put_fields(dump, mapping_fields))
		return;
	if (!(dump->rec->misc & MMAP2_BUILD_ID)) {
		(void)(dump_put_fields(dump, inode_fields) && dump_put_fields(dump, protection_fields));
		return;
	}
	build_id = cursor_take(&dump->body, BUILD_ID_AT + FORMAT_BUILD_ID_BYTES);
	if (!build_id) {
		dump_cut(dump);
		return;
	}
	dump_hex(dump, "build_id", build_id + BUILD_ID_AT,
		 build_id[0] <= FORMAT_BUILD_ID_BYTES ? build_id[0] : FORMAT_BUILD_ID_BYTES);
	(void)dump_put_fields(dump, protection_fields);
}

/* A count, then so many entries of one list of fields each. */
static void dump_entries(struct dump *dump, const struct dump_field *fields)
{
	uint64_t n;

	if (!cursor_u64(&dump->body, &n)) {
		dump_cut(dump);
		return;
	}
	(void)fprintf(dump->out, " nr %" PRIu64, n);
	for (uint64_t i = 0; i < n; i++) {
		(void)fprintf(dump->out, " [%" PRIu64 "]", i);
		if (!dump_put_fields(dump, fields))
			return;
	}
}

static void dump_namespaces(struct dump *dump)
{
	if (dump_put_fields(dump, task_fields))
		dump_entries(dump, namespace_fields);
}

static void dump_id_index(struct dump *dump)
{
	dump_entries(dump, index_entry_fields);
}

/* Whatever is left, as words. */
static void dump_words(struct dump *dump, const char *name)
{
	uint64_t word;

	(void)fprintf(dump->out, " %s [", name);
	for (const char *comma = ""; cursor_u64(&dump->body, &word); comma = ", ")
		(void)fprintf(dump->out, "%s%#" PRIx64, comma, word);
	(void)fputc(']', dump->out);
}

static void dump_auxtrace_info(struct dump *dump)
{
	if (dump_put_fields(dump, auxtrace_info_fields))
		dump_words(dump, "private");
}

static void dump_deferred(struct dump *dump)
{
	if (dump_put_fields(dump, deferred_fields))
		dump_words(dump, "ips");
}

static void dump_read(struct dump *dump)
{
	struct sample_trailer trailer;
	struct sample_read read = { 0 };
	const struct meta_event *event = NULL;

	if (sample_parse_trailer(dump->meta, dump->rec, &trailer))
		event = meta_find_id(dump->meta, trailer.id);
	if (!event && dump->meta->n_events)
		event = &dump->meta->events[0];
	if (!dump_put_fields(dump, task_fields))
		return;
	if (!event || !sample_parse_read(&dump->body, event->attr.read_format, &read))
		dump_cut(dump);
	else
		dump_read_values(dump, &read);
}

static void dump_text_poke(struct dump *dump)
{
	const uint8_t *lengths = dump->body.at + sizeof(uint64_t), *old, *new;
	size_t old_len, new_len;

	if (!dump_put_fields(dump, text_poke_fields))
		return;
	old_len = bytes_u16(lengths, dump->body.swapped);
	new_len = bytes_u16(lengths + sizeof(uint16_t), dump->body.swapped);
	old = cursor_take(&dump->body, old_len);
	new = old ? cursor_take(&dump->body, new_len) : NULL;
	if (!new) {
		dump_cut(dump);
		return;
	}
	dump_hex(dump, "old", old, old_len);
	dump_hex(dump, "new", new, new_len);
}

static void dump_header_attr(struct dump *dump)
{
	struct perf_event_attr attr;
	uint32_t bytes;

	if (codec_decode_attr(dump->body.at, dump->body.left, dump->body.swapped, &attr, &bytes, NULL) < 0) {
		dump_cut(dump);
		return;
	}
	(void)cursor_take(&dump->body, bytes); /* the codec has found it to be there */
	(void)fprintf(dump->out,
		      " event_type %" PRIu32 " attr_size %" PRIu32 " config %#" PRIx64 " sample_period_or_freq %" PRIu64
		      " sample_type %#" PRIx64 " read_format %#" PRIx64,
		      attr.type, bytes, (uint64_t)attr.config, (uint64_t)attr.sample_period, (uint64_t)attr.sample_type,
		      (uint64_t)attr.read_format);
	dump_words(dump, "ids");
}

static void dump_event_type(struct dump *dump)
{
	const struct record_marker_detail *detail = &dump->rec->detail;

	if (!dump->rec->decoded) { /* not a marker's details: what perf wrote until Linux 3.0 */
		(void)dump_put_fields(dump, event_type_fields);
		return;
	}
	(void)fprintf(dump->out,
		      " marker id %" PRIu64 " seq %" PRIu64 " cause %s request_ns %" PRIu64 " done_ns %" PRIu64, detail->id,
		      detail->seq, marker_cause_name(detail->cause), detail->request_ns, detail->done_ns);
	if (detail->label)
		dump_text(dump, "label", (const uint8_t *)detail->label, strlen(detail->label));
}

static void dump_header_build_id(struct dump *dump)
{
	const size_t room = FORMAT_BUILD_ID_BYTES + BUILD_ID_AT;
	uint32_t pid;
	const uint8_t *id;
	uint8_t len = FORMAT_BUILD_ID_BYTES;

	if (!cursor_u32(&dump->body, &pid) || !(id = cursor_take(&dump->body, room))) {
		dump_cut(dump);
		return;
	}
	if ((dump->rec->misc & FORMAT_BUILD_ID_SIZE_VALID) && id[BUILD_ID_SIZE_AT] < len)
		len = id[BUILD_ID_SIZE_AT];
	(void)fprintf(dump->out, " pid %" PRId32, (int32_t)pid);
	dump_hex(dump, "build_id", id, len);
	dump_text(dump, "path", dump->body.at, dump->body.left);
}

static void dump_thread_map(struct dump *dump)
{
	const struct record_thread_map *map = &dump->rec->thread_map;

	(void)fprintf(dump->out, " nr %zu", map->n);
	for (size_t i = 0; i < map->n; i++) {
		(void)fprintf(dump->out, " [%zu] tid %" PRId64, i, (int64_t)map->threads[i].pid);
		dump_text(dump, "comm", (const uint8_t *)map->threads[i].comm, sizeof(map->threads[i].comm));
	}
}

static void dump_cpus(struct dump *dump, const int32_t *cpus, size_t n)
{
	(void)fprintf(dump->out, " cpus [");
	for (size_t i = 0; i < n; i++)
		(void)fprintf(dump->out, "%s%" PRId32, i ? ", " : "", cpus[i]);
	(void)fputc(']', dump->out);
}

static void dump_cpu_map(struct dump *dump)
{
	dump_cpus(dump, dump->rec->cpu_map.cpus, dump->rec->cpu_map.n);
}

static void dump_stat_config(struct dump *dump)
{
	static const char *const tags[] = { "aggr_mode", "interval", "scale", "aggr_level" };
	const struct record_stat_config *config = &dump->rec->stat_config;

	for (size_t i = 0; i < config->n; i++) {
		uint64_t tag = config->entries[i].tag;

		if (tag < ARRAY_SIZE(tags))
			(void)fprintf(dump->out, " %s", tags[tag]);
		else
			(void)fprintf(dump->out, " tag_%" PRIu64, tag);
		(void)fprintf(dump->out, " %" PRIu64, config->entries[i].value);
	}
}

static void dump_event_update(struct dump *dump)
{
	const struct record_update *update = &dump->rec->update;

	(void)fprintf(dump->out, " id %" PRIu64, update->id);
	switch (update->kind) {
	case FORMAT_UPDATE_UNIT:
	case FORMAT_UPDATE_NAME:
		dump_text(dump, update->kind == FORMAT_UPDATE_UNIT ? "unit" : "name", (const uint8_t *)update->text,
			  strlen(update->text));
		break;
	case FORMAT_UPDATE_SCALE:
		(void)fprintf(dump->out, " scale %.17g", update->scale);
		break;
	case FORMAT_UPDATE_CPUS:
		dump_cpus(dump, update->cpus, update->n_cpus);
		break;
	default:
		(void)fprintf(dump->out, " kind %" PRIu64, update->kind);
		dump_hex(dump, "bytes", dump->body.at, dump->body.left);
	}
}

static void dump_header_feature(struct dump *dump)
{
	const char *name;
	uint64_t number;

	if (!cursor_u64(&dump->body, &number)) {
		dump_cut(dump);
		return;
	}
	name = number < FORMAT_FEATURE_BITS ? feature_name((uint32_t)number) : NULL;
	(void)fprintf(dump->out, " feature %" PRIu64 " %s payload %zu", number, name ? name : "unknown", dump->body.left);
}

static void dump_bpf_metadata(struct dump *dump)
{
	const uint8_t *program = cursor_take(&dump->body, BPF_NAME_BYTES), *entry;
	uint64_t n;

	if (!program || !cursor_u64(&dump->body, &n)) {
		dump_cut(dump);
		return;
	}
	dump_text(dump, "program", program, BPF_NAME_BYTES);
	for (uint64_t i = 0; i < n; i++) {
		entry = cursor_take(&dump->body, BPF_NAME_BYTES + BPF_VALUE_BYTES);
		if (!entry) {
			dump_cut(dump);
			return;
		}
		dump_text(dump, "key", entry, BPF_NAME_BYTES);
		dump_text(dump, "value", entry + BPF_NAME_BYTES, BPF_VALUE_BYTES);
	}
}

static const struct dump_row {
	uint32_t type;
	bool needs_decoded; /* works on the union */
	void (*put)(struct dump *dump);
} rows[] = {
	{ PERF_RECORD_READ, false, dump_read },
	{ PERF_RECORD_SAMPLE, true, dump_sample },
	{ PERF_RECORD_MMAP2, false, dump_mmap2 },
	{ PERF_RECORD_NAMESPACES, false, dump_namespaces },
	{ PERF_RECORD_TEXT_POKE, false, dump_text_poke },
	{ FORMAT_CALLCHAIN_DEFERRED, false, dump_deferred },
	{ FORMAT_HEADER_ATTR, false, dump_header_attr },
	{ FORMAT_HEADER_EVENT_TYPE, false, dump_event_type },
	{ FORMAT_HEADER_BUILD_ID, false, dump_header_build_id },
	{ FORMAT_ID_INDEX, false, dump_id_index },
	{ FORMAT_AUXTRACE_INFO, false, dump_auxtrace_info },
	{ FORMAT_THREAD_MAP, true, dump_thread_map },
	{ FORMAT_CPU_MAP, true, dump_cpu_map },
	{ FORMAT_STAT_CONFIG, true, dump_stat_config },
	{ FORMAT_EVENT_UPDATE, true, dump_event_update },
	{ FORMAT_HEADER_FEATURE, false, dump_header_feature },
	{ FORMAT_BPF_METADATA, false, dump_bpf_metadata },
};

bool dump_by_hand(struct dump *dump)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].type != dump->rec->type)
			continue;
		if (rows[i].needs_decoded && !dump->rec->decoded)
			return false;
		rows[i].put(dump);
		return true;
	}
	return false;
}
