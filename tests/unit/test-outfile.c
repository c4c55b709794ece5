/* An output file appears whole or not at all, keeps what it replaces, and never touches what is no regular file. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/outfile.h"
#include "base/textfile.h"
#include "lib/tempdir.h"
#include "lib/unit.h"

static char dir[64], path[128];

static void setup(void)
{
	tempdir_make(dir);
	snprintf(path, sizeof(path), "%s/out", dir);
}

static void teardown(void)
{
	tempdir_remove(dir);
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void assert_content(const char *name, const char *text)
{
	char *got = NULL;

	ck_assert_int_ge(textfile_read(name, 100, &got, NULL), 0);
	ck_assert_str_eq(got, text);
	free(got);
}

/* Names in the folder, hidden ones too. */
static size_t entries(void)
{
	char pattern[128];
	glob_t found;
	size_t n;

	snprintf(pattern, sizeof(pattern), "%s/{.[!.]*,*}", dir);
	if (glob(pattern, GLOB_BRACE, NULL, &found) != 0)
		return 0;
	n = found.gl_pathc;
	globfree(&found);
	return n;
}

START_TEST(nothing_has_the_name_before_publish)
{
	struct outfile out;

	ck_assert_int_eq(outfile_open(&out, path, NULL), 0);
	ck_assert(out.seekable);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(outfile_close(&out, NULL), 0);
	ck_assert_uint_eq(entries(), 0);
}
END_TEST

START_TEST(published_file_is_private_and_whole)
{
	struct outfile out;
	struct stat st;

	ck_assert_int_eq(outfile_open(&out, path, NULL), 0);
	ck_assert_int_eq(write(out.fd, "new", 3), 3);
	ck_assert_int_eq(outfile_publish(&out, true, NULL), 0);
	ck_assert_int_eq(outfile_publish(&out, true, NULL), 0);
	ck_assert_int_eq(outfile_close(&out, NULL), 0);
	assert_content(path, "new");
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	ck_assert_uint_eq(entries(), 1);
}
END_TEST

START_TEST(existing_file_becomes_old_when_asked)
{
	struct outfile out;
	char old[160];

	snprintf(old, sizeof(old), "%s.old", path);
	write_file(path, "before");
	ck_assert_int_eq(outfile_open(&out, path, NULL), 0);
	assert_content(path, "before");
	ck_assert_int_eq(outfile_publish(&out, true, NULL), 0);
	assert_content(old, "before");
	ck_assert_int_eq(outfile_close(&out, NULL), 0);
	ck_assert_uint_eq(entries(), 2);
}
END_TEST

START_TEST(without_old_it_is_replaced)
{
	struct outfile out;

	write_file(path, "before");
	ck_assert_int_eq(outfile_open(&out, path, NULL), 0);
	ck_assert_int_eq(outfile_publish(&out, false, NULL), 0);
	ck_assert_int_eq(outfile_close(&out, NULL), 0);
	assert_content(path, "");
	ck_assert_uint_eq(entries(), 1);
}
END_TEST

START_TEST(link_stays_and_what_it_names_is_replaced)
{
	struct outfile out;
	char link[160];
	struct stat st;

	snprintf(link, sizeof(link), "%s/link", dir);
	write_file(path, "before");
	ck_assert_int_eq(symlink("out", link), 0);
	ck_assert_int_eq(outfile_open(&out, link, NULL), 0);
	ck_assert_int_eq(write(out.fd, "new", 3), 3);
	ck_assert_int_eq(outfile_publish(&out, false, NULL), 0);
	ck_assert_int_eq(outfile_close(&out, NULL), 0);
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	assert_content(path, "new");
}
END_TEST

