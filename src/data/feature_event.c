/* Header features about events: EVENT_DESC, PMU_MAPPINGS and GROUP_DESC. */
#include <errno.h>

#include "data/codec.h"
#include "data/feature_internal.h"

#define DESC FORMAT_FEATURE_EVENT_DESC
#define PMU_MIN_BYTES 8    /* type and an empty string */
#define GROUP_MIN_BYTES 12 /* an empty string, leader and members */

FEATURE_ENCODE(feature_encode_event_desc)
{
	int rc = feature_put_u32(out, (uint32_t)meta->n_events, err);

	if (rc >= 0)
		rc = feature_put_u32(out, FORMAT_ATTR_BYTES, err);
	for (size_t i = 0; i < meta->n_events && rc >= 0; i++) {
		const struct meta_event *event = &meta->events[i];

		rc = codec_encode_attr(&event->attr, out, err);
		if (rc >= 0)
			rc = feature_put_u32(out, (uint32_t)event->n_ids, err);
		if (rc >= 0)
			rc = feature_put_string(out, event->name, err);
		if (rc >= 0)
			rc = buffer_append(out, event->ids, event->n_ids * sizeof(*event->ids), err);
	}
	return rc;
}

/* One event of an EVENT_DESC; all borrowed from the payload. */
struct desc {
	struct perf_event_attr attr;
	const char *name;
	const uint8_t *ids; /* file order, not aligned */
	uint32_t n_ids;
};

struct desc_walk {
	struct cursor cur;
	uint32_t left; /* events to come */
	uint32_t attr_bytes;
};

static int walk_start(struct desc_walk *walk, const uint8_t *bytes, size_t len, bool swapped, struct ps_error *err)
{
	walk->cur = (struct cursor){ bytes, len, swapped };
	if (!cursor_u32(&walk->cur, &walk->left) || !cursor_u32(&walk->cur, &walk->attr_bytes))
		return feature_damaged(err, DESC, "too short");
	if (walk->attr_bytes < FORMAT_ATTR_MIN_BYTES || walk->left > walk->cur.left / walk->attr_bytes)
		return feature_damaged(err, DESC, "more events than it has room for");
	return 0;
}

/* 1 and *desc filled, 0 after the last, or -EBADMSG. */
static int walk_next(struct desc_walk *walk, struct desc *desc, struct ps_error *err)
{
	const uint8_t *attr;
	uint32_t attr_bytes;
	int rc;

	if (!walk->left)
		return 0;
	walk->left--;
	attr = cursor_take(&walk->cur, walk->attr_bytes);
	if (!attr || !cursor_u32(&walk->cur, &desc->n_ids))
		return feature_damaged(err, DESC, "an event does not fit");
	rc = codec_decode_attr(attr, walk->attr_bytes, walk->cur.swapped, &desc->attr, &attr_bytes, err);
	if (rc < 0)
		return rc;
	desc->name = cursor_string(&walk->cur);
	if (!desc->name || desc->n_ids > walk->cur.left / sizeof(uint64_t))
		return feature_damaged(err, DESC, "an event's name or ids do not fit");
	desc->ids = cursor_take(&walk->cur, desc->n_ids * sizeof(uint64_t));
	return 1;
}

/* Names come from here; ids only where the attr entry had none. */
static int apply(struct meta_event *event, const struct desc *desc, bool swapped, struct ps_error *err)
{
	char *name = strdup(desc->name);

	if (!name)
		return feature_no_memory(err, DESC);
	free(event->name);
	event->name = name;
	if (event->n_ids || !desc->n_ids)
		return 0;
	event->ids = calloc(desc->n_ids, sizeof(*event->ids));
	if (!event->ids)
		return feature_no_memory(err, DESC);
	for (uint32_t i = 0; i < desc->n_ids; i++)
		event->ids[i] = bytes_u64(desc->ids + i * sizeof(uint64_t), swapped);
	event->n_ids = desc->n_ids;
	return 0;
}

FEATURE_DECODE(feature_decode_event_desc)
{
	struct desc_walk walk = { 0 };
	struct desc desc;
	int rc = walk_start(&walk, bytes, len, swapped, err);

	while (rc >= 0 && (rc = walk_next(&walk, &desc, err)) > 0)
		; /* first all of it is checked */
	if (rc < 0)
		return rc;
	rc = feature_keep_raw(meta, DESC, bytes, len, swapped, err);
	if (rc >= 0)
		rc = walk_start(&walk, bytes, len, swapped, err);
	for (size_t i = 0; rc >= 0 && i < meta->n_events; i++) {
		rc = walk_next(&walk, &desc, err);
		if (rc <= 0)
			break;
		rc = apply(&meta->events[i], &desc, swapped, err);
	}
	meta_ids_changed(meta);
	return rc < 0 ? rc : 0;
}

static void print_event(const struct desc *desc, bool swapped, FILE *out)
{
	(void)fputs("# event : name = ", out);
	feature_print_text(desc->name, out);
	(void)fputs(", ", out);
	for (uint32_t i = 0; i < desc->n_ids; i++)
		(void)fprintf(out, "%s %llu", i ? "," : ", id = {",
			      (unsigned long long)bytes_u64(desc->ids + i * sizeof(uint64_t), swapped));
	(void)fputs(desc->n_ids ? " }" : "", out);
	feature_print_attr(&desc->attr, out);
	(void)fputc('\n', out);
}

