// SPDX-License-Identifier: BSD-2-Clause

// The sending half of a PDC: PSNs, acknowledgments, time-outs, NACKs, clears.
package main

import "time"

const (
	defaultRange = 1024 // Default_MPR, until an ACK says otherwise
	inFlight     = 64
	evPool       = 24
	evFirst      = 50000
)

type sender struct {
	p      *pdc
	queue  []*packet // without a PSN yet
	out    []*packet // sent, in the order of their PSNs; the first is not done
	next   uint32
	cack   uint32
	clear  uint32
	window uint32
	path   uint16

	backTo    *packet // ordered delivery: where the last ROD_OOO sent us,
	backCause uint32  // and the PSN that it refused
}

// ev returns the entropy value: of ordered delivery always the same, of
// unordered delivery another one for each message.
func (s *sender) ev() uint16 {
	if s.path == 0 {
		s.turn()
	}
	return s.path
}

func (s *sender) turn() {
	if s.path != 0 && s.p.rod {
		return
	}
	s.p.n.mu.Lock()
	s.path = evFirst + uint16(s.p.n.random.Intn(evPool))
	s.p.n.mu.Unlock()
}

// pump sends what waits and the window allows.
func (s *sender) pump(now int64) {
	for len(s.queue) > 0 && len(s.out) < inFlight && int32(s.next-s.cack) <= int32(s.window) {
		if s.p.establishing && s.next-s.p.start > 4095 || s.p.rod && s.goingBack() {
			return
		}
		if s.next-s.p.start >= 1<<31-1<<14 {
			s.p.beginClose()
		}
		pk := s.queue[0]
		s.queue = s.queue[1:]
		pk.psn, pk.rod = s.next, s.p.rod
		s.next++
		s.out = append(s.out, pk)
		s.transmit(pk, now)
		if pk.last {
			s.turn()
		}
	}
}

// goingBack says whether an ordered PDC waits before it goes back.
func (s *sender) goingBack() bool { return len(s.out) > 0 && s.out[0].nackWait }

// transmit sends a packet, the first time or again.
func (s *sender) transmit(pk *packet, now int64) {
	if int32(pk.psn-s.cack) > int32(s.window) { // the window became smaller
		pk.due = now + s.p.n.conf.rto
		return
	}
	h := header{psn: pk.psn, spdcid: s.p.id, dpdcid: s.p.remote}
	if pk.sent {
		h.flags |= flagRetx | flagAR
		pk.resent = true
		s.p.n.count("tx_retx")
	}
	if pk.last || len(s.queue) == 0 || len(s.out) == inFlight {
		h.flags |= flagAR
	}
	if s.p.establishing {
		h.flags |= flagSyn
		h.dpdcid = uint16(pk.psn - s.p.start)
	}
	tos := byte(tosData)
	if pk.cp {
		h.kind, h.next, h.payload = typeCP, pk.next, pk.payload
		h.flags |= flagAR
		if s.p.rod && (pk.next == cpNoop || pk.next == cpNegotiation) {
			h.flags |= flagIsRod
		}
		tos = tosControl
	} else {
		h.kind, h.next = typeRudReq, pk.next
		if s.p.rod {
			h.kind = typeRodReq
		}
		h.clearOff = int16(s.clear - pk.psn)
	}
	pk.sent, pk.nackWait = true, false
	pk.due = now + s.p.n.conf.rto<<pk.tries
	s.p.n.count("tx")
	s.p.n.send(s.p.peer, s.ev(), tos, h.bytes(), pk.body)
}

// timed returns the packets whose timers count: of ordered delivery the oldest.
func (s *sender) timed() []*packet {
	if s.p.rod && len(s.out) > 1 {
		return s.out[:1]
	}
	return s.out
}

func (s *sender) deadline() (first int64) {
	for _, pk := range s.timed() {
		if !pk.done && (first == 0 || pk.due < first) {
			first = pk.due
		}
	}
	return first
}

func (s *sender) tick(now int64) {
	for _, pk := range s.timed() {
		if pk.done || pk.due > now {
			continue
		}
		if pk.nackWait {
			s.again(pk, now)
			continue
		}
		if pk.tries >= s.p.n.conf.maxRTO {
			s.p.end("retries", true)
			return
		}
		pk.tries++
		if pk.known {
			pk.due = now + s.p.n.conf.rto<<pk.tries
			s.p.sendCP(cpAckRequest, flagAR, pk.psn, 0, 0)
			continue
		}
		s.again(pk, now)
	}
}

// again sends one packet again, or this one and all after it.
func (s *sender) again(pk *packet, now int64) {
	if !s.p.rod {
		s.transmit(pk, now)
		return
	}
	for _, one := range s.out {
		if !one.done && !after(pk.psn, one.psn) {
			s.transmit(one, now)
		}
	}
}

// sacked says whether the bitmap of an ACK says that a PSN was received.
func sacked(h *header, psn uint32) bool {
	bit := psn - (h.cack + uint32(int32(h.sackOff)))
	return h.hasState && bit < 64 && h.sack>>bit&1 == 1
}

