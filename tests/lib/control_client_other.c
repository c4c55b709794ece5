/* A second translation unit with the client header in it, and the strictest C it promises to be: C99. */
#include <pstat/control.h>

int other_unit_resume(const char *text);
int other_unit_open(void);

int other_unit_resume(const char *text)
{
	return pstat_resume_as(text);
}

int other_unit_open(void)
{
	return pstat_open();
}
