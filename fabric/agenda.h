/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/agenda.h -- when each endpoint has something to do.
 *
 * The earliest time of each block of endpoints is known, so that endpoints
 * without work cost little.  Ports have agendas as well.
 */
#ifndef FABRIC_AGENDA_H
#define FABRIC_AGENDA_H

#include <stdint.h>

#include "base/vtime.h"

struct agenda {
	vtime *at;    /* of each endpoint; VTIME_NEVER: nothing to do */
	vtime *least; /* no later than the earliest of each block */
	uint32_t n, block, nblocks; /* endpoints, and those of a block */
};

/*
 * agenda_init makes an empty agenda of |n| endpoints in blocks of |block|.
 * Errors: ERR_NOMEM; call agenda_free in any case.
 */
int agenda_init(struct agenda *a, uint32_t n, uint32_t block);
void agenda_free(struct agenda *a);

/* agenda_set sets the time of an endpoint. */
void agenda_set(struct agenda *a, uint32_t endpoint, vtime at);

/* agenda_lower sets the time of an endpoint if it is earlier. */
void agenda_lower(struct agenda *a, uint32_t endpoint, vtime at);

/* agenda_next returns a time that is no later than the earliest. */
vtime agenda_next(const struct agenda *a);

/*
 * agenda_due writes the endpoints with work before |until| to |ret|, which has
 * room for all, and returns their number.  The caller sets the time of each.
 * agenda_due_in writes those of block |b|.
 */
uint32_t agenda_due(struct agenda *a, vtime until, uint32_t *ret);
uint32_t agenda_due_in(struct agenda *a, uint32_t b, vtime until,
		       uint32_t *ret);

#endif
