/* What the codec's tests share: one event of FORMAT_SAMPLE_TYPE, a record being built, and its decoding. */
#ifndef TESTS_CODEC_CASE_H
#define TESTS_CODEC_CASE_H

#include "lib/byte_builder.h"
#include "lib/unit.h"

static struct meta meta;
static struct buffer scratch, out;
static struct byte_builder made;

static int decode_part(uint32_t type, uint16_t misc, size_t len, struct record *rec)
{
	rec->type = type;
	rec->misc = misc;
	return byte_builder_decode(&made, &meta, rec, len, &scratch);
}

static int decode(uint32_t type, struct record *rec)
{
	return decode_part(type, 0, made.len, rec);
}

static void begin(bool swapped)
{
	byte_builder_begin(&made, swapped);
}

static void setup(void)
{
	meta_init(&meta);
	ck_assert_ptr_nonnull(meta_add_event(&meta, "event", NULL));
	meta.events[0].attr.sample_type = FORMAT_SAMPLE_TYPE;
}

static void teardown(void)
{
	meta_fini(&meta);
	buffer_fini(&scratch);
	buffer_fini(&out);
	byte_builder_fini(&made);
}

#endif
