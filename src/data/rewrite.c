/* Rewrites a recording as a clean seekable one. */
#include "data/rewrite.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "data/codec.h"
#include "data/rewrite_private.h"
#include "data/sample.h"
#include "data/turn.h"

#define HEADER_BYTES sizeof(struct perf_event_header)
#define ID_INDEX_ENTRY_BYTES 32

/* Everything that the head tells, or that stands around other records. */
static bool is_consumed(uint32_t type)
{
	switch (type) {
	case FORMAT_HEADER_ATTR:
	case FORMAT_HEADER_TRACING_DATA:
	case FORMAT_HEADER_BUILD_ID:
	case FORMAT_HEADER_FEATURE:
	case FORMAT_COMPRESSED:
	case FORMAT_COMPRESSED2:
		return true;
	default:
		return false;
	}
}

/* What readers need to make sense of the rest stays readable by itself. */
static bool is_plain(uint32_t type)
{
	return type >= FORMAT_ID_INDEX && type <= FORMAT_EVENT_UPDATE && type != FORMAT_STAT &&
	       type != FORMAT_STAT_ROUND;
}

int rewrite_put_made(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	int rc;

	rw->turned.len = 0;
	rc = codec_encode(rec, &rw->turned, err);
	if (rc >= 0)
		rc = out_put(&rw->out, rw->turned.data, rw->turned.len, is_plain(rec->type), err);
	rw->result->kept += rc >= 0;
	return rc;
}


static void note_unknown(struct rewrite_result *result, uint32_t type)
{
	size_t i = 0;

	result->unknown++;
	while (i < result->n_types && result->types[i].type != type)
		i++;
	if (i == REWRITE_TYPES)
		return; /* counted, not named */
	if (i == result->n_types)
		result->types[result->n_types++] = (struct rewrite_unknown){ .type = type };
	result->types[i].n++;
}

static bool index_is_known(const struct meta *meta, const struct record *rec)
{
	struct cursor cur = { rec->raw + HEADER_BYTES, rec->bytes - HEADER_BYTES, rec->raw_swapped };
	uint64_t n, id;

	if (!cursor_u64(&cur, &n) || n > cur.left / ID_INDEX_ENTRY_BYTES)
		return true; /* that is damage, which the table of layouts finds */
	for (; n; n--) {
		const uint8_t *entry = cursor_take(&cur, ID_INDEX_ENTRY_BYTES);

		id = bytes_u64(entry, rec->raw_swapped);
		if (!meta_find_id(meta, id))
			return false;
	}
	return true;
}

static bool trailer_is_known(const struct meta *meta, const struct record *rec)
{
	struct sample_trailer trailer;

	return meta->n_events <= 1 || !sample_parse_trailer(meta, rec, &trailer) || !trailer.id ||
	       meta_find_id(meta, trailer.id);
}

