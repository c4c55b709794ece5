/* A folder of its own for a test that needs files. */
#ifndef TESTS_TEMPDIR_H
#define TESTS_TEMPDIR_H

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes one below the current directory; path has room for 64 bytes. */
static inline void tempdir_make(char *path)
{
	strcpy(path, "tmp-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(path));
}

static inline int tempdir_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Removes it with all that is in it. */
static inline void tempdir_remove(const char *path)
{
	ck_assert_int_eq(nftw(path, tempdir_remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

#endif
