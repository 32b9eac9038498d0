/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/folder_test.c -- tests opening the folder of --out: everything that
 * a killed run left incomplete is removed, and nothing outside the folder is
 * touched.
 */
#include "cli/file/folder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define PART ".rung-case.part"

static char root[] = "/tmp/rung-folder-XXXXXX";

static void put_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);

	assert_true(fd >= 0);
	close(fd);
}

static bool there(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

static void open_once(void)
{
	int dir = -1;

	assert_int_equal(folder_open("out", &dir), 0);
	folder_close(dir);
}

static int begin_test(void **state)
{
	(void)state;
	if (mkdtemp(root) && !chdir(root) &&
	    !folder_make("out/cases/uet/rud/a@target"))
		return 0;
	return -1;
}

static int end_test(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	if (chdir("/") || system(command))
		return -1;
	return 0;
}

static void incomplete_folders_are_removed(void **state)
{
	(void)state;
	put_file("out/cases/uet/rud/a@target/record.jsonl");
	assert_int_equal(folder_make("out/cases/" PART), 0);
	assert_int_equal(folder_make("out/cases/uet/rud/" PART "/sub"), 0);
	put_file("out/cases/uet/rud/" PART "/case.lad");
	assert_int_equal(folder_make("out/cases/srd/deep/er"), 0);
	put_file("out/cases/srd/deep/er/" PART);
	put_file("out/cases/srd/deep/er/other");
	put_file("out/.rung-1.part");
	open_once();
	assert_false(there("out/cases/" PART));
	assert_false(there("out/cases/uet/rud/" PART));
	assert_false(there("out/cases/srd/deep/er/" PART));
	assert_false(there("out/.rung-1.part"));
	assert_true(there("out/cases/srd/deep/er/other"));
	assert_true(there("out/cases/uet/rud/a@target/record.jsonl"));
}

static void links_are_not_followed(void **state)
{
	(void)state;
	assert_int_equal(folder_make("victim/" PART), 0);
	put_file("victim/" PART "/file");
	assert_int_equal(symlink("../../victim", "out/cases/roce"), 0);
	assert_int_equal(symlink("../../../victim", "out/cases/uet/" PART), 0);
	open_once();
	assert_true(there("victim/" PART "/file"));
	assert_true(there("out/cases/roce"));
	assert_false(there("out/cases/uet/" PART));
	assert_int_equal(rename("out/cases", "moved"), 0);
	assert_int_equal(symlink("../victim", "out/cases"), 0);
	open_once();
	assert_true(there("victim/" PART "/file"));
	assert_int_equal(unlink("out/cases"), 0);
	assert_int_equal(rename("moved", "out/cases"), 0);
}

/* Folders 150 deep, which rung never makes, do not exhaust descriptors. */
static void depth_is_bounded(void **state)
{
	int top = open(".", O_RDONLY | O_DIRECTORY), dir;

	(void)state;
	assert_true(top >= 0);
	assert_int_equal(chdir("out/cases"), 0);
	for (int i = 0; i < 150; i++) {
		assert_int_equal(mkdir("d", 0777), 0);
		if (i == 99 || i == 149)
			assert_int_equal(mkdir("d/" PART, 0777), 0);
		assert_int_equal(chdir("d"), 0);
	}
	dir = open(".", O_RDONLY | O_DIRECTORY);
	assert_int_equal(fchdir(top), 0);
	open_once();
	assert_int_equal(faccessat(dir, PART, F_OK, 0), 0);
	for (int i = 149; i > 99; i--)
		assert_int_equal(fchdir(dir) || chdir(".."), 0), close(dir),
			dir = open(".", O_RDONLY | O_DIRECTORY);
	assert_int_not_equal(faccessat(dir, PART, F_OK, 0), 0);
	close(dir);
	assert_int_equal(fchdir(top), 0);
	close(top);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(incomplete_folders_are_removed),
		cmocka_unit_test(links_are_not_followed),
		cmocka_unit_test(depth_is_bounded),
	};

	return cmocka_run_group_tests(tests, begin_test, end_test);
}
