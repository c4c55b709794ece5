/* Private to the codec: what a layout row is, and the functions of the rows that are not of a fixed size. */
#ifndef DATA_CODEC_LAYOUT_H
#define DATA_CODEC_LAYOUT_H

#include "base/buffer.h"
#include "data/cursor.h"
#include "data/meta.h"
#include "data/record.h"

struct codec_field {
	uint16_t record_at; /* in struct record */
	uint16_t file_at;   /* from the start of the body, which follows the record's header */
	uint8_t bytes;      /* 4 or 8 */
};

/* One record on its way in: the body's bytes and where they go. */
struct codec_in {
	const struct meta *meta;
	struct record *rec;
	struct cursor rest;     /* what follows the fixed fields */
	struct buffer *scratch; /* empty */
	struct ps_error *err;
};

struct codec_layout {
	uint32_t fixed_bytes; /* of the body; a shorter record is damaged */
	uint16_t mirror_at;   /* where in struct record the fixed part stands as in the file; 0 = it does not */
	const struct codec_field *fields;
	size_t n_fields;
	bool sets_all;    /* unpack fills every field of its own */
	bool has_trailer; /* sample_id_all puts id and time behind it */
	bool written;     /* pstat writes it */
	/* What follows the fixed fields; NULL = nothing. 1, 0 = not ours, or -errno. */
	int (*unpack)(struct codec_in *in);
	/* Appends it. 0 or -errno. */
	int (*pack)(const struct record *rec, struct buffer *out, struct ps_error *err);
};

/* For a length that does not fit: fills err, returns -EBADMSG. */
int codec_damaged(const struct codec_in *in, const char *what);

/* The text at the rest of the record, which must end with NUL; NULL otherwise. */
const char *codec_text(const struct codec_in *in);

int codec_unpack_comm(struct codec_in *in);
int codec_unpack_mmap(struct codec_in *in);
int codec_pack_comm(const struct record *rec, struct buffer *out, struct ps_error *err);
int codec_pack_mmap(const struct record *rec, struct buffer *out, struct ps_error *err);

int codec_unpack_update(struct codec_in *in);
int codec_pack_update(const struct record *rec, struct buffer *out, struct ps_error *err);
int codec_unpack_thread_map(struct codec_in *in);
int codec_pack_thread_map(const struct record *rec, struct buffer *out, struct ps_error *err);
int codec_unpack_cpu_map(struct codec_in *in);
int codec_pack_cpu_map(const struct record *rec, struct buffer *out, struct ps_error *err);
int codec_unpack_stat_config(struct codec_in *in);
int codec_pack_stat_config(const struct record *rec, struct buffer *out, struct ps_error *err);

int codec_unpack_detail(struct codec_in *in);
int codec_pack_detail(const struct record *rec, struct buffer *out, struct ps_error *err);

int codec_unpack_sample(struct codec_in *in);
int codec_pack_sample(const struct record *rec, struct buffer *out, struct ps_error *err);

#endif
