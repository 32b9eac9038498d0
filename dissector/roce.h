/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/roce.h -- plain RoCEv2, followed beside Wireshark's own dissector.
 */
#ifndef DISSECTOR_ROCE_H
#define DISSECTOR_ROCE_H

/*
 * roce_register registers the protocol, once, at the start; roce_handoff looks
 * for the dissector beside which it stands.
 */
void roce_register(void);
void roce_handoff(void);

#endif
