/* Times round trips: what the benchmark measures a controller's wait with. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller.h"

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* One timed round trip. The text answers of perf are five bytes, unless it refuses. */
static int timed(struct controller *ctl, bool text, bool resume, uint64_t *ns)
{
	const char *line = resume ? "enable\n" : "disable\n";
	char answer[5];
	uint64_t start = controller_now_ns();
	int result;

	if (text)
		result = controller_write(ctl, line, strlen(line)) ||
			 controller_read(ctl, answer, sizeof(answer)) != 1 || memcmp(answer, "ack", 3) != 0;
	else
		result = controller_command(ctl, resume ? WORD_RESUME : WORD_PAUSE);
	*ns = controller_now_ns() - start;
	return result ? controller_fail(ctl, "not acknowledged") : 0;
}

int controller_time(struct controller *ctl, const char *text, bool as_text)
{
	long count;
	uint64_t *ns;
	int result = 0;

	if (controller_number(ctl, text, &count))
		return -1;
	if (count < 1)
		return controller_fail(ctl, "nothing to time");
	ns = calloc((size_t)count, sizeof(*ns));
	if (!ns)
		return controller_fail(ctl, "out of memory");
	for (long i = 0; i < count && result == 0; i++)
		result = timed(ctl, as_text, i % 2 == 0, &ns[i]);
	qsort(ns, (size_t)count, sizeof(*ns), by_value);
	if (result == 0)
		printf("{\"n\": %ld, \"p50_ns\": %llu, \"p99_ns\": %llu, \"max_ns\": %llu}\n", count,
		       (unsigned long long)ns[count / 2], (unsigned long long)ns[count * 99 / 100],
		       (unsigned long long)ns[count - 1]);
	free(ns);
	return fflush(stdout) ? controller_fail(ctl, "standard output: %s", strerror(errno)) : result;
}
