/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/capability.c -- the words of "claims" and "needs", and the check
 * whether a declaration has one.
 */
#include "suite/decl/capability.h"

#include <string.h>

#include "base/word.h"
#include "suite/decl/decl.h"
#include "suite/decl/decl_setting.h"
#include "suite/decl/derived.h"
#include "suite/lang/lex/case_lex.h"

/* clang-format off */
const struct capability decl_capabilities[] = {
	{"rud", "Reliable unordered delivery on PDCs."},
	{"rod", "Reliable ordered delivery on PDCs."},
	{"rudi", "Reliable delivery of idempotent operations, without a PDC."},
	{"uud", "Unreliable datagrams."},
	{"send", "Sends: it accepts them and, when told to, posts them. Without a control channel it always has receives posted, of any length."},
	{"send.tagged",
	 "Tagged sends: it matches their tags with those of posted receives."},
	{"send.deferrable",
	 "Deferrable sends: it asks for a message again that found no receive, "
	 "and repeats one when asked."},
	{"send.rendezvous",
	 "Rendezvous sends: it reads the rest of a message from its initiator, "
	 "and has its own read."},
	{"write", "Writes into memory that the declaration names."},
	{"read", "Reads of that memory with the standard header."},
	{"read.medium", "Reads with the medium header."},
	{"read.small", "Reads with the small header."},
	{"atomic", "Atomics with and without fetching."},
	{"multi", "Messages of several packets."},
	{"response.gtd",
	 "Guaranteed responses can be provoked: by the control channel or "
	 "by the cause that the declaration names."},
	{"response.code",
	 "Responses with an error code can be provoked as well."},
	{"response.nack",
	 "The target can be made to refuse requests with a NACK: by the "
	 "control channel, or by trimmed packets if it claims `trim`."},
	{"response.delay",
	 "The target can be made to answer later than it could: by the control "
	 "channel, or by the cause that the declaration names."},
	{"control", "There is a control channel with the minimum profile."},
	{"control.pds", "The control channel has the verbs of table 3-27."},
	{"close.initiator",
	 "As initiator it closes a PDC: when a Close Request asks for it, and "
	 "on its own when its PSNs are used up."},
	{"close.target", "As target it answers a Close Command."},
	{"close.ask", "As target it can be made to ask for a close."},
	{"close.refuse",
	 "As target it refuses a Close Request, which only targets send."},
	{"ack_request", "As target it answers ACK Requests."},
	{"probe", "As target it answers Probes."},
	{"noop", "As target it answers NOOPs."},
	{"negotiation", "As target it answers Negotiations."},
	{"new_start_psn",
	 "As initiator it starts again from the PSN that NEW_START_PSN says."},
	{"ack_cc", "Its ACKs are ACK_CC or ACK_CCX: they have SACK and MPR."},
	{"memory.exact",
	 "As target it refuses what goes beyond \"size memory_len\", by one "
	 "byte."},
	{"ids.exact",
	 "As target it refuses other ids of a job, process, resource index or "
	 "memory key than the declaration has."},
	{"nscc",
	 "The NSCC state in its ACKs is kept: rcvd_bytes, ooo_count, "
	 "service_time."},
	{"nack_ccx", "As initiator it takes a NACK_CCX for the NACK that it is."},
	{"credit",
	 "It takes requests with a CC section, and grants credit as it is "
	 "asked to."},
	{"window",
	 "As initiator ECN marks, losses and delay move the window that "
	 "limits its requests without an ACK."},
	{"window.return",
	 "As target marks, losses and delay move the window that limits its "
	 "read data without an ACK."},
	{"credit.return",
	 "Its read data carry a CC section, and wait for the credit that the "
	 "initiator grants."},
	{"rccc",
	 "As target it grants credit at the rate of its link, in fair shares."},
	{"rccc.return",
	 "As initiator it grants credit for read data at the rate of its "
	 "link, in fair shares."},
	{"ecn", "It echoes congestion marks."},
	{"trim", "It answers trimmed requests with a NACK."},
	{"crc", "Its packets end in a CRC."},
	{"tss", "It encrypts."},
	{"srd", "Scalable Reliable Datagram, in the reference encapsulation."},
	{"srd.verbs", "Its control channel has the verbs profile. Without `srd`: its packets are not visible."},
	{"wqe", "RoCEv2 with the WQE extension, in the reference form."},
	{"wqe.verbs", "Its control channel has the verbs profile."},
	{"wqe.read", "It reads, and is read from."},
	{"roce", "Plain RoCEv2, reliable connections."},
	{"roce.verbs", "Its control channel has the verbs profile."},
	{"ipv6", "It speaks IPv6."},
	{"ipv6.ext",
	 "It takes packets with IPv6 extension headers before UDP or the "
	 "entropy header: hop-by-hop and destination options that hold "
	 "padding alone."},
	{"ipv6.fragment",
	 "It takes whole packets with an IPv6 Fragment header before UDP or "
	 "the entropy header: offset 0, and no more fragments."},
	{"native", "It speaks UET on IP, without UDP."},
	{"native.both",
	 "As target it answers UET on IP and UET on UDP, each in kind."},
	{"mtu.1024", "Its MTU is 1024: follows from \"size mtu\"."},
	{"ack_data", "Its ACKs carry read data: follows from \"size max_ack_data\"."},
	{"ack_data.8", "Its ACKs carry 8 bytes of read data: follows likewise."},
	{"return_data", "A read of one MTU is longer than what its ACKs carry: follows likewise."},
	{"rto_retx.2", "It sends a packet twice more for want of an ACK: follows from \"limit max_rto_retx\"."},
	{"rto_retx.3", "It sends a packet three times more: follows likewise."},
	{"nack_retx.2", "It sends a packet twice more after NACKs: follows from \"limit max_nack_retx\"."},
	{"stored.window", "It stores fewer guaranteed responses than MP_RANGE lets in: follows from \"size stored\" and \"size mp_range\"."},
	{"wqe_ooo.2", "It tracks two incomplete WQEs at once: follows from \"size wqe_ooo\"."},
	{"wqe_ooo.3", "It tracks three incomplete WQEs at once: follows likewise."},
	{"wqe_cache.8", "It caches eight MTUs of packets that have no place yet: follows from \"size wqe_cache\" and \"setting wqe_cache_device\"."},
	{"in_flight.3", "It sends three requests before an ACK of them: follows from \"size in_flight\"."},
	{"in_flight.8", "It sends eight before an ACK of them: follows likewise."},
	{"in_flight.128", "It sends 128 requests before an ACK of them: follows likewise."},
	{"stored.2", "It keeps two guaranteed responses at once: follows from \"size stored\"."},
	{"stored.4", "It keeps four guaranteed responses at once: follows likewise."},
	{"stored.20", "It keeps twenty guaranteed responses at once: follows likewise."},
	{"message.64", "Its messages may have 64 MTUs: follows from \"size max_message\"."},
	{"message.8", "Its messages may have 8 MTUs: follows likewise."},
	{"mp_range.128", "Its MP_RANGE is 128 PSNs or more: follows from \"size mp_range\"."},
	{"mp_range.1024", "Its MP_RANGE is 1024 PSNs or more: follows likewise."},
	{"ack_time.short", "It answers within half an RTO: follows from \"timer ack_time\" and \"timer rto\"."},
	{"wqe_miss.long", "WQE: its T_miss is 1 ms or more, so that it does not report disorder: follows from \"setting wqe_miss\", or without it from \"timer ack_time\"."},
	{"nack_time.short", "It sends a packet again after a NACK sooner than for want of an ACK: follows from \"timer nack_time\" and \"timer rto\"."},
	{"nack_time.third", "Three times its wait after a NACK is less than an RTO: follows likewise."},
	{"close_req.long", "As target it waits 8 RTO or more for the close that it asked for: follows from \"setting close_req_time\"."},
	{"ses_time.long", "Its SES delays an answer for an RTO or more: follows from \"timer ses_time\"."},
	{"syn_safety.long", "It remembers a closed PDC for 3 RTO or more: follows from \"setting syn_retx_safety\"."},
	{"paths", "As a source it leaves a path that loses everything: follows from \"timer path_time\"."},
	{"unresponsive.long", "Its RTO may double four times before a destination is unresponsive: follows from \"timer unresponsive\" and \"timer rto\"."},
	{"pkt_buffers.2", "As target it keeps two requests that its SES has not answered: follows from \"setting max_pkt_buffers\"."},
	{"pkt_buffers.4", "It keeps four such requests: follows likewise."},
	{"ses_msgs.2", "As target it receives two messages of several packets at once: follows from \"setting max_ses_msgs\"."},
	{"rudi.2", "It has two RUDI requests without a response at once: follows from \"setting max_rudi\"."},
	{"rudi.3", "It has three such requests at once: follows likewise."},
	{"psn_range.2048", "Its PDCs have 2048 PSNs or more: follows from \"setting psn_range\"."},
	{"credit.spared", "It sends 64 KiB before it waits for credit: follows from \"setting cc\"."},
	{"credit.at_once", "It grants every wish for credit at once: follows from \"setting cc_policy\"."},
	{"start_psn.random", "Its PDCs begin at any PSN: follows from \"setting start_psn\"."},
	{"memory.end", "Its memory is known to end behind \"size memory_len\": follows from the claims control and memory.exact."},
	{"read_time.short", "It returns the data of 136 reads before an RTO: follows from \"setting read_time\" and \"timer rto\"."},
	{"srd_paths.2", "It sprays over two paths: follows from \"setting srd_paths\"."},
	{"srd_ctx.2", "It keeps two contexts of its peers at once: follows from \"setting srd_max_ctx\"."},
	{"srd_idle.long", "A context outlives four RTOs without traffic: follows from \"setting srd_idle\" and \"timer rto\"."},
	{"rnr_retry.1", "It sends again what an RNR NAK refused: follows from \"setting wqe_rnr_retry\"."},
	{"wqe.selective", "Its receiver keeps what is out of order, and does not go back: follows from \"setting wqe_gbn\"."},
	{"wqe_ind.2", "One of its retransmission indications names two PSNs: follows from \"setting wqe_ind_psns\"."},
	{"wqe_ind.3", "One of them names three PSNs: follows likewise."},
	{NULL, NULL},
};

