/* Event modifiers, with perf's meaning. */
#include "event/modifiers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned letter_bit(char letter)
{
	const char *at = letter ? strchr(MODIFIER_LETTERS, letter) : NULL;

	return at ? 1U << (at - MODIFIER_LETTERS) : 0;
}

static bool has(struct modifiers mods, char letter)
{
	return (mods.set & letter_bit(letter)) != 0;
}

bool modifiers_are(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!letter_bit(text.at[i]))
			return false;
	return text.len > 0;
}

int modifiers_parse(struct modifiers *mods, struct span text, const char **bad, struct ps_error *err)
{
	*mods = (struct modifiers){ 0 };
	for (size_t i = 0; i < text.len; i++) {
		char letter = text.at[i];
		unsigned bit = letter_bit(letter);
		bool repeated = letter == 'p' ? mods->precise >= 3 : (mods->set & bit) != 0;

		*bad = text.at + i;
		if (!bit)
			return ps_fail(err, "event", EINVAL,
				       "unknown modifier '%c' (there are " MODIFIER_LETTERS ")",
				       letter >= ' ' && letter <= '~' ? letter : '?');
		if (repeated)
			return ps_fail(err, "event", EINVAL, "modifier '%c' is there too often", letter);
		mods->set |= bit;
		mods->precise += letter == 'p';
	}
	return 0;
}

struct modifiers modifiers_join(struct modifiers own, struct modifiers group)
{
	return (struct modifiers){
		.set = own.set | group.set,
		.precise = own.precise > group.precise ? own.precise : group.precise,
	};
}

/* Naming one level leaves the others out. */
static void apply_levels(struct perf_event_attr *attr, struct modifiers mods)
{
	if (!has(mods, 'u') && !has(mods, 'k') && !has(mods, 'h'))
		return;
	attr->exclude_user = !has(mods, 'u');
	attr->exclude_kernel = !has(mods, 'k');
	attr->exclude_hv = !has(mods, 'h');
}

/* Guests are left out unless asked for, as perf does it: :k and :h without :u do ask for them. */
static void apply_guests(struct perf_event_attr *attr, struct modifiers mods)
{
	bool levels = has(mods, 'k') || has(mods, 'h');

	if (has(mods, 'G') || has(mods, 'H')) {
		attr->exclude_guest = !has(mods, 'G');
		attr->exclude_host = !has(mods, 'H');
		return;
	}
	attr->exclude_guest = !levels || has(mods, 'u') || has(mods, 'p');
}

void modifiers_apply(struct event *event, struct modifiers mods)
{
	struct perf_event_attr *attr = &event->attr;

	apply_levels(attr, mods);
	apply_guests(attr, mods);
	attr->precise_ip = (has(mods, 'P') ? 3 : mods.precise) & 3;
	attr->pinned = has(mods, 'D');
	attr->exclusive = has(mods, 'e');
	attr->exclude_idle = has(mods, 'I');
	event->precise_max = has(mods, 'P');
	event->weak = has(mods, 'W');
}

int modifiers_append(struct event *event, struct span mods)
{
	size_t len = strlen(event->name);
	bool slashed = len && event->name[len - 1] == '/';
	char *name;

	if (!mods.len)
		return 0;
	if (asprintf(&name, "%s%s%.*s", event->name, slashed ? "" : ":", (int)mods.len, mods.at) < 0)
		return -ENOMEM;
	free(event->name);
	event->name = name;
	return 0;
}

int modifiers_name(struct event *event, struct modifiers own, struct modifiers group)
{
	/* The others say how a group is scheduled, not what is counted. */
	static const char shown[] = "ukhGHPI";
	char extra[sizeof(shown) + 3];
	struct span mods = { extra, 0 };
	char *name;

	for (const char *letter = shown; *letter; letter++)
		if (has(group, *letter) && !has(own, *letter))
			extra[mods.len++] = *letter;
	for (unsigned i = own.precise; i < group.precise && mods.len < sizeof(extra); i++)
		extra[mods.len++] = 'p';
	if (!mods.len || !own.set)
		return modifiers_append(event, mods);
	if (asprintf(&name, "%s%.*s", event->name, (int)mods.len, extra) < 0)
		return -ENOMEM;
	free(event->name);
	event->name = name;
	return 0;
}
