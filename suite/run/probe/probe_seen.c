/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_seen.c -- tells which capabilities the stimuli have
 * shown.
 */
#include "suite/run/probe/probe_seen.h"

#include <string.h>

#include "suite/run/probe/probe.h"
#include "suite/run/probe/probe_state.h"
#include "wire/frame/crc.h"

bool probe_has_outcome(const struct probe *p, const char *word,
		       enum probe_outcome outcome, enum chair *ret_chair)
{
	for (size_t i = 0; i < p->ntrials; i++) {
		const struct probe_trial *t = &p->trials[i];

		if (strcmp(t->word, word) != 0 || t->outcome != outcome)
			continue;
		if (ret_chair)
			*ret_chair = t->chair;
		return true;
	}
	return false;
}

bool probe_is_shown(const struct probe *p, const char *word)
{
	return probe_has_outcome(p, word, PROBE_SHOWN, NULL) &&
	       !probe_has_outcome(p, word, PROBE_NOT, NULL);
}

bool probe_was_seen(const struct probe *p, const char *word)
{
	if (strcmp(word, "rud") == 0)
		return p->rud;
	if (strcmp(word, "rod") == 0)
		return p->rod;
	if (strcmp(word, "rudi") == 0)
		return p->rudi;
	if (strcmp(word, "ack_cc") == 0)
		return p->nacks && p->cc_acks == p->nacks;
	return probe_has_outcome(p, word, PROBE_SHOWN, NULL);
}

bool probe_is_seen(const struct probe *p, const struct dut *dut,
		   const char *word)
{
	if (strcmp(word, "control") == 0)
		return dut->control;
	if (strcmp(word, "control.pds") == 0)
		return dut->control && strstr(dut->verbs, "ses_pds_");
	if (strcmp(word, "crc") == 0)
		return p->answered && p->base->crc;
	if (strcmp(word, "ipv6") == 0)
		return p->answered && dut->peer.len == 16;
	return false;
}
