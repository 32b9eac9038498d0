/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/source.c -- reads windows of bytes for the reader of captures.
 *
 * The window is a buffer that grows to the longest block; unused bytes move to
 * its front before more bytes are read after them.  Files are read in the same
 * way: a mapping would not be faster, as its pages are mapped one by one, and
 * truncating a mapped file would kill the program.
 */
#include "cli/file/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"

/*
 * A read takes up to twice as much at once: with less, the kernel takes up to a
 * sixth longer for each byte; with more, the bytes leave the second-level cache
 * before they are judged.
 */
#define WINDOW ((size_t)1 << 17)
#define ALIGN  64 /* bytes; less than WINDOW leaves free */

enum packing { PLAIN, GZIP, ZSTD };

struct source {
	struct capture *reader;
	char error[200];

	int fd;
	bool lent; /* |fd| belongs to another source */

	/*
	 * A file: each reader has its own offset.  |is_packed|: a file of
	 * compressed bytes that source_keep made.
	 */
	bool is_file, is_packed;
	off_t at, end;

	/* Members of a stream. */
	enum packing packing;
	z_stream gz;
	ZSTD_DStream *zs;
	uint8_t *in; /* bytes as they were read */
	size_t in_at, in_len;

	uint8_t *window;
	size_t size, front, len; /* bytes from |front| to |len| are in use */
	/* earlier windows that are kept, the oldest at |oldest|; or NULL */
	struct old_window {
		uint8_t *p;
		size_t size;
	} * old;
	unsigned oldest;
	bool in_use; /* the window holds packets that source_some returned */
	bool ended;  /* no bytes follow those in the window */
	bool midway; /* inside compressed data */

	/* Members of a live port: the first source owns it. */
	struct netcap *netcap;
	unsigned queue;
	struct source *next_queue;
};

static struct source *source_new(void)
{
	struct source *s = memory_calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->fd = -1;
	if (capture_new(&s->reader)) {
		free(s);
		return NULL;
	}
	return s;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	source_close(s->next_queue);
	if (!s->queue)
		netcap_free(s->netcap);
	if (s->packing == GZIP)
		inflateEnd(&s->gz);
	ZSTD_freeDStream(s->zs);
	if (s->fd > STDIN_FILENO && !s->lent)
		close(s->fd);
	capture_free(s->reader);
	free(s->in);
	free(s->window);
	for (unsigned i = 0; s->old && i < SOURCE_WINDOWS - 1; i++)
		free(s->old[i].p);
	free(s->old);
	free(s);
}

bool source_repeats(const struct source *s)
{
	return s->is_file || s->is_packed;
}

bool source_is_live(const struct source *s)
{
	return s->netcap;
}

const char *source_error(const struct source *s)
{
	if (s->netcap)
		return netcap_error(s->netcap, s->queue);
	if (*s->error)
		return s->error;
	return capture_error(s->reader);
}

const struct capture_info *source_info(const struct source *s)
{
	if (s->netcap)
		return netcap_info(s->netcap, s->queue);
	return capture_info(s->reader);
}

static int source_failed(struct source *s, int err, const char *what,
			 const char *why)
{
	snprintf(s->error, sizeof(s->error), "%s: %s", what, why);
	return err;
}

/* ---- Files and streams ---- */

/* Stops at the size that the file had at the start, for every reader. */
static ssize_t source_read_file(struct source *s, uint8_t *p, size_t size)
{
	const off_t left = s->end - s->at;
	const size_t most = (uintmax_t)left < size ? (size_t)left : size;
	const ssize_t n = pread(s->fd, p, most, s->at);

	if (n > 0)
		s->at += n;
	return n;
}

/* Return: bytes; 0 at the end; below 0 an error. */
static ssize_t read_more(struct source *s, uint8_t *p, size_t size)
{
	ssize_t n;

	do
		n = source_repeats(s) ? source_read_file(s, p, size)
				      : read(s->fd, p, size);
	while (n < 0 && errno == EINTR && !cli_interrupted());
	if (n < 0 && errno == EINTR)
		return 0; /* packets captured until now are judged */
	if (n < 0)
		return source_failed(s, ERR_SYS, "reading", strerror(errno));
	return n;
}