/* To where links lead: a name in the same folder, over another link, and an absolute one. */
START_TEST(link_to_nothing_stays_and_what_it_names_is_made)
{
	static const char *const targets[] = { "out", "second", NULL };
	struct outfile out;
	char link[160], second[160], whole[PATH_MAX], target[PATH_MAX + 160];
	struct stat st;

	ck_assert_ptr_nonnull(realpath(dir, whole));
	if (targets[_i])
		snprintf(target, sizeof(target), "%s", targets[_i]);
	else
		snprintf(target, sizeof(target), "%s/out", whole);
	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(second, sizeof(second), "%s/second", dir);
	ck_assert_int_eq(symlink("out", second), 0);
	ck_assert_int_eq(symlink(target, link), 0);
	ck_assert_int_eq(outfile_open(&out, link, NULL), 0);
	ck_assert_int_eq(write(out.fd, "new", 3), 3);
	ck_assert_int_eq(outfile_publish(&out, true, NULL), 0);
	ck_assert_int_eq(outfile_close(&out, NULL), 0);
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	assert_content(path, "new");
	ck_assert_uint_eq(entries(), 3);
}
END_TEST

START_TEST(link_to_itself_is_refused)
{
	struct ps_error err = PS_ERROR_INIT;
	struct outfile out;

	ck_assert_int_eq(symlink("out", path), 0);
	ck_assert_int_eq(outfile_open(&out, path, &err), -ELOOP);
	ck_assert_ptr_nonnull(strstr(err.what, path));
	ck_assert_uint_eq(entries(), 1);
}
END_TEST

START_TEST(shared_file_has_the_mode_of_the_umask)
{
	struct outfile out;
	struct stat st;
	mode_t mask = umask(026);

	ck_assert_int_eq(outfile_open(&out, path, NULL), 0);
	ck_assert_int_eq(outfile_share(&out, NULL), 0);
	ck_assert_int_eq(outfile_publish(&out, true, NULL), 0);
	ck_assert_int_eq(outfile_close(&out, NULL), 0);
	ck_assert_uint_eq(umask(mask), 026);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0640);
}
END_TEST

START_TEST(what_is_no_regular_file_is_used_as_it_is)
{
	struct outfile out;
	struct stat st;

	ck_assert_int_eq(outfile_open(&out, "/dev/null", NULL), 0);
	ck_assert(!out.seekable);
	ck_assert_int_eq(outfile_share(&out, NULL), 0);
	ck_assert_int_eq(outfile_publish(&out, true, NULL), 0);
	ck_assert_int_eq(outfile_close(&out, NULL), 0);
	ck_assert_int_eq(stat("/dev/null", &st), 0);
	ck_assert(S_ISCHR(st.st_mode));
}
END_TEST

START_TEST(what_cannot_be_made_is_refused_with_its_name)
{
	static const struct { const char *path; int code; } cases[] = {
		{ ".", EISDIR }, { "", ENOENT }, { "no/such/folder/x", ENOENT }, { "a/", EISDIR },
		{ "/dev/null/x", ENOTDIR },
	};
	struct ps_error err = PS_ERROR_INIT;
	struct outfile out;

	ck_assert_int_eq(outfile_open(&out, cases[_i].path, &err), -cases[_i].code);
	ck_assert_ptr_nonnull(strstr(err.what, cases[_i].path));
	ck_assert_int_eq(out.fd, -1);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, nothing_has_the_name_before_publish);
	tcase_add_test(tcase, published_file_is_private_and_whole);
	tcase_add_test(tcase, existing_file_becomes_old_when_asked);
	tcase_add_test(tcase, without_old_it_is_replaced);
	tcase_add_test(tcase, link_stays_and_what_it_names_is_replaced);
	tcase_add_loop_test(tcase, link_to_nothing_stays_and_what_it_names_is_made, 0, 3);
	tcase_add_test(tcase, link_to_itself_is_refused);
	tcase_add_test(tcase, shared_file_has_the_mode_of_the_umask);
	tcase_add_test(tcase, what_is_no_regular_file_is_used_as_it_is);
	tcase_add_loop_test(tcase, what_cannot_be_made_is_refused_with_its_name, 0, 5);
}

int main(void)
{
	return unit_main("outfile", add);
}
