/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/rung_scope.c -- finds the field that a word of a rung names,
 * in the headers that its packet may have.
 */
#include "suite/lang/rung/rung_scope.h"

#include <string.h>

#include "suite/lang/lex/case_lex.h"
#include "suite/lang/parse_state.h"
#include "wire/ib/ib.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* Every header that a case can name; used for hints and extensions only. */
static const struct header *const headers[] = {
	&pds_req_header,
	&pds_req_syn_header,
	&pds_req_cc_header,
	&pds_ack_header,
	&pds_ack_probe_header,
	&pds_ack_cc_header,
	&pds_nscc_header,
	&pds_credit_header,
	&pds_cc_state_header,
	&pds_ack_ccx_header,
	&pds_nack_header,
	&pds_nack_rudi_header,
	&pds_nack_ccx_header,
	&pds_cp_header,
	&pds_cp_syn_header,
	&cp_payload_header,
	&cp_ack_request_header,
	&cp_clear_header,
	&cp_probe_header,
	&cp_credit_header,
	&cp_credit_request_header,
	&cp_negotiation_header,
	&rudi_req_header,
	&rudi_resp_header,
	&uud_req_header,
	&tss_header,
	&tss_ssi_header,
	&ses_std_som_header,
	&ses_std_header,
	&ses_std_deferrable_header,
	&ses_std_rtr_header,
	&ses_small_header,
	&ses_medium_header,
	&ses_medium_hd_header,
	&ses_response_header,
	&ses_response_data_header,
	&ses_response_data_small_header,
	&ses_rendezvous_header,
	&ses_atomic_header,
	&ses_cswap_header,
	&bth_header,
	&seth_header,
	&deth_header,
	&imm_eth_header,
	&srd_aeth_header,
	&srd_sack_header,
	&reth_header,
	&aeth_header,
	&ieth_header,
	&wqeth_header,
	&rieth_header,
	NULL,
};

const struct header *const ext_headers[] = {
	&ses_atomic_header, &ses_cswap_header, &ses_rendezvous_header, NULL};

const struct header *ext_named(struct word w)
{
	for (const struct header *const *h = ext_headers; *h; h++)
		if (word_is(w, (*h)->name))
			return *h;
	return NULL;
}

/* Returns the extension header that has such a field, or NULL. */
const struct header *ext_with(struct word name)
{
	for (const struct header *const *h = ext_headers; *h; h++)
		if (header_field(*h, name.s, name.len))
			return *h;
	return NULL;
}

bool case_rung_resolve(const struct case_rung_scope *sc, struct word name,
		       const struct field **ret)
{
	*ret = NULL;
	if (sc->ext) {
		*ret = header_field(sc->ext, name.s, name.len);
		return *ret != NULL;
	}
	if (sc->ses_side && ext_with(name))
		return false;
	return packet_layout_has(sc->type, sc->ses, sc->ses_side, name.s,
				 name.len, ret);
}

static const char *case_rung_scope_name(const struct case_rung_scope *sc)
{
	if (sc->ext)
		return sc->ext->name;
	if (sc->ses_side)
		return sc->ses;
	return sc->type;
}

/* Returns the field whose value may be written as a bare word. */
const struct field *discriminator(const struct case_rung_scope *sc)
{
	static const char *const names[] = {"ctl_type", "nack_code", "opcode"};
	const struct field *f;

	for (size_t i = 0; i < 3 && !sc->ext; i++) {
		struct word w = {names[i], strlen(names[i])};

		if ((i < 2) != sc->ses_side && case_rung_resolve(sc, w, &f) &&
		    f)
			return f;
	}
	return NULL;
}

static void offer_if(struct near *n, const struct case_rung_scope *sc,
		     const char *name)
{
	const struct field *f;

	if (case_rung_resolve(sc, (struct word){name, strlen(name)}, &f))
		near_offer(n, name);
}

static const char *scope_hint(struct near *n, const struct case_rung_scope *sc,
			      struct word name, bool bare)
{
	const struct field *d = discriminator(sc);

	near_init(n, name);
	for (const struct header *const *h = headers; *h; h++) {
		for (size_t i = 0; i < (*h)->nfields; i++)
			offer_if(n, sc, (*h)->fields[i].name);
		for (size_t i = 0; i < (*h)->nderived; i++)
			offer_if(n, sc, (*h)->derived[i].name);
	}
	offer_if(n, sc, "sack_psn");
	for (const struct value_name *v = bare && d ? d->names : NULL;
	     v && v->name; v++)
		near_offer(n, v->name);
	return near_hint(n);
}

int case_rung_no_field(struct parse *p, const struct case_rung_scope *sc,
		       struct word name, bool bare)
{
	const struct field *f;
	struct case_rung_scope other = *sc;
	struct near n;

	if (sc->ses_side && !sc->ext && ext_with(name))
		return lex_error(p->lex, name.s,
				 "'%.*s' belongs to the extension: write it "
				 "after '| %s'",
				 WORD(name), ext_with(name)->name);
	other.ext = NULL;
	other.ses_side = false;
	if (sc->ses_side && case_rung_resolve(&other, name, &f))
		return lex_error(p->lex, name.s,
				 "'%.*s' is a field of %s: write it before "
				 "'| %s'",
				 WORD(name), sc->type, sc->ses);
	return lex_error(p->lex, name.s, "no field '%.*s' in %s%s", WORD(name),
			 case_rung_scope_name(sc),
			 scope_hint(&n, sc, name, bare));
}
