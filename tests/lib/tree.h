/* A folder with small files in it, made for one test, as a stand-in for /proc, sysfs or tracefs. */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include <limits.h>

struct tree {
	char root[PATH_MAX]; /* absolute */
};

/* Makes an empty one below the current folder. Failures of any of these end the test program. */
void tree_init(struct tree *tree);

/*
 * Writes text to a file; path is below the root and its folders are made. A path that ends in '/' makes just
 * folders.
 */
void tree_write(const struct tree *tree, const char *path, const char *text);

/* Removes it with all that is in it. */
void tree_fini(struct tree *tree);

#endif
