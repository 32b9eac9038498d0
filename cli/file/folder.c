/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/folder.c -- writes the folder of --out through file descriptors: no
 * path below it is resolved twice, and no link there is followed.
 */
#include "cli/file/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/file/atomic_file.h"
#include "cli/file/bundle.h"
#include "cli/file/folder_put.h"
#include "reports/casefiles.h"
#include "reports/format/pcapng.h"
#include "reports/result/record_file.h"

#define HALF_DONE ".rung-case.part" /* folder of an incomplete case */
#define OPEN_DIR  (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define DEPTH     128 /* more than the levels of an id of folder_place() */

/*
 * All files that a run writes.  The file that marks the end of a run is last.
 */
static const char *const entries[] = {
	"run.json",      "cases",      "stream.jsonl",
	"junit.xml",     "summary.md", "report.html",
	"checklist.csv", "report.txt", "results.json",
};

int folder_make(const char *path)
{
	char part[FOLDER_NAME];
	size_t len = strlen(path);

	if (len == 0 || len >= sizeof(part)) {
		if (len)
			errno = ENAMETOOLONG;
		else
			errno = ENOENT;
		return ERR_SYS;
	}
	for (size_t i = 1; i <= len; i++) {
		if (path[i] != '/' && path[i] != 0)
			continue;
		memcpy(part, path, i);
		part[i] = 0;
		if (mkdir(part, 0777) && errno != EEXIST)
			return ERR_SYS;
	}
	return 0;
}

static bool folder_has(int dir, const char *name)
{
	struct stat st;

	return !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

/* Removes |name| below |dir| with all that is in it; links are removed. */
static int remove_tree(int dir, const char *name)
{
	char path[64 + ATOMIC_NAME];

	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", dir, name);
	if (!nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS))
		return 0;
	if (errno == ENOENT)
		return 0;
	return ERR_SYS;
}

/* Moves the entries to |to|, the last one last. */
static int move_entries(int dir, int to)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (folder_has(dir, entries[i]) &&
		    renameat(dir, entries[i], to, entries[i]))
			return ERR_SYS;
	return 0;
}

/* The place of an earlier run, and the mark that a move to it has begun. */
static const struct aside {
	const char *name, *mark;
} asides[] = {
	{"earlier", ".rung-earlier.part"},
	{"unfinished", ".rung-unfinished.part"},
};

/*
 * A move begins when the mark appears; the mark is made by the run before, or
 * is an empty folder.  It is removed when everything has been moved.
 */
static int begin_move(int dir, const struct aside *a)
{
	if (folder_has(dir, a->name))
		return renameat(dir, a->name, dir, a->mark) ? ERR_SYS : 0;
	if (mkdirat(dir, a->mark, 0777))
		return ERR_SYS;
	return 0;
}

static int finish_move(int dir, const struct aside *a)
{
	int to, err;

	if (folder_sub(dir, a->name, &to))
		return ERR_SYS;
	err = move_entries(dir, to);
	close(to);
	if (err)
		return err;
	return remove_tree(dir, a->mark);
}

/*
 * Finishes all moves before a new run begins, so that all entries are of one
 * run.
 */
static int finish_moves(int dir)
{
	for (size_t i = 0; i < sizeof(asides) / sizeof(asides[0]); i++)
		if (folder_has(dir, asides[i].mark) &&
		    finish_move(dir, &asides[i]))
			return ERR_SYS;
	return 0;
}

int folder_begin(int dir)
{
	const bool ended = folder_has(dir, "results.json");
	const struct aside *a = &asides[ended ? 0 : 1];

	if (!ended && !folder_has(dir, "cases") &&
	    !folder_has(dir, "stream.jsonl") && !folder_has(dir, "run.json"))
		return 0;
	if (begin_move(dir, a) || finish_move(dir, a))
		return ERR_SYS;
	return 0;
}

/* Removes the hidden files of a run that was killed while writing them. */
static void sweep(int dir)
{
	DIR *d = fdopendir(fcntl(dir, F_DUPFD_CLOEXEC, 0));
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (!fnmatch(ATOMIC_HIDDEN, e->d_name, 0))
			unlinkat(dir, e->d_name, 0);
	if (d)
		closedir(d);
}

