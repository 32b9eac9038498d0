// SPDX-License-Identifier: BSD-2-Clause

// What needs no PDC: RUDI, where each outstanding request is a goroutine, and
// UUD.
package main

import (
	"net/netip"
	"time"
)

// datagram takes a packet that belongs to no PDC.
func (n *nic) datagram(f *frame) {
	switch f.h.kind {
	case typeRudiReq:
		n.rudiRequest(f)
	case typeUudReq:
		if f.trimmed == 0 {
			n.ses.request(f, 0, nil)
		}
	default:
		if f.trimmed != 0 {
			return
		}
		n.mu.Lock()
		waiting := n.rudi[f.h.psn]
		n.mu.Unlock()
		if waiting != nil {
			select {
			case waiting <- f:
			default:
			}
		}
	}
}

func (n *nic) rudiNack(f *frame, code uint8) {
	h := header{kind: typeNack, code: code, psn: f.h.psn,
		flags: echoed(f.h.flags, f.marked) | flagNT}
	n.send(f.peer, f.ev, tosControl, h.bytes())
}

// rudiRequest hands each copy of a request up and sends what the SES says.
func (n *nic) rudiRequest(f *frame) {
	if f.trimmed != 0 {
		n.rudiNack(f, f.trimmed)
		return
	}
	a, delay := n.ses.request(f, 0, nil)
	if delay == 0 {
		n.rudiAnswer(f, a)
		return
	}
	n.mu.Lock()
	quit := n.quit
	n.run(func() {
		select {
		case <-quit:
		case <-time.After(time.Duration(delay)):
			n.rudiAnswer(f, a)
		}
	})
	n.mu.Unlock()
}

func (n *nic) rudiAnswer(f *frame, a answer) {
	if a.nack != 0 {
		n.rudiNack(f, a.nack)
		return
	}
	h := header{kind: typeRudiResp, next: a.form, psn: f.h.psn,
		flags: echoed(f.h.flags, f.marked)}
	n.send(f.peer, f.ev, tosControl, h.bytes(), a.body)
}

// postRudi sends the packets of an operation, each on its own.
func (n *nic) postRudi(peer netip.Addr, o *op) {
	n.mu.Lock()
	defer n.mu.Unlock()
	gate := make(chan bool, 16) // so many are outstanding at a time
	for _, pk := range o.packets {
		pk, id := pk, n.random.Uint32()
		for n.rudi[id] != nil {
			id = n.random.Uint32()
		}
		box := make(chan any, 8)
		n.rudi[id] = box
		ev := evFirst + uint16(n.random.Intn(evPool))
		quit := n.quit
		n.run(func() {
			select {
			case gate <- true:
				n.rudiSend(peer, pk, id, ev, box, quit)
				<-gate
			case <-quit:
			}
			n.mu.Lock()
			delete(n.rudi, id)
			n.mu.Unlock()
		})
	}
}

// rudiSend sends one packet until it is answered or given up.
func (n *nic) rudiSend(peer netip.Addr, pk *packet, id uint32, ev uint16, box chan any,
	quit chan bool) {
	h := header{kind: typeRudiReq, next: pk.next, psn: id}
	tries, nacks := 0, 0
	send := func() <-chan time.Time {
		n.send(peer, ev, tosData, h.bytes(), pk.body)
		h.flags = flagRetx
		return time.After(time.Duration(n.conf.rto << tries))
	}
	timer := send()
	nackWait := false
	for {
		select {
		case <-quit:
			return
		case <-timer:
			if !nackWait {
				if tries == n.conf.maxRTO {
					n.giveUp(pk, id, "retries")
					return
				}
				tries++
			}
			nackWait = false
			timer = send()
		case item := <-box:
			f := item.(*frame)
			if f.peer != peer {
				continue
			}
			if f.h.isNack() {
				if nackFatal(f.h.code) || nacks == n.conf.maxNACK {
					n.giveUp(pk, id, map[bool]string{true: "fatal", false: "retries"}[nackFatal(f.h.code)])
					return
				}
				nacks++
				nackWait = true
				timer = time.After(time.Duration(n.conf.nackTime))
				continue
			}
			if r, ok := parseResponse(f.h.next, f.rest); ok {
				pk.op.respond(pk, &r, id)
				return
			}
		}
	}
}

func (n *nic) giveUp(pk *packet, id uint32, status string) {
	n.out.event("pds_ses_error", fields{"handle": pk.handle, "orig_psn": id, "reason": status})
	pk.op.fail(status)
}

// postUud sends a datagram, and is done.
func (n *nic) postUud(peer netip.Addr, o *op) {
	h := header{kind: typeUudReq, next: o.packets[0].next}
	n.mu.Lock()
	ev := evFirst + uint16(n.random.Intn(evPool))
	n.mu.Unlock()
	n.send(peer, ev, tosData, h.bytes(), o.packets[0].body)
	o.mu.Lock()
	o.open = 0
	o.check()
	o.mu.Unlock()
}
