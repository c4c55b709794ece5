/*
 * Records to bytes and back. One table of layouts drives both directions; a file of the other byte order is only a flag to
 * the walker.
 */
#ifndef DATA_CODEC_H
#define DATA_CODEC_H

#include "base/buffer.h"
#include "data/meta.h"
#include "data/record.h"

/*
 * Appends rec to out as a whole record, host byte order, padded to 8. meta gives the sample_type. Returns the record's size,
 * -EMSGSIZE when it does not fit a record, -ENOSYS for a type pstat does not write, or buffer errors. Does not allocate
 * when out has room.
 */
int codec_encode(const struct meta *meta, const struct record *rec, struct buffer *out, struct ps_error *err)
	_must_check_;

/*
 * Fills rec's union from rec->raw (type, misc, bytes, raw and raw_swapped are set). meta gives the events for sample types.
 * scratch holds what had to be converted (swapped arrays) and must live as long as rec. Returns 1 decoded, 0 for a type
 * without a decoded form (raw stays usable), -EBADMSG when a length in it does not fit.
 */
int codec_decode(const struct meta *meta, struct record *rec, struct buffer *scratch, struct ps_error *err)
	_must_check_;

/* The attr at the front of an attr entry or HEADER_ATTR, any attr.size, into host order; what is missing is 0. -EBADMSG. */
int codec_decode_attr(const uint8_t *bytes, size_t len, bool swapped, struct perf_event_attr *attr,
		      uint32_t *attr_bytes, struct ps_error *err) _must_check_;

#endif
