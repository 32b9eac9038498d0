/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/bridge_test.c -- tests the bridge from its input to its capture file, in
 * virtual time.
 *
 * 1,000 random sets of rules and traffic in both directions run over simulated
 * ports: half of them of whole frames, half of sockets.  The file must hold
 * each packet where it arrived, with its time and its fate.  It must hold each
 * packet that left where it left, byte for byte and in order, as the model
 * predicts (suite/craft/rules_model_test.h).  The packets on either link must
 * be those in the file.
 */
#include <unistd.h>

#include "cli/bridge.h"
#include "suite/craft/rules_model_test.h"
#include "wire/frame/capture.h"
#include "wire/frame/crc.h"
#include "wire/frame/frame_build.h"

#define LEAVES (PACKETS * 24) /* more packets than ever leave on one side */
#define IDLE   (3 * VSPAN_S)  /* time after which all held packets have left */

/* ---- A clock, and two ports ---- */

struct bridge_test_arrival {
	struct sent p;
	vtime at;
	const struct model_rule *by;
	size_t len;
	uint8_t frame[DGRAM_MAX];
};

struct departure {
	size_t len;
	uint8_t *p;
};

static struct world {
	vtime now;
	bool frames;
	struct bridge_test_arrival in[PACKETS];
	size_t next; /* index of the next arrival */
	struct fake {
		struct port port; /* the first member */
		unsigned side;
		struct departure out[LEAVES];
		size_t nout;
	} fake[2];
	unsigned opened;
} w;

vtime __wrap_port_now(void);
int __wrap_port_wait(const int *fds, size_t n, vtime until, size_t *ret_ready);
int __wrap_port_new(struct port **ret, const struct port_conf *conf);

vtime __wrap_port_now(void)
{
	return w.now;
}

int __wrap_port_wait(const int *fds, size_t n, vtime until, size_t *ret_ready)
{
	const bool more = w.next < PACKETS && w.in[w.next].at <= until;

	(void)fds;
	assert_int_equal(n, 2);
	w.now = vtime_max(w.now, more ? w.in[w.next].at : until);
	*ret_ready = 0;
	return more;
}

/* Returns the next packet if it is due and comes from this side. */
static const struct bridge_test_arrival *
bridge_test_arrive(const struct port *p)
{
	const struct bridge_test_arrival *a = &w.in[w.next];

	if (w.next == PACKETS || a->at > w.now ||
	    a->p.to_dut == (bool)((const struct fake *)p)->side)
		return NULL;
	w.next++;
	return a;
}

static int fake_take(struct port *p, struct port_frame *ret)
{
	const struct bridge_test_arrival *a = bridge_test_arrive(p);

	if (a)
		*ret = (struct port_frame){a->frame, a->len, a->len, a->at};
	return a != NULL;
}

static int fake_recv(struct port *p, struct dgram *ret, vtime *ret_at)
{
	const struct bridge_test_arrival *a = bridge_test_arrive(p);

	if (!a)
		return 0;
	dgram_copy(ret, &a->p.d);
	assert_int_equal(crc_seal(ret, CRC_LE), 0);
	ret->crc = DGRAM_CRC_NONE;
	*ret_at = a->at;
	return 1;
}

static void depart(struct port *p, const uint8_t *frame, size_t len)
{
	struct fake *f = (struct fake *)p;
	struct departure *d = &f->out[f->nout++];

	assert_true(f->nout <= LEAVES);
	d->len = len;
	d->p = malloc(len);
	assert_non_null(d->p);
	memcpy(d->p, frame, len);
}

static int fake_put(struct port *p, const struct port_frame *f, size_t n)
{
	depart(p, f->p, f->len);
	return n ? 1 : 0; /* this port sends one packet at a time */
}

static int bridge_test_fake_send(struct port *p, const struct dgram *d)
{
	static uint8_t frame[DGRAM_MAX + 128];
	const int len =
		frame_build(NULL, FRAME_ETHERNET, d, frame, sizeof(frame));

	assert_true(len > 0);
	depart(p, frame, (size_t)len);
	return 0;
}

static void bridge_test_fake_free(struct port *p)
{
	(void)p;
}

int __wrap_port_new(struct port **ret, const struct port_conf *conf)
{
	static const struct port_ops ops = {
		.take = fake_take,
		.recv = fake_recv,
		.put = fake_put,
		.send = bridge_test_fake_send,
		.free = bridge_test_fake_free,
	};
	struct fake *f = &w.fake[w.opened];

	assert_int_equal(conf->kind, w.frames ? PORT_RING : PORT_UDP);
	f->port = (struct port){.ops = &ops, .frames = w.frames};
	f->side = w.opened++;
	*ret = &f->port;
	return 0;
}

