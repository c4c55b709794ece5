/* The storage of everything a header tells, and the strings and arrays that its rows share. */
#include <errno.h>

#include "data/feature_internal.h"

void feature_set_init(struct feature_set *set)
{
	memset(set, 0, sizeof(*set));
}

void feature_free_strings(char **strings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(strings[i]);
	free(strings);
}

void feature_set_fini(struct feature_set *set)
{
	char *const texts[] = { set->hostname, set->osrelease, set->version, set->arch, set->cpudesc, set->cpuid };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(texts[i]);
	feature_free_strings(set->cmdline, set->n_cmdline);
	feature_free_strings(set->core_lists, set->n_core_lists);
	feature_free_strings(set->package_lists, set->n_package_lists);
	feature_free_strings(set->die_lists, set->n_die_lists);
	free(set->topology);
	for (size_t i = 0; i < set->n_numa; i++)
		free(set->numa[i].cpulist);
	free(set->numa);
	for (size_t i = 0; i < set->n_pmus; i++)
		free(set->pmus[i].name);
	free(set->pmus);
	for (size_t i = 0; i < set->n_groups; i++)
		free(set->groups[i].name);
	free(set->groups);
	for (size_t i = 0; i < set->n_build_ids; i++)
		free(set->build_ids[i].path);
	free(set->build_ids);
	free(set->tracing_data);
	for (size_t i = 0; i < set->n_raw; i++)
		free(set->raw[i].bytes);
	free(set->raw);
	memset(set, 0, sizeof(*set));
}

int feature_damaged(struct ps_error *err, uint32_t number, const char *what)
{
	const char *name = feature_name(number);

	return ps_fail(err, "header", EBADMSG, "feature %s (%u): %s", name ? name : "unknown", number, what);
}

int feature_no_memory(struct ps_error *err, uint32_t number)
{
	return ps_fail(err, "header", ENOMEM, "keeping feature %u", number);
}

int feature_put_u32(struct buffer *out, uint32_t v, struct ps_error *err)
{
	return buffer_append(out, &v, sizeof(v), err);
}

int feature_put_u64(struct buffer *out, uint64_t v, struct ps_error *err)
{
	return buffer_append(out, &v, sizeof(v), err);
}

int feature_put_string(struct buffer *out, const char *text, struct ps_error *err)
{
	size_t len = text ? strlen(text) : 0;
	size_t room = (len / FORMAT_STRING_ALIGN + 1) * FORMAT_STRING_ALIGN;
	int rc;

	if (room > UINT32_MAX)
		return ps_fail(err, "header", EMSGSIZE, "a text of %zu bytes", len);
	rc = feature_put_u32(out, (uint32_t)room, err);
	if (rc >= 0)
		rc = buffer_append(out, text, len, err);
	return rc < 0 ? rc : buffer_append_zero(out, room - len, err);
}

int feature_put_strings(struct buffer *out, char *const *strings, size_t n, struct ps_error *err)
{
	int rc = feature_put_u32(out, (uint32_t)n, err);

	for (size_t i = 0; i < n && rc >= 0; i++)
		rc = feature_put_string(out, strings[i], err);
	return rc;
}

int feature_get_strings(struct cursor *cur, uint32_t number, char ***strings, size_t *n, struct ps_error *err)
{
	uint32_t count = 0;
	char **list;

	if (!cursor_count(cur, sizeof(uint32_t), &count))
		return feature_damaged(err, number, "more strings than it has room for");
	list = calloc((size_t)count + 1, sizeof(*list));
	if (!list)
		return feature_no_memory(err, number);
	for (uint32_t i = 0; i < count; i++) {
		const char *text = cursor_string(cur);

		list[i] = text ? strdup(text) : NULL;
		if (list[i])
			continue;
		feature_free_strings(list, i);
		return text ? feature_no_memory(err, number) :
			      feature_damaged(err, number, "a string does not fit or has no end");
	}
	*strings = list;
	*n = count;
	return 0;
}

const struct feature_raw *feature_find_raw(const struct feature_set *set, uint32_t number)
{
	for (size_t i = 0; i < set->n_raw; i++)
		if (set->raw[i].number == number)
			return &set->raw[i];
	return NULL;
}

int feature_keep_raw(struct meta *meta, uint32_t number, const uint8_t *bytes, size_t len, bool swapped,
		     struct ps_error *err)
{
	struct feature_set *set = &meta->features;
	_cleanup_free_ uint8_t *copy = malloc(len + 1); /* never 0 bytes */
	size_t i = 0;

	if (!copy)
		return feature_no_memory(err, number);
	while (i < set->n_raw && set->raw[i].number != number)
		i++;
	if (i == set->n_raw) {
		void *grown = reallocarray(set->raw, i + 1, sizeof(*set->raw));

		if (!grown)
			return feature_no_memory(err, number);
		set->raw = grown;
		memset(&set->raw[i], 0, sizeof(set->raw[i]));
		set->n_raw++;
	}
	if (len)
		memcpy(copy, bytes, len);
	free(set->raw[i].bytes);
	set->raw[i].number = number;
	set->raw[i].swapped = swapped;
	set->raw[i].len = len;
	set->raw[i].bytes = attr_take(&copy);
	return 0;
}

void feature_print_text(const char *text, FILE *out)
{
	if (!text)
		text = "(null)";
	for (; *text; text++)
		(void)fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, out);
}
