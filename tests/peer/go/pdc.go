// SPDX-License-Identifier: BSD-2-Clause

// One PDC: a goroutine that owns both directions, its timer, and its end.
package main

import (
	"net/netip"
	"time"
)

// pdc is one packet delivery context. Only its goroutine changes it, but for
// what stands under the lock of the nic (remote is set once).
type pdc struct {
	n         *nic
	id        uint16
	peer      netip.Addr
	remote    uint16
	rod       bool
	initiator bool
	start     uint32
	box       mailbox
	quit      chan bool
	timer     *time.Timer

	tx sender
	rx receiver

	reads        []*op // whose return data are outstanding
	closing      bool  // no new message; then a Close Command
	closeSent    *packet
	askClose     bool   // flags.req of each ACK
	closeFrame   *frame // Close Command that waits for the return direction
	clearWanted  bool
	establishing bool
	ended        bool
	waiting      []func() // until the target's PDCID is known
}

func newPDC(n *nic, id uint16, peer netip.Addr, rod, initiator bool, start uint32) *pdc {
	p := &pdc{n: n, id: id, peer: peer, rod: rod, initiator: initiator, start: start,
		establishing: initiator, timer: time.NewTimer(time.Hour)}
	p.box.wake = make(chan bool, 1)
	p.tx = sender{p: p, next: start, cack: start - 1, clear: start - 1, window: defaultRange}
	p.rx = receiver{p: p, cack: start - 1, clear: start - 1, top: start - 1,
		answered: start - 1, entries: map[uint32]*entry{}}
	return p
}

// run is the life of the PDC.
func (p *pdc) run() {
	reason := "established"
	if p.initiator {
		reason = "creating"
	}
	p.n.out.event("pdc", fields{"orig_pdcid": p.id, "reason": reason})
	defer p.timer.Stop()
	for !p.ended {
		select {
		case <-p.quit:
			return
		case <-p.box.wake:
			for i, items := 0, p.box.take(); i < len(items); i++ {
				if p.ended {
					p.forward(items[i:])
					return
				}
				p.handle(items[i])
			}
		case <-p.timer.C:
		}
		if !p.ended {
			p.advance()
		}
	}
}

func (p *pdc) handle(item any) {
	switch it := item.(type) {
	case *frame:
		p.arrive(it)
	case *op:
		if p.closing && !it.isCP {
			p.n.retire(p)
			p.n.post(p.peer, p.rod, it)
			return
		}
		it.mu.Lock()
		it.pdcid = p.id
		it.mu.Unlock()
		p.tx.queue = append(p.tx.queue, it.packets...)
		if it.reads {
			p.reads = append(p.reads, it)
		}
	case func(*pdc):
		it(p)
	}
}

// forward gives away what arrived after the PDC's end.
func (p *pdc) forward(items []any) {
	for _, item := range items {
		switch it := item.(type) {
		case *frame:
			go p.n.dispatch(it)
		case *op:
			p.n.post(p.peer, p.rod, it)
		}
	}
}

// advance does what time and the state of the PDC ask for, and sets the timer.
func (p *pdc) advance() {
	now := time.Now().UnixNano()
	p.rx.tick(now)
	p.tx.tick(now)
	if p.ended {
		return
	}
	p.tx.pump(now)
	p.tx.sendClear()
	p.finishClose()
	if p.ended {
		return
	}
	p.closeIfIdle()
	next := p.tx.deadline()
	if d := p.rx.deadline(); next == 0 || d != 0 && d < next {
		next = d
	}
	wait := time.Hour
	if next != 0 {
		wait = time.Duration(next - time.Now().UnixNano())
	}
	if !p.timer.Stop() {
		select {
		case <-p.timer.C:
		default:
		}
	}
	p.timer.Reset(wait)
}

func (p *pdc) arrive(f *frame) {
	if f.trimmed != 0 && !f.h.isRequest() {
		return
	}
	switch {
	case f.h.isAck():
		if f.h.spdcid != 0 {
			p.learn(f.h.spdcid)
		}
		p.tx.acked(f)
	case f.h.isNack():
		if f.h.spdcid != 0 && f.h.code != nackNewStart {
			p.learn(f.h.spdcid)
		}
		p.tx.nacked(f)
	case f.h.isRequest():
		p.rx.request(f)
	case f.h.kind == typeCP:
		p.control(f)
	}
}

