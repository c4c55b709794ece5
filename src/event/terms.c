/* Applies the terms of a PMU's event. */
#include "event/terms.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/sysfs.h"

#define WORD_MAX 128

struct term {
	char name[WORD_MAX];
	char value[WORD_MAX];
	bool has_value;
};

/* Where terms are being applied. */
struct applying {
	struct event *event;
	const char *device;
	struct span user; /* all terms the user gave */
	bool in_alias;    /* these come from a named event's file */
	struct ps_error *err;
};

/* For perf's samplers; a counter that took them without a word would not do what was asked. */
static const char *const sampling_terms[] = { "period",     "freq",       "time",
					      "call-graph", "stack-size", "branch_type",
					      "max-stack",  "aux-output", "aux-sample-size" };

static int refuse(const struct applying *a, const struct term *term, const char *why)
{
	return ps_fail(a->err, "event", EINVAL, "%s: '%s%s%s'", why, term->name, term->has_value ? "=" : "",
		       term->value);
}

/* Cuts the next term off. False: it is empty or too long. */
static bool next_term(struct span *rest, struct term *term, const char **at)
{
	const char *comma = memchr(rest->at, ',', rest->len);
	size_t len = comma ? (size_t)(comma - rest->at) : rest->len;
	const char *equals = memchr(rest->at, '=', len);
	size_t name = equals ? (size_t)(equals - rest->at) : len;
	size_t value = equals ? len - name - 1 : 0;

	*at = rest->at;
	*term = (struct term){ .has_value = equals != NULL };
	if (!name || name >= WORD_MAX || value >= WORD_MAX)
		return false;
	memcpy(term->name, rest->at, name);
	if (equals)
		memcpy(term->value, equals + 1, value);
	rest->at += comma ? len + 1 : len;
	rest->len -= comma ? len + 1 : len;
	return comma ? rest->len > 0 : true;
}

static bool parse_number(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return *text && *text != '-' && !*end && !errno;
}

static uint64_t *config_word(struct perf_event_attr *attr, const char *name, size_t len)
{
	static const char *const names[] = { "config", "config1", "config2", "config3" };
	size_t i = 0;

	while (i < ARRAY_SIZE(names) && (strlen(names[i]) != len || memcmp(names[i], name, len) != 0))
		i++;
	switch (i) {
	case 0:
		return (uint64_t *)&attr->config;
	case 1:
		return (uint64_t *)&attr->config1;
	case 2:
		return (uint64_t *)&attr->config2;
#ifdef PERF_ATTR_SIZE_VER8
	case 3:
		return (uint64_t *)&attr->config3;
#endif
	default:
		return NULL;
	}
}

/*
 * Puts the low bits of value into bits first..last of word; what is left of value stays for the next range.
 */
static void put_bits(uint64_t *word, uint64_t *value, unsigned first, unsigned last)
{
	unsigned width = last - first + 1;
	uint64_t mask = width == 64 ? UINT64_MAX : ((UINT64_C(1) << width) - 1);

	*word = (*word & ~(mask << first)) | ((*value & mask) << first);
	*value = width == 64 ? 0 : *value >> width;
}

/* format: "config1:0-7,32" as sysfs has it. 0, or -EINVAL: not understood; -ERANGE: value has more bits. */
static int apply_format(struct perf_event_attr *attr, const char *format, uint64_t value)
{
	const char *colon = strchr(format, ':');
	uint64_t *word = colon ? config_word(attr, format, (size_t)(colon - format)) : NULL;

	if (!word)
		return -EINVAL;
	for (const char *at = colon + 1; *at;) {
		char *end;
		unsigned long first = strtoul(at, &end, 10), last = first;

		if (end == at)
			return -EINVAL;
		if (*end == '-')
			last = strtoul(at = end + 1, &end, 10);
		if (end == at || last > 63 || first > last || (*end && *end != ','))
			return -EINVAL;
		put_bits(word, &value, (unsigned)first, (unsigned)last);
		at = *end ? end + 1 : end;
	}
	return value ? -ERANGE : 0;
}

static int apply_name(const struct applying *a, const struct term *term)
{
	char *name;

	if (!term->value[0])
		return refuse(a, term, "the name is empty");
	name = strdup(term->value);
	if (!name)
		return ps_fail(a->err, "event", ENOMEM, "keeping '%s'", term->value);
	free(a->event->name);
	a->event->name = name;
	return 0;
}

