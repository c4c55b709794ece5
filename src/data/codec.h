/*
 * Records to bytes and back. One table of layouts drives both directions; a file of the other byte order is only a flag to
 * the walker.
 */
#ifndef DATA_CODEC_H
#define DATA_CODEC_H

#include <linux/perf_event.h>

#include "base/buffer.h"
#include "data/meta.h"
#include "data/record.h"

/*
 * Appends rec to out as a whole record, host byte order, padded to 8. A SAMPLE and the trailers of COMM, MMAP, FORK and EXIT
 * have FORMAT_SAMPLE_TYPE, as all attrs that codec_encode_attr makes. Returns the record's size, -EMSGSIZE when it does not
 * fit a record, -ENOSYS for a type pstat does not write, or buffer errors; then out is as before. Does not allocate when out
 * has room.
 */
int codec_encode(const struct record *rec, struct buffer *out, struct ps_error *err) _must_check_;

/*
 * Fills rec's union from rec->raw (type, misc, bytes, raw and raw_swapped are set). meta gives the events for sample types.
 * scratch takes what had to be converted (arrays that are swapped or not aligned); its former content is dropped, and it
 * must live as long as rec. Returns 1 decoded, 0 for a type without a decoded form (raw stays usable; also a
 * HEADER_EVENT_TYPE that is not pstat's), -EBADMSG when a length in it does not fit, -ENOMEM.
 */
int codec_decode(const struct meta *meta, struct record *rec, struct buffer *scratch, struct ps_error *err)
	_must_check_;

/*
 * The attr at the front of an attr entry or HEADER_ATTR, any attr.size, into host order; what is missing is 0, what this
 * version does not know is dropped. *attr_bytes is its size in the file. 0 or -EBADMSG.
 */
int codec_decode_attr(const uint8_t *bytes, size_t len, bool swapped, struct perf_event_attr *attr,
		      uint32_t *attr_bytes, struct ps_error *err) _must_check_;

/*
 * Appends an attr as pstat's files have them: FORMAT_ATTR_BYTES long, FORMAT_SAMPLE_TYPE, sample_id_all, CLOCK_MONOTONIC, and
 * no bit that Debian 12's perf does not know. 0 or buffer errors.
 */
int codec_encode_attr(const struct perf_event_attr *attr, struct buffer *out, struct ps_error *err) _must_check_;

/*
 * Appends an attr as it was read, in this machine's byte order and `bytes` (at least 64) long: what it has no room for is
 * left out, and so are bits that Debian 12's perf does not know. 0 or buffer errors.
 */
int codec_copy_attr(const struct perf_event_attr *attr, uint32_t bytes, uint64_t config3, struct buffer *out,
		    struct ps_error *err) _must_check_;

#endif
