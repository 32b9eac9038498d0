/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/pcapng_test.c -- tests the capture file block by block, and
 * with tshark if it is installed.
 */
#define _POSIX_C_SOURCE 200809L
#include "reports/format/pcapng.h"

#include <unistd.h>

#include "base/err.h"
#include "reports/fixture_test.h"
#include "reports/golden_test.h"

struct pcapng_test_seen {
	unsigned sections, interfaces, names, packets, removed, comments;
	unsigned inbound, outbound;
};

static uint32_t u32(const struct text *t, size_t at)
{
	uint32_t v;

	assert_true(at + 4 <= t->len);
	memcpy(&v, t->s + at, 4);
	return v;
}

static uint16_t u16(const struct text *t, size_t at)
{
	uint16_t v;

	assert_true(at + 2 <= t->len);
	memcpy(&v, t->s + at, 2);
	return v;
}

static bool zeroes(const struct text *t, size_t from, size_t to)
{
	for (; from < to; from++)
		if (t->s[from])
			return false;
	return true;
}

/* Walks options up to |end|; padding is zero and the last option ends there. */
static void pcapng_test_options(const struct text *t, size_t at, size_t end,
				struct pcapng_test_seen *seen, bool packet)
{
	for (;;) {
		uint16_t code = u16(t, at), len = u16(t, at + 2);
		size_t next = at + 4 + ((len + 3u) & ~3u);

		assert_true(next <= end);
		assert_true(zeroes(t, at + 4 + len, next));
		if (packet && code == 1)
			seen->comments++;
		if (packet && code == 2) {
			seen->inbound += u32(t, at + 4) == 1;
			seen->outbound += u32(t, at + 4) == 2;
		}
		if (code == 0) {
			assert_int_equal(len, 0);
			assert_int_equal(next, end);
			return;
		}
		at = next;
	}
}

static void packet_block(const struct text *t, size_t at, size_t end,
			 struct pcapng_test_seen *seen)
{
	uint32_t iface = u32(t, at + 8), len = u32(t, at + 20);
	size_t data = at + 28, after = data + ((len + 3u) & ~3u);

	assert_true(iface < seen->interfaces);
	assert_int_equal(u32(t, at + 24), len);
	assert_true(zeroes(t, data + len, after));
	seen->packets++;
	seen->removed += iface == 1;
	pcapng_test_options(t, after, end, seen, true);
}

static void walk(const struct text *t, struct pcapng_test_seen *seen)
{
	*seen = (struct pcapng_test_seen){0};
	for (size_t at = 0; at < t->len;) {
		uint32_t type = u32(t, at), len = u32(t, at + 4);
		size_t end = at + len - 4;

		assert_int_equal(len % 4, 0);
		assert_int_equal(u32(t, end), len);
		switch (type) {
		case 0x0a0d0d0a:
			assert_int_equal(at, 0);
			assert_int_equal(u32(t, at + 8), 0x1a2b3c4d);
			seen->sections++;
			pcapng_test_options(t, at + 24, end, seen, false);
			break;
		case 1:
			seen->interfaces++;
			pcapng_test_options(t, at + 16, end, seen, false);
			break;
		case 4:
			seen->names++;
			assert_int_equal(u32(t, end - 4), 0);
			break;
		case 6:
			packet_block(t, at, end, seen);
			break;
		default:
			fail();
		}
		at += len;
	}
}

static void write_record(struct text *t, void (*make)(struct record *),
			 enum frame_link link)
{
	const struct pcapng_opts o = {.link = link,
				      .epoch_ns = 1700000000000000000};
	struct record r = {0};

	make(&r);
	assert_int_equal(pcapng_report(t, &r, fixture_about(), &o), 0);
	record_free(&r);
}

static void blocks_are_whole(void **state)
{
	struct text t = {0};
	struct pcapng_test_seen seen;

	(void)state;
	write_record(&t, fixture_loss, FRAME_ETHERNET);
	walk(&t, &seen);
	assert_int_equal(seen.sections, 1);
	assert_int_equal(seen.interfaces, 2);
	assert_int_equal(seen.names, 1);
	assert_int_equal(seen.packets, 11);
	assert_int_equal(seen.removed, 2);
	assert_int_equal(seen.comments, 11);
	assert_int_equal(seen.outbound, 6);
	assert_int_equal(seen.inbound, 5);
	text_clear(&t);
	write_record(&t, fixture_fail, FRAME_RAW_IP);
	walk(&t, &seen);
	assert_int_equal(seen.packets, 4);
	assert_int_equal(seen.comments, 6); /* two findings */
	text_free(&t);
}