// learn takes the target's PDCID from its first answer.
func (p *pdc) learn(spdcid uint16) {
	if !p.establishing {
		return
	}
	p.establishing = false
	p.n.mu.Lock()
	p.remote = spdcid
	p.n.mu.Unlock()
	p.n.out.event("pdc", fields{"orig_pdcid": p.id, "reason": "established"})
	for _, then := range p.waiting {
		then()
	}
	p.waiting = nil
}

// control takes a control packet.
func (p *pdc) control(f *frame) {
	switch f.h.next {
	case cpNoop, cpNegotiation:
		p.rx.request(f)
	case cpCloseCommand:
		if p.initiator {
			p.refuse(f, nackUnexpected)
			return
		}
		p.rx.request(f)
	case cpCloseRequest:
		if !p.initiator {
			p.refuse(f, nackUnexpected)
			return
		}
		p.rx.request(f)
		p.beginClose()
	case cpAckRequest:
		p.rx.ackRequest(f)
	case cpClearCommand:
		p.rx.clearTo(f.h.payload)
	case cpClearRequest:
		p.clearWanted = true
	case cpProbe:
		p.rx.probe(f)
	default:
		p.refuse(f, nackUnexpected)
	}
}

func (p *pdc) refuse(f *frame, code uint8) { p.refuseWith(f, code, 0) }

func (p *pdc) refuseWith(f *frame, code uint8, payload uint32) {
	p.n.count("tx_nack")
	h := header{kind: typeNack, code: code, psn: f.h.psn, spdcid: p.id, dpdcid: p.remote,
		payload: payload, flags: echoed(f.h.flags, f.marked)}
	if code == nackHdrMismatch { // the packet belongs to no PDC
		h.spdcid, h.dpdcid = 0, f.h.spdcid
	}
	p.n.send(p.peer, f.ev, tosControl, h.bytes())
}

// sendCP sends a control packet that takes no PSN.
func (p *pdc) sendCP(ctl, flags uint8, psn, payload uint32, opaque uint16) {
	h := header{kind: typeCP, next: ctl, flags: flags, psn: psn, payload: payload,
		opaque: opaque, spdcid: p.id, dpdcid: p.remote}
	p.n.send(p.peer, p.tx.ev(), tosControl, h.bytes())
}

// beginClose takes no new message; the Close Command follows the last packet.
func (p *pdc) beginClose() {
	if p.closing {
		return
	}
	p.closing = true
	p.n.retire(p)
}

// closeIfIdle sends the Close Command once nothing is outstanding.
func (p *pdc) closeIfIdle() {
	if !p.initiator || !p.closing || p.closeSent != nil || p.establishing {
		return
	}
	if len(p.tx.queue) > 0 || len(p.tx.out) > 0 {
		return
	}
	for _, o := range p.reads {
		if o.waiting() {
			return
		}
	}
	p.closeSent = &packet{cp: true, next: cpCloseCommand, last: true}
	p.tx.queue = append(p.tx.queue, p.closeSent)
	p.tx.pump(time.Now().UnixNano())
}

// finishClose acknowledges a Close Command when the return direction is done.
func (p *pdc) finishClose() {
	if p.closeFrame == nil || len(p.tx.queue) > 0 || len(p.tx.out) > 0 || p.rx.working() {
		return
	}
	f := p.closeFrame
	p.rx.clearTo(f.h.psn)
	p.rx.answer(p.rx.entries[f.h.psn], answer{})
	p.end("closed", false)
}

// end frees the PDC. What was not acknowledged is reported.
func (p *pdc) end(status string, failed bool) {
	if p.ended {
		return
	}
	p.ended = true
	for _, pk := range append(append([]*packet(nil), p.tx.out...), p.tx.queue...) {
		if pk.done || pk == p.closeSent {
			continue
		}
		p.n.out.event("pds_ses_error", fields{"handle": pk.handle, "orig_pdcid": p.id,
			"orig_psn": pk.psn, "reason": status})
	}
	for _, pk := range append(append([]*packet(nil), p.tx.out...), p.tx.queue...) {
		if !pk.done {
			pk.op.fail(status)
		}
	}
	for _, o := range p.reads {
		o.fail(status)
	}
	p.n.out.event("pdc", fields{"orig_pdcid": p.id, "reason": "closed"})
	p.forward(p.n.free(p, failed))
}