// acked takes an ACK: one response for each PSN that is newly acknowledged.
func (s *sender) acked(f *frame) {
	h := &f.h
	probe := h.flags&flagProbe != 0
	ackPSN := h.cack + uint32(int32(h.ackOff))
	if after(h.cack, s.next-1) || !probe && after(ackPSN, s.next-1) || after(s.p.start-1, h.cack) {
		return
	}
	for _, pk := range s.out {
		switch {
		case pk.done:
		case !probe && pk.psn == ackPSN:
			s.answered(pk, f)
		case !after(pk.psn, h.cack):
			s.finish(pk, &sesResponse{form: nextResponse})
		case sacked(h, pk.psn):
			pk.known = true
		}
	}
	if h.hasState && h.mpr != 0 && !after(s.cack, h.cack) {
		s.window = uint32(h.mpr) * 128
	}
	s.cack = later(s.cack, h.cack)
	s.popDone()
	if s.p.initiator {
		switch h.flags >> 1 & 3 {
		case reqClear:
			s.p.clearWanted = true
		case reqClose:
			s.p.beginClose()
		}
	}
	if s.p.closeSent != nil && s.p.closeSent.done {
		s.p.end("closed", false)
	}
}

func (s *sender) popDone() {
	for len(s.out) > 0 && s.out[0].done {
		s.clear = s.out[0].psn
		s.out = s.out[1:]
		if s.p.rod && len(s.out) > 0 && s.out[0].sent {
			s.out[0].due = time.Now().UnixNano() + s.p.n.conf.rto
		}
	}
	var open []*op
	for _, o := range s.p.reads {
		if o.waiting() {
			open = append(open, o)
		}
	}
	s.p.reads = open
}

// answered takes the ACK of this very packet with the response that it carries.
func (s *sender) answered(pk *packet, f *frame) {
	if f.h.next < nextResponse || f.h.next > nextDataSmall {
		s.finish(pk, &sesResponse{form: nextResponse})
		return
	}
	r, ok := parseResponse(f.h.next, f.rest)
	if !ok {
		return
	}
	if r.opcode == rspNone && after(pk.psn, f.h.cack) {
		pk.known = true // the response comes later
		return
	}
	s.finish(pk, &r)
}

func (s *sender) finish(pk *packet, r *sesResponse) {
	pk.done = true
	pk.op.respond(pk, r, pk.psn)
}

// nacked takes a NACK.
func (s *sender) nacked(f *frame) {
	s.p.n.count("rx_nack")
	now := time.Now().UnixNano()
	pk := s.find(f.h.psn)
	if pk == nil {
		return
	}
	if nackFatal(f.h.code) {
		if pk == s.p.closeSent && f.h.code == nackInvDpdcid {
			s.p.end("closed", false)
			return
		}
		s.p.end("fatal", true)
		return
	}
	if f.h.code == nackRodOOO {
		if pk = s.gap(f); pk == nil {
			return
		}
	}
	if pk.nacks >= s.p.n.conf.maxNACK {
		s.p.end("retries", true)
		return
	}
	pk.nacks++
	pk.known = false
	if f.h.code == nackNewStart {
		s.renumber(f.h.payload, now)
		return
	}
	if nackAtOnce(f.h.code) {
		s.again(pk, now)
		return
	}
	pk.nackWait, pk.due = true, now+s.p.n.conf.nackTime
}

func (s *sender) find(psn uint32) *packet {
	for _, pk := range s.out {
		if pk.psn == psn && !pk.done {
			return pk
		}
	}
	return nil
}

// gap returns the packet to which ROD_OOO sends us back, or nil if the NACK is
// older than our last way back: it answers a first transmission, or a later
// packet of the same burst.
func (s *sender) gap(f *frame) *packet {
	pk := s.find(f.h.payload)
	if pk == nil {
		pk = s.out[0]
	}
	if pk.resent && f.h.flags&flagRetx == 0 {
		return nil
	}
	if pk == s.backTo && after(f.h.psn, s.backCause) {
		return nil
	}
	s.backTo, s.backCause = pk, f.h.psn
	return pk
}

// renumber starts the PDC again from the PSN that its target wants.
func (s *sender) renumber(start uint32, now int64) {
	if !s.p.establishing {
		return
	}
	s.p.start, s.cack, s.clear = start, start-1, start-1
	s.p.rx.cack, s.p.rx.clear = start-1, start-1
	s.p.rx.top, s.p.rx.answered = start-1, start-1
	s.next = start
	for _, pk := range s.out {
		pk.psn, pk.sent, pk.tries = s.next, false, 0
		s.next++
		s.transmit(pk, now)
	}
}

// sendClear answers a clear that was asked for when no request will carry it.
func (s *sender) sendClear() {
	if !s.p.clearWanted || len(s.queue) > 0 || len(s.out) > 0 || s.p.establishing {
		return
	}
	s.p.clearWanted = false
	s.p.sendCP(cpClearCommand, 0, 0, s.clear, 0)
}
