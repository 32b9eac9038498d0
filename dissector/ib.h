/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/ib.h -- families whose packets begin with a BTH and whose formats
 * are this project's: SRD on UDP port 61792, the WQE extension on 61791.
 */
#ifndef DISSECTOR_IB_H
#define DISSECTOR_IB_H

/*
 * ib_register registers the protocols, once, at start-up; ib_handoff registers
 * their ports.
 */
void ib_register(void);
void ib_handoff(void);

#endif
