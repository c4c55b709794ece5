/* A program that measures itself through pstat/control.h: toggles by the thousand, also from several threads at once. */
#include <pstat/control.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define THREADS_MAX 64

struct toggler {
	pthread_t thread;
	long pairs, answered;
	int rc; /* of the first call that failed */
};

static void *toggle(void *data)
{
	struct toggler *self = data;

	for (long i = 0; i < self->pairs && !self->rc; i++) {
		self->rc = pstat_resume_as("toggle");
		self->answered += self->rc == 0;
		if (self->rc == 0)
			self->rc = pstat_pause();
		self->answered += self->rc == 0;
	}
	return NULL;
}

/* The peak memory of the parent, which is pstat, in KiB; -1 when it cannot be told. */
static long parent_peak_kib(void)
{
	char path[64], line[128];
	long kib = -1;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)getppid());
	status = fopen(path, "r");
	if (!status)
		return -1;
	while (kib < 0 && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmHWM: %ld", &kib) != 1)
			kib = -1;
	fclose(status);
	return kib;
}

/* Prints the calls that were answered, and pstat's peak memory behind them. */
static int toggles(long pairs, long n)
{
	struct toggler togglers[THREADS_MAX] = { 0 };
	long answered = 0, peak;
	int rc = 0;

	for (long i = 0; i < n; i++) {
		togglers[i].pairs = pairs;
		if (pthread_create(&togglers[i].thread, NULL, toggle, &togglers[i])) {
			fputs("toggler: no thread\n", stderr);
			return 1;
		}
	}
	for (long i = 0; i < n; i++) {
		pthread_join(togglers[i].thread, NULL);
		answered += togglers[i].answered;
		rc = rc ? rc : togglers[i].rc;
	}
	peak = parent_peak_kib();
	if (rc < 0)
		fprintf(stderr, "toggler: %s\n", strerror(-rc));
	printf("%ld %ld\n", answered, peak);
	return rc < 0;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static int mark(void)
{
	return pstat_mark("a mark");
}

/* The kinds of calls, in the turns in which cost makes them. */
static const struct kind {
	const char *name;
	int (*call)(void);
} kinds[] = {
	{ "resume", pstat_resume },
	{ "mark", mark },
	{ "pause", pstat_pause },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* How long each call takes, in ns, into times. 0 or -errno. */
static int time_calls(long calls, bool with_mark, uint64_t *times[KINDS])
{
	int rc = 0;

	for (long i = 0; i < calls; i++) {
		for (size_t k = 0; k < KINDS && rc == 0; k++) {
			uint64_t start = now_ns();

			if (kinds[k].call == mark && !with_mark)
				continue;
			rc = kinds[k].call();
			times[k][i] = now_ns() - start;
		}
	}
	return rc;
}

/* Prints, as JSON, the median cost of each kind of call under pstat. */
static int cost(long calls, bool with_mark)
{
	uint64_t *times[KINDS];
	int rc = 0;

	for (size_t k = 0; k < KINDS; k++) {
		times[k] = calloc((size_t)calls, sizeof(*times[k]));
		rc = times[k] ? rc : -ENOMEM;
	}
	if (rc == 0)
		rc = time_calls(calls, with_mark, times);
	for (size_t k = 0; k < KINDS && rc == 0; k++) {
		qsort(times[k], (size_t)calls, sizeof(*times[k]), by_value);
		printf("%s\"%s_ns\": %" PRIu64 "%s", k ? ", " : "{", kinds[k].name, times[k][calls / 2], k + 1 < KINDS ? "" : "}\n");
	}
	if (rc < 0)
		fprintf(stderr, "toggler: %s\n", strerror(-rc));
	for (size_t k = 0; k < KINDS; k++)
		free(times[k]);
	return rc < 0;
}

/* Prints what a call costs where the program is not run under pstat: the mean of very many, written as a program has them. */
static int idle(long calls)
{
	uint64_t begin = now_ns();
	int rc = 0;

	for (long i = 0; i < calls; i++)
		rc |= i % 2 ? pstat_pause() : pstat_resume();
	printf("{\"call_ns\": %.3f}\n", (double)(now_ns() - begin) / (double)calls);
	return rc < 0;
}

int main(int argc, char **argv)
{
	long first = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	long threads = argc > 3 ? strtol(argv[3], NULL, 10) : 1;
	int rc = pstat_open();

	if (rc < 0) {
		fprintf(stderr, "toggler: no control over pstat: %s\n", strerror(-rc));
		return 1;
	}
	if (argc >= 3 && strcmp(argv[1], "toggle") == 0 && first > 0 && threads > 0 && threads <= THREADS_MAX)
		return toggles(first, threads);
	if (argc >= 3 && strcmp(argv[1], "cost") == 0 && first > 0 && pstat_active())
		return cost(first, argc == 3);
	if (argc == 3 && strcmp(argv[1], "idle") == 0 && first > 0 && !pstat_active())
		return idle(first);
	fputs("usage: toggler toggle PAIRS [THREADS] | cost CALLS [without-marks] | idle CALLS\n", stderr);
	return 2;
}
