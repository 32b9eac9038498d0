/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_miss.c -- finds the PSNs that the responder misses, and
 * reports them in time.
 *
 * A PSN below the highest received one is missing as soon as it is skipped; the
 * PSNs behind that one, up to the LEN of a known WQE, are missing after a
 * silence.  A PSN is requested again no sooner than a round trip later: without
 * that hold-off a burst behind a loss causes a storm of indications.
 *
 * Spec: seed 004 S47; srd_wqe.md B.4.3, B.7
 */
#include "oracle/wqe/wqe_miss.h"

#include <stdlib.h>

#include "oracle/wqe/wqe_entry.h"
#include "oracle/wqe/wqe_out.h"
#include "oracle/wqe/wqe_state.h"

/*
 * Returns the state of a PSN that may be missing: from ePSN on, for one window.
 * Slots are set when the first such PSN behind them is asked for.
 */
static struct wqe_gap *gap(struct wqe_qp *qp, uint32_t psn)
{
	/* ePSN may have passed the slots long ago */
	if (qp->gaps_end - qp->epsn > qp->w->env.conf.wqe_window)
		qp->gaps_end = qp->epsn;
	for (; !serial_after(qp->gaps_end, psn); qp->gaps_end++)
		qp->gaps[wqe_slot(qp, qp->gaps_end)] =
			(struct wqe_gap){VTIME_NEVER, VTIME_NEVER};
	return &qp->gaps[wqe_slot(qp, psn)];
}

void wqe_miss_note(struct wqe_qp *qp, uint32_t psn)
{
	if (serial_before(qp->high, qp->epsn))
		qp->high = qp->epsn;
	for (; serial_before(qp->high, psn); qp->high++)
		gap(qp, qp->high)->since = qp->w->env.now;
	if (serial_after(psn + 1, qp->high))
		qp->high = psn + 1;
}

/* "ask only for what you can keep" */
static bool can_keep(const struct wqe_qp *qp, uint32_t psn)
{
	const struct orc_conf *conf = &qp->w->env.conf;
	const struct wqe_entry *e = wqe_entry_find(qp, psn);

	if (psn == qp->epsn || (e && (e->host || e->cache)))
		return true;
	if (e)
		return qp->cached + e->len <= conf->wqe_cache_max;
	return qp->cached < conf->wqe_cache_max &&
	       qp->nentries < conf->wqe_max_ooo;
}

/* Returns when to request a missing PSN. */
static vtime wqe_miss_due(struct wqe_qp *qp, uint32_t psn)
{
	const struct orc_conf *conf = &qp->w->env.conf;
	const struct wqe_gap *g = gap(qp, psn);

	if (!can_keep(qp, psn))
		return VTIME_NEVER;
	if (g->asked != VTIME_NEVER)
		return g->asked + conf->wqe_again;
	if (serial_before(psn, qp->high) && g->since != VTIME_NEVER)
		return g->since + conf->wqe_miss;
	return qp->heard_at + conf->wqe_tail;
}

/*
 * Returns the PSN behind the last one that may be missing: the end of the last
 * known WQE.
 */
static uint32_t wqe_miss_limit(const struct wqe_qp *qp)
{
	const uint32_t window = qp->epsn + qp->w->env.conf.wqe_window;
	const struct wqe_entry *e = qp->entries;
	uint32_t end = qp->epsn;

	for (; e; e = e->next)
		end = e->base + e->n;
	return serial_after(end, window) ? window : end;
}

void wqe_miss_arm(struct wqe_qp *qp)
{
	struct env *env = &qp->w->env;
	const uint32_t end = wqe_miss_limit(qp);
	vtime at = VTIME_NEVER;

	if (!qp->rnr && !env->conf.wqe_gbn)
		for (uint32_t psn = qp->epsn; psn != end; psn++)
			if (!wqe_entry_has_psn(qp, psn))
				at = vtime_min(at, wqe_miss_due(qp, psn));
	timers_set(&env->timers, &qp->miss, at);
}

/* ---- Indications ---- */

/* "T_cache without progress: evict the youngest" */
static void wqe_miss_give_up(struct wqe_qp *qp)
{
	const struct env *env = &qp->w->env;
	const vtime since = vtime_max(qp->heard_at, qp->evicted_at);
	uint32_t base, n;

	if (env->now - since < env->conf.wqe_cache_time ||
	    !wqe_entry_evict(qp, &base, &n))
		return;
	qp->evicted_at = env->now;
	for (uint32_t p = base; p != base + n && serial_before(p, qp->high);
	     p++)
		*gap(qp, p) = (struct wqe_gap){env->now, VTIME_NEVER};
}

void wqe_miss_tick(struct wqe_qp *qp)
{
	struct env *env = &qp->w->env;
	/*
	 * Gaps that open one behind the other are one burst, with one
	 * indication.
	 */
	const vtime until = env->now + env->conf.wqe_miss / 2;
	const uint32_t end = wqe_miss_limit(qp);
	struct wqe_missing m = {.expected = qp->epsn};
	const struct wqe_entry *of = NULL;

	for (uint32_t psn = qp->epsn; psn != end; psn++) {
		const struct wqe_entry *e = wqe_entry_find(qp, psn);

		if (wqe_entry_has_psn(qp, psn) || wqe_miss_due(qp, psn) > until)
			continue;
		if (m.n && (of != e || wqe_is_full(qp, &m))) {
			wqe_indicate(qp, &m, true);
			m.n = 0;
		}
		of = e;
		m.k = e != NULL;
		m.sn = e ? e->sn : 0;
		m.psn[m.n++] = psn;
		gap(qp, psn)->asked = env->now;
	}
	if (m.n)
		wqe_indicate(qp, &m, false);
	wqe_miss_give_up(qp);
	wqe_miss_arm(qp);
}
