/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/seat.h -- a device under test for a worker: chosen, addressed, started.
 *
 * On loopback each worker has an address pair of its own, 127.a.b.c, found by
 * trying from one that the process id gives, so that runs side by side do not
 * meet.  With a port of the user's the first worker has the addresses that were
 * given, the next ones those two further on, and so forth.
 */
#ifndef CLI_SEAT_H
#define CLI_SEAT_H

#include "cli/spec.h"
#include "oracle/oracle.h"
#include "suite/case.h"
#include "suite/decl.h"
#include "suite/dut.h"

/* Everything is lent for as long as seats are made. */
struct seat_conf {
	const char *who; /* before messages */
	struct dut_spec dut;
	struct control_spec control;
	const struct decl *decl;
	const char *decl_path; /* given to "rung serve"; or NULL */
	const char *mutant;    /* name, or NULL */
	const char *trigger;   /* of a device without control; or NULL */
	const char *without;   /* "VERB,VERB": verbs that do not count; or NULL;
				  "control": none does */
	bool bridged;          /* another endpoint is |behind| us */
	struct port_spec behind;
	const struct orc_api *api; /* of dut virtual */
};

/*
 * seat_many says whether workers can have a device each: not if it is one that
 * is there already, or one that is not told its address.
 */
bool seat_many(const struct dut_spec *dut);

/*
 * seat_new makes the device of a worker, of a family.  Thread safe.
 * Return: 0 or an exit code after a message.
 */
int seat_new(const struct seat_conf *conf, unsigned worker, enum family family,
	     struct dut **ret);

/* seat_family is the family of the device that a case needs: its own, if the
 * device claims it. */
enum family seat_family(const struct decl *decl, const struct kase *kase);

#endif
