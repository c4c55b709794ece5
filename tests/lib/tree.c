/* A folder with small files in it. */
#include "lib/tree.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void fail(const char *what)
{
	perror(what);
	abort();
}

void tree_init(struct tree *tree)
{
	char name[] = "tree.XXXXXX";

	if (!mkdtemp(name))
		fail("mkdtemp");
	if (!realpath(name, tree->root))
		fail(name);
}

void tree_write(const struct tree *tree, const char *path, const char *text)
{
	char full[2 * PATH_MAX];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", tree->root, path);
	for (char *at = full + strlen(tree->root) + 1; (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		if (mkdir(full, 0700) < 0 && errno != EEXIST)
			fail(full);
	}
	if (full[strlen(full) - 1] == '/')
		return;
	file = fopen(full, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		fail(full);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void tree_fini(struct tree *tree)
{
	if (nftw(tree->root, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0)
		fail(tree->root);
}
