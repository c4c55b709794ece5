/*
 * Whole records and header features in this machine's byte order: what stands where in each of them, in one table that both
 * checks the lengths and turns the bytes round.
 */
#ifndef DATA_TURN_H
#define DATA_TURN_H

#include "base/buffer.h"
#include "data/meta.h"
#include "data/record.h"

/* Whether a record of this type can stand among the records of a file that stock perf (6.1) reads. */
bool turn_knows(uint32_t type);

/*
 * Puts rec (as the reader handed it out) into out, whose former content is dropped, in this machine's byte order. Every
 * length in it was then found to fit. 0, -EBADMSG when one does not, or -ENOMEM. Raw data of tracepoints, user stacks and
 * AUX data stay as they are: what is in them is not known here.
 */
int turn_record(const struct meta *meta, const struct record *rec, struct buffer *out, struct ps_error *err)
	_must_check_;

/*
 * Appends a header feature that is kept as bytes. 0, -ENOTSUP when it is in the other byte order and cannot be turned round,
 * or buffer errors; then out is as before.
 */
int turn_feature(const struct feature_raw *raw, struct buffer *out, struct ps_error *err) _must_check_;

#endif
