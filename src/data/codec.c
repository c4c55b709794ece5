/* Records to bytes and back: the table of layouts and the walk over it. */
#include "data/codec.h"

#include <errno.h>

#include "data/codec_layout.h"

#define HEADER_BYTES sizeof(struct perf_event_header)
#define UNION_AT offsetof(struct record, sample)
#define TRAILER_BYTES 32 /* of FORMAT_SAMPLE_TYPE: pid, tid, time, cpu, 0, id */

#define FIELD(member, at) { offsetof(struct record, member), (at), sizeof(((struct record *)NULL)->member) }

static const struct codec_field stat_fields[] = {
	FIELD(stat.id, 0),   FIELD(stat.cpu, 8),         FIELD(stat.thread, 12),
	FIELD(stat.val, 16), FIELD(stat.enabled_ns, 24), FIELD(stat.running_ns, 32),
};

static const struct codec_field round_fields[] = {
	FIELD(round.type, 0),
	FIELD(round.time_ns, 8),
};

static const struct codec_field task_fields[] = {
	FIELD(task.pid, 0),   FIELD(task.ppid, 4),     FIELD(task.tid, 8),
	FIELD(task.ptid, 12), FIELD(task.time_ns, 16),
};

static const struct codec_field comm_fields[] = {
	FIELD(comm.pid, 0),
	FIELD(comm.tid, 4),
};

/* MMAP ends after pgoff. */
static const struct codec_field mmap_fields[] = {
	FIELD(mmap.pid, 0),    FIELD(mmap.tid, 4),  FIELD(mmap.start, 8), FIELD(mmap.len, 16),
	FIELD(mmap.pgoff, 24), FIELD(mmap.maj, 32), FIELD(mmap.min, 36),  FIELD(mmap.ino, 40),
	FIELD(mmap.ino_generation, 48), FIELD(mmap.prot, 56), FIELD(mmap.flags, 60),
};
#define MMAP_FIELDS 5

static const struct codec_field lost_fields[] = {
	FIELD(lost.id, 0),
	FIELD(lost.lost, 8),
};

static const struct codec_field lost_samples_fields[] = {
	FIELD(lost.lost, 0),
};

static const struct codec_field update_fields[] = {
	FIELD(update.kind, 0),
	FIELD(update.id, 8),
};

static const struct codec_field detail_fields[] = {
	FIELD(detail.id, 0),
};

#define FIELDS(table) .fields = (table), .n_fields = ARRAY_SIZE(table)

static const struct codec_layout layouts[] = {
	[PERF_RECORD_MMAP] = {
		.fixed_bytes = 32, .fields = mmap_fields, .n_fields = MMAP_FIELDS, .has_trailer = true,
		.written = true, .unpack = codec_unpack_mmap, .pack = codec_pack_mmap,
	},
	[PERF_RECORD_LOST] = {
		.fixed_bytes = 16, FIELDS(lost_fields), .has_trailer = true, .written = true,
	},
	[PERF_RECORD_COMM] = {
		.fixed_bytes = 8, FIELDS(comm_fields), .has_trailer = true, .written = true,
		.unpack = codec_unpack_comm, .pack = codec_pack_comm,
	},
	[PERF_RECORD_EXIT] = {
		.fixed_bytes = 24, FIELDS(task_fields), .has_trailer = true, .written = true,
	},
	[PERF_RECORD_FORK] = {
		.fixed_bytes = 24, FIELDS(task_fields), .has_trailer = true, .written = true,
	},
	[PERF_RECORD_SAMPLE] = {
		.sets_all = true, .written = true, .unpack = codec_unpack_sample, .pack = codec_pack_sample,
	},
	[PERF_RECORD_MMAP2] = {
		.fixed_bytes = 64, FIELDS(mmap_fields), .has_trailer = true, .written = true,
		.unpack = codec_unpack_mmap, .pack = codec_pack_mmap,
	},
	[PERF_RECORD_LOST_SAMPLES] = {
		.fixed_bytes = 8, FIELDS(lost_samples_fields), .has_trailer = true, .written = true,
	},
	[FORMAT_HEADER_EVENT_TYPE] = {
		.fixed_bytes = 8, FIELDS(detail_fields), .written = true,
		.unpack = codec_unpack_detail, .pack = codec_pack_detail,
	},
	[FORMAT_FINISHED_ROUND] = { .written = true },
	[FORMAT_THREAD_MAP] = {
		.written = true, .unpack = codec_unpack_thread_map, .pack = codec_pack_thread_map,
	},
	[FORMAT_CPU_MAP] = {
		.written = true, .unpack = codec_unpack_cpu_map, .pack = codec_pack_cpu_map,
	},
	[FORMAT_STAT_CONFIG] = {
		.written = true, .unpack = codec_unpack_stat_config, .pack = codec_pack_stat_config,
	},
	[FORMAT_STAT] = {
		.fixed_bytes = sizeof(struct format_stat), .mirror_at = offsetof(struct record, stat),
		FIELDS(stat_fields), .written = true,
	},
	[FORMAT_STAT_ROUND] = {
		.fixed_bytes = sizeof(struct format_stat_round), .mirror_at = offsetof(struct record, round),
		FIELDS(round_fields), .written = true,
	},
	[FORMAT_EVENT_UPDATE] = {
		.fixed_bytes = 16, FIELDS(update_fields), .written = true,
		.unpack = codec_unpack_update, .pack = codec_pack_update,
	},
	[FORMAT_FINISHED_INIT] = { .written = true },
};

