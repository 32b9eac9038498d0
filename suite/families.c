/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/families.c -- the registry of the suite's families: one row for each.
 *
 * No other file of this folder names the families.  A program that links its
 * own rows instead of this file has other transports (tests/toy/).
 */
#include "oracle/oracle.h"
#include "suite/craft/craft_srd.h"
#include "suite/craft/craft_wqe.h"
#include "suite/decl/decl.h"
#include "suite/run/link/run_srd.h"
#include "suite/run/link/run_wqe.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_srd.h"
#include "suite/run/scope/scope_wqe.h"
#include "suite/transport.h"

#define SRD_RTO_GROWTH 16 /* 10 ms to 160 ms (srd_wqe.md A.4.5) */

static void srd_endpoint(struct orc_conf *ret, const struct decl *d)
{
	ret->crc = true;
	ret->rto_max = SRD_RTO_GROWTH * d->rto.value;
	ret->srd_unresponsive = d->unresponsive.value;
}

/*
 * Sets the timers: T_miss is the declared one, or the time within which an
 * answer is due, and all that takes a round trip is counted in RTOs of the
 * sender (srd_wqe.md B.7).
 */
static void wqe_endpoint(struct orc_conf *ret, const struct decl *d)
{
	ret->crc = true;
	ret->wqe_max_len = d->max_message;
	ret->wqe_max_ooo = d->wqe_ooo;
	ret->wqe_cache_max = d->wqe_cache;
	ret->wqe_miss = decl_wqe_miss(d);
	ret->wqe_again = 4 * d->rto.value;
	ret->wqe_tail = decl_wqe_tail(d);
	ret->wqe_hold = 2 * d->rto.value;
	/* The cache keeps a packet until its gap is reported. */
	ret->wqe_cache_time += 8 * d->ack_time.value;
}

static void roce_endpoint(struct orc_conf *ret, const struct decl *d)
{
	wqe_endpoint(ret, d);
	ret->wqe_gbn = true;
}

static const struct suite_family suite_uet = {
	.has_pdcs = true,
	.mtu_is_bound = true,
};

static const struct suite_family suite_srd = {
	.verbs_claim = "srd.verbs",
	.space = craft_srd_space,
	.craft = craft_srd,
	.head = craft_srd_head,
	.make = scope_srd_make,
	.turn = scope_srd_turn,
	.sent = scope_srd_sent,
	.arrived = scope_srd_arrived,
	.taken = scope_srd_taken,
	.allowance = srd_allowance,
	.endpoint = srd_endpoint,
};

static const struct suite_family suite_wqe = {
	.connected = true,
	.space = craft_wqe_space,
	.craft = craft_wqe,
	.make = scope_wqe_make,
	.turn = scope_wqe_turn,
	.sent = scope_wqe_sent,
	.arrived = scope_wqe_arrived,
	.taken = scope_wqe_taken,
	.allowance = wqe_allowance,
	.endpoint = wqe_endpoint,
};

static const struct suite_family suite_roce = {
	.connected = true,
	.plain_rc = true,
	.space = craft_wqe_space,
	.craft = craft_wqe,
	.make = scope_wqe_make,
	.turn = scope_wqe_turn,
	.sent = scope_wqe_sent,
	.arrived = scope_wqe_arrived,
	.taken = scope_wqe_taken,
	.allowance = wqe_allowance,
	.endpoint = roce_endpoint,
};

const struct suite_family *const suite_families[] = {
	FAMILY_LIST(FAMILY_ROW, suite_)};
