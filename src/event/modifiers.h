/* The letters after an event's or a group's name: what is counted of it and how it is scheduled. */
#ifndef EVENT_MODIFIERS_H
#define EVENT_MODIFIERS_H

#include "event/resolve.h"

#define MODIFIER_LETTERS "ukhGHpPSDWIe"

struct modifiers {
	unsigned set;     /* bit per letter of MODIFIER_LETTERS */
	unsigned precise; /* how many p */
};

/* Are all its characters modifier letters? */
bool modifiers_are(struct span text);

/* 0, or -EINVAL with err filled and *bad at the letter that is unknown or there too often. */
int modifiers_parse(struct modifiers *mods, struct span text, const char **bad, struct ps_error *err);

/* What an event in a group has: its own and the group's together. */
struct modifiers modifiers_join(struct modifiers own, struct modifiers group);

/* Fills the event's attr, weak and precise_max. To be called for each event, also when there are none. */
void modifiers_apply(struct event *event, struct modifiers mods);

/* Appends modifiers, as the user wrote them, to the event's name. 0 or -ENOMEM. */
int modifiers_append(struct event *event, struct span mods);

/* Appends to the event's name those letters that it has from the group and not itself. 0 or -ENOMEM. */
int modifiers_name(struct event *event, struct modifiers own, struct modifiers group);

#endif
