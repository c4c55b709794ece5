/* A main for fuzz targets where there is no libFuzzer: runs the target once over each file named, and over those in folders. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* 1 = replayed, 0 = it is a folder or the like, -1 = cannot be read. */
static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t len = 0, got;

	if (!file)
		return -1;
	do {
		uint8_t *grown = realloc(bytes, len + 65536);

		if (!grown)
			abort();
		bytes = grown;
		got = fread(bytes + len, 1, 65536, file);
		len += got;
	} while (got);
	if (ferror(file)) {
		(void)fclose(file);
		free(bytes);
		return 0;
	}
	(void)fclose(file);
	bytes = realloc(bytes, len ? len : 1); /* a sanitizer shall see the first byte beyond */
	if (!bytes)
		abort();
	(void)LLVMFuzzerTestOneInput(bytes, len);
	free(bytes);
	return 1;
}

static int replay_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	int n = 0;

	if (!folder)
		return -1;
	while ((entry = readdir(folder)) != NULL) {
		char name[4096];

		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (replay_file(name) > 0)
			n++;
	}
	(void)closedir(folder);
	return n;
}

int main(int argc, char **argv)
{
	int total = 0;

	for (int i = 1; i < argc; i++) {
		int n = replay_file(argv[i]);

		if (n == 0)
			n = replay_folder(argv[i]);
		if (n <= 0) {
			(void)fprintf(stderr, "%s: nothing to replay in %s\n", argv[0], argv[i]);
			return EXIT_FAILURE;
		}
		total += n;
	}
	(void)printf("%d inputs\n", total);
	return total ? EXIT_SUCCESS : EXIT_FAILURE;
}
