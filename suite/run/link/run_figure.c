/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_figure.c -- rewrites findings of monitors with the
 * figure's numbers.
 */
#include "suite/run/link/run_figure.h"

#include "suite/run/run_state.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

/*
 * Returns the PSN space that a packet refers to; an ACK refers to its
 * receiver's.
 */
static enum psn_space frame_space(struct runner *r, uint32_t frame,
				  const struct psn_base **ret_base)
{
	struct packet pkt;

	for (size_t i = r->rec->nrecs; i-- > 0;) {
		const struct rec *rec = &r->rec->recs[i];

		if (!frame || rec->frame != frame)
			continue;
		record_packet(r->rec, rec, &pkt);
		*ret_base = &r->rec->base[rec->pdc];
		return psn_space_of(
			&pkt, "clear_psn",
			scope_initiator(&r->scope, rec->kind == REC_TX));
	}
	return SPACE_NONE;
}

void link_figure(struct runner *r, struct rec_finding *f)
{
	const struct psn_base *base = r->rec->base;
	enum psn_space space = frame_space(r, f->frame, &base);
	const struct rec_finding live = *f;

	f->live = false;
	psn_figure_text(base, space, live.text, true, f->text, sizeof(f->text));
	psn_figure_text(base, space, live.expected, false, f->expected,
			sizeof(f->expected));
	psn_figure_text(base, space, live.actual, false, f->actual,
			sizeof(f->actual));
}
