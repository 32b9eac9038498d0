/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two UET endpoints under any input (fuzz/world.h).
 */
#include "fuzz/world.h"

static void post(struct world *w, struct input *in)
{
	static const enum op_kind kinds[] = {
		OP_SEND, OP_WRITE, OP_READ, OP_EXPOSE, OP_SES_POLICY,
	};
	const unsigned i = byte(in) & 1;
	struct orc_op op = {
		.kind = kinds[byte(in) % (sizeof(kinds) / sizeof(kinds[0]))],
		.handle = w->frame,
		.peer = addr(!i),
		.header = (enum op_header)(byte(in) % 3),
		.len = byte(in) * 37u,
		.key = 0x1000,
	};
	const uint8_t policy = byte(in);

	op.policy.gtd = (enum op_gtd)(policy & 3) % 3;
	op.policy.nack_code = policy & 4 ? byte(in) : 0;
	op.policy.delay = policy & 8 ? VSPAN_MS : 0;
	op.policy.count = policy >> 4;
	ask(w, i, &op);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct world_form form = {
		.family = FAMILY_UET,
		.doubted = true,
		.polls = 4096,
		.events = 2 * 4096,
		.post = post,
	};

	return world_run(&form, data, size);
}
