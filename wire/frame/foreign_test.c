/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/frame/foreign.h"
#include "wire/packet.h"
#include "wire/uet/uet_packet.h"

static const struct foreign all = {true, true, true};

static size_t foreign_test_build(uint8_t *p, const char *type, const char *ses,
				 const char *name, uint64_t value)
{
	const struct field_value set[] = {{name, value, false}};
	const struct packet_spec spec = {
		.type = type, .ses = ses, .set = set, .nset = name ? 1 : 0};
	const int len = packet_build(p, 256, &spec, NULL);

	assert_true(len > 0);
	return (size_t)len;
}

static void words_are_read(void **state)
{
	struct foreign f;

	(void)state;
	assert_true(foreign_read(&f, "ack_ccx=32,payload_length=12"));
	assert_true(f.ack_ccx && !f.nack_ccx && f.payload_length);
	assert_true(foreign_read(&f, "nack_ccx=24,ack_ccx=40"));
	assert_true(!f.ack_ccx && f.nack_ccx && !f.payload_length);
	assert_false(foreign_read(&f, ""));
	assert_false(foreign_read(&f, "ack_ccx=28"));
	assert_false(foreign_read(&f, "ack_ccx=32,"));
}

/* An ACK_CCX of 32 bytes, followed by a response. */
static void a_short_ack_ccx_becomes_whole(void **state)
{
	uint8_t p[256], cut[256], out[256];
	const size_t len =
		foreign_test_build(p, "ack_ccx", "response", "sack_bitmap", 5);
	struct packet pkt;
	uint64_t v;
	size_t n;

	(void)state;
	memcpy(cut, p, 32);
	memcpy(cut + 32, p + 40, len - 40);
	n = foreign_open(&all, cut, len - 8, out);
	assert_int_equal(n, len);
	assert_memory_equal(out, p, len);
	uet_packet_parse(&pkt, out, n);
	assert_int_equal(pkt.fault, PACKET_OK);
	assert_true(packet_value(&pkt, "sack_bitmap", &v));
	assert_int_equal(v, 5);
	assert_string_equal(pkt.sec[pkt.nses].h->name, "response");
	assert_int_equal(foreign_open(&(struct foreign){.nack_ccx = true}, cut,
				      len - 8, out),
			 0);
}

static void a_short_nack_ccx_becomes_whole(void **state)
{
	uint8_t p[256], out[256];
	const size_t len =
		foreign_test_build(p, "nack_ccx", NULL, "nccx_type", 14);

	(void)state;
	assert_int_equal(len, 32);
	assert_int_equal(foreign_open(&all, p, 24, out), 32);
	assert_memory_equal(out, p, 32);
}

static void a_whole_ack_ccx_becomes_short(void **state)
{
	uint8_t p[256], cut[256], out[256];
	const size_t len =
		foreign_test_build(p, "ack_ccx", "response", "sack_bitmap", 5);

	(void)state;
	memcpy(cut, p, len);
	assert_int_equal(foreign_close(&all, cut, len), len - 8);
	assert_int_equal(foreign_open(&all, cut, len - 8, out), len);
	assert_memory_equal(out, p, len);
	assert_int_equal(foreign_close(&(struct foreign){.nack_ccx = true}, cut,
				       len - 8),
			 len - 8);
	/* a truncated ACK_CCX */
	assert_int_equal(foreign_close(&all, p, 36), 36);
}

static void payload_length_has_12_bits(void **state)
{
	uint8_t p[256], out[256];
	const struct field_value set[] = {{"payload_length", 0x3010, true}};
	const struct packet_spec spec = {.type = "rud_req",
					 .ses = "response_data",
					 .set = set,
					 .nset = 1,
					 .payload_len = 16};
	const int len = packet_build(p, sizeof(p), &spec, NULL);
	struct packet pkt;
	uint64_t v;

	(void)state;
	assert_true(len > 0);
	assert_int_equal(foreign_open(&all, p, (size_t)len, out), len);
	uet_packet_parse(&pkt, out, (size_t)len);
	assert_true(packet_value(&pkt, "payload_length", &v));
	assert_int_equal(v, 0x10);
}

static void other_packets_are_left_alone(void **state)
{
	uint8_t p[256], out[256];
	const size_t len = foreign_test_build(p, "ack", "response", NULL, 0);

	(void)state;
	assert_int_equal(foreign_open(&all, p, len, out), 0);
	for (size_t n = 0; n < 24; n++) { /* a truncated NACK_CCX */
		foreign_test_build(p, "ack_ccx", "response", NULL, 0);
		assert_int_equal(foreign_open(&all, p, n, out), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_read),
		cmocka_unit_test(a_short_ack_ccx_becomes_whole),
		cmocka_unit_test(a_short_nack_ccx_becomes_whole),
		cmocka_unit_test(a_whole_ack_ccx_becomes_short),
		cmocka_unit_test(payload_length_has_12_bits),
		cmocka_unit_test(other_packets_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
