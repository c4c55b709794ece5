/* A folder with small files in it. */
#include "lib/tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/tempdir.h"

static void give_up(const char *what)
{
	perror(what);
	abort();
}

void tree_init(struct tree *tree)
{
	char name[64];

	tempdir_make(name);
	if (!realpath(name, tree->root))
		give_up(name);
}

void tree_write(const struct tree *tree, const char *path, const char *text)
{
	char full[2 * PATH_MAX];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", tree->root, path);
	for (char *at = full + strlen(tree->root) + 1; (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		if (mkdir(full, 0700) < 0 && errno != EEXIST)
			give_up(full);
	}
	if (full[strlen(full) - 1] == '/')
		return;
	file = fopen(full, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		give_up(full);
}

void tree_fini(struct tree *tree)
{
	tempdir_remove(tree->root);
}
