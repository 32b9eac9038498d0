/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/roce.h -- follows plain RoCEv2 beside Wireshark's own dissector.
 */
#ifndef DISSECTOR_ROCE_H
#define DISSECTOR_ROCE_H

/*
 * roce_register registers the protocol, once, at start-up; roce_handoff finds
 * Wireshark's own dissector.
 */
void roce_register(void);
void roce_handoff(void);

#endif