/* Texts and packets of every length are padded correctly. */
static void any_length_is_padded(void **state)
{
	struct record r = {0};
	struct text t = {0};
	struct dgram d = {0};
	struct rec e = {.kind = REC_TX};
	struct pcapng_test_seen seen;
	char note[400];

	(void)state;
	fixture_begin(&r, "uet/x/y", CHAIR_TARGET);
	d.src = r.tester;
	d.dst = r.dut;
	for (d.len = 0; d.len < 300; d.len++) {
		memset(note, 'n', d.len);
		note[d.len] = 0;
		e.frame = (uint32_t)d.len + 1;
		record_add(&r, &e, &d, note, NULL);
	}
	d.len = DGRAM_MAX;
	record_add(&r, &e, &d, "\xff\033", NULL);
	assert_int_equal(pcapng_report(&t, &r, fixture_about(), NULL), 0);
	walk(&t, &seen);
	assert_int_equal(seen.packets, 301);
	text_free(&t);
	record_free(&r);
}

static void version_6_addresses_have_names(void **state)
{
	struct record r = {0};
	struct text t = {0};
	struct dgram d = {.len = 4};
	struct rec e = {.kind = REC_TX, .frame = 1};
	struct pcapng_test_seen seen;

	(void)state;
	fixture_begin(&r, "uet/x/y", CHAIR_TARGET);
	assert_int_equal(ip_addr_parse(&r.tester, "fd00::1", 7), 0);
	assert_int_equal(ip_addr_parse(&r.dut, "fd00::2", 7), 0);
	d.src = r.tester;
	d.dst = r.dut;
	record_add(&r, &e, &d, NULL, NULL);
	assert_int_equal(pcapng_report(&t, &r, fixture_about(), NULL), 0);
	walk(&t, &seen);
	assert_int_equal(seen.packets, 1);
	r.recs[0].dst = ip_addr_v4(1);
	text_clear(&t);
	assert_int_equal(pcapng_report(&t, &r, fixture_about(), NULL),
			 ERR_VALUE);
	text_free(&t);
	record_free(&r);
}

/* ---- Reading with tshark ---- */

/* Runs a command on the file |%s| and collects its output, errors included. */
static void pcapng_test_ask(struct text *ret, const char *command,
			    const char *path)
{
	char line[400], buf[512];
	FILE *p;

	snprintf(line, sizeof(line), "%s '%s' 2>&1 | grep -v 'as user .root'",
		 command, path);
	p = popen(line, "r");
	assert_non_null(p);
	while (fgets(buf, sizeof(buf), p))
		text_puts(ret, buf);
	pclose(p);
}

static size_t lines(const struct text *t)
{
	size_t n = 0;

	for (const char *s = text_cstr(t); (s = strchr(s, '\n')); s++)
		n++;
	return n;
}

static void tshark_reads_it(void **state)
{
	char path[] = "/tmp/rung-pcapng-XXXXXX";
	struct text t = {0}, said = {0};
	int fd;

	(void)state;
	pcapng_test_ask(&said, "command -v tshark #", "");
	if (!said.len)
		skip();
	text_clear(&said);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	write_record(&t, fixture_fail, FRAME_ETHERNET);
	golden_save(&t, path);
	pcapng_test_ask(
		&said,
		"tshark -n -T fields -e frame.time_epoch -e frame.comment -r",
		path);
	assert_int_equal(lines(&said), 4);
	assert_non_null(strstr(said.s, "1700000000.000221000\tack "));
	assert_non_null(strstr(said.s, "expected cack_psn=332, got 333; "
				       "expected req=clear, got none "
				       "[RUD-SEQ-76/dst]"));
	assert_non_null(strstr(said.s, "the ACK was not marked [RUD-SVC-3b/"));
	text_clear(&said);
	pcapng_test_ask(&said, "tshark -N n -T fields -e ip.src_host -r", path);
	assert_string_equal(said.s, "tester\nDUT\ntester\nDUT\n");
	unlink(path);
	text_free(&t);
	text_free(&said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_whole),
		cmocka_unit_test(any_length_is_padded),
		cmocka_unit_test(version_6_addresses_have_names),
		cmocka_unit_test(tshark_reads_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
