/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/dut_setup.h -- a device under test for a worker: selected, addressed,
 * started.
 *
 * On loopback each worker has its own address pair, 127.a.b.c.  The search for
 * a free pair starts at an address that depends on the process id, so that
 * parallel runs rarely collide.  On a port that the user gave, the first worker
 * has the given addresses, the next one these addresses plus two, and so on.
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

/* All pointers must outlive the last dut_setup_new() call. */
struct dut_setup_conf {
	const char *who; /* prefix of messages */
	struct dut_spec dut;
	struct control_spec control;
	const char *control_text; /* argument of --control, or NULL */
	const char *sizes;        /* argument of --sizes, or NULL */
	const struct decl *decl;
	const char *decl_path; /* declaration passed to "rung serve", or NULL */
	const char *mutant;    /* names of mutants and variants, or NULL */
	const char *trigger;   /* command of --trigger, or NULL */
	/*
	 * "VERB,VERB": verbs that are not used; "control": none is used; or
	 * NULL
	 */
	const char *without;
	struct foreign foreign; /* sizes of the device's headers */
	bool bridged; /* the bridge's other endpoint plays the tester */
	struct port_spec behind;
	const struct variants *variants; /* variants of --dut virtual */
	const volatile bool *stop;       /* flag of cli_interrupts, or NULL */
	bool privileged; /* started programs keep the rights of rung's user */
	unsigned keeps;  /* privilege_flags that the caller needs later */
};

/*
 * dut_setup_many returns true if each worker can have its own device.  This is
 * not so for a device that runs already, or that does not get its address from
 * rung.
 */
bool dut_setup_many(const struct dut_spec *dut);

/*
 * dut_setup_new makes the device of a worker for a family, and drops the
 * capabilities that the calling thread no longer needs.  Thread safe.
 * Return: 0 or an exit code after a message.
 */
int dut_setup_new(const struct dut_setup_conf *conf, unsigned worker,
		  enum family family, struct dut **ret);

/* dut_setup_free frees a device on the thread that made it.  NULL is allowed.
 */
void dut_setup_free(struct dut *dut);

/*
 * dut_setup_family returns the family of the device for a case: the case's
 * family, if the device claims it.
 */
enum family dut_setup_family(const struct decl *decl,
			     const struct test_case *test_case);

#endif
