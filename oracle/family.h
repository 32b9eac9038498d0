/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/family.h -- an endpoint of any family: what oracle.h offers, on top of
 * what a family does in its own way.
 *
 *	family.c   the shell: life, time, queues, settings
 *	orc.c      UET; srd.c: SRD; wqe.c: the WQE extension
 *
 * Each endpoint begins with its struct env; a struct orc is that, and what the
 * family has behind it.
 */
#ifndef ORACLE_FAMILY_H
#define ORACLE_FAMILY_H

#include "oracle/env.h"
#include "oracle/oracle.h"

/* What may be NULL is not called. */
struct orc_family {
	size_t size; /* of an endpoint; it begins with a struct env */

	bool (*is_right)(const struct orc_conf *conf);

	/*
	 * start begins, in zeroed memory behind an env that is ready; again
	 * forgets everything and begins, the env being new; end gives back all
	 * but the env and the endpoint itself.
	 */
	void (*start)(struct orc *o);
	void (*again)(struct orc *o);
	void (*end)(struct orc *o);

	/* is_busy says whether it is too late for settings. */
	bool (*is_busy)(const struct orc *o);

	/* post, as orc_api has it, for all but OP_CONFIGURE. */
	int (*post)(struct orc *o, const struct orc_op *op);

	/*
	 * With conf.crc: unseal checks what a datagram ends in and takes it off
	 * *len, false: it is wrong; seal appends it.
	 */
	bool (*unseal)(const struct orc *o, const struct dgram *d, size_t *len);
	void (*seal)(const struct orc *o, struct dgram *d);

	/* take takes a datagram, |len| bytes without its trailer. */
	void (*take)(struct orc *o, const struct dgram *d, size_t len);

	/* more moves a datagram that is in no queue to *ret; may be NULL. */
	bool (*more)(struct orc *o, struct dgram *ret);

	/* fire is told of a timer that is due, and stopped. */
	void (*fire)(struct orc *o, struct timer *timer);

	/* count adds to counters what they do not hold; may be NULL. */
	void (*count)(const struct orc *o, struct orc_stats *ret);

	/* As orc_api has them; expect_* may be NULL. */
	void (*expect_feed)(const struct orc *o, const struct dgram *d);
	void (*expect_post)(const struct orc *o, const struct orc_op *ops,
			    size_t n);
	int (*memory)(const struct orc *o, uint64_t key, const uint8_t **ret,
		      size_t *ret_len);
};

extern const struct orc_family family_uet, family_srd, family_wqe, family_roce;

/* orc_make is orc_api.make with a memory that may refuse. */
int orc_make(struct orc **ret, const struct orc_conf *conf, struct mem mem);

/*
 * icrc_unseal checks the ICRC of a datagram to UDP port |port|, as |mode| has
 * it, and takes it off *len; false: it is wrong, or not there.
 */
bool icrc_unseal(const struct dgram *d, uint16_t port, enum icrc_mode mode,
		 size_t *len);

#endif
