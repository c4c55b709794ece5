/* The table of views, in the order that help shows them. */
#include "report/views.h"

#include <string.h>

const struct view *const views[] = {
	&view_summary,
	&view_timeline,
	&view_csv,
	&view_csv_wide,
	&view_json,
	&view_stats,
	&view_dump,
	&view_header,
	NULL,
};

const struct view *view_find(const char *name)
{
	for (size_t i = 0; views[i]; i++)
		if (!strcmp(views[i]->name, name))
			return views[i];
	return NULL;
}
