/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/kept_captures.c -- names captures by time, and removes old ones.
 */
#include "cli/capture/kept_captures.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

void kept_captures_name(char ret[KEPT_NAME], uint64_t at_ns, uint64_t number)
{
	const time_t s = (time_t)(at_ns / VSPAN_S);
	char day[20];
	struct tm tm;

	gmtime_r(&s, &tm);
	strftime(day, sizeof(day), "%Y%m%dT%H%M%SZ", &tm);
	snprintf(ret, KEPT_NAME, "%s-%012" PRIu64, day, number);
}

/*
 * Return: the time that the name of a file of a capture states, in ns since
 *         1970; UINT64_MAX: the name has another form.
 */
static uint64_t kept_captures_time(const char *name)
{
	struct tm tm = {0};
	const char *end = strptime(name, "%Y%m%dT%H%M%SZ-", &tm);
	size_t digits;

	if (!end)
		return UINT64_MAX;
	digits = strspn(end, "0123456789");
	if (digits < 12 || (strcmp(end + digits, ".pcapng") != 0 &&
			    strcmp(end + digits, ".jsonl") != 0))
		return UINT64_MAX;
	return (uint64_t)timegm(&tm) * VSPAN_S;
}

/* A file of a capture. */
struct kept_file {
	char name[KEPT_NAME];
	uint64_t at; /* ns since 1970 */
	uint64_t size;
};

struct kept_list {
	struct kept_file *files;
	size_t n, size;
	uint64_t bytes; /* of all files */
};

static bool kept_list_add(struct kept_list *l, const struct kept_file *k)
{
	if (l->n == l->size) {
		const size_t size = l->size ? l->size * 2 : 64;
		void *more = memory_realloc(l->files, size * sizeof(*k));

		if (!more)
			return false;
		l->files = more;
		l->size = size;
	}
	l->files[l->n++] = *k;
	l->bytes += k->size;
	return true;
}

static int kept_by_name(const void *x, const void *y)
{
	return strcmp(((const struct kept_file *)x)->name,
		      ((const struct kept_file *)y)->name);
}

/* Lists the files of captures by name, which is the order of time. */
static void kept_list_read(struct kept_list *l, int dir)
{
	const int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(d))) {
		struct kept_file k = {.at = kept_captures_time(e->d_name)};
		struct stat st;

		if (k.at == UINT64_MAX || strlen(e->d_name) >= KEPT_NAME ||
		    fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		strcpy(k.name, e->d_name);
		k.size = (uint64_t)st.st_size;
		if (!kept_list_add(l, &k))
			break;
	}
	closedir(d);
	if (l->n)
		qsort(l->files, l->n, sizeof(*l->files), kept_by_name);
}

uint64_t kept_captures_prune(int dir, uint64_t now_ns, vspan keep,
			     uint64_t size)
{
	struct kept_list l = {0};
	uint64_t ret = UINT64_MAX;

	kept_list_read(&l, dir);
	for (size_t i = 0; i < l.n; i++) {
		const struct kept_file *k = &l.files[i];

		if (l.bytes <= size && k->at + (uint64_t)keep >= now_ns) {
			ret = k->at + (uint64_t)keep;
			break;
		}
		if (!unlinkat(dir, k->name, 0))
			l.bytes -= k->size;
	}
	free(l.files);
	return ret;
}
