/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_send.h -- executes the lines that send, wait, bind a number or
 * impair the link.
 */
#ifndef SUITE_RUN_RUN_SEND_H
#define SUITE_RUN_RUN_SEND_H

#include "suite/lang/case.h"
#include "suite/run/run_state.h"

/* run_send executes a ">" line. */
enum flow_control run_send(struct runner *r, const struct step *step);

/* run_wait executes a "wait" line. */
enum flow_control run_wait(struct runner *r, const struct step *step);

/* run_let executes a "let" line. */
enum flow_control run_let(struct runner *r, const struct step *step);

/* run_send_one sends the packet of a ">" line once. */
enum flow_control run_send_one(struct runner *r, const struct step *step);

/* run_spray executes a "spray" line. */
enum flow_control run_spray(struct runner *r, const struct step *step);

/* run_impair adds the rule of an "impair" line. */
enum flow_control run_impair(struct runner *r, const struct step *step);

/* run_base executes a "base" line. */
enum flow_control run_base(struct runner *r, const struct step *step);

#endif
