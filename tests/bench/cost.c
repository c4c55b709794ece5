/* Measures what the benchmark compares: the cost of a whole command, and the least that counting and reading can cost. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MAX 1024
#define GROUP 4

static const unsigned long long events[GROUP] = {
	PERF_COUNT_SW_TASK_CLOCK,
	PERF_COUNT_SW_PAGE_FAULTS,
	PERF_COUNT_SW_CONTEXT_SWITCHES,
	PERF_COUNT_SW_CPU_MIGRATIONS,
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/*
 * Runs a command and writes its cost as JSON to path. From this small process, because the peak memory that wait4(2) tells of
 * includes what the process had before its exec.
 */
static int run(const char *path, char **argv)
{
	uint64_t start = clock_ns(CLOCK_MONOTONIC), wall;
	struct rusage usage;
	int status;
	FILE *out;
	pid_t pid = fork();

	if (pid < 0) {
		perror("cost: fork");
		return 99;
	}
	if (pid == 0) {
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return 99;
	wall = clock_ns(CLOCK_MONOTONIC) - start;
	out = fopen(path, "we");
	if (!out) {
		perror(path);
		return 99;
	}
	fprintf(out, "{\"wall_s\": %.6f, \"cpu_s\": %.6f, \"peak_kib\": %ld}\n", (double)wall / 1e9,
		seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
	if (fclose(out)) {
		perror(path);
		return 99;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* A group of the four software events, on one CPU or (cpu -1) on this thread. The leader's descriptor, or -1. */
static int open_group(int cpu)
{
	int leader = -1;

	for (size_t i = 0; i < GROUP; i++) {
		struct perf_event_attr attr;
		long fd;

		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = events[i];
		attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
				   PERF_FORMAT_TOTAL_TIME_RUNNING;
		attr.exclude_kernel = cpu < 0;
		fd = syscall(SYS_perf_event_open, &attr, cpu < 0 ? 0 : -1, cpu, leader, (unsigned long)PERF_FLAG_FD_CLOEXEC);
		if (fd < 0) {
			perror("cost: perf_event_open");
			return -1;
		}
		if (i == 0)
			leader = (int)fd;
	}
	return leader;
}

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

/* CPU time of one reading of all CPUs, each from itself, in us; negative when the kernel refuses. */
static double read_all_us(int rounds)
{
	static const struct timespec pause = { 0, 1000000 };
	uint64_t buffer[3 + 2 * GROUP], start;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int leaders[CPUS_MAX];

	for (int cpu = 0; cpu < cpus && cpu < CPUS_MAX; cpu++) {
		leaders[cpu] = open_group(cpu);
		if (leaders[cpu] < 0)
			return -1;
	}
	start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (int i = 0; i < rounds; i++) {
		nanosleep(&pause, NULL);
		for (int cpu = 0; cpu < cpus && cpu < CPUS_MAX; cpu++) {
			move_to(cpu);
			if (read(leaders[cpu], buffer, sizeof(buffer)) < 0)
				return -1;
		}
	}
	return (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start) / 1e3 / rounds;
}

/* One ioctl that stops or starts a group of this thread, in us; negative when the kernel refuses. */
static double toggle_us(int rounds)
{
	int leader = open_group(-1);
	uint64_t start = clock_ns(CLOCK_MONOTONIC);

	if (leader < 0)
		return -1;
	for (int i = 0; i < rounds; i++)
		if (ioctl(leader, i % 2 ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) < 0)
			return -1;
	return (double)(clock_ns(CLOCK_MONOTONIC) - start) / 1e3 / rounds;
}

/*
 * The least that going through a perf.data costs: its bytes are read once and the size of each record is looked at. Begins
 * at the section that its header names. 0 when the last record ends where the section does.
 */
static int hop(const char *path)
{
	static uint8_t block[(512 << 10) + 65536];
	struct {
		uint64_t magic, size, attr_size, attrs, attrs_size, data, data_size;
	} header;
	size_t have = 0, at = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, &header, sizeof(header)) != sizeof(header) || lseek(fd, (off_t)header.data, SEEK_SET) < 0) {
		perror(path);
		return 99;
	}
	for (uint64_t left = header.data_size; left;) {
		size_t room = sizeof(block) - have;
		ssize_t n = read(fd, block + have, room < left ? room : left);
		struct perf_event_header record;

		if (n <= 0)
			return 99;
		have += (size_t)n;
		left -= (uint64_t)n;
		for (at = 0; have - at >= sizeof(record); at += record.size) {
			memcpy(&record, block + at, sizeof(record));
			if (record.size < sizeof(record) || record.size > have - at)
				break;
		}
		have -= at;
		memmove(block, block + at, have);
	}
	close(fd);
	return have ? 99 : 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "hop") == 0)
		return hop(argv[2]);
	if (argc > 3 && strcmp(argv[1], "run") == 0)
		return run(argv[2], argv + 3);
	if (argc == 2 && strcmp(argv[1], "floor") == 0) {
		double toggle = toggle_us(20000), reading = read_all_us(2000);

		printf("{\"toggle_us\": %.3f, \"reading_us\": %.3f}\n", toggle, reading);
		return toggle < 0 || reading < 0;
	}
	fputs("usage: cost run OUT COMMAND [ARG ...] | cost floor | cost hop FILE\n", stderr);
	return 2;
}
