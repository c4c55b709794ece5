/*
 * Three regions of a program, each counted under its own name; what is between them is not.
 *
 *	cc -o regions regions.c
 *	pstat record -D -1 --workload-control -o regions.data -- ./regions
 *	pstat-report regions.data
 *
 * Run by itself it does the same work, and nothing else.
 */
#include <pstat/control.h>

#include <stdint.h>
#include <stdio.h>

#define NUMBERS 200000

static uint32_t numbers[NUMBERS];

static void generate(void)
{
	uint32_t state = 2463534242u;

	for (size_t i = 0; i < NUMBERS; i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		numbers[i] = state;
	}
}

static int by_value(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

static size_t search(void)
{
	size_t found = 0;

	for (uint32_t key = 0; key < NUMBERS; key++)
		found += bsearch(&key, numbers, NUMBERS, sizeof(numbers[0]), by_value) != NULL;
	return found;
}

int main(void)
{
	size_t found = 0;
	int rc = pstat_open();

	if (rc < 0) {
		fprintf(stderr, "regions: no control over pstat: %s\n", strerror(-rc));
		return 1;
	}
	PSTAT_WINDOW("generate")
		generate();
	PSTAT_WINDOW("sort")
		qsort(numbers, NUMBERS, sizeof(numbers[0]), by_value);
	PSTAT_WINDOW("search")
		found = search();
	pstat_close();
	printf("%zu of %d found\n", found, NUMBERS);
	return 0;
}
