/* The view "dump": every record on one line with its offset in the file, then what the header tells. */
#include <inttypes.h>
#include <string.h>

#include "data/codec.h"
#include "data/sample.h"
#include "report/dump.h"
#include "report/text.h"
#include "report/views.h"

#define UTF8_BYTES_MAX 4
#define HEADER_BYTES sizeof(struct perf_event_header)

void dump_cut(struct dump *dump)
{
	(void)fprintf(dump->out, " (cut: %zu bytes are left)", dump->body.left);
}

void dump_text(struct dump *dump, const char *name, const uint8_t *text, size_t len)
{
	size_t at = 0;

	(void)fprintf(dump->out, " %s \"", name);
	while (at < len && text[at]) {
		char one[UTF8_BYTES_MAX + 1] = { 0 }; /* with an end, which a damaged text need not have */

		memcpy(one, text + at, len - at < UTF8_BYTES_MAX ? len - at : UTF8_BYTES_MAX);
		at += text_put_safe_char(dump->out, one);
	}
	(void)fputc('"', dump->out);
}

void dump_hex(struct dump *dump, const char *name, const uint8_t *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	(void)fprintf(dump->out, " %s %zu bytes ", name, len);
	for (size_t i = 0; i < len; i++) {
		(void)putc(digits[bytes[i] >> 4], dump->out);
		(void)putc(digits[bytes[i] & 0xf], dump->out);
	}
}

static void put_trailer(struct dump *dump, const struct sample_trailer *trailer)
{
	FILE *out = dump->out;

	(void)fputs(" |", out);
	if (trailer->type & PERF_SAMPLE_TID)
		(void)fprintf(out, " pid %" PRIu32 " tid %" PRIu32, trailer->pid, trailer->tid);
	if (trailer->type & PERF_SAMPLE_TIME)
		(void)fprintf(out, " time %" PRIu64, trailer->time_ns);
	if (trailer->type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER))
		(void)fprintf(out, " id %" PRIu64, trailer->id);
	if (trailer->type & PERF_SAMPLE_STREAM_ID)
		(void)fprintf(out, " stream_id %" PRIu64, trailer->stream_id);
	if (trailer->type & PERF_SAMPLE_CPU)
		(void)fprintf(out, " cpu %" PRIu32, trailer->cpu);
}

/* "0x1a8 56 SAMPLE misc 0x2", with a + behind the offset when it is that of the COMPRESSED record around it. */
static void put_head(FILE *out, const struct record *rec)
{
	const char *name = record_type_name(rec->type);

	(void)fprintf(out, "%#" PRIx64 "%s %" PRIu32 " ", rec->offset, rec->compressed ? "+" : "", rec->bytes);
	if (name)
		(void)fputs(name, out);
	else
		(void)fprintf(out, "%" PRIu32, rec->type);
	(void)fprintf(out, " misc %#" PRIx16, rec->misc);
}

static void put_record(const struct view_run *run, const struct record *rec)
{
	struct dump dump = {
		.out = run->out, .meta = run->meta, .rec = rec,
		.body = { rec->raw + HEADER_BYTES, rec->bytes - HEADER_BYTES, rec->raw_swapped },
	};
	struct sample_trailer trailer;
	bool has_trailer = sample_parse_trailer(run->meta, rec, &trailer);

	if (has_trailer)
		dump.body.left -= trailer.bytes;
	put_head(run->out, rec);
	if (!dump_by_fields(&dump) && !dump_by_hand(&dump))
		dump_hex(&dump, "bytes", dump.body.at, dump.body.left);
	if (has_trailer)
		put_trailer(&dump, &trailer);
	(void)fputc('\n', run->out);
}

/* A record of a session is not in a file yet: it is shown as it will be. */
static int put_made(const struct view_run *run, const struct record *rec, struct ps_error *err)
{
	struct buffer bytes = BUFFER_INIT(0);
	struct record made = *rec;
	int rc = codec_encode(rec, &bytes, err);

	if (rc > 0) {
		made.raw = bytes.data;
		made.bytes = (uint32_t)rc;
		put_record(run, &made);
	}
	buffer_fini(&bytes);
	return rc < 0 ? rc : 0;
}

static int dump_record(struct view_run *run, const struct record *rec, struct ps_error *err)
{
	if (!rec->raw)
		return put_made(run, rec, err);
	put_record(run, rec);
	return 0;
}

static void put_feature(const struct view_run *run, uint32_t number)
{
	const struct feature *feature = feature_find(number);

	if (run->meta->features.offset[number])
		(void)fprintf(run->out, "%#" PRIx64 " ", run->meta->features.offset[number]);
	(void)fprintf(run->out, "feature %" PRIu32 " %s\n", number, feature ? feature->name : "unknown");
	if (feature && feature->print) {
		feature->print(run->meta, run->out);
		return;
	}
	for (size_t i = 0; i < run->meta->features.n_raw; i++)
		if (run->meta->features.raw[i].number == number)
			(void)fprintf(run->out, "# %zu bytes\n", run->meta->features.raw[i].len);
}

static int dump_end(struct view_run *run, struct ps_error *err)
{
	(void)err; /* whoever owns out looks at its error flag */
	for (uint32_t number = 0; number < FORMAT_FEATURE_BITS; number++)
		if (run->meta->features.present[number])
			put_feature(run, number);
	return 0;
}

const struct view view_dump = {
	.name = "dump",
	.help = "every record on one line with its offset in the file, then the header features",
	.records = true,
	.record = dump_record,
	.end = dump_end,
};
