/* Header features that describe other files: TRACING_DATA and BUILD_ID. Perf prints neither. */
#include "data/feature_internal.h"

#define PATH_AT 36        /* in a BUILD_ID entry: header 8, pid 4, id 20, its length 1, padding 3 */
#define ID_AT 12
#define ID_LENGTH_AT 32
#define PATH_ALIGN 64

FEATURE_ENCODE(feature_encode_tracing_data)
{
	return buffer_append(out, meta->features.tracing_data, meta->features.tracing_data_bytes, err);
}

FEATURE_DECODE(feature_decode_tracing_data)
{
	struct feature_set *set = &meta->features;
	uint8_t *copy = malloc(len + 1); /* never 0 bytes */

	(void)swapped; /* it says by itself */
	if (!copy)
		return feature_no_memory(err, FORMAT_FEATURE_TRACING_DATA);
	if (len)
		memcpy(copy, bytes, len);
	free(set->tracing_data);
	set->tracing_data = copy;
	set->tracing_data_bytes = len;
	return 0;
}

static int put_build_id(const struct feature_build_id *id, struct buffer *out, struct ps_error *err)
{
	size_t path = strlen(id->path);
	size_t room = (path / PATH_ALIGN + 1) * PATH_ALIGN;
	struct perf_event_header header = { 0, (uint16_t)(id->misc | FORMAT_BUILD_ID_SIZE_VALID), 0 };
	uint8_t fixed[PATH_AT] = { 0 };
	int rc;

	if (PATH_AT + room > UINT16_MAX)
		return feature_damaged(err, FORMAT_FEATURE_BUILD_ID, "a path is too long for an entry");
	header.size = (uint16_t)(PATH_AT + room);
	memcpy(fixed, &header, sizeof(header));
	memcpy(fixed + sizeof(header), &id->pid, sizeof(id->pid));
	memcpy(fixed + ID_AT, id->id, sizeof(id->id));
	fixed[ID_LENGTH_AT] = id->id_bytes;
	rc = buffer_append(out, fixed, sizeof(fixed), err);
	if (rc >= 0)
		rc = buffer_append(out, id->path, path, err);
	return rc < 0 ? rc : buffer_append_zero(out, room - path, err);
}

FEATURE_ENCODE(feature_encode_build_id)
{
	int rc = 0;

	for (size_t i = 0; i < meta->features.n_build_ids && rc >= 0; i++)
		rc = put_build_id(&meta->features.build_ids[i], out, err);
	return rc;
}

static void free_build_ids(struct feature_build_id *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(ids[i].path);
	free(ids);
}

/* The size of the entry at bytes when it fits and its path has an end, else 0. */
static size_t entry_bytes(const uint8_t *bytes, size_t len, bool swapped)
{
	size_t size;

	if (len < sizeof(struct perf_event_header))
		return 0;
	size = bytes_u16(bytes + offsetof(struct perf_event_header, size), swapped);
	if (size <= PATH_AT || size > len || !memchr(bytes + PATH_AT, '\0', size - PATH_AT))
		return 0;
	return size;
}

static int get_build_id(struct feature_build_id *id, const uint8_t *bytes, bool swapped, struct ps_error *err)
{
	uint16_t misc = bytes_u16(bytes + offsetof(struct perf_event_header, misc), swapped);

	id->misc = (uint16_t)(misc & ~FORMAT_BUILD_ID_SIZE_VALID);
	id->pid = (int32_t)bytes_u32(bytes + sizeof(struct perf_event_header), swapped);
	memcpy(id->id, bytes + ID_AT, sizeof(id->id));
	id->id_bytes = FORMAT_BUILD_ID_BYTES;
	if (misc & FORMAT_BUILD_ID_SIZE_VALID && bytes[ID_LENGTH_AT] < FORMAT_BUILD_ID_BYTES)
		id->id_bytes = bytes[ID_LENGTH_AT];
	id->path = strdup((const char *)bytes + PATH_AT);
	return id->path ? 0 : feature_no_memory(err, FORMAT_FEATURE_BUILD_ID);
}

FEATURE_DECODE(feature_decode_build_id)
{
	struct feature_set *set = &meta->features;
	struct feature_build_id *ids;
	size_t n = 0, at = 0;
	int rc = 0;

	for (size_t size = 1; at < len && size; at += size, n += size > 0)
		size = entry_bytes(bytes + at, len - at, swapped);
	if (at < len)
		return feature_damaged(err, FORMAT_FEATURE_BUILD_ID, "an entry does not fit or its path has no end");
	ids = calloc(n + 1, sizeof(*ids));
	if (!ids)
		return feature_no_memory(err, FORMAT_FEATURE_BUILD_ID);
	at = 0;
	for (size_t i = 0; i < n && rc >= 0; i++) {
		rc = get_build_id(&ids[i], bytes + at, swapped, err);
		at += entry_bytes(bytes + at, len - at, swapped);
	}
	if (rc < 0) {
		free_build_ids(ids, n);
		return rc;
	}
	free_build_ids(set->build_ids, set->n_build_ids);
	set->build_ids = ids;
	set->n_build_ids = n;
	return 0;
}
