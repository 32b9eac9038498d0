/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/folder.c -- the folder of --out, by file descriptors: no path below it is
 * resolved twice, and no link there is followed.
 */
#include "cli/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/bundle.h"
#include "cli/whole.h"
#include "reports/casefiles.h"
#include "reports/pcapng.h"

#define HALF_DONE ".rung-case.part" /* a case's folder that is not complete */
#define OPEN_DIR  (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* All that a run writes.  The file that says that it ended comes last. */
static const char *const entries[] = {
	"cases",       "stream.jsonl",  "junit.xml",  "summary.md",
	"report.html", "checklist.csv", "report.txt", "results.json",
};

int folder_make(const char *path)
{
	char part[FOLDER_NAME];
	size_t len = strlen(path);

	if (len == 0 || len >= sizeof(part)) {
		errno = len ? ENAMETOOLONG : ENOENT;
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

int folder_sub(int dir, const char *name, int *ret)
{
	if (mkdirat(dir, name, 0777) && errno != EEXIST)
		return ERR_SYS;
	*ret = openat(dir, name, OPEN_DIR | O_NOFOLLOW);
	return *ret < 0 ? ERR_SYS : 0;
}

static bool has(int dir, const char *name)
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
	char path[64 + WHOLE_NAME];

	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", dir, name);
	if (!nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS))
		return 0;
	return errno == ENOENT ? 0 : ERR_SYS;
}

/* Moves what is there to |to|, so that the last entry is moved last. */
static int move_entries(int dir, int to)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (!has(dir, entries[i]))
			continue;
		if (has(to, entries[i]) && remove_tree(to, entries[i]))
			return ERR_SYS;
		if (renameat(dir, entries[i], to, entries[i]))
			return ERR_SYS;
	}
	return 0;
}

/*
 * An earlier run that ended moves to "earlier", one that was killed to
 * "unfinished"; each holds one run.  A move that a signal ended half-way goes
 * on the next time: results.json is still in |dir| then.
 */
static int set_aside(int dir)
{
	const bool ended = has(dir, "results.json");
	const char *name = ended ? "earlier" : "unfinished";
	int to, err;

	if (!ended && !has(dir, "cases") && !has(dir, "stream.jsonl"))
		return 0;
	if ((!ended || faccessat(dir, "earlier/results.json", F_OK, 0) == 0) &&
	    remove_tree(dir, name))
		return ERR_SYS;
	if (folder_sub(dir, name, &to))
		return ERR_SYS;
	err = move_entries(dir, to);
	close(to);
	return err;
}

/* Removes the hidden files of a run that was killed while it wrote them. */
static void sweep(int dir)
{
	DIR *d = fdopendir(fcntl(dir, F_DUPFD_CLOEXEC, 0));
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (!fnmatch(WHOLE_HIDDEN, e->d_name, 0))
			unlinkat(dir, e->d_name, 0);
	if (d)
		closedir(d);
}

int folder_open(const char *path, int *ret)
{
	int dir, kept;

	if (folder_make(path))
		return ERR_SYS;
	dir = open(path, OPEN_DIR);
	if (dir < 0)
		return ERR_SYS;
	if (!flock(dir, LOCK_EX | LOCK_NB) &&
	    !faccessat(dir, ".", W_OK | X_OK, 0) && !set_aside(dir)) {
		sweep(dir);
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

int folder_put(int dir, const char *name, const char *s, size_t len)
{
	int fd = openat(dir, name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0666);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f) {
		if (fd >= 0)
			close(fd);
		return ERR_SYS;
	}
	errno = 0;
	fwrite(s, 1, len, f);
	return fclose(f) ? ERR_SYS : 0;
}

/* Writes |t| as |name| and empties it. */
static int put(int dir, const char *name, struct text *t, int err)
{
	if (!err)
		err = text_err(t);
	if (!err)
		err = folder_put(dir, name, text_cstr(t), t->len);
	text_clear(t);
	return err;
}

static int put_all(int dir, const struct record *r, const struct about *a,
		   uint64_t epoch_ns, struct text *t)
{
	const struct pcapng_opts opts = {
		.frame = {.udp_port = a->decl->udp_port},
		.epoch_ns = epoch_ns,
	};
	int err;

	text_puts(t, r->kase->text);
	err = put(dir, "case.lad", t, 0);
	if (err)
		return err;
	casefile_ladder(t, r);
	err = put(dir, "ladder.txt", t, 0);
	if (err)
		return err;
	err = put(dir, "capture.pcapng", t, pcapng_report(t, r, a, &opts));
	if (err)
		return err;
	err = put(dir, "control.jsonl", t, casefile_control(t, r));
	if (err)
		return err;
	err = put(dir, "dut.json", t, casefile_decl(t, a->decl));
	if (err)
		return err;
	err = put(dir, "integrity.json", t, casefile_integrity(t, r));
	return err ? err : bundle_write(dir, r, a);
}

/* The folder that holds |path|'s last part, which *ret_name becomes. */
static int open_above(int dir, const char *path, int *ret,
		      const char **ret_name)
{
	char part[WHOLE_NAME];
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0), next, err = 0;
	const char *slash;

	if (at < 0)
		return ERR_SYS;
	while (!err && (slash = strchr(path, '/'))) {
		const size_t n = (size_t)(slash - path);

		if (n >= sizeof(part) || n == 0) {
			errno = n ? ENAMETOOLONG : EINVAL;
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

/* Gives the complete folder its name; one of that name goes. */
static int publish(int above, const char *name)
{
	if (has(above, name) && remove_tree(above, name))
		return ERR_SYS;
	return renameat(above, HALF_DONE, above, name) ? ERR_SYS : 0;
}

static int write_case(int above, const char *name, const struct record *r,
		      const struct about *a, uint64_t epoch_ns)
{
	struct text t = {0};
	int dir, err, kept;

	if (remove_tree(above, HALF_DONE) || folder_sub(above, HALF_DONE, &dir))
		return ERR_SYS;
	err = put_all(dir, r, a, epoch_ns, &t);
	text_free(&t);
	kept = errno;
	close(dir);
	if (!err)
		return publish(above, name);
	remove_tree(above, HALF_DONE);
	errno = kept;
	return err;
}

/* "..", or nothing, between two slashes: no folder below this one. */
static bool leaves(const char *path)
{
	return strstr(path, "/../") || strstr(path, "//") ||
	       strncmp(path, "../", 3) == 0;
}

int folder_case(int dir, const struct record *r, const struct about *a,
		uint64_t epoch_ns, char *ret_capture)
{
	char path[256];
	const char *name;
	int above, err, kept;

	snprintf(path, sizeof(path), "cases/%s", r->id);
	if (r->repeat)
		snprintf(path + strlen(path), sizeof(path) - strlen(path),
			 ".%u", r->repeat + 1);
	if (leaves(path)) {
		errno = EINVAL;
		return ERR_SYS;
	}
	err = open_above(dir, path, &above, &name);
	if (err)
		return err;
	err = write_case(above, name, r, a, epoch_ns);
	kept = errno;
	close(above);
	errno = kept;
	if (!err)
		snprintf(ret_capture, FOLDER_NAME, "%s/capture.pcapng", path);
	return err;
}