static const struct codec_layout *find_layout(uint32_t type)
{
	const struct codec_layout *layout = type < ARRAY_SIZE(layouts) ? &layouts[type] : NULL;

	return layout && layout->written ? layout : NULL;
}

int codec_damaged(const struct codec_in *in, const char *what)
{
	const char *name = record_type_name(in->rec->type);

	return ps_fail(in->err, "record", EBADMSG, "%s of %u bytes: %s", name ? name : "record",
		       in->rec->bytes, what);
}

const char *codec_text(const struct codec_in *in)
{
	return memchr(in->rest.at, '\0', in->rest.left) ? (const char *)in->rest.at : NULL;
}

static void unpack_fields(const struct codec_layout *layout, struct record *rec, const uint8_t *body)
{
	for (size_t i = 0; i < layout->n_fields; i++) {
		const struct codec_field *field = &layout->fields[i];
		char *to = (char *)rec + field->record_at;

		if (field->bytes == sizeof(uint32_t)) {
			uint32_t v = bytes_u32(body + field->file_at, rec->raw_swapped);

			memcpy(to, &v, sizeof(v));
		} else {
			uint64_t v = bytes_u64(body + field->file_at, rec->raw_swapped);

			memcpy(to, &v, sizeof(v));
		}
	}
}

static int unpack(const struct codec_layout *layout, struct codec_in *in)
{
	struct record *rec = in->rec;
	const uint8_t *body = cursor_take(&in->rest, layout->fixed_bytes);

	if (!body)
		return codec_damaged(in, "too short for its type");
	if (layout->mirror_at && !rec->raw_swapped) {
		memcpy((char *)rec + layout->mirror_at, body, layout->fixed_bytes);
	} else if (!layout->sets_all) {
		memset((char *)rec + UNION_AT, 0, sizeof(*rec) - UNION_AT);
		unpack_fields(layout, rec, body);
	}
	return layout->unpack ? layout->unpack(in) : 1;
}

int codec_decode(const struct meta *meta, struct record *rec, struct buffer *scratch, struct ps_error *err)
{
	const struct codec_layout *layout = find_layout(rec->type);
	struct codec_in in = { .meta = meta, .rec = rec, .scratch = scratch, .err = err };

	if (rec->bytes < HEADER_BYTES)
		return codec_damaged(&in, "smaller than a record's header");
	if (!layout)
		return 0;
	scratch->len = 0;
	in.rest.at = rec->raw + HEADER_BYTES;
	in.rest.left = rec->bytes - HEADER_BYTES;
	in.rest.swapped = rec->raw_swapped;
	return unpack(layout, &in);
}

static void pack_fields(const struct codec_layout *layout, const struct record *rec, uint8_t *body)
{
	for (size_t i = 0; i < layout->n_fields; i++) {
		const struct codec_field *field = &layout->fields[i];

		memcpy(body + field->file_at, (const char *)rec + field->record_at, field->bytes);
	}
}

/* Id 0 stands for the first event: readers need only its sample_type. */
static int append_trailer(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	bool is_task = rec->type == PERF_RECORD_FORK || rec->type == PERF_RECORD_EXIT;
	bool is_lost = rec->type == PERF_RECORD_LOST || rec->type == PERF_RECORD_LOST_SAMPLES;
	uint8_t trailer[TRAILER_BYTES] = { 0 };

	if (is_task) {
		memcpy(trailer, &rec->task.pid, sizeof(uint32_t));
		memcpy(trailer + 4, &rec->task.tid, sizeof(uint32_t));
		memcpy(trailer + 8, &rec->task.time_ns, sizeof(uint64_t));
	} else if (!is_lost) { /* COMM and MMAP begin with pid and tid */
		memcpy(trailer, &rec->comm.pid, sizeof(uint32_t));
		memcpy(trailer + 4, &rec->comm.tid, sizeof(uint32_t));
	} else {
		memcpy(trailer + 24, &rec->lost.id, sizeof(uint64_t));
	}
	return buffer_append(out, trailer, sizeof(trailer), err);
}

static int pack(const struct codec_layout *layout, const struct record *rec, struct buffer *out,
		struct ps_error *err)
{
	size_t start = out->len, rest;
	int rc = buffer_append_zero(out, HEADER_BYTES + layout->fixed_bytes, err);

	if (rc < 0)
		return rc;
	pack_fields(layout, rec, out->data + start + HEADER_BYTES);
	if (layout->pack && (rc = layout->pack(rec, out, err)) < 0)
		return rc;
	rest = (out->len - start) % 8;
	if (rest && (rc = buffer_append_zero(out, 8 - rest, err)) < 0)
		return rc;
	return layout->has_trailer ? append_trailer(rec, out, err) : 0;
}

int codec_encode(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	const struct codec_layout *layout = find_layout(rec->type);
	struct perf_event_header header = { .type = rec->type, .misc = rec->misc };
	size_t start = out->len, bytes;
	int rc;

	if (!layout)
		return ps_fail(err, "record", ENOSYS, "records of type %u are not written", rec->type);
	rc = pack(layout, rec, out, err);
	bytes = out->len - start;
	if (rc >= 0 && bytes > FORMAT_RECORD_MAX_BYTES)
		rc = ps_fail(err, "record", EMSGSIZE, "%s of %zu bytes does not fit a record",
			     record_type_name(rec->type), bytes);
	if (rc < 0) {
		out->len = start;
		return rc;
	}
	header.size = (uint16_t)bytes;
	memcpy(out->data + start, &header, sizeof(header));
	return (int)bytes;
}
