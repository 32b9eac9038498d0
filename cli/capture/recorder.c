/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/recorder.c -- writes captures around findings.
 *
 * A frame is written one call after it came, when the findings about it are
 * known.
 */
#include "cli/capture/recorder.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/capture/frame_ring.h"
#include "cli/capture/kept_captures.h"
#include "cli/cli.h"
#include "cli/file/atomic_file.h"
#include "cli/file/folder.h"
#include "reports/format/pcapng_writer.h"
#include "reports/result/verdicts.h"
#include "rung_version.h"

enum {
	RECORDER_FRAMES = 65536, /* most frames in memory */
	RECORDER_LINKS = 8,      /* most link types of a capture */
	RECORDER_PARTS = 4,      /* a capture has this share of the folder */
};

#define RECORDER_BYTES ((size_t)32 << 20) /* of the frames in memory */
#define RECORDER_CHUNK ((size_t)1 << 18)  /* most bytes that are buffered */

struct recorder {
	const struct recorder_conf *conf;
	struct frame_ring *ring;
	int dir;
	uint64_t next;   /* number of the first frame that is in no capture */
	uint64_t expire; /* when the oldest capture must be removed */
	uint64_t captures;
	bool failed;

	/* The open capture. */
	bool open;
	char name[KEPT_NAME];
	struct atomic_file file;
	struct text blocks;   /* to be written */
	struct text findings; /* lines of JSON */
	uint64_t bytes;
	uint64_t until; /* the time of its last frame */
	uint32_t links[RECORDER_LINKS];
	unsigned nlinks;
};

static uint64_t recorder_most(const struct recorder *r)
{
	return (r->conf->mib << 20) / RECORDER_PARTS;
}

/* Reports why the folder cannot be used.  Return: an exit code. */
static int recorder_no_folder(const struct recorder_conf *conf)
{
	if (errno != EWOULDBLOCK)
		return cli_sys(conf->who, conf->dir);
	cli_remark(conf->who, conf->dir, "another rung records there");
	return EXIT_HARNESS;
}

int recorder_new(struct recorder **ret, const struct recorder_conf *conf)
{
	struct recorder *r = memory_calloc(1, sizeof(*r));
	int code = 0;

	if (!r)
		return cli_nomem(conf->who);
	r->conf = conf;
	r->dir = -1;
	if (frame_ring_new(&r->ring, RECORDER_FRAMES, RECORDER_BYTES))
		code = cli_nomem(conf->who);
	else if (folder_make(conf->dir) || folder_open(conf->dir, &r->dir))
		code = recorder_no_folder(conf);
	if (!code) {
		*ret = r;
		return 0;
	}
	frame_ring_free(r->ring);
	free(r);
	return code;
}

/* ---- The open capture ---- */

/* Reports once for each capture that it could not be written. */
static void recorder_fail(struct recorder *r)
{
	if (!r->open)
		return;
	cli_sys(r->conf->who, r->conf->dir);
	r->failed = true;
	r->open = false;
	atomic_drop(&r->file);
}

static void recorder_flush(struct recorder *r)
{
	struct text *t = &r->blocks;

	if (!r->open)
		return;
	if (text_err(t)) {
		errno = ENOMEM;
		recorder_fail(r);
	} else if (fwrite(text_cstr(t), 1, t->len, r->file.f) < t->len) {
		recorder_fail(r);
	}
	r->bytes += t->len;
	text_clear(t);
}

/* Return: the number of the interface of a link type. */
static uint32_t recorder_iface(struct recorder *r, uint32_t link)
{
	struct pcapng_writer w = {.t = &r->blocks};
	unsigned i = 0;

	while (i < r->nlinks && r->links[i] != link)
		i++;
	if (i == r->nlinks && i < RECORDER_LINKS) {
		r->links[r->nlinks++] = link;
		pcapng_interface(&w, (enum frame_link)link, r->conf->file,
				 "judged by rung check");
	}
	return i < RECORDER_LINKS ? i : 0;
}

static void recorder_put(struct recorder *r, const struct ring_frame *f)
{
	struct pcapng_writer w = {.t = &r->blocks};
	const struct pcapng_packet packet = {
		.iface = recorder_iface(r, f->frame.link),
		.at = f->frame.at_ns,
		.p = f->frame.bytes,
		.len = f->frame.len,
	};

	pcapng_packet_open(&w, &packet);
	if (f->remark.len)
		pcapng_comment(&w, text_cstr(&f->remark));
	pcapng_packet_close(&w, &packet);
	if (r->blocks.len >= RECORDER_CHUNK)
		recorder_flush(r);
}

