/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/stamp.c -- maps a NIC's clock to ours.
 */
#include "gen/stamp.h"

enum stamp_clock stamp_choose(const struct stamp_able *able)
{
	if (able->hardware && able->all)
		return STAMP_NIC;
	return STAMP_KERNEL;
}

/* Begins a new window with this frame. */
static void stamp_begin(struct stamp_map *m, int64_t nic, vspan ahead)
{
	m->twice = m->begun && nic - m->since < 2 * STAMP_WINDOW &&
		   nic >= m->since;
	m->least[1] = m->least[0];
	m->least[0] = ahead;
	m->since = nic;
	m->begun = true;
}

int64_t stamp_ours(struct stamp_map *m, int64_t nic, int64_t seen)
{
	const vspan ahead = seen - nic;

	if (!m->begun || nic - m->since >= STAMP_WINDOW || nic < m->since)
		stamp_begin(m, nic, ahead);
	else if (ahead < m->least[0])
		m->least[0] = ahead;
	if (m->twice && m->least[1] < m->least[0])
		return nic + m->least[1];
	return nic + m->least[0];
}
