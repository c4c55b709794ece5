/* Records and features into this machine's byte order, by a table of what stands where. */
#include "data/turn.h"

#include <errno.h>
#include <string.h>

#include "data/codec.h"
#include "data/cursor.h"
#include "data/sample.h"

#define HEADER_BYTES sizeof(struct perf_event_header)
#define WORD sizeof(uint64_t)
#define BITS_PER_WORD 64
#define MISC_MMAP_BUILD_ID (1u << 14) /* in MMAP2: a build id stands in place of device and inode */
#define AUXTRACE_ERROR_TIMED 104      /* body of an AUXTRACE_ERROR that has a time */

/*
 * A layout is a text: h, w, q an integer of 2, 4, 8 bytes; x 8 bytes that have no order; t text to the end, with a NUL; Q
 * words of 8 bytes to the end; * the rest, whatever it is; ? what follows may be missing; s a u32 length and text; d a u32
 * length and bytes; m a u64 number of bits and words that hold them; c(...) and C(...) a count of 4 or 8 bytes and as many
 * groups; ! cannot be turned round.
 */
static const char *const record_layouts[] = {
	[PERF_RECORD_MMAP] = "wwqqqt",
	[PERF_RECORD_LOST] = "qq",
	[PERF_RECORD_COMM] = "wwt",
	[PERF_RECORD_EXIT] = "wwwwq",
	[PERF_RECORD_THROTTLE] = "qqq",
	[PERF_RECORD_UNTHROTTLE] = "qqq",
	[PERF_RECORD_FORK] = "wwwwq",
	[PERF_RECORD_READ] = "wwQ",
	[PERF_RECORD_SAMPLE] = "", /* data/sample.c has its table */
	[PERF_RECORD_MMAP2] = "wwqqqwwqqwwt",
	[PERF_RECORD_AUX] = "qqq",
	[PERF_RECORD_ITRACE_START] = "ww",
	[PERF_RECORD_LOST_SAMPLES] = "q",
	[PERF_RECORD_SWITCH] = "",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "ww",
	[PERF_RECORD_NAMESPACES] = "wwC(qq)",
	[PERF_RECORD_KSYMBOL] = "qwhht",
	[PERF_RECORD_BPF_EVENT] = "hhwx",
	[PERF_RECORD_CGROUP] = "qt",
	[PERF_RECORD_TEXT_POKE] = "qhh*",
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = "q",
	[FORMAT_HEADER_EVENT_TYPE] = "q*",
	[FORMAT_FINISHED_ROUND] = "",
	[FORMAT_ID_INDEX] = "C(qqqq)Q",
	[FORMAT_AUXTRACE_INFO] = "wwQ",
	[FORMAT_AUXTRACE] = "qqqwwww",
	[FORMAT_AUXTRACE_ERROR] = "wwwwwwq*",
	[FORMAT_THREAD_MAP] = "C(qxx)",
	[FORMAT_CPU_MAP] = "h*",
	[FORMAT_STAT_CONFIG] = "C(qq)",
	[FORMAT_STAT] = "qwwqqq",
	[FORMAT_STAT_ROUND] = "qq",
	[FORMAT_EVENT_UPDATE] = "qq*",
	[FORMAT_TIME_CONV] = "qqq?qq*",
	[FORMAT_FINISHED_INIT] = "",
};

static const struct {
	uint32_t number;
	const char *layout;
} feature_layouts[] = {
	{ FORMAT_FEATURE_BRANCH_STACK, "*" },
	{ FORMAT_FEATURE_CACHE, "wc(wwwwsss)" },
	{ FORMAT_FEATURE_MEM_TOPOLOGY, "qqC(qqm)" },
	{ FORMAT_FEATURE_BPF_PROG_INFO, "c(!)" },
	{ FORMAT_FEATURE_BPF_BTF, "c(wd)" },
	{ FORMAT_FEATURE_CPU_PMU_CAPS, "c(ss)" },
	{ FORMAT_FEATURE_HYBRID_TOPOLOGY, "c(ss)" },
	{ FORMAT_FEATURE_PMU_CAPS, "c(c(ss)s)" },
};

