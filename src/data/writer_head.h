/* Private to the writer: the part of a file in front of the readings, in both forms. */
#ifndef DATA_WRITER_HEAD_H
#define DATA_WRITER_HEAD_H

#include "base/buffer.h"
#include "data/meta.h"
#include "pstat/format.h"

/* Values of the payloads that change while recording. */
struct writer_live {
	bool compressed;
	uint32_t level, ratio;
	uint64_t first_ns, last_ns; /* of samples; 0 = none yet */
};

/* Where things are in a seekable file. */
struct writer_layout {
	uint64_t data_at;   /* data.offset */
	uint64_t data_bytes; /* of the init records */
	uint64_t live_at;   /* SAMPLE_TIME, then COMPRESSED */
	struct format_section table[FORMAT_FEATURE_BITS]; /* one per feature, ascending */
	size_t n_table;
};

/*
 * Appends everything up to and with the init records of a seekable file; out must be empty. data.size in it is that of the
 * init records. 0 or -errno.
 */
int writer_head_file(const struct meta *meta, const struct writer_live *live, struct buffer *out,
		     struct writer_layout *layout, struct ps_error *err) _must_check_;

/* The same for a stream. A feature that does not fit a record is left out. */
int writer_head_stream(const struct meta *meta, struct buffer *out, struct ps_error *err) _must_check_;

/* Appends the payloads that change, padded to 8, as they stand at live_at. Always the same size. */
int writer_head_live(const struct writer_live *live, struct buffer *out, struct ps_error *err) _must_check_;

/* Appends what stands between the head and the readings: names, units, maps, configuration. 0 or -errno. */
int writer_init_records(const struct meta *meta, struct buffer *out, struct ps_error *err) _must_check_;

#endif
