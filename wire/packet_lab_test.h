/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_lab_test.h -- shared by tests of packets: fields of the PDS and
 * of the SES header as input of packet_build, and a check of the text.
 */
#ifndef WIRE_PACKET_LAB_TEST_H
#define WIRE_PACKET_LAB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wire/packet.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))
#define SIZE    512

#define PDS(name, value)           \
	{                          \
		name, value, false \
	}
#define SES(name, value)          \
	{                         \
		name, value, true \
	}

static inline void check_text(const struct packet *pkt, enum packet_style style,
			      const struct packet_psn_names *names,
			      const char *want)
{
	struct text t = {0};

	packet_print(&t, pkt, style, names);
	assert_int_equal(text_err(&t), 0);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
}

#endif