/* Bytes on their way; swapped: they are turned where they stand, otherwise only checked. */
struct turning {
	uint8_t *at;
	size_t left;
	bool swapped;
};

static void reverse(uint8_t *at, size_t bytes)
{
	for (size_t i = 0; i < bytes / 2; i++) {
		uint8_t low = at[i];

		at[i] = at[bytes - 1 - i];
		at[bytes - 1 - i] = low;
	}
}

static bool step(struct turning *t, uint64_t bytes)
{
	if (bytes > t->left)
		return false;
	t->at += bytes;
	t->left -= (size_t)bytes;
	return true;
}

/* One integer, whose value in host order is *v. */
static bool turn_integer(struct turning *t, size_t bytes, uint64_t *v)
{
	uint8_t *at = t->at;

	if (!step(t, bytes))
		return false;
	if (t->swapped)
		reverse(at, bytes);
	*v = bytes == WORD ? bytes_u64(at, false) : bytes == sizeof(uint32_t) ? bytes_u32(at, false) : bytes_u16(at, false);
	return true;
}

static bool turn_words(struct turning *t, uint64_t n)
{
	uint64_t unused;

	if (n > t->left / WORD)
		return false;
	for (; n; n--)
		(void)turn_integer(t, WORD, &unused); /* there is room */
	return true;
}

/* A length of 4 bytes, then as many bytes; text must have its NUL among them. */
static bool turn_sized(struct turning *t, bool is_text)
{
	uint64_t len;

	if (!turn_integer(t, sizeof(uint32_t), &len) || len > t->left)
		return false;
	if (is_text && !memchr(t->at, '\0', (size_t)len))
		return false;
	return step(t, len);
}

static bool turn_bitmap(struct turning *t)
{
	uint64_t bits;

	return turn_integer(t, WORD, &bits) && bits / BITS_PER_WORD <= t->left &&
	       turn_words(t, (bits + BITS_PER_WORD - 1) / BITS_PER_WORD);
}

static bool turn_simple(struct turning *t, char what)
{
	uint64_t unused;

	switch (what) {
	case 'h':
		return turn_integer(t, sizeof(uint16_t), &unused);
	case 'w':
		return turn_integer(t, sizeof(uint32_t), &unused);
	case 'q':
		return turn_integer(t, WORD, &unused);
	case 'x':
		return step(t, WORD);
	case 't':
		return memchr(t->at, '\0', t->left) && step(t, t->left);
	case 'Q':
		return turn_words(t, t->left / WORD);
	case '*':
		return step(t, t->left);
	case 's':
	case 'd':
		return turn_sized(t, what == 's');
	case 'm':
		return turn_bitmap(t);
	default: /* '!' */
		return !t->swapped && step(t, t->left);
	}
}

/* Behind the bracket that closes the one at `at`. */
static const char *behind_group(const char *at)
{
	int open = 0;

	do
		open += (*at == '(') - (*at == ')');
	while (at++, open);
	return at;
}

static bool turn_layout(struct turning *t, const char *layout);

/* Groups of no length do not exist, so the number of rounds is bounded by the bytes. */
static bool turn_groups(struct turning *t, size_t count_bytes, const char *group)
{
	uint64_t n;
	bool good = turn_integer(t, count_bytes, &n) && n <= t->left;

	for (; good && n; n--)
		good = turn_layout(t, group);
	return good;
}

/* Up to the end of the layout or of its group. */
static bool turn_layout(struct turning *t, const char *layout)
{
	while (*layout && *layout != ')') {
		if (*layout == '?') {
			if (!t->left)
				return true;
			layout++;
		} else if (*layout == 'c' || *layout == 'C') {
			if (!turn_groups(t, *layout == 'c' ? sizeof(uint32_t) : WORD, layout + 2))
				return false;
			layout = behind_group(layout + 1);
		} else if (!turn_simple(t, *layout++)) {
			return false;
		}
	}
	return true;
}

