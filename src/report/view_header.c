#include "report/view.h"
const struct view view_header = { .name = "header" };
