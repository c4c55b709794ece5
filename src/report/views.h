/* Every view there is, for the table; programs reach them through view_find. */
#ifndef REPORT_VIEWS_H
#define REPORT_VIEWS_H

#include "report/view.h"

extern const struct view view_summary;
extern const struct view view_timeline;
extern const struct view view_csv;
extern const struct view view_csv_wide;
extern const struct view view_json;
extern const struct view view_stats;
extern const struct view view_dump;
extern const struct view view_header;

#endif
