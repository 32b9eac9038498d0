// SPDX-License-Identifier: BSD-2-Clause

// The receiving half of a PDC: which PSNs came, what was answered, what is
// stored until it is cleared, and when an ACK is due.
package main

import (
	"encoding/binary"
	"time"
)

const (
	rangeUnits = 16 // pds.mpr
	trackRange = rangeUnits * 128
	ackTrigger = 16384
	ackMinimum = 1024
)

// entry is a PSN that was received and is not below CACK_PSN, or whose answer
// is stored.
type entry struct {
	f        *frame
	psn      uint32
	ready    bool // the SES has answered
	ans      answer
	answered bool // and the answer may leave
}

// answer is what the SES says to a packet; without a form: an ACK of a CP.
type answer struct {
	form   uint8
	body   []byte
	gtd    bool
	data   bool // read data, which are not kept
	nack   uint8
	reread func() answer
	then   []*packet // return data
}

type delayed struct {
	at int64
	e  *entry
	a  answer
}

type receiver struct {
	p        *pdc
	cack     uint32
	clear    uint32
	top      uint32 // highest PSN that was received
	answered uint32 // ordered delivery: the last PSN whose answer has left
	entries  map[uint32]*entry
	gap      uint32 // ordered delivery: expected PSN that a NACK has told
	gapTold  bool
	pending  int // bytes that no ACK answers yet
	bytes    uint64
	later    []delayed
}

// received says whether a PSN was received.
func (r *receiver) received(psn uint32) bool {
	return !after(psn, r.cack) || r.entries[psn] != nil
}

// working says whether the SES has still to answer a request.
func (r *receiver) working() bool {
	for _, e := range r.entries {
		if !e.answered && !(e.f.h.kind == typeCP) {
			return true
		}
	}
	return false
}

// check returns the NACK code that refuses a packet, or 0.
func (r *receiver) check(h *header) uint8 {
	p := r.p
	tells := h.isRequest() || h.kind == typeCP && (h.next == cpNoop || h.next == cpNegotiation)
	switch {
	case p.initiator && h.isRequest() && h.next != nextData && h.next != nextDataSmall:
		return nackHdrMismatch
	case !p.initiator && h.isRequest() && (h.next < nextSmall || h.next > nextStd):
		return nackHdrMismatch
	case tells && h.rod() != p.rod:
		return nackModeMismatch
	case h.flags&flagSyn != 0 && h.psn-uint32(h.dpdcid&0xfff) != p.start:
		return nackInvalidSyn
	case p.closeFrame != nil && after(h.psn, p.closeFrame.h.psn):
		return nackClosing
	case after(h.psn, r.cack+trackRange) && h.flags&flagSyn != 0:
		return nackInvalidSyn
	case after(h.psn, r.cack+trackRange):
		return nackOutOfWindow
	}
	return 0
}

// request takes a request, or a control packet with a PSN.
func (r *receiver) request(f *frame) {
	p, h := r.p, &f.h
	if code := r.check(h); code != 0 {
		p.refuse(f, code)
		return
	}
	if after(r.cack-trackRange, h.psn) {
		return
	}
	if f.trimmed != 0 {
		if r.received(h.psn) {
			r.duplicate(f)
			return
		}
		p.refuse(f, f.trimmed)
		return
	}
	if _, whole := parseResponse(h.next, f.rest); !whole && p.initiator && h.isRequest() {
		return // a part of a packet
	}
	if h.isRequest() {
		r.clearTo(h.psn + uint32(int32(h.clearOff)))
	}
	if r.received(h.psn) {
		r.duplicate(f)
		return
	}
	if p.rod && h.psn != r.top+1 {
		r.outOfOrder(f)
		return
	}
	e := &entry{f: f, psn: h.psn}
	r.entries[h.psn] = e
	r.top = later(r.top, h.psn)
	r.bytes += uint64(f.size) + 40
	p.n.count("rx")
	if h.kind == typeCP {
		if h.next == cpCloseCommand {
			p.closeFrame = f
		} else {
			r.answer(e, answer{})
		}
		return
	}
	r.handUp(e)
}

// handUp gives a packet to the SES, which answers now, later or not.
func (r *receiver) handUp(e *entry) {
	var a answer
	var delay int64
	if r.p.initiator {
		a = r.p.returned(e.f)
	} else {
		a, delay = r.p.n.ses.request(e.f, r.p.id, r.p)
	}
	if delay != 0 {
		r.later = append(r.later, delayed{time.Now().UnixNano() + delay, e, a})
		return
	}
	if a.nack != 0 { // as if it had not come
		r.bytes -= uint64(e.f.size) + 40
		delete(r.entries, e.psn)
		if r.p.rod {
			r.top, r.gapTold = e.psn-1, false
		}
		r.p.refuse(e.f, a.nack)
		return
	}
	r.answer(e, a)
}

