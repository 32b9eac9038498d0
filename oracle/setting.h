/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/setting.h -- members of struct orc_conf by their names, as text.
 *
 * A variant of the reference (docs/mutants.md) lists the members that it
 * changes.
 */
#ifndef ORACLE_CORE_SETTING_H
#define ORACLE_CORE_SETTING_H

#include <stdint.h>

#include "base/text.h"
#include "oracle/op.h"
#include "oracle/oracle.h"

/*
 * setting_put sets the member |name| of |conf| to |value|: a number, a time
 * ("5ms"; ns, us, ms or s), or a word of an enumeration ("ccx").
 *
 * Errors: ERR_SUPPORT there is no such member; ERR_VALUE it cannot have that
 *         value.  |conf| is written only on success.
 */
int setting_put(struct orc_conf *conf, const char *name, const char *value);

/*
 * setting_expects appends to |t| which values the member |name| may have; there
 * is such a member.
 */
void setting_expects(struct text *t, const char *name);

/*
 * setting_set sets the member of a setting of "configure".
 * Errors: ERR_VALUE it cannot hold that value.  |conf| is written only on
 *         success.
 */
int setting_set(struct orc_conf *conf, enum orc_setting setting,
		uint64_t value);

/* setting_name returns the name of member |n|; NULL after the last one. */
const char *setting_name(unsigned n);

#endif