/* Fills the input buffer if it is empty.  Return: as read_more. */
static ssize_t feed_in(struct source *s)
{
	ssize_t n;

	if (s->in_at < s->in_len)
		return (ssize_t)(s->in_len - s->in_at);
	n = read_more(s, s->in, WINDOW);
	s->in_at = 0;
	if (n > 0)
		s->in_len = (size_t)n;
	else
		s->in_len = 0;
	return n;
}

static ssize_t unpack_gz(struct source *s, uint8_t *p, size_t size)
{
	const ssize_t n = feed_in(s);
	int e;

	if (n < 0 || (n == 0 && !s->midway))
		return n;
	if (n == 0)
		return source_failed(s, ERR_SHORT, "gzip",
				     "the file ends too early");
	s->midway = true;
	s->gz.next_in = s->in + s->in_at;
	s->gz.avail_in = (uInt)(s->in_len - s->in_at);
	s->gz.next_out = p;
	s->gz.avail_out = (uInt)size;
	e = inflate(&s->gz, Z_NO_FLUSH);
	s->in_at = s->in_len - s->gz.avail_in;
	if (e == Z_STREAM_END) { /* another compressed member may follow */
		s->midway = false;
		inflateReset(&s->gz);
	} else if (e != Z_OK && e != Z_BUF_ERROR) {
		return source_failed(s, ERR_SYNTAX, "gzip",
				     s->gz.msg ? s->gz.msg : "bad data");
	}
	return (ssize_t)(size - s->gz.avail_out);
}

static ssize_t unpack_zs(struct source *s, uint8_t *p, size_t size)
{
	const ssize_t n = feed_in(s);
	ZSTD_inBuffer in = {s->in, s->in_len, s->in_at};
	ZSTD_outBuffer out = {p, size, 0};
	size_t e;

	if (n < 0 || (n == 0 && !s->midway))
		return n;
	if (n == 0)
		return source_failed(s, ERR_SHORT, "zstd",
				     "the file ends too early");
	e = ZSTD_decompressStream(s->zs, &out, &in);
	s->in_at = in.pos;
	s->midway = e != 0;
	if (ZSTD_isError(e))
		return source_failed(s, ERR_SYNTAX, "zstd",
				     ZSTD_getErrorName(e));
	return (ssize_t)out.pos;
}

/* Return: bytes; 0 at the end. */
static ssize_t source_take_in(struct source *s, uint8_t *p, size_t size)
{
	ssize_t n = 0;

	if (s->is_file || (s->packing == PLAIN && s->in_at == s->in_len))
		return read_more(s, p, size);
	if (s->packing == PLAIN) { /* bytes read to recognise the compression */
		n = (ssize_t)(s->in_len - s->in_at);
		memcpy(p, s->in + s->in_at, (size_t)n);
		s->in_at = s->in_len;
		return n;
	}
	do { /* compressed bytes may unpack to none yet */
		if (s->packing == GZIP)
			n = unpack_gz(s, p, size);
		else
			n = unpack_zs(s, p, size);
	} while (n == 0 && (s->midway || s->in_at < s->in_len));
	return n;
}

static bool source_make_room(struct source *s, size_t wants)
{
	size_t size = s->size ? s->size : 2 * WINDOW;
	uint8_t *p;

	while (size < wants + WINDOW)
		size *= 2;
	if (size == s->size)
		return true;
	p = memory_realloc(s->window, size);
	if (!p)
		return false;
	s->window = p;
	s->size = size;
	return true;
}

bool source_keep_windows(struct source *s)
{
	if (!s->old)
		s->old = memory_calloc(SOURCE_WINDOWS - 1, sizeof(*s->old));
	return s->old;
}

/*
 * Returns where in the window |rest| bytes begin.  The bytes of a file that
 * follow them have the alignment that they have in the page cache, as the
 * kernel copies them faster then.
 */
static size_t source_front(const struct source *s, size_t rest)
{
	return ((uintptr_t)s->at - (uintptr_t)s->window - rest) % ALIGN;
}

/*
 * Exchanges the window for the oldest one that is kept, and copies the unused
 * bytes to its front.
 */
static bool source_turn_windows(struct source *s, size_t rest)
{
	const struct old_window now = {s->window, s->size};
	struct old_window *o = &s->old[s->oldest];

	s->window = o->p;
	s->size = o->size;
	*o = now;
	s->oldest = (s->oldest + 1) % (SOURCE_WINDOWS - 1);
	s->in_use = false;
	if (!source_make_room(s, capture_wants(s->reader) + rest))
		return false;
	s->front = source_front(s, rest);
	if (rest)
		memcpy(s->window + s->front, now.p + s->len - rest, rest);
	return true;
}

