/* What events are called and which of them are markers, from whatever the file tells. */
#include "lib/reader_case.h"
#include "lib/unit.h"

static void put_named_event(struct file_builder *builder, uint64_t config, const char *name, uint64_t id)
{
	builder_u32(builder, 1); /* attr: type, size, config, zeros */
	builder_u32(builder, 64);
	builder_u64(builder, config);
	for (int i = 0; i < 6; i++)
		builder_u64(builder, 0);
	builder_u32(builder, 1); /* ids */
	builder_string(builder, name);
	builder_u64(builder, id);
}

START_TEST(names_from_event_desc_win_over_made_up_ones)
{
	struct file_builder builder;
	struct opened opened;
	struct record rec;

	builder_init(&builder);
	builder.stream = _i;
	builder_two_events(&builder);
	builder_u32(&builder, 2);
	builder_u32(&builder, 64);
	put_named_event(&builder, 1, "first:u", 1);
	put_named_event(&builder, 2, "second", 2);
	builder_feature(&builder, FORMAT_FEATURE_EVENT_DESC);
	builder_stat(&builder, 1, 1);
	opened_built(&opened, &builder, true);
	ck_assert(opened_next(opened.reader, &rec));
	ck_assert_str_eq(reader_meta(opened.reader)->events[0].name, "first:u");
	ck_assert_str_eq(reader_meta(opened.reader)->events[1].name, "second");
	opened_close(&opened);
}
END_TEST

struct name_case {
	uint32_t type;
	uint64_t config;
	const char *name;
};

static const struct name_case name_cases[] = {
	{ 0, 0, "cycles" },
	{ 0, 1, "instructions" },
	{ 0, 9, "ref-cycles" },
	{ 0, 50, "type=0/config=0x32/" },
	{ 1, 9, "dummy" },
	{ 3, 0x10000, "L1-dcache-load-misses" },
	{ 3, 0x00103, "dTLB-stores" },
	{ 3, 0x10006, "node-load-misses" },
	{ 3, 0x00009, "type=3/config=0x9/" },
	{ 4, 0x1234, "raw 0x1234" },
	{ 2, 300, "tracepoint:300" },
	{ 12, 0xff, "type=12/config=0xff/" },
};

START_TEST(nameless_events_are_named_by_type_and_config)
{
	struct file_builder builder;
	struct opened opened;

	builder_init(&builder);
	builder_two_events(&builder);
	builder.events[0].type = name_cases[_i].type;
	builder.events[0].config = name_cases[_i].config;
	opened_built(&opened, &builder, true);
	ck_assert_str_eq(reader_meta(opened.reader)->events[0].name, name_cases[_i].name);
	opened_close(&opened);
}
END_TEST

START_TEST(markers_are_known_and_tell_t0)
{
	struct file_builder builder;
	struct opened opened;
	struct record rec;
	const struct meta *meta;

	builder_init(&builder);
	builder_two_events(&builder);
	builder.events[0].config = PERF_COUNT_SW_DUMMY;
	builder_update(&builder, FORMAT_UPDATE_NAME, 1, FORMAT_MARKER_NAME_RESUME);
	builder_sample(&builder, 1, 123456, 1);
	builder_sample(&builder, 1, 999999, 1);
	opened_built(&opened, &builder, true);
	while (opened_next(opened.reader, &rec))
		;
	meta = reader_meta(opened.reader);
	ck_assert_int_eq(meta->events[0].role, META_RESUME);
	ck_assert_int_eq(meta->events[1].role, META_COUNTER);
	ck_assert(meta->has_t0);
	ck_assert_uint_eq(meta->t0_mono_ns, 123456);
	opened_close(&opened);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, names_from_event_desc_win_over_made_up_ones, 0, 2);
	tcase_add_loop_test(tcase, nameless_events_are_named_by_type_and_config, 0, ARRAY_SIZE(name_cases));
	tcase_add_test(tcase, markers_are_known_and_tell_t0);
}

int main(void)
{
	return unit_main("reader_names", add);
}
