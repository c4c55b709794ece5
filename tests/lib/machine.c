/* Tells whether this kernel can count something, without any of pstat's code: what skips are judged by. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct probe {
	const char *name;
	unsigned type;
	unsigned long long config;
	pid_t pid;
	int cpu;
} probes[] = {
	{ "counting", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, -1 },
	{ "system-wide", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, -1, 0 },
	{ "hardware", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, -1 },
};

static int run(const struct probe *probe)
{
	struct perf_event_attr attr;
	long fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = PERF_ATTR_SIZE_VER5;
	attr.type = probe->type;
	attr.config = probe->config;
	attr.disabled = 1;
	attr.exclude_kernel = probe->pid == 0;
	attr.exclude_hv = 1;
	fd = syscall(SYS_perf_event_open, &attr, probe->pid, probe->cpu, -1, 0UL);
	if (fd < 0) {
		printf("perf_event_open: %s\n", strerror(errno));
		return 1;
	}
	close((int)fd);
	return 0;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(probes) / sizeof(probes[0]); i++)
		if (strcmp(probes[i].name, argv[1]) == 0)
			return run(&probes[i]);
	fputs("usage: machine counting|system-wide|hardware\n", stderr);
	return 99;
}