/* Opens the folder |name| in |dir| to list it; NULL if it is no folder. */
static DIR *folder_list(int dir, const char *name)
{
	const int fd = openat(dir, name, OPEN_DIR | O_NOFOLLOW);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !d)
		close(fd);
	return d;
}

/*
 * Removes the incomplete folders of cases that a killed run left below "cases".
 * The folder of a result has a '@' in its name and is not searched.
 */
static void sweep_cases(int dir)
{
	DIR *at[DEPTH] = {folder_list(dir, "cases")};
	size_t n = at[0] ? 1 : 0;

	while (n > 0) {
		DIR *const here = at[n - 1];
		const struct dirent *e = readdir(here);

		if (!e) {
			closedir(here);
			n--;
			continue;
		}
		if (!strcmp(e->d_name, HALF_DONE)) {
			remove_tree(dirfd(here), HALF_DONE);
			continue;
		}
		if (n == DEPTH || strchr(e->d_name, '@') ||
		    !strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		at[n] = folder_list(dirfd(here), e->d_name);
		if (at[n])
			n++;
	}
}

int folder_open(const char *path, int *ret)
{
	int dir = open(path, OPEN_DIR), kept;

	if (dir < 0)
		return ERR_SYS;
	if (!flock(dir, LOCK_EX | LOCK_NB) &&
	    !faccessat(dir, ".", W_OK | X_OK, 0) && !finish_moves(dir)) {
		sweep(dir);
		sweep_cases(dir);
		*ret = dir;
		return 0;
	}
	kept = errno;
	close(dir);
	errno = kept;
	return ERR_SYS;
}

void folder_close(int dir)
{
	if (dir >= 0)
		close(dir);
}

/* Writes |t| as |name| and clears it. */
static int file_folder_put(int dir, const char *name, struct text *t, int err)
{
	if (!err)
		err = text_err(t);
	if (!err)
		err = folder_put(dir, name, text_cstr(t), t->len);
	text_clear(t);
	return err;
}

#define PARTS 16 /* files of a result */

/* Lists the regular files of the folder by name. */
static size_t list_parts(int dir, struct record_part ret[PARTS],
			 char names[PARTS][32])
{
	DIR *d = fdopendir(openat(dir, ".", OPEN_DIR));
	struct dirent *e;
	struct stat st;
	size_t n = 0;

	while (d && n < PARTS && (e = readdir(d))) {
		if (strlen(e->d_name) >= sizeof(names[0]) ||
		    fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		strcpy(names[n], e->d_name);
		ret[n] = (struct record_part){names[n], (uint64_t)st.st_size};
		n++;
	}
	if (d)
		closedir(d);
	return n;
}

static int by_part_name(const void *a, const void *b)
{
	const struct record_part *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int put_record(int dir, const struct record *r, const struct about *a,
		      struct text *t)
{
	struct record_part parts[PARTS];
	char names[PARTS][32];
	struct record_about about = {.run = a->run, .parts = parts};

	about.nparts = list_parts(dir, parts, names);
	qsort(parts, about.nparts, sizeof(*parts), by_part_name);
	return file_folder_put(dir, "record.jsonl", t,
			       record_file_print(t, r, &about));
}

static int put_all(int dir, const struct record *r, const struct about *a,
		   uint64_t epoch_ns, struct text *t)
{
	const struct pcapng_opts opts = {
		.frame = {.udp_port = a->decl->udp_port},
		.epoch_ns = epoch_ns,
	};
	int err;

	text_puts(t, r->test_case->text);
	err = file_folder_put(dir, "case.lad", t, 0);
	if (err)
		return err;
	casefile_ladder(t, r);
	err = file_folder_put(dir, "ladder.txt", t, 0);
	if (err)
		return err;
	err = file_folder_put(dir, "capture.pcapng", t,
			      pcapng_report(t, r, a, &opts));
	if (err)
		return err;
	err = file_folder_put(dir, "control.jsonl", t, casefile_control(t, r));
	if (err)
		return err;
	err = file_folder_put(dir, "dut.json", t, casefile_decl(t, a->decl));
	if (err)
		return err;
	err = file_folder_put(dir, "integrity.json", t,
			      casefile_integrity(t, r));
	if (!err)
		err = bundle_write(dir, r, a);
	if (!err && r->transcript.len)
		err = folder_put(dir, FOLDER_TRANSCRIPT,
				 text_cstr(&r->transcript), r->transcript.len);
	if (err)
		return err;
	return put_record(dir, r, a, t);
}

/*
 * Opens the folder that holds |path|'s last part; *ret_name becomes that part.
 */
static int open_above(int dir, const char *path, int *ret,
		      const char **ret_name)
{
	char part[ATOMIC_NAME];
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0), next, err = 0;
	const char *slash;

	if (at < 0)
		return ERR_SYS;
	while (!err && (slash = strchr(path, '/'))) {
		const size_t n = (size_t)(slash - path);

		if (n >= sizeof(part) || n == 0) {
			if (n)
				errno = ENAMETOOLONG;
			else
				errno = EINVAL;
			err = ERR_SYS;
			break;
		}
		memcpy(part, path, n);
		part[n] = 0;
		err = folder_sub(at, part, &next);
		if (err)
			break;
		close(at);
		at = next;
		path = slash + 1;
	}
	if (err) {
		close(at);
		return err;
	}
	*ret = at;
	*ret_name = path;
	return 0;
}

/* Renames the complete folder; an existing one of that name is removed. */
static int publish(int above, const char *name)
{
	if (folder_has(above, name) && remove_tree(above, name))
		return ERR_SYS;
	if (renameat(above, HALF_DONE, above, name))
		return ERR_SYS;
	return 0;
}

/* Makes the folder |name|, which appears when |fill| has filled it. */
static int folder_fill(int above, const char *name, folder_fill_fn *fill,
		       void *ctx)
{
	int dir, err, kept;

	if (remove_tree(above, HALF_DONE) || folder_sub(above, HALF_DONE, &dir))
		return ERR_SYS;
	err = fill(dir, ctx);
	kept = errno;
	close(dir);
	if (!err)
		return publish(above, name);
	remove_tree(above, HALF_DONE);
	errno = kept;
	return err;
}

/*
 * Returns true if a path has ".." or an empty part, so that it may leave this
 * folder.
 */
static bool folder_leaves(const char *path)
{
	return strstr(path, "/../") || strstr(path, "//") ||
	       strncmp(path, "../", 3) == 0;
}

void folder_place(const char *id, uint32_t repeat, char ret[FOLDER_NAME])
{
	int n = snprintf(ret, FOLDER_NAME, "cases/%.200s", id);

	if (repeat)
		snprintf(ret + n, FOLDER_NAME - (size_t)n, ".%" PRIu32,
			 repeat + 1);
}

int folder_result(int dir, const char *path, folder_fill_fn *fill, void *ctx)
{
	const char *name;
	int above, err, kept;

	if (folder_leaves(path)) {
		errno = EINVAL;
		return ERR_SYS;
	}
	err = open_above(dir, path, &above, &name);
	if (err)
		return err;
	err = folder_fill(above, name, fill, ctx);
	kept = errno;
	close(above);
	errno = kept;
	return err;
}

/* A result that becomes a folder. */
struct folder_new {
	const struct record *r;
	const struct about *about;
	uint64_t epoch_ns;
};

static int folder_write(int dir, void *ctx)
{
	const struct folder_new *c = ctx;
	struct text t = {0};
	int err = put_all(dir, c->r, c->about, c->epoch_ns, &t);

	text_free(&t);
	return err;
}

int folder_case(int dir, const struct record *r, const struct about *a,
		uint64_t epoch_ns, char *ret_capture)
{
	struct folder_new c = {r, a, epoch_ns};
	char path[FOLDER_NAME];
	int err;

	folder_place(r->id, r->repeat, path);
	err = folder_result(dir, path, folder_write, &c);
	if (!err)
		snprintf(ret_capture, FOLDER_NAME, "%.300s/capture.pcapng",
			 path);
	return err;
}
