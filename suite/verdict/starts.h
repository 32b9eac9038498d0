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

/* So many cases with one and the same Start_PSN are no chance. */
#define STARTS_ALIKE 8

struct starts_pdcid {
	bool used;
	uint32_t start, last;
};

struct starts {
	const struct decl *decl; /* says which deviations are known; or NULL */
	bool lasting; /* the device is not reset between cases: it knows its
			 PDCIDs of the cases before */
	uint32_t psn; /* of the first PDC that it opened */
	unsigned alike, others;
	bool told;
	bool recalls; /* its findings stand in the record already */
	struct starts_pdcid pdcids[UINT16_MAX + 1];
};

/*
 * starts_take looks at the PDCs that the device opened in a case, in the order
 * of the cases.  What is wrong becomes a finding of that case, UET-PDC-19/src.
 * Cases that set Start_PSN, and those without a verdict, are left out.
 * Errors: ERR_NOMEM.
 */
int starts_take(struct starts *s, struct record *r);

/*
 * starts_recall does so for a record that was read back, and changes nothing in
 * it: what is wrong stands there already.  |k| is its case.
 */
void starts_recall(struct starts *s, struct record *r,
		   const struct test_case *k);

#endif
