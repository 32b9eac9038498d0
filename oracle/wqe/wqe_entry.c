/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_entry.c -- the responder's received WQEs: the packets that
 * arrived, and the caches for data without an address.
 *
 * Spec: srd_wqe.md B.4
 */
#include "oracle/wqe/wqe_entry.h"

#include <string.h>

#include "base/memory.h"
#include "oracle/wqe/wqe_read.h"
#include "oracle/wqe/wqe_state.h"

/* ---- Entries ---- */

bool wqe_entry_has(const struct wqe_entry *e, uint32_t i)
{
	return wqe_map_has(e->map, i);
}

void wqe_entry_set(struct wqe_entry *e, uint32_t i)
{
	wqe_map_set(e->map, i);
	e->got++;
}

struct wqe_entry *wqe_entry_by_sn(const struct wqe_qp *qp, uint32_t sn)
{
	struct wqe_entry *e = qp->entries;

	while (e && e->sn != sn)
		e = e->next;
	return e;
}

struct wqe_entry *wqe_entry_find(const struct wqe_qp *qp, uint32_t psn)
{
	struct wqe_entry *e = qp->entries;

	while (e && psn - e->base >= e->n)
		e = e->next;
	return e;
}

bool wqe_entry_has_psn(const struct wqe_qp *qp, uint32_t psn)
{
	const struct wqe_entry *e = wqe_entry_find(qp, psn);

	return e && wqe_entry_has(e, psn - e->base);
}

static void free_cache(struct wqe_qp *qp, struct wqe_entry *e)
{
	if (e->cache)
		qp->cached -= e->len;
	memory_free(e->cache);
	e->cache = NULL;
}

void wqe_entry_remove(struct wqe_qp *qp, struct wqe_entry *e)
{
	struct wqe_entry **at = &qp->entries;

	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	free_cache(qp, e);
	memory_free(e->own);
	memory_free(e);
	qp->nentries--;
}

void wqe_entry_forget(struct wqe_qp *qp)
{
	while (qp->entries)
		wqe_entry_remove(qp, qp->entries);
	wqe_read_forget(qp);
}

struct wqe_entry *wqe_entry_add(struct wqe_qp *qp, const struct wqe_pkt *pkt)
{
	struct env *env = &qp->w->env;
	struct wqe_entry **at = &qp->entries, *e;

	if (pkt->psn != qp->epsn && qp->nentries >= env->conf.wqe_max_ooo) {
		env_drop(env, DROP_SHORTAGE);
		return NULL;
	}
	e = mem_new(&env->mem, sizeof(*e) + wqe_map_words(pkt->n) * 8);
	if (!e)
		return NULL;
	e->sn = pkt->x.wqe_sn;
	e->base = pkt->base;
	e->n = pkt->n;
	e->len = pkt->x.wqe_length;
	e->kind = pkt->kind;
	while (*at && serial_before((*at)->base, e->base))
		at = &(*at)->next;
	e->next = *at;
	*at = e;
	qp->nentries++;
	return e;
}

void wqe_entry_count(const struct wqe_qp *qp, struct orc_stats *ret)
{
	for (const struct wqe_entry *e = qp->entries; e; e = e->next) {
		if (!ret->bitmaps++)
			ret->bitmap_first = (uint32_t)e->map[0];
		ret->bitmap_bits += e->n;
		ret->bitmap_set += e->got;
	}
}

bool wqe_entry_evict(struct wqe_qp *qp, uint32_t *ret_base, uint32_t *ret_n)
{
	struct wqe_entry *youngest = NULL;

	for (struct wqe_entry *e = qp->entries; e; e = e->next)
		if (e->cache && !serial_before(e->base, qp->epsn))
			youngest = e;
	if (!youngest)
		return false;
	*ret_base = youngest->base;
	*ret_n = youngest->n;
	wqe_entry_remove(qp, youngest);
	return true;
}

/* ---- Placement ---- */

static size_t cached_by_all(const struct wqe *w)
{
	size_t all = 0;

	for (size_t i = 0; i < w->nqps; i++)
		if (w->qps[i])
			all += w->qps[i]->cached;
	return all;
}

bool wqe_entry_cache(struct wqe_qp *qp, struct wqe_entry *e)
{
	struct env *env = &qp->w->env;

	if (e->cache || !e->len)
		return true;
	if (e->bad_key) /* refused when its turn comes: no byte is kept */
		return true;
	if (qp->cached + e->len > env->conf.wqe_cache_max) {
		env_drop(env, DROP_SHORTAGE);
		return false;
	}
	if (cached_by_all(qp->w) + e->len > env->conf.wqe_cache_device) {
		env_drop(env, DROP_SHORTAGE);
		return false;
	}
	e->cache = mem_new(&env->mem, e->len);
	if (!e->cache)
		return false;
	qp->cached += e->len;
	if (qp->cached > env->stats.cache_peak)
		env->stats.cache_peak = qp->cached;
	return true;
}