bool turn_knows(uint32_t type)
{
	return type < ARRAY_SIZE(record_layouts) && record_layouts[type];
}

static const char *layout_of(const struct record *rec)
{
	if (rec->type == PERF_RECORD_MMAP2 && rec->misc & MISC_MMAP_BUILD_ID)
		return "wwqqqxxxwwt";
	if (rec->type == FORMAT_AUXTRACE_ERROR && rec->bytes >= HEADER_BYTES + AUXTRACE_ERROR_TIMED)
		return "wwwwwwqq*";
	return record_layouts[rec->type];
}

/* Maps and the like have more to them than lengths: the codec has looked. */
static bool must_decode(uint32_t type)
{
	return type == PERF_RECORD_SAMPLE || (type >= FORMAT_THREAD_MAP && type <= FORMAT_EVENT_UPDATE);
}

static int unfit(const struct record *rec, struct ps_error *err)
{
	const char *name = record_type_name(rec->type);

	return ps_fail(err, "record", EBADMSG, "%s of %u bytes at offset %llu: a length in it does not fit",
		       name ? name : "record", rec->bytes, (unsigned long long)rec->offset);
}

/* Records whose decoded form is written anew, as its layout depends on what is in it. */
static int encode_anew(const struct record *rec, struct buffer *out, struct ps_error *err)
{
	struct record made = *rec;
	int rc;

	made.raw = NULL;
	rc = codec_encode(&made, out, err);
	return rc < 0 ? rc : 0;
}

static void turn_header(const struct record *rec, uint8_t *to)
{
	const struct perf_event_header header = { rec->type, rec->misc, (uint16_t)rec->bytes };

	memcpy(to, &header, sizeof(header));
}

static bool turn_body(const struct meta *meta, const struct record *rec, uint8_t *copy)
{
	struct turning t = { copy + HEADER_BYTES, rec->bytes - HEADER_BYTES, rec->raw_swapped };
	struct sample_trailer trailer = { .bytes = 0 };

	/* where nothing is turned a trailer may stay part of what comes last */
	if (rec->raw_swapped && sample_parse_trailer(meta, rec, &trailer)) {
		t.left -= trailer.bytes;
		sample_turn_trailer(&trailer, copy + rec->bytes - trailer.bytes);
	}
	return turn_layout(&t, layout_of(rec));
}

int turn_record(const struct meta *meta, const struct record *rec, struct buffer *out, struct ps_error *err)
{
	int rc;

	out->len = 0;
	if (rec->raw_only && must_decode(rec->type))
		return unfit(rec, err);
	if (rec->raw_swapped && (rec->type == FORMAT_CPU_MAP || rec->type == FORMAT_EVENT_UPDATE))
		return encode_anew(rec, out, err);
	rc = buffer_append(out, rec->raw, rec->bytes, err);
	if (rc < 0)
		return rc;
	turn_header(rec, out->data);
	if (rec->type == PERF_RECORD_SAMPLE)
		return sample_turn(meta, rec, out->data, err);
	return turn_body(meta, rec, out->data) ? 0 : unfit(rec, err);
}

int turn_feature(const struct feature_raw *raw, struct buffer *out, struct ps_error *err)
{
	size_t start = out->len;
	const char *layout = "!";
	int rc = buffer_append(out, raw->bytes, raw->len, err);

	if (rc < 0 || !raw->len)
		return rc;
	for (size_t i = 0; i < ARRAY_SIZE(feature_layouts); i++)
		if (feature_layouts[i].number == raw->number)
			layout = feature_layouts[i].layout;
	if (turn_layout(&(struct turning){ out->data + start, raw->len, raw->swapped }, layout))
		return 0;
	out->len = start;
	return ps_fail(err, "header", ENOTSUP, "feature %u is in the other byte order", raw->number);
}
