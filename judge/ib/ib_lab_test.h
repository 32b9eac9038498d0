/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/ib_lab_test.h -- tests of families whose packets begin with a BTH: a
 * judge and two hosts; A sends requests, B answers.
 *
 * PSNs count from lab->start; EACH runs a test at three starts, the second just
 * before the wrap.  breaks() expects exactly one finding, about the last
 * packet.
 */
#ifndef JUDGE_IB_IB_LAB_TEST_H
#define JUDGE_IB_IB_LAB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/serial.h"
#include "judge/core/told_test.h"
#include "judge/judge.h"
#include "wire/family.h"
#include "wire/ib/ib.h"

enum { A, B };

struct lab {
	struct judge *j;
	struct finding found[16];
	size_t n;
	vtime at; /* time of the last packet */
	uint32_t frame, start;
	struct ip_addr addr[2];
	enum family family;
	bool mangled;  /* later packets have a wrong ICRC */
	unsigned gone; /* flows that were replaced */
	/* inverts bits of some packets; NULL: of none */
	struct rng *noise;
};

static inline struct judge_conf ib_lab_test_lab_conf(void)
{
	struct judge_conf conf;

	judge_conf_default(&conf);
	conf.complete = true;
	return conf;
}

static inline void ib_lab_test_gives_way(void *arg, const struct judge_flow *f)
{
	struct lab *lab = arg;

	assert_int_equal(f->family, lab->family);
	assert_true(ip_addr_equal(&f->addr[B], &lab->addr[B]));
	assert_true(f->first_frame && f->first_frame < lab->frame);
	lab->gone++;
}

static inline void ib_lab_test_lab_begin(struct lab *lab, enum family family,
					 struct judge_conf *conf,
					 uint32_t start)
{
	*lab = (struct lab){.family = family, .start = start};
	lab->addr[A] = ip_addr_v4(0x0a000001);
	lab->addr[B] = ip_addr_v4(0x0a000002);
	conf->over = ib_lab_test_gives_way;
	conf->arg = lab;
}

static inline void ib_lab_test_lab_open(struct lab *lab, enum family family,
					struct judge_conf conf, uint32_t start)
{
	ib_lab_test_lab_begin(lab, family, &conf, start);
	assert_int_equal(judge_new(&lab->j, &conf, 16), 0);
}

static inline void ib_lab_test_lab_close(struct lab *lab)
{
	judge_free(lab->j);
}

/* Begins anew with the same judge, which must have forgotten all. */
static inline void ib_lab_test_lab_again(struct lab *lab)
{
	struct judge *j = lab->j;
	struct judge_conf conf = ib_lab_test_lab_conf();
	const uint32_t psn = judge_facts(j)->psn;

	judge_reset(j);
	assert_int_equal(judge_frame(j, true, psn), 0);
	ib_lab_test_lab_begin(lab, lab->family, &conf, lab->start);
	judge_declare(j, &conf);
	lab->j = j;
}

static inline void at_each_start(enum family family, const char *name,
				 void (*test)(struct lab *))
{
	static const uint32_t starts[] = {0, 0xfffffe, 0x7fffff};

	told_begin(name);
	for (size_t i = 0; i < 3; i++) {
		struct lab lab;

		ib_lab_test_lab_open(&lab, family, ib_lab_test_lab_conf(),
				     starts[i]);
		test(&lab);
		told_skip();
		ib_lab_test_lab_again(&lab);
		test(&lab);
		ib_lab_test_lab_close(&lab);
	}
	told_begin(NULL);
}

/* Defines test_x() for a test x(lab) of a file that has a FAMILY. */
#define EACH(name)                                  \
	static void test_##name(void **state)       \
	{                                           \
		(void)state;                        \
		at_each_start(FAMILY, #name, name); \
	}

static inline uint32_t ib_lab_test_psn_of(const struct lab *lab, uint32_t psn)
{
	return (lab->start + psn) & SERIAL24_MASK;
}

static inline void ib_lab_test_push(struct lab *lab, unsigned from,
				    const uint8_t *p, size_t len)
{
	static struct dgram d;
	static uint8_t turned[2048];
	struct packet pkt;
	const struct judge_packet in = {.pkt = &pkt,
					.d = &d,
					.at = lab->at += VSPAN_US,
					.copy = lab->mangled,
					.frame = ++lab->frame};

	d.src = lab->addr[from];
	d.dst = lab->addr[!from];
	d.family = (uint8_t)lab->family;
	if (lab->noise && !rng_below(lab->noise, 25)) {
		memcpy(turned, p, len);
		turned[rng_below(lab->noise,
				 (uint32_t)(len < 28 ? len : 28))] ^=
			(uint8_t)(1u << rng_below(lab->noise, 8));
		p = turned;
	}
	packet_parse(lab->family, &pkt, p, len);
	if (!lab->noise)
		assert_int_equal(pkt.fault, PACKET_OK);
	lab->n += judge_push(lab->j, &in, lab->found + lab->n, 16 - lab->n);
}

static inline void none(struct lab *lab)
{
	if (lab->n)
		fail_msg("%s: %s", req_get(lab->found[0].req)->id,
			 lab->found[0].text);
}

static inline void breaks_as(struct lab *lab, enum req_id req,
			     enum req_role role, unsigned side)
{
	const struct finding *f = &lab->found[0];

	if (lab->n != 1 || f->req != req || f->role != role)
		fail_msg("%zu findings, the first %s", lab->n,
			 lab->n ? req_get(f->req)->id : "none");
	assert_true(ip_addr_equal(&f->side, &lab->addr[side]));
	assert_int_equal(f->frame, lab->frame);
	lab->n = 0;
}

static inline void breaks(struct lab *lab, enum req_id req, enum req_role role)
{
	breaks_as(lab, req, role, role == REQ_DST);
}

/* Some of |begun| flows were replaced, and conf.over was called for each. */
static inline void gave_way(struct lab *lab, unsigned begun, unsigned gone)
{
	none(lab);
	assert_int_equal(judge_totals(lab->j)->flows, begun);
	assert_int_equal(judge_totals(lab->j)->forgotten, gone);
	assert_int_equal(lab->gone, gone);
}

/*
 * Plays random packets around the next PSN, |*next|, with random declarations.
 * Checks only that findings are well formed; their record shows each change.
 */
static inline void ib_lab_test_noise(enum family family,
				     void (*step)(struct lab *lab,
						  struct rng *rng,
						  uint32_t *next))
{
	told_begin("noise");
	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct rng rng = {seed};
		struct judge_conf conf = ib_lab_test_lab_conf();
		struct lab lab;
		uint32_t next = 0;

		conf.complete = rng_below(&rng, 4) > 0;
		conf.rto_init = rng_below(&rng, 2) ? 10 * VSPAN_MS : 0;
		conf.grace = rng_below(&rng, 4) ? 0 : 3 * VSPAN_MS;
		if (!rng_below(&rng, 4))
			conf.here = ip_addr_v4(0x0a000001 + rng_below(&rng, 2));
		ib_lab_test_lab_open(&lab, family, conf,
				     seed % 2 ? 0xffffe0 : 5);
		lab.noise = &rng;
		for (unsigned i = 0; i < 150; i++) {
			if (!rng_below(&rng, 12))
				lab.at += rng_below(&rng, 8) * VSPAN_MS;
			step(&lab, &rng, &next);
			for (size_t k = 0; k < lab.n; k++)
				assert_true(lab.found[k].text[0] &&
					    lab.found[k].frame <= lab.frame);
			lab.n = 0;
		}
		ib_lab_test_lab_close(&lab);
	}
}

#endif
