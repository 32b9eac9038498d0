/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe_miss.c -- what the responder misses, and when it says so.
 *
 * A PSN below the highest received is missing as soon as it is passed over;
 * those behind it, of a WQE that is known by its LEN, after a silence.  A PSN
 * is asked for again not sooner than a round trip later: without that hold-off
 * a burst behind a loss becomes a storm of indications.
 *
 * Spec: seed 004 S47; srd_wqe.md B.4.3, B.7
 */
#include <stdlib.h>

#include "oracle/wqe.h"

/* Of a PSN that the ring has not held yet nothing is known. */
static struct wqe_gap *gap(const struct wqe_qp *qp, uint32_t psn)
{
	struct wqe_gap *g = &qp->gaps[wqe_slot(qp, psn)];

	if (g->psn != psn)
		*g = (struct wqe_gap){psn, VTIME_NEVER, VTIME_NEVER};
	return g;
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
	const struct wqe_entry *e = wqe_rsp_entry(qp, psn);

	if (psn == qp->epsn || (e && (e->host || e->cache)))
		return true;
	if (e)
		return qp->cached + e->len <= conf->wqe_cache_max;
	return qp->cached < conf->wqe_cache_max &&
	       qp->nentries < conf->wqe_max_ooo;
}

/* When a PSN that is not here is to be asked for. */
static vtime due(const struct wqe_qp *qp, uint32_t psn)
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

/* Behind the last PSN that may be missed: of the last WQE that is known. */
static uint32_t limit(const struct wqe_qp *qp)
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
	const uint32_t end = limit(qp);
	vtime at = VTIME_NEVER;

	if (!qp->rnr && !env->conf.wqe_gbn)
		for (uint32_t psn = qp->epsn; psn != end; psn++)
			if (!wqe_rsp_has(qp, psn))
				at = vtime_min(at, due(qp, psn));
	timers_set(&env->timers, &qp->miss, at);
}

/* ---- Indications ---- */

/* Whether the bitmap form is possible, and how many words it takes. */
static uint32_t bitmap_words(const struct wqe_qp *qp,
			     const struct wqe_missing *m)
{
	const uint32_t span = m->psn[m->n - 1] - m->psn[0] + 1;

	return qp->w->env.conf.wqe_bitmap && span <= 32 * WQE_LIST
		       ? (span + 31) / 32
		       : 0;
}

static void put_list(const struct wqe_missing *m, uint8_t *p)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct rieth_entry entry = {.missing_psn = m->psn[i] &
								 SERIAL24_MASK};

		rieth_entry_put(&entry, p + i * rieth_entry_len);
	}
}

static void put_bitmap(const struct wqe_missing *m, uint32_t words, uint8_t *p)
{
	const struct rieth_entry base = {.missing_psn =
						 m->psn[0] & SERIAL24_MASK};

	rieth_entry_put(&base, p);
	p += rieth_entry_len;
	for (uint32_t i = 0; i < 4 * words; i++)
		p[i] = 0;
	for (uint32_t i = 0; i < m->n; i++) {
		const uint32_t k = m->psn[i] - m->psn[0];

		p[k / 8] |= (uint8_t)(0x80 >> k % 8);
	}
}

void wqe_indicate(struct wqe_qp *qp, const struct wqe_missing *m, bool more)
{
	struct env *env = &qp->w->env;
	const uint32_t words = bitmap_words(qp, m);
	const struct bth bth = {
		.opcode = IB_WQE_RTX_IND,
		.pkey = WQE_PKEY,
		.dest_qp = qp->dest_qp,
		.psn = m->expected & SERIAL24_MASK,
	};
	const struct aeth aeth = {.syndrome = IB_SYNDROME_PSN_SEQ,
				  .msn = qp->msn};
	const struct rieth rieth = {
		.fmt = words ? RIETH_BITMAP : RIETH_LIST,
		.k = m->k,
		.d = m->d,
		.more = more,
		.wqe_sn = m->sn,
		.count = (uint16_t)(words ? words : m->n),
	};
	uint8_t *p =
		wqe_out(qp, &bth,
			aeth_len + rieth_len +
				(words ? words + 1 : m->n) * rieth_entry_len,
			env->conf.dscp_control);

	if (!p)
		return;
	aeth_put(&aeth, p);
	rieth_put(&rieth, p + aeth_len);
	p += aeth_len + rieth_len;
	if (words)
		put_bitmap(m, words, p);
	else
		put_list(m, p);
	env->stats.tx_nack++;
}

/* "T_cache without progress: evict the youngest" */
static void give_up(struct wqe_qp *qp)
{
	const struct env *env = &qp->w->env;
	const vtime since = vtime_max(qp->heard_at, qp->evicted_at);
	uint32_t base, n;

	if (env->now - since < env->conf.wqe_cache_time ||
	    !wqe_rsp_evict(qp, &base, &n))
		return;
	qp->evicted_at = env->now;
	for (uint32_t p = base; p != base + n && serial_before(p, qp->high);
	     p++)
		*gap(qp, p) = (struct wqe_gap){p, env->now, VTIME_NEVER};
}

void wqe_miss_tick(struct wqe_qp *qp)
{
	struct env *env = &qp->w->env;
	/* Gaps that open one behind the other are one burst: one answer. */
	const vtime until = env->now + env->conf.wqe_miss / 2;
	const uint32_t end = limit(qp);
	struct wqe_missing m = {.expected = qp->epsn};
	const struct wqe_entry *of = NULL;

	for (uint32_t psn = qp->epsn; psn != end; psn++) {
		const struct wqe_entry *e = wqe_rsp_entry(qp, psn);

		if (wqe_rsp_has(qp, psn) || due(qp, psn) > until)
			continue;
		if (m.n && (of != e || m.n == WQE_LIST)) {
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
	give_up(qp);
	wqe_miss_arm(qp);
}
