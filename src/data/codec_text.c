/* Records that end in text: COMM, MMAP, MMAP2 and the details of pstat's markers in HEADER_EVENT_TYPE. */
#include <errno.h>

#include "base/decimal.h"
#include "data/codec_layout.h"

#define NUMBERS_MAX_BYTES 160 /* seq, cause and two times, each at its longest */

int codec_unpack_comm(struct codec_in *in)
{
	in->rec->comm.comm = codec_text(in);
	return in->rec->comm.comm ? 1 : codec_damaged(in, "its name has no end");
}

int codec_pack_comm(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	return buffer_append(out, rec->comm.comm, strlen(rec->comm.comm) + 1, err);
}

int codec_unpack_mmap(struct codec_in *in)
{
	struct record_mmap *map = &in->rec->mmap;

	if (in->rec->type == PERF_RECORD_MMAP2 && in->rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		map->maj = map->min = 0; /* a build id stands in the place of these */
		map->ino = map->ino_generation = 0;
	}
	map->path = codec_text(in);
	return map->path ? 1 : codec_damaged(in, "its path has no end");
}

int codec_pack_mmap(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	return buffer_append(out, rec->mmap.path, strlen(rec->mmap.path) + 1, err);
}

static bool is_marker_id(uint64_t id)
{
	return id >= FORMAT_MARKER_ID_PAUSE && id <= FORMAT_MARKER_ID_MARK;
}

/* The value of "key=value" in a word of len bytes, or NULL when the word has another key. */
static const char *value_of(const char *word, size_t len, const char *key)
{
	size_t n = strlen(key);

	return len > n && word[n] == '=' && !memcmp(word, key, n) ? word + n + 1 : NULL;
}

static void parse_word(struct record_marker_detail *detail, const char *word, size_t len)
{
	const char *value;

	if ((value = value_of(word, len, "seq")))
		detail->seq = strtoull(value, NULL, 10);
	else if ((value = value_of(word, len, "request_ns")))
		detail->request_ns = strtoull(value, NULL, 10);
	else if ((value = value_of(word, len, "done_ns")))
		detail->done_ns = strtoull(value, NULL, 10);
	else if ((value = value_of(word, len, "cause")))
		detail->cause = marker_cause_parse(value, len - (size_t)(value - word));
}

/* Unknown words are a newer pstat's and skipped. The label is last, because it may hold anything. */
static void parse_detail(struct record_marker_detail *detail, const char *text)
{
	detail->cause = MARKER_UNKNOWN;
	while (*text) {
		size_t len = strcspn(text, " ");

		if (value_of(text, len + 1, "label")) {
			detail->label = text + strlen("label=");
			return;
		}
		parse_word(detail, text, len);
		text += len;
		text += strspn(text, " ");
	}
}

/* Perf before 3.2 named its events in records of this type, so both the id and the first word have to be pstat's. */
int codec_unpack_detail(struct codec_in *in)
{
	const char *text = codec_text(in);

	if (!is_marker_id(in->rec->detail.id) || in->rest.left < strlen("seq=") ||
	    memcmp(in->rest.at, "seq=", strlen("seq=")) != 0)
		return 0;
	if (!text)
		return codec_damaged(in, "its text has no end");
	parse_detail(&in->rec->detail, text);
	return 1;
}

/* All but the label. Returns the bytes. Runs between a command and the next one: hence no printf. */
static size_t put_numbers(char *text, const struct record_marker_detail *detail)
{
	char *to = decimal_put(stpcpy(text, "seq="), detail->seq, 1);

	to = stpcpy(stpcpy(to, " cause="), marker_cause_name(detail->cause));
	to = decimal_put(stpcpy(to, " request_ns="), detail->request_ns, 1);
	to = decimal_put(stpcpy(to, " done_ns="), detail->done_ns, 1);
	if (detail->label)
		to = stpcpy(to, " label=");
	return (size_t)(to - text);
}

int codec_pack_detail(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	const struct record_marker_detail *detail = &rec->detail;
	const size_t least = FORMAT_MARKER_DETAIL_MIN_BYTES - sizeof(struct perf_event_header) - sizeof(detail->id);
	char numbers[NUMBERS_MAX_BYTES];
	size_t label = detail->label ? strlen(detail->label) : 0;
	size_t n = put_numbers(numbers, detail);
	size_t len = n + label;
	int rc = buffer_append(out, numbers, n, err);

	if (rc >= 0)
		rc = buffer_append(out, detail->label, label, err);
	return rc < 0 ? rc : buffer_append_zero(out, len + 1 < least ? least - len : 1, err);
}
