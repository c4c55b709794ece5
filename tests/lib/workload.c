/* Programs to be measured: each does one thing that can be told from its counts. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static void nap_ms(uint64_t ms)
{
	struct timespec left = { (time_t)(ms / 1000), (long)(ms % 1000 * 1000000) };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* Uses CPU time until the process has used up ms more of it. */
static void spin_ms(uint64_t ms)
{
	uint64_t end = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000U;

	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end)
		;
}

/* Touches n fresh pages, each a page fault (huge pages are declined). 0 or 1. */
static int fault_pages(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *memory = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		perror("workload: mmap");
		return 1;
	}
	(void)madvise((void *)(uintptr_t)memory, n * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < n; i++)
		memory[i * page] = 1;
	return munmap((void *)(uintptr_t)memory, n * page) ? 1 : 0;
}

/* n children one after another, each with ms of CPU time and 100 page faults. */
static int fork_children(uint64_t n, uint64_t ms)
{
	for (uint64_t i = 0; i < n; i++) {
		pid_t pid = fork();
		int status;

		if (pid < 0) {
			perror("workload: fork");
			return 1;
		}
		if (pid == 0) {
			spin_ms(ms);
			_exit(fault_pages(100));
		}
		if (waitpid(pid, &status, 0) < 0 || status)
			return 1;
	}
	return 0;
}

/* A program with phases to look at: start-up that faults pages in, steady work, waiting, in turns for ms. */
static int phases(uint64_t ms)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + ms * 1000000U;

	if (fault_pages(20000))
		return 1;
	for (unsigned turn = 0; clock_ns(CLOCK_MONOTONIC) < end; turn++) {
		if (turn % 3 == 2)
			nap_ms(60);
		else
			spin_ms(40);
		if (fault_pages(200 + 300 * (turn % 4)))
			return 1;
	}
	return 0;
}

/* Answers every four bytes of fd in with four bytes on fd out: the cheapest thing a controller can talk to. */
static int echo(int in, int out)
{
	int32_t word;

	while (read(in, &word, sizeof(word)) == (ssize_t)sizeof(word)) {
		word = 2;
		if (write(out, &word, sizeof(word)) != (ssize_t)sizeof(word))
			return 1;
	}
	return 0;
}

/* Ignores the polite signals, says so by making a file, and stays until it is killed or path is there. */
static int stubborn(const char *ready, const char *path)
{
	int fd;

	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	fd = open(ready, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0) {
		perror(ready);
		return 1;
	}
	close(fd);
	while (access(path, F_OK))
		nap_ms(5);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	uint64_t number = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;

	if (argc == 3 && strcmp(what, "spin") == 0) {
		spin_ms(number);
		return 0;
	}
	if (argc == 3 && strcmp(what, "faults") == 0)
		return fault_pages((size_t)number);
	if (argc == 3 && strcmp(what, "phases") == 0)
		return phases(number);
	if (argc == 4 && strcmp(what, "forks") == 0)
		return fork_children(number, strtoull(argv[3], NULL, 0));
	if (argc == 4 && strcmp(what, "echo") == 0)
		return echo((int)number, atoi(argv[3]));
	if (argc == 4 && strcmp(what, "stubborn") == 0)
		return stubborn(argv[2], argv[3]);
	fputs("usage: workload spin MS | faults N | phases MS | forks N MS | echo FD FD | stubborn READY END\n", stderr);
	return 2;
}
