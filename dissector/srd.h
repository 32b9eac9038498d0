/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/srd.h -- SRD in the reference encapsulation, on UDP port 61792.
 */
#ifndef DISSECTOR_SRD_H
#define DISSECTOR_SRD_H

/* srd_register registers the protocol, once, at the start; srd_handoff its
 * port. */
void srd_register(void);
void srd_handoff(void);

#endif
