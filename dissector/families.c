/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/families.c -- the registry of the dissector's families: one row for
 * each.
 *
 * The other files hold the code that all families share, and that which shows
 * a packet.
 */
#include "dissector/families.h"

#include "wire/ib/ib.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct header *const srd_headers[] = {
	&bth_header,     &seth_header,     &deth_header,
	&imm_eth_header, &srd_aeth_header, &srd_sack_header,
};

static const struct header *const wqe_headers[] = {
	&bth_header,  &reth_header,  &aeth_header,  &imm_eth_header,
	&ieth_header, &wqeth_header, &rieth_header, &rieth_entry_header,
};

static bool syndrome_is_rnr(uint8_t syndrome)
{
	return (syndrome & 0xe0) == IB_SYNDROME_RNR;
}

static enum req_id srd_syndrome(uint8_t syndrome)
{
	if (syndrome_is_rnr(syndrome))
		return REQ_SRD_51;
	if (syndrome == IB_SYNDROME_BAD_DEST_QP)
		return REQ_SRD_50;
	return syndrome == IB_SYNDROME_CTX_RESET ? REQ_DER_6 : REQ_SRD_22;
}

static enum req_id wqe_syndrome(uint8_t syndrome)
{
	if (syndrome_is_rnr(syndrome))
		return REQ_WQE_39;
	return syndrome == IB_SYNDROME_PSN_SEQ ? REQ_WQE_20 : REQ_WQE_24;
}

static enum req_id roce_syndrome(uint8_t syndrome)
{
	if (syndrome_is_rnr(syndrome))
		return REQ_ROCE_05;
	return syndrome == IB_SYNDROME_PSN_SEQ ? REQ_ROCE_06 : REQ_I10;
}

static const struct dissect_family dissect_uet = {
	.column = "UET",
	.flow = "PDC",
	.links_reads = true,
	.links_clears = true,
	.about = {.net_dup = REQ_MODE_RUD_4,
		  .needless = REQ_MODE_RUD_3,
		  .nack = REQ_RUD_SEQ_82,
		  .gap = REQ_RUD_LOSS_2,
		  .timer = REQ_RUD_SEQ_83,
		  .late = REQ_RUD_SEQ_77,
		  .skipped = REQ_UET_PDC_23,
		  .unseen = REQ_UET_ACK_05,
		  .due = REQ_UET_ACK_15},
};

static const struct dissect_family dissect_srd = {
	.column = "SRD",
	.flow = "context",
	.follows_cut = true,
	.about = {.net_dup = REQ_SRD_17,
		  .needless = REQ_I7,
		  .nack = REQ_SRD_22,
		  .gap = REQ_SRD_19,
		  .timer = REQ_SRD_19,
		  .late = REQ_SRD_28,
		  .skipped = REQ_SRD_19,
		  .unseen = REQ_I5,
		  .due = REQ_SRD_35},
	.syndrome = srd_syndrome,
	.title = "Scalable Reliable Datagram (rung's reference "
		 "encapsulation)",
	.headers = srd_headers,
	.nheaders = COUNT(srd_headers),
};

static const struct dissect_family dissect_wqe = {
	.column = "WQE",
	.flow = "connection",
	.links_messages = true,
	.errors_end_flow = true,
	.about = {.net_dup = REQ_WQE_02,
		  .needless = REQ_I7,
		  .nack = REQ_WQE_16,
		  .gap = REQ_WQE_08,
		  .timer = REQ_WQE_16,
		  .late = REQ_WQE_22,
		  .skipped = REQ_WQE_21,
		  .unseen = REQ_I5,
		  .due = REQ_I3},
	.syndrome = wqe_syndrome,
	.title = "RoCEv2 with the WQE extension (rung's reference form)",
	.headers = wqe_headers,
	.nheaders = COUNT(wqe_headers),
};

static const struct dissect_family dissect_roce = {
	.column = "RoCEv2",
	.flow = "connection",
	.links_reads = true,
	.errors_end_flow = true,
	.about = {.net_dup = REQ_I6,
		  .needless = REQ_ROCE_08,
		  .nack = REQ_ROCE_04,
		  .gap = REQ_ROCE_04,
		  .timer = REQ_I6,
		  .late = REQ_ROCE_01,
		  .skipped = REQ_ROCE_01,
		  .unseen = REQ_I5,
		  .due = REQ_I3},
	.syndrome = roce_syndrome,
};

const struct dissect_family *const dissect_families[] = {
	FAMILY_LIST(FAMILY_ROW, dissect_)};
