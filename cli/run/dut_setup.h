/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/dut_setup.h -- a device under test for a worker: chosen, addressed,
 * started.
 *
 * On loopback each worker has an address pair of its own, 127.a.b.c, found by
 * trying from one that the process id gives, so that runs side by side do not
 * meet.  With a port of the user's the first worker has the addresses that were
 * given, the next ones those two further on, and so forth.
 */
#ifndef CLI_RUN_DUT_SETUP_H
#define CLI_RUN_DUT_SETUP_H

#include "cli/spec.h"
#include "cli/variants.h"
#include "oracle/oracle.h"
#include "suite/decl/decl.h"
#include "suite/dut/dut.h"
#include "suite/lang/case.h"
#include "wire/frame/foreign.h"

/* Everything is lent for as long as seats are made. */
struct dut_setup_conf {
	const char *who; /* before messages */
	struct dut_spec dut;
	struct control_spec control;
	const char *control_text; /* of --control as given, or NULL */
	const char *sizes;        /* of --sizes as given, or NULL */
	const struct decl *decl;
	const char *decl_path; /* given to "rung serve"; or NULL */
	const char *mutant;    /* of mutants and variants, or NULL */
	const char *trigger;   /* of a device without control; or NULL */
	const char *without;   /* "VERB,VERB": verbs that do not count; or NULL;
				  "control": none does */
	struct foreign foreign; /* sizes of the device's headers */
	bool bridged;           /* another endpoint is |behind| us */
	struct port_spec behind;
	const struct variants *variants; /* of dut virtual */
	const volatile bool *stop;       /* flag of cli_interrupts, or NULL */
	bool privileged; /* programs keep the rights of rung's user */
	unsigned keeps;  /* of privilege_flags: what the caller needs later */
};

/*
 * dut_setup_many says whether workers can have a device each: not if it is one
 * that is there already, or one that is not told its address.
 */
bool dut_setup_many(const struct dut_spec *dut);

/*
 * dut_setup_new makes the device of a worker, of a family, and drops the
 * capabilities that the calling thread does not need afterwards.  Thread safe.
 * Return: 0 or an exit code after a message.
 */
int dut_setup_new(const struct dut_setup_conf *conf, unsigned worker,
		  enum family family, struct dut **ret);

/* dut_setup_free frees a device on the thread that made it.  NULL is allowed.
 */
void dut_setup_free(struct dut *dut);

/* dut_setup_family is the family of the device that a case needs: its own, if
 * the device claims it. */
enum family dut_setup_family(const struct decl *decl,
			     const struct test_case *test_case);

#endif
