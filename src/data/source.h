/* Bytes to read: a regular file (any offset), a stream (forwards only) or memory. */
#ifndef DATA_SOURCE_H
#define DATA_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io.h"

struct source;

/*
 * Opens a path, "-" is standard input. A pipe, FIFO or terminal becomes a stream. Of a folder that `perf record --threads`
 * made it is the file "data" in it. 0 or -errno.
 */
int source_open(struct source **source, const char *path, const struct io_ops *io, struct ps_error *err)
	_must_check_;

/* Memory, borrowed. stream: pretend it cannot seek. */
int source_open_memory(struct source **source, const void *bytes, size_t len, bool stream,
		       struct ps_error *err) _must_check_;

bool source_seekable(const struct source *source);
uint64_t source_bytes(const struct source *source); /* size; UINT64_MAX for a stream */
/* When the file's inode changed last, which is what perf calls "captured on": s since 1970; -1 for what is no file. */
int64_t source_changed_s(const struct source *source);
uint64_t source_offset(const struct source *source); /* where the next source_read begins */

/*
 * Reads up to len bytes at the current offset. Returns the bytes read, short only at the end of the input, or -errno.
 * Short reads and EINTR never show.
 */
ssize_t source_read(struct source *source, void *buf, size_t len, struct ps_error *err) _must_check_;

/*
 * The same, but content with what is there: waits for at least one byte of a stream and does not wait for more. Returns 0
 * only at the end of the input (or for len 0). This is what lets a live recording be read as it comes.
 */
ssize_t source_read_some(struct source *source, void *buf, size_t len, struct ps_error *err) _must_check_;

/*
 * fn is called whenever the input is about to be waited for because nothing more is there yet: the moment to write out what
 * was made of it so far. What it returns < 0 ends the read with that error. source_read does not call it.
 */
void source_on_wait(struct source *source, int (*fn)(void *data, struct ps_error *err), void *data);

/* Calls it, for one who waits by other means. 0 or what it returned. */
int source_about_to_wait(const struct source *source, struct ps_error *err) _must_check_;

/* The descriptor of a file or stream, -1 for memory; and source_bytes again for a file that may have grown. 0 or -errno. */
int source_descriptor(const struct source *source);
int source_look_again(struct source *source, struct ps_error *err) _must_check_;

/*
 * Goes to an offset. -ESPIPE for going back in a stream; going forward reads and drops. Beyond the end is
 * not an error, the next read then returns 0. 0 or -errno.
 */
int source_seek(struct source *source, uint64_t offset, struct ps_error *err) _must_check_;

/*
 * Goes to the next file of a folder, "data.0" and so on: records without a header. 1 there is one, its offset 0 comes next;
 * 0 there are no more, or it is no folder; -errno, and the one after it comes with the next call.
 */
int source_next_part(struct source *source, struct ps_error *err) _must_check_;

/*
 * Makes a stream seekable, for a form of input that needs it: what was read so far (len bytes) and all that follows go into a
 * file without a name in TMPDIR (or /tmp), which then takes the stream's place. The offset stays. 0 or -errno.
 */
int source_spool(struct source *source, const void *head, size_t len, struct ps_error *err) _must_check_;

void source_free(struct source *source);

#endif
