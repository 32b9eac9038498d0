/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/qps.h -- random runs of two endpoints with queue pairs: what runs
 * of SRD (srd.c) and of reliable connections (rc.c) have in common.
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

/* A packet on its way; the one that takes it frees |d|. */
struct qps_flight {
	vtime at;
	unsigned to;
	bool unjudged; /* whoever gets it must take it for nothing */
	bool forged;   /* none of the ends sent it */
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
	FILE *trace;     /* or NULL */
	struct tap *tap; /* NULL: no captures */
	uint64_t seed;
	bool honest; /* the link forges nothing */
	struct qps_tally tally;

	/* of a run */
	unsigned findings;
	char text[256]; /* of the first */
	vtime now;
	uint32_t frame;
	struct orc *end[2];
	struct orc_conf conf[2];
	struct judge *judge[2];
	struct qps_flight flights[QPS_FLIGHTS];
	size_t nflights;
};

/* What soaks a family. */
struct qps_kind {
	struct qps *(*make)(void); /* NULL: no memory */
	void (*run)(struct qps *w, uint64_t seed);
};

extern const struct qps_kind srd_kind, rc_kind;

/* qps_new makes a world; NULL: no memory. */
struct qps *qps_new(const struct qps_kind *kind,
		    const struct orc_api *const api[2], enum family family);
void qps_free(struct qps *w);

/*
 * qps_run makes one run from its seed.
 * Return: how many findings.
 */
unsigned qps_run(const struct qps_kind *kind, struct qps *w, uint64_t seed);

/* ---- For runs ---- */

/* qps_wrong is a finding; the first is kept, and a run ends with it. */
void qps_wrong(struct qps *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* qps_open makes both ends as w->conf has them, and a judge at each; captures
 * of the run begin. */
bool qps_open(struct qps *w);

/*
 * qps_look shows a packet, |pkt| taken apart, to the judge at |side|; |may|, or
 * NULL, says of a finding that it is none.
 */
void qps_look(struct qps *w, unsigned side, const struct dgram *d,
	      struct packet *pkt,
	      bool (*may)(const struct qps *w, const struct finding *f));

/* qps_leaves and qps_flies show the captures a packet that |from| sends, and
 * what the link lets through of it (tap_sent, tap_flies). */
void qps_leaves(struct qps *w, unsigned from, const struct dgram *d);
void qps_flies(struct qps *w, const struct qps_flight *f);

/* qps_fly sends a copy off; NULL: there is no room, it is lost. */
struct qps_flight *qps_fly(struct qps *w, unsigned to, const struct dgram *d,
			   vspan delay);

/*
 * qps_step lets the next thing happen, not after |until|: |arrive| is called
 * for a packet, which is freed then, or a timer fires at |side|, for which
 * |drain| is called.
 * Return: false if there is none.
 */
bool qps_step(struct qps *w, vtime until,
	      void (*arrive)(struct qps *w, const struct qps_flight *f),
	      void (*drain)(struct qps *w, unsigned side));

#endif