/* ---- The contents of the file ---- */

struct book {
	struct capture *c;
	struct capture_packet pkt;
	bool any;
	struct text t;
	vtime epoch; /* wall-clock time of the clock's 0 */
};

static void bridge_test_read_file(struct book *b, const char *path)
{
	FILE *f = fopen(path, "rb");
	char buf[4096];
	size_t n;

	*b = (struct book){.c = NULL};
	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		text_add(&b->t, buf, n);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(capture_new(&b->c), 0);
	capture_feed(b->c, (const uint8_t *)text_cstr(&b->t), b->t.len, true);
}

static void turn_page(struct book *b)
{
	const int got = capture_next(b->c, &b->pkt);

	assert_true(got >= 0);
	b->any = got;
}

static void close_file(struct book *b)
{
	assert_false(b->any);
	capture_free(b->c);
	text_free(&b->t);
}

/*
 * Checks that the packet in hand came or left there at that time, without other
 * remarks.
 */
static void bridge_test_is_told(const struct book *b, unsigned side,
				enum capture_direction direction, vtime at,
				const char *comment)
{
	char said[64] = "";

	assert_true(b->any);
	assert_true(b->pkt.comment_len < sizeof(said));
	if (b->pkt.comment)
		memcpy(said, b->pkt.comment, b->pkt.comment_len);
	assert_string_equal(said, comment);
	assert_int_equal(b->pkt.iface, side);
	assert_int_equal(b->pkt.direction, direction);
	assert_int_equal(b->pkt.orig, b->pkt.len);
	assert_int_equal(b->pkt.at - b->epoch, at);
}

static void is_frame(const struct book *b, const uint8_t *p, size_t len)
{
	assert_int_equal(b->pkt.len, len);
	assert_memory_equal(b->pkt.p, p, len);
}

/* Makes the frame of a datagram on its link. */
static size_t make_frame(const struct dgram *d, uint8_t *frame)
{
	static struct dgram sealed;
	int len;

	dgram_copy(&sealed, d);
	assert_int_equal(crc_seal(&sealed, CRC_LE), 0);
	len = frame_build(NULL, FRAME_ETHERNET, &sealed, frame,
			  DGRAM_MAX + 128);
	assert_true(len > 0);
	return (size_t)len;
}

static const char *bridge_test_note(const struct model_rule *rules,
				    const struct model_rule *by,
				    const char *how, char *buf)
{
	buf[0] = 0;
	if (by)
		sprintf(buf, "%s by line %d", how, (int)(by - rules) + 1);
	return buf;
}

/*
 * Checks that all packets that leave by |until| are next in the file, and on
 * their link.
 */
static void bridge_test_leaves(struct book *b, struct model *m,
			       const struct model_rule *rules, vtime until,
			       size_t *nout)
{
	static uint8_t frame[DGRAM_MAX + 128];
	const struct item *want;
	char buf[64];

	while ((want = model_poll(m, until))) {
		const unsigned side = want->to_dut;
		const struct departure *d = &w.fake[side].out[nout[side]];
		const size_t len = make_frame(&want->d, frame);

		bridge_test_is_told(
			b, side, CAPTURE_OUTBOUND, want->due,
			bridge_test_note(rules, want->by, want->how, buf));
		is_frame(b, frame, len);
		assert_true(nout[side]++ < w.fake[side].nout);
		assert_int_equal(d->len, len);
		assert_memory_equal(d->p, frame, len);
		turn_page(b);
	}
}

static void came(struct book *b, const struct model_rule *rules,
		 const struct bridge_test_arrival *a)
{
	const enum kind kind = a->by ? a->by->kind : KINDS;
	const bool kept = kind == DELAY || kind == HOLD || kind == REORDER;
	const char *note = "kept back";
	char buf[64];

	if (!kept && kind == DROP)
		note = bridge_test_note(rules, a->by, "dropped", buf);
	else if (!kept)
		note = bridge_test_note(rules, NULL, "dropped", buf);
	bridge_test_is_told(b, !a->p.to_dut, CAPTURE_INBOUND, a->at, note);
	is_frame(b, a->frame, a->len);
	turn_page(b);
}

/* Passes the traffic to the model and compares it with the file. */
static void bridge_test_compare(const char *path, struct model *m,
				struct model_rule *rules, size_t n)
{
	size_t nout[2] = {0};
	struct book b;

