/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/qps.h -- random runs of two endpoints with queue pairs: the common
 * part of SRD (srd.c) and of reliable connections (rc.c).
 */
#ifndef TESTS_SOAK_QPS_H
#define TESTS_SOAK_QPS_H

#include <stdint.h>
#include <stdio.h>

#include "judge/judge.h"
#include "oracle/oracle.h"
#include "tests/soak/tap.h"
#include "wire/family.h"

#define QPS_FLIGHTS 4096

/* A packet in flight; its receiver frees |d|. */
struct qps_flight {
	vtime at;
	unsigned to;
	bool unjudged; /* the receiver must ignore it */
	bool forged;   /* made by the link */
	struct dgram *d;
};

struct qps_tally {
	uint64_t runs, failed, findings;
	uint64_t messages, packets, lost, doubled, forged;
	uint64_t dropped, restarts, destroyed, outages;
};

/* The beginning of every world. */
struct qps {
	const struct orc_api *api[2];
	enum family family;
	FILE *trace;     /* NULL: no trace */
	struct tap *tap; /* NULL: no captures */
	uint64_t seed;
	bool honest; /* the link forges no packets */
	struct qps_tally tally;

	/* findings of a run */
	unsigned findings;
	char text[256]; /* text of the first finding */
	vtime now;
	uint32_t frame;
	struct orc *end[2];
	struct orc_conf conf[2];
	struct judge *judge[2];
	struct qps_flight flights[QPS_FLIGHTS];
	size_t nflights;
};

/* The hooks of a soak test of a family. */
struct qps_kind {
	struct qps *(*make)(void); /* Return: NULL if there is no memory. */
	void (*run)(struct qps *w, uint64_t seed);
};

extern const struct qps_kind srd_kind, rc_kind;

/* qps_new makes a world; NULL if there is no memory. */
struct qps *qps_new(const struct qps_kind *kind,
		    const struct orc_api *const api[2], enum family family);
void qps_free(struct qps *w);

/*
 * qps_run makes one run from its seed.
 *
 * Return: the number of findings.
 */
unsigned qps_run(const struct qps_kind *kind, struct qps *w, uint64_t seed);

/* ---- For runs ---- */

/* qps_wrong records a finding; the first is kept, and ends the run. */
void qps_wrong(struct qps *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * qps_open makes both ends as w->conf configures them, and a judge at each, and
 * begins the captures of the run.
 */
bool qps_open(struct qps *w);

/*
 * qps_look passes a packet, parsed as |pkt|, to the judge at |side|; |may|, or
 * NULL, returns true for permitted findings.
 */
void qps_look(struct qps *w, unsigned side, const struct dgram *d,
	      struct packet *pkt,
	      bool (*may)(const struct qps *w, const struct finding *f));

/*
 * qps_leaves adds a packet that |from| sends to the captures, qps_flies what
 * the link delivers of it (tap_sent, tap_flies).
 */
void qps_leaves(struct qps *w, unsigned from, const struct dgram *d);
void qps_flies(struct qps *w, const struct qps_flight *f);

/* qps_fly sends a copy; NULL: there is no room, so it is lost. */
struct qps_flight *qps_fly(struct qps *w, unsigned to, const struct dgram *d,
			   vspan delay);

/*
 * qps_step executes the next event, not after |until|: it calls |arrive| for a
 * packet, which is then freed, or fires a timer at |side| and calls |drain|.
 *
 * Return: false if there is none.
 */
bool qps_step(struct qps *w, vtime until,
	      void (*arrive)(struct qps *w, const struct qps_flight *f),
	      void (*drain)(struct qps *w, unsigned side));

#endif