static bool has_cpu(const int32_t *cpus, size_t n, int32_t cpu)
{
	for (size_t i = 0; i < n; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

/* Whether the maps have the counter's place; without maps they are made of the readings. */
static bool has_cell(const struct meta *meta, const struct format_stat *stat)
{
	const struct meta_event *event = meta_find_id(meta, stat->id);

	return event && (!meta->n_threads || stat->thread < meta->n_threads) &&
	       (!meta->n_cpus || has_cpu(meta->cpus, meta->n_cpus, stat->cpu) ||
		has_cpu(event->cpus, event->n_cpus, stat->cpu));
}

/* Stock perf stops at the first id that no event has. */
static bool is_owned(const struct meta *meta, const struct record *rec)
{
	switch (rec->type) {
	case PERF_RECORD_SAMPLE:
		return rec->raw_only || sample_event(meta, &rec->sample);
	case FORMAT_STAT:
		return rec->raw_only || has_cell(meta, &rec->stat);
	case FORMAT_EVENT_UPDATE:
		return rec->raw_only || meta_find_id(meta, rec->update.id);
	case FORMAT_ID_INDEX:
		return index_is_known(meta, rec);
	default:
		return trailer_is_known(meta, rec);
	}
}

static void note_time(struct rewrite *rw, const struct record *rec)
{
	uint64_t time_ns = rec->sample.time_ns;

	if (rec->type != PERF_RECORD_SAMPLE || !time_ns || time_ns == UINT64_MAX)
		return;
	if (!rw->has_times || time_ns < rw->first_ns)
		rw->first_ns = time_ns;
	if (!rw->has_times || time_ns > rw->last_ns)
		rw->last_ns = time_ns;
	rw->has_times = true;
}

/* The data stands behind the record, so neither can be in a compressed one. */
static int keep_aux(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	int rc = rec->compressed ? 0 : out_put_aux(&rw->out, rw->reader, &rw->turned, err);

	rw->result->kept += rc > 0;
	rw->result->damaged += rc == 0;
	return rc < 0 ? rc : 0;
}

static int keep(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	int rc = turn_record(rw->meta, rec, &rw->turned, err);

	if (rc == -EBADMSG) {
		ps_error_clear(err);
		rw->result->damaged++;
		return 0;
	}
	if (rc < 0)
		return rc;
	if (rec->type == FORMAT_STAT)
		return rounds_put(rw, rec, err);
	if (rec->type == FORMAT_STAT_ROUND)
		return rounds_close(rw, rec, err);
	if (rec->type == FORMAT_AUXTRACE)
		return keep_aux(rw, rec, err);
	rw->result->kept++;
	rw->rounds.configured |= rec->type == FORMAT_STAT_CONFIG;
	note_time(rw, rec);
	return out_put(&rw->out, rw->turned.data, rw->turned.len, is_plain(rec->type), err);
}

static int select_part(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	int rc = span_take_marker(rw, rec, err);

	if (rc)
		return rc < 0 ? rc : 0;
	if (rec->type == FORMAT_STAT || rec->type == FORMAT_STAT_ROUND)
		return keep(rw, rec, err);
	rc = span_has(rw, rec, err);
	if (rc)
		return rc < 0 ? rc : keep(rw, rec, err);
	rw->result->cut++;
	return 0;
}

static int take(struct rewrite *rw, const struct record *rec, struct ps_error *err)
{
	if (rec->type == FORMAT_HEADER_BUILD_ID)
		return head_take_build_id(rw, rec, err);
	if (is_consumed(rec->type))
		return 0;
	if (rec->type == FORMAT_FINISHED_ROUND && rw->meta->features.present[FORMAT_FEATURE_DIR_FORMAT])
		return 0; /* it orders the records of one file of several only */
	if (!turn_knows(rec->type)) {
		note_unknown(rw->result, rec->type);
		return 0;
	}
	if (!is_owned(rw->meta, rec)) {
		rw->result->ownerless++;
		return 0;
	}
	return span_is_all(rw->options) ? keep(rw, rec, err) : select_part(rw, rec, err);
}

static int take_all(struct rewrite *rw, struct ps_error *err)
{
	struct record rec;
	int rc;

	while ((rc = reader_next(rw->reader, &rec, err)) > 0) {
		rc = take(rw, &rec, err);
		if (rc < 0)
			return rc;
	}
	if (rc == 0)
		rc = rounds_finish(rw, err);
	if (rc == 0 && !span_is_all(rw->options))
		rc = span_finish(rw, err);
	return rc < 0 ? rc : out_flush(&rw->out, err);
}

static int refuse_damage(const struct rewrite *rw, struct ps_error *err)
{
	if (rw->options->keep_damaged || (!rw->result->read_damaged && !rw->result->damaged))
		return 0;
	(void)ps_fail(err, "rewrite", EBADMSG, "the recording is damaged; nothing was written");
	ps_hint(err, "--repair writes what is left of it");
	return -EBADMSG;
}

static int publish(struct rewrite *rw, struct ps_error *err)
{
	struct buffer head = BUFFER_INIT(0), table = BUFFER_INIT(0);
	int rc = head_build(rw, &head, &table, err);

	if (rc >= 0)
		rc = out_publish(&rw->out, &head, &table, err);
	buffer_fini(&head);
	buffer_fini(&table);
	return rc;
}

int rewrite_run(struct reader *reader, const char *path, const struct rewrite_options *options,
		struct rewrite_result *result, struct ps_error *err)
{
	struct rewrite rw = {
		.reader = reader, .meta = reader_meta(reader), .options = options, .result = result,
		.out = { .file = OUTFILE_INIT, .spool = -1 },
	};
	int rc;

	*result = (struct rewrite_result){ .kept = 0 };
	rc = span_init(&rw, err);
	if (rc >= 0)
		rc = out_open(&rw.out, path, options, err);
	if (rc >= 0)
		rc = take_all(&rw, err);
	result->read_damaged = reader_damaged(reader);
	if (rc >= 0)
		rc = refuse_damage(&rw, err);
	if (rc >= 0)
		rc = publish(&rw, err);
	out_close(&rw.out);
	rounds_fini(&rw.rounds);
	span_fini(&rw.span);
	buffer_fini(&rw.turned);
	buffer_fini(&rw.build_ids);
	return rc;
}

bool rewrite_lost(const struct rewrite_result *result)
{
	return result->damaged || result->ownerless || result->readings || result->unknown || result->n_features;
}

/* Appends to text, as far as there is room. */
static void add(char *text, size_t len, const char *fmt, ...) _printf_(3, 4);

static void add(char *text, size_t len, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text + used, len - used, fmt, args);
	va_end(args);
}

static void describe_losses(const struct rewrite_result *result, char *text, size_t len)
{
	const struct {
		uint64_t n;
		const char *what;
	} losses[] = {
		{ result->damaged, "damaged records" },
		{ result->ownerless, "records of no known event" },
		{ result->readings, "incomplete readings" },
		{ result->unknown, "records of types that perf does not read" },
	};
	const char *between = "; lost: ";

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		if (!losses[i].n)
			continue;
		add(text, len, "%s%llu %s", between, (unsigned long long)losses[i].n, losses[i].what);
		between = ", ";
	}
	for (size_t i = 0; i < result->n_types; i++)
		add(text, len, "%s%u", i ? " " : " (", result->types[i].type);
	if (result->n_types)
		add(text, len, "%s", result->unknown && result->n_types == REWRITE_TYPES ? " ...)" : ")");
	for (size_t i = 0; i < result->n_features && i < ARRAY_SIZE(result->features); i++)
		add(text, len, "%s%u", i ? " " : (between[0] == ';' ? "; lost: header features " : ", header features "),
		    result->features[i]);
}

char *rewrite_describe(const struct rewrite_result *result, char *text, size_t len)
{
	text[0] = '\0';
	add(text, len, "%llu records kept", (unsigned long long)result->kept);
	if (result->cut)
		add(text, len, ", %llu are not of that part", (unsigned long long)result->cut);
	if (rewrite_lost(result))
		describe_losses(result, text, len);
	else
		add(text, len, ", nothing %swas lost", result->read_damaged ? "more " : "");
	return text;
}
