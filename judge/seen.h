/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/seen.h -- counts how often a side could have violated a requirement.
 */
#ifndef JUDGE_SEEN_H
#define JUDGE_SEEN_H

#include "judge/types.h"

struct judge_common;
struct side;

/*
 * judge_seen returns how often |side| could have violated |req| in |role| while
 * the judge checked it.  A pass needs at least one.
 */
uint32_t judge_seen(const struct judge *j, const struct ip_addr *side,
		    enum req_id req, enum req_role role);

/*
 * judge_seen_by returns these counts of |side| for every requirement: [0] as
 * source, [1] as destination.  Lent until the judge is reset or freed.
 * Return: NULL if the judge knows nothing of that side.
 */
const uint32_t (*judge_seen_by(const struct judge *j,
			       const struct ip_addr *side))[2];

/*
 * judge_seen_add adds the sums over all sides, without the counts that judges
 * share in conf.common: ret[REQ][0] for sources, ret[REQ][1] for destinations.
 * Shape:  |ret| has REQ_COUNT rows.
 */
void judge_seen_add(const struct judge *j, uint64_t (*ret)[2]);

/* judge_seen_add_side adds the counts of |side| alone. */
void judge_seen_add_side(const struct judge *j, const struct ip_addr *side,
			 uint64_t (*ret)[2]);

/*
 * judge_common_new makes counters for judges that take turns in one thread, so
 * that the data each packet needs stays in the cache from one judge to the
 * next. judge_common_seen_add adds these counts like judge_seen_add.
 *
 * Errors: ERR_NOMEM.
 */
int judge_common_new(struct judge_common **ret);
void judge_common_free(struct judge_common *c);
void judge_common_seen_add(struct judge_common *c, uint64_t (*ret)[2]);

/* judge_side returns the counters of an address. */
struct side *judge_side(struct judge *j, const struct ip_addr *addr);

/*
 * judge_side_number returns the place of judge_side() in |sides|, from 1 on; 0:
 * they are the shared counters.
 */
uint16_t judge_side_number(struct judge *j, const struct ip_addr *addr);

/*
 * judge_count_predicted adds the counts of predicted packets that are not added
 * yet.
 */
void judge_count_predicted(struct judge_common *c);

#endif
