/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script.h -- moves that are written as lines of a case
 * with places for numbers and choices.
 *
 * In braces stand
 *
 *   {p} {p+2}   the PSN of the next request, and those behind it
 *   {r} {r+1}   the PSN of the next return packet
 *   {m} {m+1}   the next message id; of a connection, the next message number
 *   {o+1}       the number of the first operation that the move posts
 *   {l} {l+1}   lengths that no other message of an SRD case has
 *   {b+1}       {p+1} as the four bytes of a list entry
 *   {s}         a number that makes symbols of the move unique: $m{s}
 *   {q}         the word of a request: rud_req or rod_req
 *   {mode}      " mode=rod" for a post on an ordered PDC, else nothing
 *   {:a/b/c}    one of the words, drawn; {:0..255} a number of a range
 *   {1:a/b/c}   the same, remembered as choice 1 to 9
 *   {1=x/y/z}   the word in the place of choice 1
 *   {1} {1+4}   the number of choice 1
 *
 * A line that begins with '?' stands only in the first move of a draft.  A line
 * that checks and names no requirement gets those of the script.
 */
#ifndef SUITE_EXPLORE_SCRIPT_SCRIPT_H
#define SUITE_EXPLORE_SCRIPT_SCRIPT_H

#include <stdint.h>

#include "suite/explore/draft.h"

enum {
	SCRIPT_OVER = 1,  /* the PDC, context or connection has ended */
	SCRIPT_MIXED = 2, /* memory is no longer what the moves expect */
	SCRIPT_BARE = 4,  /* the script replaces the opening lines */
	SCRIPT_RUD = 8,   /* of RUD alone, not of ROD */
	SCRIPT_ROD = 16,  /* of ROD alone */
	SCRIPT_LONG = 32, /* it needs the whole memory of the device */
};

struct draft_script {
	const char *title;    /* a sentence: what happens */
	const char *setting;  /* of the device, before the opening; or NULL */
	const char *needs;    /* capabilities, separated by spaces; or NULL */
	const char *violates; /* rules that the tester breaks; or NULL */
	const char *ids;      /* of lines that name none */
	const char *lines;
	uint8_t psns, mids, ops, rets; /* how far the move counts */
	uint8_t flags;
	uint8_t weight; /* 0 ends a table */
};

/* script_write writes a script as a move. */
void script_write(struct draft *d, const struct draft_script *s);

/* script_opens returns whether the DUT opens one more PDC in a script. */
bool script_opens(const struct draft_script *s);

/* script_fits returns false if a script is not for a transport. */
bool script_fits(const struct draft_script *s, enum draft_subject subject);

/* The moves of each transport and chair, and those before the opening: the
   tables that cmake/moves.py makes of the files *.moves. */
extern const struct draft_script script_srd_target[], script_srd_initiator[];
extern const struct draft_script script_srd_initiator_first[];
extern const struct draft_script script_srd_target_first[];
extern const struct draft_script script_wqe_target[], script_wqe_initiator[];
extern const struct draft_script script_wqe_target_first[];
extern const struct draft_script script_wqe_initiator_first[];
extern const struct draft_script script_roce_target[], script_roce_initiator[];
extern const struct draft_script script_roce_target_first[];
extern const struct draft_script script_roce_initiator_first[];
extern const struct draft_script script_uet_target[], script_uet_initiator[];
extern const struct draft_script script_uet_target_first[];
extern const struct draft_script script_uet_initiator_first[];
extern const struct draft_script script_rudi_target[], script_rudi_initiator[];
extern const struct draft_script script_rudi_target_first[];
extern const struct draft_script script_rudi_initiator_first[];
extern const struct draft_script script_uud_target[], script_uud_initiator[];
extern const struct draft_script script_uud_target_first[];
extern const struct draft_script script_uud_initiator_first[];

#endif
