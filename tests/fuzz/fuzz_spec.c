/* Any text given as a list of events is taken, or refused and the list left as it was; nothing leaks. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "event/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct event_list list = { 0 };
	struct ps_error err = PS_ERROR_INIT;
	char *text = malloc(size + 1);
	int rc;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	rc = event_list_parse(&list, text, &err);
	if (rc < 0 && (list.n || list.n_groups || err.code != -rc || !err.what[0]))
		abort();
	if (rc >= 0 && !list.n)
		abort();
	for (size_t i = 0; i < list.n; i++)
		if (!list.events[i].name || list.events[i].group >= list.n_groups)
			abort();
	event_list_fini(&list);
	free(text);
	return 0;
}