bool decl_capability(const char *word, size_t len)
{
	const struct word w = {word, len};

	for (const struct capability *c = decl_capabilities; c->word; c++)
		if (word_is(w, c->word))
			return true;
	return false;
}

bool decl_derived(const char *word)
{
	return derived_find(word) != NULL;
}

bool decl_claims(const struct decl *d, const char *capability)
{
	const struct derived_claim *derived = derived_find(capability);

	if (derived)
		return derived_has(derived, d);
	for (size_t i = 0; i < d->nclaims; i++)
		if (word_same(d->claims[i], capability))
			return true;
	return false;
}

/* clang-format off */
static const struct {
	enum req_id id;
	const char *capability;
} promised[] = {
	{REQ_UET_ACK_08, "nscc"},
	{REQ_UET_ACK_09, "nscc"},
	{REQ_UET_ACK_10, "nscc"},
	{REQ_UET_ACK_37, "nscc"},
};
/* clang-format on */

bool decl_promises(const struct decl *d, enum req_id id)
{
	uint64_t fixed;

	/* A Start_PSN is not random if the device was told which to use. */
	if (id == REQ_UET_PDC_19 &&
	    decl_setting_find(d, SETTING_start_psn, &fixed))
		return false;
	for (size_t i = 0; i < sizeof(promised) / sizeof(promised[0]); i++)
		if (promised[i].id == id)
			return decl_claims(d, promised[i].capability);
	return true;
}