	bridge_test_read_file(&b, path);
	turn_page(&b);
	assert_true(b.any);
	b.epoch = b.pkt.at - w.in[0].at;
	for (size_t i = 0; i < PACKETS; i++) {
		struct bridge_test_arrival *a = &w.in[i];

		bridge_test_leaves(&b, m, rules, a->at, nout);
		a->by = model_push(m, rules, n, &a->p, a->at);
		came(&b, rules, a);
	}
	bridge_test_leaves(&b, m, rules, VTIME_NEVER, nout);
	for (unsigned side = 0; side < 2; side++)
		assert_int_equal(nout[side], w.fake[side].nout);
	close_file(&b);
}

/* ---- The sets ---- */

static void draw_traffic(struct rng *rng, bool frames)
{
	vtime at = 0;

	for (unsigned i = 0; i < 2; i++)
		while (w.fake[i].nout)
			free(w.fake[i].out[--w.fake[i].nout].p);
	w.now = 0;
	w.next = w.opened = 0;
	w.frames = frames;
	for (size_t i = 0; i < PACKETS; i++) {
		struct bridge_test_arrival *a = &w.in[i];

		draw_packet(&a->p, rng);
		a->len = make_frame(&a->p.d, a->frame);
		a->at = at;
		at += (vtime)rng_below(rng, 4) * VSPAN_MS;
	}
}

static void run_bridge(struct rules *rules, const struct decl *decl,
		       const char *path, struct bridge_result *ret)
{
	static const volatile bool never;
	const enum port_kind kind = w.frames ? PORT_RING : PORT_UDP;
	struct bridge_conf conf = {
		.who = "test",
		.at = {{.conf = {.kind = kind, .addr = ip_addr_v4(2)},
			.peer = ip_addr_v4(1)},
		       {.conf = {.kind = kind, .addr = ip_addr_v4(1)},
			.peer = ip_addr_v4(2)}},
		.names = {"a", "b"},
		.rules = rules,
		.decl = decl,
		.quiet = true,
		.capture = path,
		.duration = w.in[PACKETS - 1].at + IDLE,
		.stop = &never,
	};

	assert_int_equal(bridge_run(&conf, ret), 0);
	assert_int_equal(ret->code, 0);
	assert_int_equal(w.next, PACKETS);
}

static void bridge_test_counts(const struct bridge_result *r,
			       const struct model_rule *model, size_t n,
			       uint32_t *hits)
{
	uint64_t dropped = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t got = 0;

		imp_rule_at(r->imp, i, &got);
		assert_int_equal(got, model[i].hits);
		hits[model[i].kind] += got;
		if (model[i].kind == DROP)
			dropped += got;
	}
	assert_int_equal(r->dropped, dropped);
	assert_int_equal(r->side[0].in + r->side[1].in, PACKETS);
	for (unsigned s = 0; s < 2; s++)
		assert_int_equal(r->side[s].out, w.fake[s].nout);
}

static void bridge_test_run_set(struct model *m, struct rng *rng,
				const char *path, bool frames, uint32_t *hits)
{
	const size_t n = 1 + rng_below(rng, RULES);
	struct model_rule model[RULES];
	struct bridge_result r;
	struct decl *decl = NULL;
	struct rules *rules;

	m->n = 0;
	for (size_t i = 0; i < n; i++)
		draw_rule(&model[i], rng);
	rules = parse_twice(model, n);
	draw_traffic(rng, frames);
	run_bridge(rules, rules_model_test_declare(&decl), path, &r);
	bridge_test_compare(path, m, model, n);
	bridge_test_counts(&r, model, n, hits);
	bridge_free(&r);
	rules_free(rules);
	decl_free(decl);
}

static void the_files_show_what_a_thousand_sets_say(void **state)
{
	struct model m = {.items = malloc(FLIGHT * sizeof(*m.items))};
	char path[] = "/tmp/bridge_test.XXXXXX";
	const int fd = mkstemp(path);
	struct rng rng = {2};
	uint32_t hits[KINDS] = {0};

	(void)state;
	assert_non_null(m.items);
	assert_true(fd >= 0);
	for (size_t i = 0; i < SETS; i++)
		bridge_test_run_set(&m, &rng, path, i % 2, hits);
	for (size_t k = 0; k < KINDS; k++)
		assert_true(hits[k] > 100);
	draw_traffic(&rng, false); /* frees what left */
	free(m.items);
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_files_show_what_a_thousand_sets_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
