#include "report/view.h"
const struct view view_dump = { .name = "dump" };
