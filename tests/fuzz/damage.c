/*
 * damage N FILE|FOLDER...: reads each file cut at N places and with N single bytes changed, always the same ones, and fails
 * when a reading takes longer than it may. What else can go wrong - a crash, a sanitizer's report - ends the program.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "report/report.h"

#define SECONDS_MAX 20 /* for one reading, on a busy machine and with sanitizers */

struct input {
	const char *path;
	uint8_t *bytes;
	size_t len;
};

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* The bytes stand in a block of their own size, so that a sanitizer sees the first one beyond. */
static void read_once(const struct input *input, const uint8_t *bytes, size_t len, const char *what, size_t at, FILE *out)
{
	static const struct view_options options = { .first = true };
	uint64_t start = clock_mono_ns(&clock_system);
	struct source *source;
	struct reader *reader;

	if (source_open_memory(&source, bytes, len, false, NULL) == 0 && reader_open(&reader, source, NULL) == 0) {
		ps_ignore(report_run(view_find("stats"), &options, input->path, reader, out, NULL)); /* any outcome is fine */
		reader_free(reader);
	}
	if (clock_mono_ns(&clock_system) - start < SECONDS_MAX * NS_PER_S)
		return;
	fprintf(stderr, "damage: %s %s %zu took more than %d s\n", input->path, what, at, SECONDS_MAX);
	exit(EXIT_FAILURE);
}

static void cut(const struct input *input, size_t at, FILE *out)
{
	uint8_t *bytes = malloc(at ? at : 1);

	if (!bytes)
		abort();
	memcpy(bytes, input->bytes, at);
	read_once(input, bytes, at, "cut at", at, out);
	free(bytes);
}

static void change(const struct input *input, size_t at, uint8_t bits, FILE *out)
{
	input->bytes[at] ^= bits;
	read_once(input, input->bytes, input->len, "changed at", at, out);
	input->bytes[at] ^= bits;
}

/* Half of the changes hit the first KiB, where the head is and each byte matters. */
static void damage(const struct input *input, size_t n, FILE *out)
{
	uint64_t random = UINT64_C(0x9e3779b97f4a7c15) ^ input->len;

	for (size_t i = 0; i < n && input->len; i++) {
		size_t span = i % 2 && input->len > 1024 ? 1024 : input->len;

		cut(input, (size_t)(next_random(&random) % (input->len + 1)), out);
		change(input, (size_t)(next_random(&random) % span), (uint8_t)(1 + next_random(&random) % 255), out);
	}
}

static void damage_file(const char *path, size_t n, FILE *out)
{
	struct input input = { path, NULL, 0 };
	FILE *file = fopen(path, "rb");
	struct stat st;

	if (!file || fstat(fileno(file), &st) != 0) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	input.len = (size_t)st.st_size;
	input.bytes = malloc(input.len ? input.len : 1);
	if (!input.bytes || fread(input.bytes, 1, input.len, file) != input.len) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	(void)fclose(file);
	damage(&input, n, out);
	free(input.bytes);
}

/* The recordings of a folder, or a file. Returns how many. */
static size_t damage_all(const char *path, size_t n, FILE *out)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	size_t files = 0;

	if (!folder) {
		damage_file(path, n, out);
		return 1;
	}
	while ((entry = readdir(folder)) != NULL) {
		const char *end = strrchr(entry->d_name, '.');
		char name[4096];

		if (!end || strcmp(end, ".data") != 0)
			continue;
		(void)snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		damage_file(name, n, out);
		files++;
	}
	(void)closedir(folder);
	return files;
}

int main(int argc, char **argv)
{
	FILE *out = fopen("/dev/null", "w");
	size_t n = argc > 2 ? strtoul(argv[1], NULL, 10) : 0, files = 0;

	if (!n || !out) {
		fputs("usage: damage N FILE|FOLDER...\n", stderr);
		return 2;
	}
	for (int i = 2; i < argc; i++)
		files += damage_all(argv[i], n, out);
	(void)fclose(out);
	printf("%zu files, each cut %zu times and changed %zu times\n", files, n, n);
	return files ? EXIT_SUCCESS : EXIT_FAILURE;
}