static bool source_move_rest(struct source *s, size_t rest)
{
	if (s->old && s->in_use)
		return source_turn_windows(s, rest);
	if (!source_make_room(s, capture_wants(s->reader)))
		return false;
	s->front = source_front(s, rest);
	memmove(s->window + s->front, s->window + s->len - rest, rest);
	return true;
}

/* Reads more bytes after the unused ones.  Return: 1, or an error. */
static int next_window(struct source *s)
{
	const size_t rest = capture_rest(s->reader);
	ssize_t n;

	if (!source_move_rest(s, rest))
		return source_failed(s, ERR_SYS, "reading", "out of memory");
	s->len = s->front + rest;
	n = source_take_in(s, s->window + s->len, s->size - s->len);
	if (n < 0)
		return (int)n;
	s->len += (size_t)n;
	s->ended = n == 0;
	capture_feed(s->reader, s->window + s->front, s->len - s->front,
		     s->ended);
	return 1;
}

int source_some(struct source *s, struct capture_packet *ret, int max)
{
	int n;

	if (s->netcap)
		return netcap_some(s->netcap, s->queue, ret, max);
	if (*s->error)
		return ERR_SYS;
	while ((n = capture_some(s->reader, ret, max)) == 0) {
		if (s->ended)
			return 0;
		n = next_window(s);
		if (n < 0)
			return n;
	}
	s->in_use = n > 0;
	return n;
}

int source_next(struct source *s, struct capture_packet *ret)
{
	return source_some(s, ret, 1);
}

int source_skim(struct source *s)
{
	int n;

	while ((n = capture_skim(s->reader)) == 0 && !s->ended) {
		n = next_window(s);
		if (n < 0)
			return n;
	}
	return n;
}

/* ---- Opening ---- */

static enum packing packing_of(const uint8_t *p, size_t len)
{
	static const uint8_t gz[] = {0x1f, 0x8b},
			     zs[] = {0x28, 0xb5, 0x2f, 0xfd};

	if (len >= sizeof(gz) && memcmp(p, gz, sizeof(gz)) == 0)
		return GZIP;
	if (len >= sizeof(zs) && memcmp(p, zs, sizeof(zs)) == 0)
		return ZSTD;
	return PLAIN;
}

/* Return: 0 or ERR_NOMEM. */
static int open_unpacker(struct source *s)
{
	if (s->packing == GZIP && inflateInit2(&s->gz, 15 + 16) != Z_OK) {
		s->packing = PLAIN;
		return ERR_NOMEM;
	}
	if (s->packing != ZSTD)
		return 0;
	s->zs = ZSTD_createDStream();
	if (s->zs)
		return 0;
	return ERR_NOMEM;
}

static int source_open_stream(const char *who, struct source *s)
{
	ssize_t n;

	s->in = memory_alloc(WINDOW);
	if (!s->in)
		return cli_nomem(who);
	while (s->in_len < 4) {
		n = read_more(s, s->in + s->in_len, WINDOW - s->in_len);
		if (n <= 0)
			/* too short, or an error that is reported later */
			break;
		s->in_len += (size_t)n;
	}
	s->packing = packing_of(s->in, s->in_len);
	if (open_unpacker(s))
		return cli_nomem(who);
	return 0;
}

static void begin_file(struct source *s, int fd, off_t end)
{
	s->fd = fd;
	s->is_file = true;
	s->end = end;
}

/* Opens a plain file; anything else is read as a stream. */
static bool open_file(struct source *s)
{
	uint8_t first[4];
	struct stat st;
	ssize_t n;

	if (fstat(s->fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0)
		return false;
	n = pread(s->fd, first, sizeof(first), 0);
	if (n < 0 || packing_of(first, (size_t)n) != PLAIN)
		return false;
	begin_file(s, s->fd, st.st_size);
	return true;
}

/* Returns true with the errno that reading the folder would give. */
static bool source_is_folder(const struct source *s)
{
	struct stat st;

	if (fstat(s->fd, &st) || !S_ISDIR(st.st_mode))
		return false;
	errno = EISDIR;
	return true;
}

int source_open(const char *who, const char *path, struct source **ret)
{
	struct source *s = source_new();
	int code;

	if (!s)
		return cli_nomem(who);
	if (strcmp(path, "-") == 0)
		s->fd = STDIN_FILENO;
	else
		s->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0 && cli_interrupted()) { /* a FIFO without a writer */
		source_close(s);
		return EXIT_INTERRUPTED;
	}
	if (s->fd < 0 || source_is_folder(s)) {
		cli_remark(who, path, "%s", strerror(errno));
		source_close(s);
		return EXIT_USAGE;
	}
	if (open_file(s))
		code = 0;
	else
		code = source_open_stream(who, s);
	if (code)
		source_close(s);
	else
		*ret = s;
	return code;
}