static void recorder_prune(struct recorder *r, uint64_t now)
{
	r->expire =
		kept_captures_prune(r->dir, now, r->conf->keep,
				    (r->conf->mib << 20) - recorder_most(r));
}

/* Completes the capture and the file of its findings. */
static void recorder_close(struct recorder *r)
{
	char name[KEPT_NAME + 8];

	recorder_flush(r);
	if (!r->open)
		return;
	if (atomic_close(&r->file)) {
		recorder_fail(r);
		return;
	}
	r->captures++;
	r->expire = 0; /* the age and size of the folder are read again */
	snprintf(name, sizeof(name), "%s.jsonl", r->name);
	if (text_err(&r->findings)) {
		errno = ENOMEM;
		recorder_fail(r);
	} else if (atomic_write_at(r->dir, name, text_cstr(&r->findings),
				   r->findings.len)) {
		recorder_fail(r);
	}
	r->open = false;
}

/* Begins a capture with the frames that are close enough to the time |at|. */
static void recorder_open(struct recorder *r, uint64_t at)
{
	static const char *const none[] = {NULL};
	const uint64_t around = (uint64_t)r->conf->around;
	struct pcapng_writer w = {.t = &r->blocks};
	const struct ring_frame *f = frame_ring_oldest(r->ring);
	char name[KEPT_NAME + 8];

	if (r->next < f->number)
		r->next = f->number;
	while ((f = frame_ring_find(r->ring, r->next)) &&
	       f->frame.at_ns + around < at)
		r->next++;
	recorder_prune(r, at);
	text_clear(&r->blocks);
	text_clear(&r->findings);
	r->bytes = 0;
	r->nlinks = 0;
	r->until = 0;
	r->open = true;
	kept_captures_name(r->name, f ? f->frame.at_ns : at, r->next);
	snprintf(name, sizeof(name), "%s.pcapng", r->name);
	if (atomic_open_at(&r->file, r->dir, name)) {
		recorder_fail(r);
		return;
	}
	pcapng_section(&w, none, "rung " RUNG_VERSION);
}

/* Writes the frames that belong to the open capture and are not in it yet. */
static void recorder_write(struct recorder *r)
{
	const struct ring_frame *f;

	while (r->open && (f = frame_ring_find(r->ring, r->next))) {
		if (f->frame.at_ns > r->until || r->bytes >= recorder_most(r)) {
			recorder_close(r);
			return;
		}
		recorder_put(r, f);
		r->next++;
	}
}

/* ---- Frames and findings ---- */

void recorder_frames(struct recorder *r, const struct rung_frame *f, size_t n,
		     uint64_t first)
{
	recorder_write(r);
	for (size_t i = 0; i < n; i++)
		frame_ring_add(r->ring, &f[i], first + i);
	if (n && !r->open && f[n - 1].at_ns > r->expire)
		recorder_prune(r, f[n - 1].at_ns);
}

void recorder_finding(struct recorder *r, const struct rung_finding *f)
{
	struct ring_frame *frame = frame_ring_find(r->ring, f->frame);
	const struct ring_frame *newest = frame_ring_newest(r->ring);
	const struct verdict_opts say = {
		.file = r->conf->file, .json = true, .strict = r->conf->strict};
	const uint64_t around = (uint64_t)r->conf->around;
	uint64_t at;

	if (!newest || !req_fails((enum req_id)f->row, r->conf->strict))
		return;
	at = frame ? frame->frame.at_ns : newest->frame.at_ns;
	if (r->open && at > r->until + around)
		recorder_write(r); /* up to |until| */
	if (!r->open)
		recorder_open(r, at);
	if (!r->open)
		return;
	verdict_finding(&r->findings, &say, f);
	if (r->until < at + around)
		r->until = at + around;
	if (!frame || frame->number < r->next)
		return;
	if (frame->remark.len)
		text_puts(&frame->remark, "; ");
	text_printf(&frame->remark, "%s: %s", f->requirement, f->text);
}

int recorder_end(struct recorder *r, uint64_t *ret_captures)
{
	bool failed;

	*ret_captures = 0;
	if (!r)
		return 0;
	recorder_write(r);
	recorder_close(r);
	*ret_captures = r->captures;
	failed = r->failed;
	text_free(&r->blocks);
	text_free(&r->findings);
	folder_close(r->dir);
	frame_ring_free(r->ring);
	free(r);
	if (failed)
		return EXIT_HARNESS;
	return 0;
}
