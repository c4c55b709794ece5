/* What the files of the rewriter share: its state and the steps they take for each other. Nobody else includes this. */
#ifndef DATA_REWRITE_PRIVATE_H
#define DATA_REWRITE_PRIVATE_H

#include "base/buffer.h"
#include "base/outfile.h"
#include "data/compress.h"
#include "data/rewrite.h"

/* Records on their way to a temporary file. */
struct rewrite_out {
	const struct io_ops *io;
	struct outfile file; /* opened first: that it cannot be is known before anything is read */
	int spool; /* owned */
	uint64_t bytes;
	struct compressor *compressor; /* owned; NULL: plain */
	uint32_t level;
	struct buffer batch, chunk;
	uint64_t framed_bytes, frame_bytes;
	struct buffer index; /* of AUXTRACE records: struct format_section, offsets among the records */
};

/* The reading that is being put together, and the one that the part begins with. */
struct rewrite_rounds {
	struct format_stat *now, *base; /* owned */
	size_t n_now, cap_now, n_base, cap_base;
	size_t most; /* counters of the fullest reading so far */
	bool begun;  /* one was written */
	bool configured; /* a STAT_CONFIG was */
};

enum span_phase {
	SPAN_BEFORE,
	SPAN_INSIDE,
	SPAN_CLOSING, /* the pause was kept; its reading comes next */
	SPAN_AFTER,
};

/* Which part is kept. Times are relative to zero_ns. */
struct rewrite_span {
	enum span_phase phase;
	bool has_markers;
	bool has_zero;
	uint64_t zero_ns;
	unsigned window; /* the latest */
	bool running;
	uint64_t pause_ns;
	bool has_base;
	uint64_t base_ns; /* of the last reading before the part */
	bool begun;       /* something of the part was written */
	struct record_sample resume; /* the latest before the part, with its details */
	struct record_marker_detail resume_detail;
	char *resume_label; /* owned */
	bool has_resume_detail;
	struct record_marker_detail detail; /* waits for its SAMPLE */
	char *label;                        /* owned */
	bool has_detail;
};

struct rewrite {
	struct reader *reader;
	const struct meta *meta;
	const struct rewrite_options *options;
	struct rewrite_result *result;
	struct rewrite_out out;
	struct rewrite_rounds rounds;
	struct rewrite_span span;
	struct buffer turned;    /* the record in hand, in host order */
	struct buffer build_ids; /* of HEADER_BUILD_ID records, as the feature has them */
	bool has_times;          /* the two below: of the samples that were kept */
	uint64_t first_ns, last_ns;
};

/* rewrite_out.c */
int out_open(struct rewrite_out *out, const char *path, const struct rewrite_options *options, struct ps_error *err)
	_must_check_;
void out_close(struct rewrite_out *out);
/* One whole record. plain: it is never compressed, so that it can be read when a frame before it is damaged. */
int out_put(struct rewrite_out *out, const void *bytes, size_t len, bool plain, struct ps_error *err) _must_check_;
int out_flush(struct rewrite_out *out, struct ps_error *err) _must_check_;
/*
 * An AUXTRACE record with the data that reader_payload() gives. 1 written, 0 the input ended within the data and nothing of
 * it is left, -errno.
 */
int out_put_aux(struct rewrite_out *out, struct reader *reader, const struct buffer *rec, struct ps_error *err)
	_must_check_;
/* Writes the output: the head, the records, the table. */
int out_publish(struct rewrite_out *out, const struct buffer *head, const struct buffer *table, struct ps_error *err)
	_must_check_;

/* rewrite_rounds.c */
void rounds_fini(struct rewrite_rounds *rounds);
int rounds_put(struct rewrite *rw, const struct record *rec, struct ps_error *err) _must_check_;
/* A STAT_ROUND: the reading is complete. */
int rounds_close(struct rewrite *rw, const struct record *rec, struct ps_error *err) _must_check_;
/* Readings that no STAT_ROUND ended. */
int rounds_finish(struct rewrite *rw, struct ps_error *err) _must_check_;

/* rewrite_span.c */
int span_init(struct rewrite *rw, struct ps_error *err) _must_check_;
void span_fini(struct rewrite_span *span);
static inline bool span_is_all(const struct rewrite_options *options)
{
	return !options->cut && !options->window_first;
}
/* Takes what the selection has to see: markers and their details. 1 dealt with, 0 to be kept as any other, -errno. */
int span_take_marker(struct rewrite *rw, const struct record *rec, struct ps_error *err) _must_check_;
/* Whether a record that is no marker and no reading belongs to the part: 1 or 0, or -errno. */
int span_has(struct rewrite *rw, const struct record *rec, struct ps_error *err) _must_check_;
/* What becomes of a reading: 1 keep, 0 drop, 2 it is the latest before the part; or -errno. */
enum { ROUND_DROP = 0, ROUND_KEEP = 1, ROUND_BASE = 2 };
int span_round(struct rewrite *rw, uint64_t time_ns, struct ps_error *err) _must_check_;
/* 0, or -ENODATA when there is no such part. */
int span_finish(struct rewrite *rw, struct ps_error *err) _must_check_;

/* rewrite_head.c: everything in front of the records, and the table behind them. */
int head_build(struct rewrite *rw, struct buffer *head, struct buffer *table, struct ps_error *err) _must_check_;
/* Adds a HEADER_BUILD_ID record to those that the head will have. */
int head_take_build_id(struct rewrite *rw, const struct record *rec, struct ps_error *err) _must_check_;

/* rewrite_tracing.c: TRACING_DATA for tracepoints that a file does not describe. 0 or -ENOMEM. */
int head_make_tracing(const struct meta *meta, struct buffer *out, struct ps_error *err) _must_check_;

/* rewrite.c: encodes a record that was made here. 0 or -errno. */
int rewrite_put_made(struct rewrite *rw, const struct record *rec, struct ps_error *err) _must_check_;

#endif
