/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/starts.h -- checks the Start_PSNs of a device over all cases of
 * a run.
 *
 * "Start_PSN is chosen at random, and at least 2^16 away from the last PSN that
 * was used before on the same PDCID": a single case sees only a few.
 */
#ifndef SUITE_VERDICT_STARTS_H
#define SUITE_VERDICT_STARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/decl/decl.h"
#include "suite/verdict/record.h"

/* this many equal Start_PSNs are no coincidence */
#define STARTS_ALIKE 8

struct starts_pdcid {
	bool used;
	uint32_t start, last;
};

struct starts {
	const struct decl *decl; /* for known deviations; or NULL */
	bool lasting; /* the device is not reset between cases, so it remembers
			 PDCIDs */
	uint32_t psn; /* Start_PSN of the first PDC that it opened */
	unsigned alike, others;
	bool told;
	bool recalls; /* the record contains the findings already */
	struct starts_pdcid pdcids[UINT16_MAX + 1];
};

/*
 * starts_take checks the PDCs that the device opened in a case; call it in the
 * order of the cases.  A violation becomes a finding of that case,
 * UET-PDC-19/src.  Cases that set Start_PSN, and those without a verdict, are
 * ignored; so is a device that declares "setting start_psn".
 * Errors: ERR_NOMEM.
 */
int starts_take(struct starts *s, struct record *r);

/*
 * starts_recall does the same for a record that was read from a file, which
 * contains the findings already.  |k| is its case.
 */
void starts_recall(struct starts *s, struct record *r,
		   const struct test_case *k);

#endif