static int not_kept(const char *who, const char *path, const char *why)
{
	cli_remark(who, path, "%s", why);
	return EXIT_HARNESS;
}

/* Copies all bytes of a stream to a file.  Return: their number, or below 0. */
static int64_t source_spill(struct source *s, FILE *f)
{
	int64_t all = 0;
	ssize_t n;

	while ((n = feed_in(s)) > 0) {
		if (fwrite(s->in + s->in_at, 1, (size_t)n, f) != (size_t)n)
			return source_failed(s, ERR_SYS, "a temporary file",
					     strerror(errno));
		all += n;
		s->in_at = s->in_len;
	}
	if (n < 0)
		return n;
	if (fflush(f))
		return source_failed(s, ERR_SYS, "a temporary file",
				     strerror(errno));
	return all;
}

/*
 * Starts at the first byte of the kept file, which each reader unpacks itself.
 */
static void begin_kept(struct source *s, int fd, off_t end)
{
	begin_file(s, fd, end);
	s->is_file = s->packing == PLAIN;
	s->is_packed = !s->is_file;
	s->at = 0;
	s->in_at = s->in_len = 0;
	s->midway = false;
	if (s->packing == GZIP)
		inflateReset(&s->gz);
	if (s->packing == ZSTD)
		ZSTD_initDStream(s->zs);
}

static bool is_regular(int fd, off_t *ret_size)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	*ret_size = st.st_size;
	return true;
}

static int keep_stream(const char *who, const char *path, struct source *s)
{
	int64_t n;
	FILE *f;
	int fd;

	f = tmpfile();
	if (!f)
		return not_kept(who, path, strerror(errno));
	n = source_spill(s, f);
	if (n < 0)
		fd = -1;
	else
		fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	fclose(f); /* the duplicated descriptor keeps it */
	if (n < 0)
		return not_kept(who, path, s->error);
	if (fd < 0)
		return not_kept(who, path, strerror(errno));
	if (s->fd > STDIN_FILENO)
		close(s->fd);
	begin_kept(s, fd, n);
	return 0;
}

int source_keep(const char *who, const char *path, struct source *s)
{
	off_t size;
	int code = 0;

	if (source_repeats(s))
		return 0;
	/* A file that unpacks to much more than its size stays compressed. */
	if (s->fd > STDIN_FILENO && is_regular(s->fd, &size))
		begin_kept(s, s->fd, size);
	else
		code = keep_stream(who, path, s);
	if (code || s->end)
		return code;
	cli_remark(who, path, "byte 0: an empty file"); /* as the reader says */
	return EXIT_USAGE;
}

struct source *source_again(const struct source *s)
{
	struct source *other = source_new();

	if (!other)
		return NULL;
	other->lent = true;
	begin_file(other, s->fd, s->end);
	if (!s->is_packed)
		return other;
	other->in = memory_alloc(WINDOW);
	other->packing = s->packing;
	if (!other->in || open_unpacker(other)) {
		source_close(other);
		return NULL;
	}
	begin_kept(other, s->fd, s->end);
	return other;
}

int source_live(const char *who, const struct netcap_conf *conf,
		struct source **ret)
{
	struct source *s = source_new(), *last = s;
	int code = s ? netcap_new(who, conf, &s->netcap) : cli_nomem(who);

	for (unsigned i = 1; !code && i < netcap_queues(s->netcap); i++) {
		last->next_queue = source_new();
		if (!last->next_queue) {
			code = cli_nomem(who);
			break;
		}
		last = last->next_queue;
		last->netcap = s->netcap;
		last->queue = i;
	}
	if (code)
		source_close(s);
	else
		*ret = s;
	return code;
}

struct source *source_next_queue(const struct source *s)
{
	return s->next_queue;
}

void source_stop_queues(struct source *s)
{
	netcap_stop(s->netcap);
}
