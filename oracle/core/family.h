/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/family.h -- an endpoint of any family: the functions of oracle.h,
 * based on the hooks of a family.
 *
 * family.c the shell: creation, time, queues, settings orc.c UET; srd.c: SRD;
 *    wqe.c: the WQE extension
 *
 * Each endpoint begins with its struct env; a struct orc is the env and the
 * family's state behind it.
 */
#ifndef ORACLE_CORE_FAMILY_H
#define ORACLE_CORE_FAMILY_H

#include "oracle/core/env.h"
#include "oracle/oracle.h"

/* The hooks of a family.  A hook that may be NULL is then not called. */
struct orc_family {
	size_t size; /* size of an endpoint, which begins with a struct env */

	bool (*is_right)(const struct orc_conf *conf);

	/*
	 * start begins, in zeroed memory behind a ready env.  again forgets all
	 * state and begins with a new env.  end frees all but the env and the
	 * endpoint itself.
	 */
	void (*start)(struct orc *o);
	void (*again)(struct orc *o);
	void (*end)(struct orc *o);

	/* is_busy returns true if settings can no longer change. */
	bool (*is_busy)(const struct orc *o);

	/* post, as in orc_api, for all operations but OP_CONFIGURE. */
	int (*post)(struct orc *o, const struct orc_op *op);

	/*
	 * With conf.crc: unseal checks the trailer of a datagram and subtracts
	 * it from *len; false: it is wrong.  seal appends it.
	 */
	bool (*unseal)(const struct orc *o, const struct dgram *d, size_t *len);
	void (*seal)(const struct orc *o, struct dgram *d);

	/* take processes a datagram, |len| bytes without its trailer. */
	void (*take)(struct orc *o, const struct dgram *d, size_t len);

	/* more moves a datagram that is not queued to *ret; may be NULL. */
	bool (*more)(struct orc *o, struct dgram *ret);

	/* fire handles a timer that is due and was stopped. */
	void (*fire)(struct orc *o, struct timer *timer);

	/* count adds the family's own counters; may be NULL. */
	void (*count)(const struct orc *o, struct orc_stats *ret);

	/* Like the functions of orc_api; may be NULL. */
	void (*expect_tables)(const struct orc *o);
	void (*expect_send)(const struct orc *o);
	void (*expect_feed)(const struct orc *o, const struct dgram *d);
	void (*expect_state)(const struct orc *o, const struct dgram *d);
	void (*expect_rest)(const struct orc *o, const struct dgram *d);
	void (*expect_post)(const struct orc *o, const struct orc_op *ops,
			    size_t n);
	int (*memory)(const struct orc *o, uint64_t key, const uint8_t **ret,
		      size_t *ret_len);
};

/* The rows, by enum family; oracle/families.c. */
extern const struct orc_family *const orc_families[];

extern const struct orc_family family_uet, family_srd, family_wqe, family_roce;

/* orc_make is orc_api.make with a memory that may refuse allocations. */
int orc_make(struct orc **ret, const struct orc_conf *conf, struct mem mem);

/*
 * icrc_unseal checks the ICRC of a datagram to UDP port |port| by |mode|, and
 * subtracts it from *len.  Return: false if it is wrong or missing.
 */
bool icrc_unseal(const struct dgram *d, uint16_t port, enum icrc_mode mode,
		 size_t *len);

#endif