FEATURE_PRINT(feature_print_event_desc)
{
	const struct feature_raw *raw = feature_find_raw(&meta->features, DESC);
	struct desc_walk walk = { 0 };
	struct desc desc;

	if (raw) { /* as the file has it: it need not agree with the attrs */
		if (walk_start(&walk, raw->bytes, raw->len, raw->swapped, NULL) < 0)
			return;
		while (walk_next(&walk, &desc, NULL) > 0)
			print_event(&desc, raw->swapped, out);
		return;
	}
	for (size_t i = 0; i < meta->n_events; i++) {
		const struct meta_event *event = &meta->events[i];

		desc = (struct desc){ event->attr, event->name, (const uint8_t *)event->ids,
				      (uint32_t)event->n_ids };
		print_event(&desc, false, out);
	}
}

FEATURE_ENCODE(feature_encode_pmu_mappings)
{
	const struct feature_set *set = &meta->features;
	int rc = feature_put_u32(out, (uint32_t)set->n_pmus, err);

	for (size_t i = 0; i < set->n_pmus && rc >= 0; i++) {
		rc = feature_put_u32(out, set->pmus[i].type, err);
		if (rc >= 0)
			rc = feature_put_string(out, set->pmus[i].name, err);
	}
	return rc;
}

static void free_pmus(struct feature_pmu *pmus, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(pmus[i].name);
	free(pmus);
}

FEATURE_DECODE(feature_decode_pmu_mappings)
{
	const uint32_t number = FORMAT_FEATURE_PMU_MAPPINGS;
	struct cursor cur = { bytes, len, swapped };
	struct feature_pmu *pmus;
	uint32_t n = 0;

	if (!cursor_count(&cur, PMU_MIN_BYTES, &n))
		return feature_damaged(err, number, "more PMUs than it has room for");
	pmus = calloc((size_t)n + 1, sizeof(*pmus));
	if (!pmus)
		return feature_no_memory(err, number);
	for (uint32_t i = 0; i < n; i++) {
		const char *text = cursor_u32(&cur, &pmus[i].type) ? cursor_string(&cur) : NULL;

		pmus[i].name = text ? strdup(text) : NULL;
		if (pmus[i].name)
			continue;
		free_pmus(pmus, i);
		return text ? feature_no_memory(err, number) :
			      feature_damaged(err, number, "a PMU does not fit or its name has no end");
	}
	free_pmus(meta->features.pmus, meta->features.n_pmus);
	meta->features.pmus = pmus;
	meta->features.n_pmus = n;
	return 0;
}

FEATURE_PRINT(feature_print_pmu_mappings)
{
	const struct feature_set *set = &meta->features;

	(void)fputs("# pmu mappings: ", out);
	for (size_t i = 0; i < set->n_pmus; i++) {
		(void)fputs(i ? ", " : "", out);
		feature_print_text(set->pmus[i].name, out);
		(void)fprintf(out, " = %u", set->pmus[i].type);
	}
	(void)fputs(set->n_pmus ? "\n" : "not available\n", out);
}

FEATURE_ENCODE(feature_encode_group_desc)
{
	const struct feature_set *set = &meta->features;
	int rc = feature_put_u32(out, (uint32_t)set->n_groups, err);

	for (size_t i = 0; i < set->n_groups && rc >= 0; i++) {
		rc = feature_put_string(out, set->groups[i].name, err);
		if (rc >= 0)
			rc = feature_put_u32(out, set->groups[i].leader, err);
		if (rc >= 0)
			rc = feature_put_u32(out, set->groups[i].members, err);
	}
	return rc;
}

static void free_groups(struct feature_group *groups, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(groups[i].name);
	free(groups);
}

FEATURE_DECODE(feature_decode_group_desc)
{
	const uint32_t number = FORMAT_FEATURE_GROUP_DESC;
	struct cursor cur = { bytes, len, swapped };
	struct feature_group *groups;
	uint32_t n = 0;

	if (!cursor_count(&cur, GROUP_MIN_BYTES, &n))
		return feature_damaged(err, number, "more groups than it has room for");
	groups = calloc((size_t)n + 1, sizeof(*groups));
	if (!groups)
		return feature_no_memory(err, number);
	for (uint32_t i = 0; i < n; i++) {
		const char *text = cursor_string(&cur);
		bool fits = text && cursor_u32(&cur, &groups[i].leader) && cursor_u32(&cur, &groups[i].members);

		groups[i].name = fits ? strdup(text) : NULL;
		if (groups[i].name)
			continue;
		free_groups(groups, i);
		return fits ? feature_no_memory(err, number) :
			      feature_damaged(err, number, "a group does not fit or its name has no end");
	}
	free_groups(meta->features.groups, meta->features.n_groups);
	meta->features.groups = groups;
	meta->features.n_groups = n;
	return 0;
}

/* Leader and members by name; a group beyond the events is a damaged file's and left out. */
FEATURE_PRINT(feature_print_group_desc)
{
	for (size_t i = 0; i < meta->features.n_groups; i++) {
		const struct feature_group *group = &meta->features.groups[i];

		if (group->leader >= meta->n_events || group->members > meta->n_events - group->leader)
			continue;
		(void)fputs("# group: ", out);
		feature_print_text(group->name && strcmp(group->name, "{anon_group}") != 0 ? group->name : "", out);
		for (uint32_t k = 0; k < group->members; k++) {
			(void)fputs(k ? "," : "{", out);
			feature_print_text(meta->events[group->leader + k].name, out);
		}
		(void)fputs("}\n", out);
	}
}
