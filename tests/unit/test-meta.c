/* Meta: an id finds its event, also after changes; the sample key tells where ids stand. */
#include <string.h>

#include "data/meta.h"
#include "lib/unit.h"
#include "pstat/format.h"

static struct meta meta;

static struct meta_event *add_with_ids(uint64_t first, size_t n)
{
	struct meta_event *event = meta_add_event(&meta, "event", NULL);

	ck_assert_ptr_nonnull(event);
	event->ids = calloc(n + 1, sizeof(*event->ids));
	event->n_ids = n;
	for (size_t i = 0; i < n; i++)
		event->ids[i] = first + i;
	return event;
}

START_TEST(every_id_finds_its_event)
{
	meta_init(&meta);
	for (size_t i = 0; i < 50; i++)
		(void)add_with_ids(1000 * i + 1, i);
	for (size_t i = 0; i < 50; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert_ptr_eq(meta_find_id(&meta, 1000 * i + 1 + k), &meta.events[i]);
	ck_assert_ptr_null(meta_find_id(&meta, 0));
	ck_assert_ptr_null(meta_find_id(&meta, 7));
	meta_fini(&meta);
}
END_TEST

START_TEST(a_change_is_seen_at_the_next_look)
{
	struct meta_event *event;

	meta_init(&meta);
	ck_assert_ptr_null(meta_find_id(&meta, 5));
	(void)add_with_ids(1, 3);
	ck_assert_ptr_eq(meta_find_id(&meta, 3), &meta.events[0]);
	event = add_with_ids(5, 1);
	ck_assert_ptr_eq(meta_find_id(&meta, 5), event);
	meta.events[0].n_ids = 1;
	ck_assert_ptr_null(meta_find_id(&meta, 3));
	meta.events[0].ids[0] = 77; /* an id changed in its place */
	ck_assert_ptr_null(meta_find_id(&meta, 1));
	meta.n_events = 1;
	free(event->ids);
	free(event->name);
	ck_assert_ptr_null(meta_find_id(&meta, 5));
	meta_fini(&meta);
}
END_TEST

START_TEST(equal_ids_belong_to_the_first_event_and_cost_no_time)
{
	meta_init(&meta);
	for (size_t i = 0; i < 2; i++) {
		struct meta_event *event = add_with_ids(9, 100000);

		for (size_t k = 0; k < event->n_ids; k++)
			event->ids[k] = 9;
	}
	ck_assert_ptr_eq(meta_find_id(&meta, 9), &meta.events[0]);
	ck_assert_ptr_null(meta_find_id(&meta, 10));
	meta_fini(&meta);
}
END_TEST

START_TEST(works_without_its_index)
{
	struct meta_index *index;

	meta_init(&meta);
	index = meta.index;
	meta.index = NULL;
	(void)add_with_ids(1, 3);
	ck_assert_ptr_eq(meta_find_id(&meta, 2), &meta.events[0]);
	ck_assert_ptr_null(meta_find_id(&meta, 4));
	meta.index = index;
	meta_fini(&meta);
}
END_TEST

START_TEST(the_sample_key_follows_the_events)
{
	const struct meta_sample_key *key;
	struct meta_sample_key room;

	meta_init(&meta);
	key = meta_sample_key(&meta, &room);
	ck_assert(!key->uniform && !key->has_id && !key->leading_bytes);
	(void)meta_add_event(&meta, NULL, NULL);
	meta.events[0].attr.sample_type = FORMAT_SAMPLE_TYPE;
	key = meta_sample_key(&meta, &room);
	ck_assert(key->uniform && key->has_id && key->id_at == 0);
	ck_assert_uint_eq(key->leading_bytes, meta_leading_bytes(FORMAT_SAMPLE_TYPE));
	(void)meta_add_event(&meta, NULL, NULL);
	meta.events[1].attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ID;
	key = meta_sample_key(&meta, &room);
	ck_assert(!key->uniform && !key->has_id);
	meta.events[0].attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_ID | PERF_SAMPLE_PERIOD;
	key = meta_sample_key(&meta, &room);
	ck_assert(!key->uniform && key->has_id && key->id_at == 8);
	ck_assert_uint_eq(key->leading_bytes, 3 * sizeof(uint64_t)); /* of the first event */
	meta_fini(&meta);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, every_id_finds_its_event);
	tcase_add_test(tcase, a_change_is_seen_at_the_next_look);
	tcase_add_test(tcase, equal_ids_belong_to_the_first_event_and_cost_no_time);
	tcase_add_test(tcase, works_without_its_index);
	tcase_add_test(tcase, the_sample_key_follows_the_events);
}

int main(void)
{
	return unit_main("meta", add);
}