/* Terms of every PMU. 1: it is one of them and applied; 0: it is none; or -errno. */
static int apply_common(const struct applying *a, const struct term *term)
{
	uint64_t *word = config_word(&a->event->attr, term->name, strlen(term->name));
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(sampling_terms); i++)
		if (!strcmp(term->name, sampling_terms[i]))
			return refuse(a, term, "this term is for sampling, pstat counts");
	if (!strcmp(term->name, "name"))
		return apply_name(a, term) < 0 ? -EINVAL : 1;
	if (!word)
		return 0;
	if (!parse_number(term->value, &value))
		return refuse(a, term, "not a number");
	*word = value;
	return 1;
}

/* Does the user give this term a value beside the named event that asks for it? */
static bool user_gives(struct span user, const char *name)
{
	struct term term;
	const char *at;

	while (user.len && next_term(&user, &term, &at))
		if (!strcmp(term.name, name) && term.has_value)
			return true;
	return user.len == 0 && !strcmp(term.name, name) && term.has_value;
}

static int apply_terms(const struct applying *a, struct span terms, const char **bad);

static int read_unit(const struct applying *a, const char *alias)
{
	struct event *event = a->event;
	char text[64], *end;

	if (sysfs_read_text(text, sizeof(text), "%s/events/%s.unit", a->device, alias) > 0) {
		free(event->unit);
		event->unit = strdup(text);
		if (!event->unit)
			return ps_fail(a->err, "event", ENOMEM, "keeping '%s'", alias);
	}
	if (sysfs_read_text(text, sizeof(text), "%s/events/%s.scale", a->device, alias) <= 0)
		return 0;
	event->scale = strtod(text, &end);
	if (end == text || *end)
		return ps_fail(a->err, "event", EINVAL, "the scale of '%s' is no number: %s", alias, text);
	return 0;
}

/* A named event: its file holds terms. As apply_common. */
static int apply_alias(const struct applying *a, const struct term *term)
{
	struct applying inner = *a;
	const char *bad;
	char text[512];
	int rc;

	if (a->in_alias || term->has_value ||
	    sysfs_read_text(text, sizeof(text), "%s/events/%s", a->device, term->name) <= 0)
		return 0;
	inner.in_alias = true;
	rc = apply_terms(&inner, (struct span){ text, strlen(text) }, &bad);
	if (!rc)
		rc = read_unit(a, term->name);
	return rc < 0 ? rc : 1;
}

static int apply_format_term(const struct applying *a, const struct term *term, const char *format)
{
	uint64_t value = 1;
	int rc;

	if (a->in_alias && !strcmp(term->value, "?"))
		return user_gives(a->user, term->name)
			       ? 0
			       : refuse(a, term, "the event needs a value for this term");
	if (term->has_value && !parse_number(term->value, &value))
		return refuse(a, term, "not a number");
	rc = apply_format(&a->event->attr, format, value);
	if (rc == -ERANGE)
		return refuse(a, term, "the value has more bits than the PMU takes");
	return rc < 0 ? refuse(a, term, "the PMU describes this term in an unknown way") : 0;
}

static bool is_plain(const char *name)
{
	return name[0] != '.' && !strchr(name, '/');
}

static int apply_term(const struct applying *a, const struct term *term)
{
	char format[256];
	int rc = 0;

	if (a->device && is_plain(term->name)) {
		if (sysfs_read_text(format, sizeof(format), "%s/format/%s", a->device, term->name) > 0)
			return apply_format_term(a, term, format);
		rc = apply_alias(a, term);
	}
	if (!rc)
		rc = apply_common(a, term);
	if (rc)
		return rc < 0 ? rc : 0;
	return refuse(a, term,
		      a->device ? "the PMU has no such term or event"
				: "only name= and config= can be used here");
}

static int apply_terms(const struct applying *a, struct span terms, const char **bad)
{
	while (terms.len) {
		struct term term;
		int rc;

		if (!next_term(&terms, &term, bad))
			return ps_fail(a->err, "event", EINVAL, "an empty or overlong term");
		rc = apply_term(a, &term);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int terms_apply(struct event *event, const char *device, struct span terms, const char **bad,
		struct ps_error *err)
{
	struct applying a = { event, device, terms, false, err };

	return apply_terms(&a, terms, bad);
}
