/* What the files of the reader share: its state and the steps they take for each other. Nobody else includes this. */
#ifndef DATA_READER_PRIVATE_H
#define DATA_READER_PRIVATE_H

#include "base/buffer.h"
#include "data/compress.h"
#include "data/cursor.h"
#include "data/reader.h"

#define READER_OLD_HEADER_BYTES 72 /* of a seekable file, before there were features */
#define READER_RECORD_HEADER_BYTES 8
#define READER_RECORD_LIMIT 65536      /* header.size is a u16 */
#define READER_EVENTS_MAX 65536        /* more attrs than this are damage */
#define READER_PAYLOAD_MAX (256u << 20) /* most bytes of one feature or of tracing data that are kept */
#define READER_WARNINGS_MAX 100        /* the rest is only counted */

/* Input that was read and not yet handed out: one large block, so that records cost no calls. */
struct reader_block {
	uint8_t *bytes; /* owned */
	size_t cap;
	size_t at, end;  /* the part not handed out */
	uint64_t offset; /* in the file, of bytes[0] */
	uint64_t left;   /* bytes of the records' section behind the block; UINT64_MAX: unknown */
};

/* What came out of COMPRESSED records. */
struct reader_packed {
	struct decompressor *decompressor; /* owned; NULL before the first use */
	struct buffer plain;
	size_t at;         /* the part of plain not handed out */
	uint64_t offset;   /* of the COMPRESSED record that was fed last */
	bool lost;         /* after damage, until an independent frame starts */
	uint64_t skipped;  /* records not handed out since then */
	bool refused;      /* a compression other than zstd was reported */
};

/* How a growing file is waited for. */
struct reader_follow {
	bool on;
	int watch_fd; /* inotify; -1: there is none, the clock has to do. Owned */
	int stop_fd;
};

struct reader {
	struct source *source; /* owned */
	struct meta meta;
	bool stream, swapped, big_endian, damaged;
	bool has_markers; /* an event is a marker */
	size_t n_settled; /* so many events have a name and a role */
	size_t name_budget; /* see event_name.h */
	bool stopped; /* nothing more comes */
	bool old_magic;
	uint64_t data_start, data_end; /* of the records' section; data_end is UINT64_MAX in a pipe */
	struct reader_block block;
	struct reader_packed packed;
	struct reader_follow follow;
	struct buffer scratch; /* what codec_decode had to convert */
	struct buffer payload; /* a feature or tracing data while it is decoded */
	uint64_t records;      /* handed out so far: the number of the next one in messages */
	uint64_t unknown;
	uint64_t pending;        /* bytes of AUX data behind the record that was handed out last */
	uint64_t pending_record; /* its offset */
	char **warnings; /* owned */
	size_t n_warnings;
	uint64_t more_warnings;
};

/* Notes what is wrong. damage: something of the file is lost with it. */
void reader_warn(struct reader *reader, bool damage, const char *fmt, ...) _printf_(3, 4);

/* reader_head.c: header, attrs and features. 0 or -errno (-EBADMSG: not a file that can be read). */
int head_read(struct reader *reader, struct ps_error *err) _must_check_;
/* Reads exactly len bytes at an offset into payload. 1 done, 0 the file ends before, -errno. */
int head_read_at(struct reader *reader, uint64_t offset, uint64_t len, struct ps_error *err) _must_check_;
/* Whether a section lies inside of the file, whatever its numbers add up to. */
bool head_in_file(const struct reader *reader, uint64_t offset, uint64_t size);

/* reader_features.c: settles data_start and data_end and decodes the features. 0 or -errno. */
int features_read(struct reader *reader, const struct format_file_header *header, struct ps_error *err)
	_must_check_;

/* reader_block.c */
int block_init(struct reader *reader, struct ps_error *err) _must_check_;
/* Goes on with another input, from data_start to data_end, that was just opened there. */
void block_restart(struct reader *reader);
/* What block_need does when the block does not hold them. */
int block_fill(struct reader *reader, size_t n, struct ps_error *err) _must_check_;
/* Steps over n bytes. 1 done, 0 the input ends before, -errno. */
int block_skip(struct reader *reader, uint64_t n, struct ps_error *err) _must_check_;
/* Moves n bytes into payload (emptied first). 1 done, 0 the input ends before (what came is in payload), -errno. */
int block_take(struct reader *reader, uint64_t n, struct ps_error *err) _must_check_;

static inline size_t block_left(const struct reader_block *block)
{
	return block->end - block->at;
}

/* Makes n <= READER_RECORD_LIMIT bytes available at block.at. 1 there they are, 0 the input ends before, -errno. */
static inline _must_check_ int block_need(struct reader *reader, size_t n, struct ps_error *err)
{
	return block_left(&reader->block) >= n ? 1 : block_fill(reader, n, err);
}

static inline uint64_t block_offset(const struct reader_block *block)
{
	return block->offset + block->at;
}

/* reader_follow.c */
/* The block has come to the end of what was known. 1 there is more now, 0 there will not be, -errno. */
int follow_more(struct reader *reader, struct ps_error *err) _must_check_;
void follow_fini(struct reader *reader);

/* reader_packed.c */
static inline size_t packed_left(const struct reader_packed *packed)
{
	return packed->plain.len - packed->at;
}

/* The next record out of compressed ones: 1, or 0 when the next plain record is due. */
int packed_next(struct reader *reader, struct record *rec);
/* Takes the contents of a COMPRESSED or COMPRESSED2 record. 0 or -errno; damage becomes a warning. */
int packed_feed(struct reader *reader, const struct record *rec, struct ps_error *err) _must_check_;
/* What follows does not go on with the frames so far. */
void packed_restart(struct reader *reader);
/* The input is over: says what could not be had. */
void packed_finish(struct reader *reader);

/* reader_meta.c */
/* Decodes a record and takes over what it tells about the recording. 0 or -errno; damage becomes a warning. */
int meta_digest(struct reader *reader, struct record *rec, struct ps_error *err) _must_check_;
/* One attr (with its size) from len bytes. *event is the new event, or NULL after a warning. 0 or -errno. */
int meta_take_attr(struct reader *reader, const uint8_t *bytes, size_t len, uint64_t offset, struct meta_event **event,
		   struct ps_error *err) _must_check_;
/* Gives event len bytes of ids. 0 or -ENOMEM. */
int meta_take_ids(struct reader *reader, struct meta_event *event, const uint8_t *bytes, size_t len,
		  struct ps_error *err) _must_check_;
/* Decodes one feature; a refused one becomes a warning. 0 or -ENOMEM. */
int meta_take_feature(struct reader *reader, uint64_t number, const uint8_t *bytes, size_t len,
		      struct ps_error *err) _must_check_;
/* Names the events that the file left without a name and finds the markers and t0. 0 or -ENOMEM. */
int meta_settle(struct reader *reader, struct ps_error *err) _must_check_;

static inline void record_frame(struct record *rec, const uint8_t *at, bool swapped)
{
	rec->type = bytes_u32(at, swapped);
	rec->misc = bytes_u16(at + 4, swapped);
	rec->bytes = bytes_u16(at + 6, swapped);
	rec->raw = at;
	rec->raw_swapped = swapped;
}

#endif