func (r *receiver) outOfOrder(f *frame) {
	r.p.n.count("rx_dropped")
	if r.gapTold && r.gap == r.top+1 {
		return
	}
	r.gapTold, r.gap = true, r.top+1
	r.p.refuseWith(f, nackRodOOO, r.top+1)
}

// duplicate answers a packet that was received before; the SES sees nothing.
func (r *receiver) duplicate(f *frame) {
	r.p.n.count("rx_duplicate")
	r.p.n.out.event("drop", fields{"reason": "duplicate", "orig_pdcid": r.p.id,
		"orig_psn": f.h.psn})
	if f.h.flags&flagRetx == 0 {
		return
	}
	e := r.entries[f.h.psn]
	switch {
	case e == nil || e.answered && (!e.ans.gtd || !after(e.psn, r.clear)):
		r.ack(f, f.h.psn, defaultAnswer(f))
	case !e.answered && f.h.kind == typeCP:
	case !e.answered:
		r.p.refuse(f, nackSesWorking)
	case e.ans.reread != nil:
		r.ack(f, e.psn, e.ans.reread())
	default:
		r.ack(f, e.psn, e.ans)
	}
}

// defaultAnswer is the response that the PDS itself gives to a duplicate.
func defaultAnswer(f *frame) answer {
	if f.h.kind == typeCP {
		return answer{}
	}
	d := sesResponse{form: nextResponse, opcode: rspDefault, rc: rcNull}
	if q, _, ok := parseRequest(f.h.next, f.rest); ok {
		d.msgID, d.job = q.msgID, q.job
	}
	if q, ok := parseResponse(f.h.next, f.rest); ok {
		d.msgID, d.job = q.msgID, q.job
	}
	return answer{form: nextResponse, body: d.bytes()}
}

// answer takes the response of the SES. In ordered delivery it waits for those
// of the packets before.
func (r *receiver) answer(e *entry, a answer) {
	if e == nil || e.ready {
		return
	}
	e.ready, e.ans = true, a
	if !r.p.rod {
		r.issue(e)
		return
	}
	for {
		e = r.entries[r.answered+1]
		if e == nil || !e.ready || e.answered {
			return
		}
		r.answered++
		r.issue(e)
	}
}

// issue lets an answer leave: at once, or with those after it.
func (r *receiver) issue(e *entry) {
	p, f := r.p, e.f
	if e.ans.nack != 0 {
		r.bytes -= uint64(f.size) + 40
		delete(r.entries, e.psn)
		if p.rod {
			r.answered, r.top = e.psn-1, e.psn-1
			r.gapTold = false
		}
		p.refuse(f, e.ans.nack)
		return
	}
	e.answered = true
	r.advance()
	p.tx.queue = append(p.tx.queue, e.ans.then...)
	r.pending += ackMinimum
	if size := len(f.rest); size > ackMinimum {
		r.pending += size - ackMinimum
	}
	asked := f.h.flags&(flagAR|flagSyn|flagRetx) != 0
	if asked || e.ans.gtd || f.marked || f.h.kind == typeCP || r.pending >= ackTrigger {
		r.ack(f, e.psn, e.ans)
	}
}

// advance moves CACK_PSN over what needs no more state.
func (r *receiver) advance() {
	for {
		e := r.entries[r.cack+1]
		if e == nil || !e.answered || e.ans.gtd && after(e.psn, r.clear) {
			return
		}
		r.cack++
		delete(r.entries, r.cack)
	}
}

// clearTo takes CLEAR_PSN.
func (r *receiver) clearTo(psn uint32) {
	if after(psn, r.top) || !after(psn, r.clear) {
		return
	}
	r.clear = psn
	r.advance()
}

// ack sends an ACK for a PSN, as an answer to a packet.
func (r *receiver) ack(f *frame, psn uint32, a answer) {
	h := r.ackHeader(f)
	h.next = a.form
	h.ackOff = int16(psn - r.cack)
	if !r.p.initiator {
		if a.gtd && after(psn, r.clear) {
			h.flags |= reqClear << 1
		} else if r.p.askClose {
			h.flags |= reqClose << 1
		}
	}
	r.pending = 0
	r.p.n.count("tx_ack")
	r.p.n.send(r.p.peer, f.ev, tosControl, h.bytes(), a.body)
}

