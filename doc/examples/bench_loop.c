/*
 * A benchmark whose iterations are measured one by one: a thousand of them, each in a window of its own, and what prepares
 * an iteration in none.
 *
 *	cc -O2 -o bench_loop bench_loop.c
 *	pstat record -D -1 -I 0 --workload-control -e task-clock,page-faults -o bench.data -- ./bench_loop
 *	pstat-report -f csv bench.data			one row per iteration and event
 *
 * -I 0: counters are read at the end of each window only.
 */
#include <pstat/control.h>

#include <stdint.h>
#include <stdio.h>

#define ITERATIONS 1000
#define BYTES 4096

static unsigned char block[BYTES];

static void prepare(unsigned int iteration)
{
	for (size_t i = 0; i < BYTES; i++)
		block[i] = (unsigned char)(i * iteration);
}

/* What is measured: Adler-32. */
static uint32_t checksum(void)
{
	uint32_t a = 1, b = 0;

	for (size_t i = 0; i < BYTES; i++) {
		a = (a + block[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

int main(void)
{
	uint32_t all = 0;
	int rc = pstat_open();

	for (unsigned int i = 0; rc == 0 && i < ITERATIONS; i++) {
		uint32_t sum;

		prepare(i);
		rc = pstat_resume_as("iteration");
		sum = checksum();
		if (rc == 0)
			rc = pstat_pause();
		all ^= sum; /* the result is used, so the work cannot be left out */
	}
	if (rc < 0) {
		fprintf(stderr, "bench_loop: %s\n", strerror(-rc));
		return 1;
	}
	pstat_close();
	printf("checksum %08x\n", (unsigned int)all);
	return 0;
}