// ackHeader returns the header of an ACK_CC, with the NSCC state.
func (r *receiver) ackHeader(f *frame) header {
	h := header{kind: typeAckCC, flags: echoed(f.h.flags, f.marked), cack: r.cack,
		spdcid: r.p.id, dpdcid: r.p.remote, mpr: rangeUnits, sackOff: 1, hasState: true}
	h.sack = r.bitmap(r.cack + 1)
	service := time.Since(f.at).Nanoseconds() / 128
	if service < 1 {
		service = 1
	}
	if service > 0xffff {
		service = 0xffff
	}
	be := binary.BigEndian
	be.PutUint16(h.ccState[0:], uint16(service))
	be.PutUint32(h.ccState[2:], uint32((r.bytes+255)>>8)&0xffffff)
	be.PutUint16(h.ccState[6:], r.outOfPlace())
	return h
}

// bitmap returns the SACK bitmap from a PSN on.
func (r *receiver) bitmap(base uint32) (bits uint64) {
	for i := uint32(0); i < 64; i++ {
		e := r.entries[base+i]
		old := !after(base+i, r.cack) && !after(r.p.start, base+i)
		if old || e != nil && e.answered {
			bits |= 1 << i
		}
	}
	return bits
}

// outOfPlace counts the PSNs that came before a lower one.
func (r *receiver) outOfPlace() (count uint16) {
	missing := r.cack + 1
	for r.entries[missing] != nil {
		missing++
	}
	for psn := range r.entries {
		if after(psn, missing) {
			count++
		}
	}
	return count
}

// ackRequest answers an ACK Request.
func (r *receiver) ackRequest(f *frame) {
	psn := f.h.psn
	if after(psn, r.cack+trackRange) || after(r.cack-trackRange, psn) {
		return
	}
	e := r.entries[psn]
	switch {
	case !r.received(psn):
		r.p.refuse(f, nackNotReceived)
	case e == nil || e.answered && (!e.ans.gtd || !after(psn, r.clear)):
		form := nextResponse
		body := (&sesResponse{form: nextResponse, opcode: rspDefault}).bytes()
		r.ack(f, psn, answer{form: uint8(form), body: body})
	case !e.answered:
		r.p.refuse(f, nackSesWorking)
	case e.ans.data:
		r.p.refuse(f, nackAckWithData)
	default:
		r.ack(f, psn, e.ans)
	}
}

// probe answers a Probe: CACK_PSN and the bitmap that it asks for.
func (r *receiver) probe(f *frame) {
	h := r.ackHeader(f)
	h.flags |= flagProbe
	h.opaque = f.h.opaque
	if d := int32(f.h.payload - r.cack); d >= -32768 && d <= 32767 {
		h.sackOff = int16(d)
		h.sack = r.bitmap(f.h.payload)
	}
	r.p.n.send(r.p.peer, f.ev, tosControl, h.bytes())
}

func (r *receiver) deadline() (first int64) {
	for _, d := range r.later {
		if first == 0 || d.at < first {
			first = d.at
		}
	}
	return first
}

func (r *receiver) tick(now int64) {
	var rest []delayed
	for _, d := range r.later {
		if d.at > now {
			rest = append(rest, d)
			continue
		}
		r.answer(d.e, d.a)
	}
	r.later = rest
}

// returned takes return data, as the initiator.
func (p *pdc) returned(f *frame) answer {
	reply := sesResponse{form: nextResponse, opcode: rspPlain, rc: rcOK, job: p.n.conf.job}
	d, _ := parseResponse(f.h.next, f.rest)
	reply.msgID, reply.modified = d.msgID, uint32(len(d.data))
	p.n.out.event("pds_ses_rx_ret", fields{"rx_pkt_handle": p.n.ses.handle(),
		"msg_id": d.readID, "orig_pdcid": p.id, "orig_psn": f.h.psn,
		"next_hdr": f.h.next, "opcode": d.opcode, "return_code": d.rc, "len": len(d.data)})
	p.fetched(&d)
	return answer{form: nextResponse, body: reply.bytes()}
}

// fetched finds the read to which return data belong.
func (p *pdc) fetched(d *sesResponse) {
	for _, o := range p.reads {
		if !o.waiting() {
			continue
		}
		for _, pk := range o.packets {
			if d.form == nextDataSmall && pk.sent && pk.psn == d.origPSN {
				o.fetch(pk.position, d.data)
				return
			}
		}
		if d.form == nextData && o.msgID != 0 && o.msgID == d.readID {
			o.fetch(d.position, d.data)
			return
		}
	}
}
