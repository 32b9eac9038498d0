// SPDX-License-Identifier: BSD-2-Clause

// The target's semantic sublayer: messages, memory, responses; and what the
// control channel told it to answer.
package main

import (
	"encoding/binary"
	"hash/crc32"
	"net/netip"
	"sync"
)

// policy says how the next requests are answered.
type policy struct {
	count  uint64
	left   bool // of a policy with a count
	gtd    string
	rc     uint8
	nack   uint8
	delay  int64
	manual bool
}

// region is memory that peers may read and write.
type region struct {
	key   uint64
	base  uint64
	bytes []byte
}

type messageKey struct {
	pdc  uint16
	peer netip.Addr
	id   uint16
}

// message is one that arrives in several packets.
type message struct {
	data []byte
	got  map[uint32]bool
	left uint32
}

// manual is a request that waits for ses_pds_tx_rsp.
type manual struct {
	p *pdc
	e *entry
}

type ses struct {
	n        *nic
	mu       sync.Mutex
	regions  map[uint64]*region
	messages map[messageKey]*message
	policy   policy
	room     []uint64 // handles of post_recv, one a message
	last     []byte   // the last whole message, or what a read brought
	handles  uint32
	replies  uint16
	msgIDs   uint16
	held     map[uint32]manual
}

func newSES(n *nic) *ses {
	s := &ses{n: n, msgIDs: 0x8000}
	s.reset()
	return s
}

func (s *ses) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.regions = map[uint64]*region{}
	s.messages = map[messageKey]*message{}
	s.policy, s.room, s.last = policy{}, nil, nil
	s.held = map[uint32]manual{}
	c := s.n.conf
	s.regions[c.key] = &region{c.key, c.base, pattern(c.memory, s.n.seed, ^c.key)}
}

// pattern returns the first n bytes of a message or of memory
// (docs/dut-control.md, "Bytes").
func pattern(n, seed, id uint64) []byte {
	b := make([]byte, n+8)
	for w := uint64(0); w*8 < n; w++ {
		x := seed + id*0x9e3779b97f4a7c15 + (w+1)*0xd1342543de82ef95
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		binary.LittleEndian.PutUint64(b[w*8:], x^x>>31)
	}
	return b[:n]
}

func checksum(data []byte) uint32 {
	return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
}

func (s *ses) handle() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handles++
	return s.handles
}

// messageID returns an id for a message of this endpoint.
func (s *ses) messageID() uint16 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.msgIDs--; s.msgIDs == 0 {
		s.msgIDs = 0xffff
	}
	return s.msgIDs
}

func (s *ses) remember(data []byte) {
	s.mu.Lock()
	s.last = append([]byte(nil), data...)
	s.mu.Unlock()
}

// memory returns the region that a request means. Without a key in the header
// it is the one of key 0 or, if there is none, the declared one.
func (s *ses) memory(key uint64) *region {
	if m := s.regions[key]; m != nil || key != 0 {
		return m
	}
	return s.regions[s.n.conf.key]
}

// take returns the policy for one request packet.
func (s *ses) take() policy {
	now := s.policy
	if s.policy.left {
		if s.policy.count--; s.policy.count == 0 {
			s.policy = policy{}
		}
	}
	return now
}

// work is a request packet with what is needed to answer it.
type work struct {
	s      *ses
	q      sesRequest
	data   []byte
	f      *frame
	pdcid  uint16
	onPDC  bool
	policy policy
}

// request answers a packet that arrived; delay says when, in ns from now.
func (s *ses) request(f *frame, pdcid uint16, p *pdc) (a answer, delay int64) {
	q, data, ok := parseRequest(f.h.next, f.rest)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !ok {
		return s.respond(&q, rcUnsupportedSize, 0), 0
	}
	w := &work{s: s, q: q, data: data, f: f, pdcid: pdcid, onPDC: p != nil, policy: s.take()}
	if w.policy.nack != 0 {
		return answer{nack: w.policy.nack}, w.policy.delay
	}
	s.handles++
	handle := s.handles
	s.n.out.event("pds_ses_rx_req", w.fields(fields{"rx_pkt_handle": handle,
		"opcode": q.opcode, "som": q.som(), "eom": q.eom(), "len": len(data)}))
	a = w.carryOut()
	switch w.policy.gtd {
	case "yes":
		a.gtd = true
	case "no":
		a.gtd = false
	}
	if w.policy.manual && p != nil {
		s.held[handle] = manual{p, p.rx.entries[f.h.psn]}
		return a, 1 << 62
	}
	return a, w.policy.delay
}

// fields adds what identifies the packet to an event.
func (w *work) fields(more fields) fields {
	more["msg_id"], more["orig_psn"] = w.q.msgID, w.f.h.psn
	more["next_hdr"] = w.f.h.next
	if w.pdcid != 0 {
		more["orig_pdcid"] = w.pdcid
	}
	return more
}

// respond returns a response without data.
func (s *ses) respond(q *sesRequest, rc uint8, modified uint32) answer {
	r := sesResponse{form: nextResponse, opcode: rspPlain, rc: rc, msgID: q.msgID,
		gen: q.gen, job: q.job, modified: modified}
	return answer{form: nextResponse, body: r.bytes(), gtd: rc != rcOK}
}

// carryOut does what the request asks for.
func (w *work) carryOut() answer {
	if rc := w.check(); rc != rcOK {
		return w.s.respond(&w.q, rc, 0)
	}
	switch w.q.opcode {
	case opNoop:
		return w.s.respond(&w.q, rcOK, 0)
	case opSend, opTagged, opDatagram, opWrite:
		return w.receive()
	case opRead:
		return w.read()
	}
	return w.atomic()
}

// check returns the return code that refuses the request, or RC_OK.
func (w *work) check() uint8 {
	c, q := &w.s.n.conf, &w.q
	switch {
	case w.policy.rc != 0:
		return w.policy.rc
	case w.f.h.kind == typeUudReq && !q.datagram():
		return rcUnsupportedOp
	case q.job != c.job:
		return rcBadJob
	case q.pid != c.pid:
		return rcBadPid
	case q.index != c.index:
		return rcBadIndex
	case q.gen != c.gen:
		return rcBadGeneration
	case len(w.data) > int(c.mtu):
		return rcUnsupportedSize
	case q.length > c.maxMessage:
		return rcUnsupportedSize
	}
	switch q.opcode {
	case opNoop, opSend, opTagged, opDatagram:
		return rcOK
	case opWrite, opRead, opAtomic, opFetch:
	default:
		return rcUnsupportedOp
	}
	m := w.s.memory(q.key)
	switch {
	case m == nil:
		return rcBadKey
	case q.offset < m.base || q.offset-m.base > uint64(len(m.bytes)) ||
		uint64(len(m.bytes))-(q.offset-m.base) < uint64(q.length):
		return rcOutOfRange
	}
	return rcOK
}

// receive takes a packet of a send or a write.
func (w *work) receive() answer {
	q := &w.q
	if uint64(q.position)+uint64(len(w.data)) > uint64(q.length) {
		return w.s.respond(q, rcUnsupportedSize, 0)
	}
	if q.som() && q.eom() {
		w.deliver(w.data)
		return w.s.respond(q, rcOK, q.length)
	}
	key := messageKey{w.pdcid, w.f.peer, q.msgID}
	m := w.s.messages[key]
	if m == nil {
		m = &message{data: make([]byte, q.length), got: map[uint32]bool{}, left: q.length}
		w.s.messages[key] = m
	}
	if int(q.position)+len(w.data) > len(m.data) {
		return w.s.respond(q, rcUnsupportedSize, 0)
	}
	copy(m.data[q.position:], w.data)
	if !m.got[q.position] {
		m.got[q.position] = true
		m.left -= uint32(len(w.data))
	}
	if q.opcode == opWrite {
		w.store(w.data)
	}
	if m.left == 0 {
		delete(w.s.messages, key)
		w.told(m.data)
	}
	return w.s.respond(q, rcOK, q.length)
}

func (w *work) deliver(data []byte) {
	if w.q.opcode == opWrite {
		w.store(data)
	}
	w.told(data)
}

// store puts a packet of a write into memory.
func (w *work) store(data []byte) {
	m := w.s.memory(w.q.key)
	copy(m.bytes[w.q.offset-m.base+uint64(w.q.position):], data)
}

// told reports a whole message.
func (w *work) told(data []byte) {
	handle := uint64(0)
	if w.q.opcode != opWrite {
		w.s.last = append([]byte(nil), data...)
		if len(w.s.room) > 0 {
			handle, w.s.room = w.s.room[0], w.s.room[1:]
		}
	}
	told := fields{"handle": handle, "opcode": w.q.opcode, "return_code": rcOK,
		"len": len(data)}
	if w.q.opcode != opWrite {
		told["digest"] = checksum(data)
	}
	w.s.n.out.event("recv", w.fields(told))
}

// read answers a packet of a read: in the ACK, or as return data.
func (w *work) read() answer {
	q, c := &w.q, &w.s.n.conf
	size := q.slice
	if q.som() {
		size = q.length
		if size > c.mtu {
			size = c.mtu
		}
	}
	if size > c.mtu || uint64(q.position)+uint64(size) > uint64(q.length) {
		return w.s.respond(q, rcUnsupportedSize, 0)
	}
	get := func() []byte {
		m := w.s.memory(q.key)
		from := q.offset - m.base + uint64(q.position)
		return append([]byte(nil), m.bytes[from:from+uint64(size)]...)
	}
	if !w.onPDC {
		return w.inResponse(get())
	}
	if q.length <= c.ackData {
		a := w.inResponse(get())
		a.gtd, a.data = true, true
		a.reread = func() answer {
			w.s.mu.Lock()
			defer w.s.mu.Unlock()
			again := w.inResponse(get())
			again.gtd, again.data = true, true
			return again
		}
		return a
	}
	w.s.replies++
	if w.s.replies == 0 {
		w.s.replies = 1
	}
	back := w.withData(get())
	back.msgID = w.s.replies
	a := w.s.respond(q, rcOK, q.length)
	a.then = []*packet{{next: back.form, body: back.bytes(), last: q.eom()}}
	return a
}

// withData returns a response with data, in the form that the request implies.
func (w *work) withData(data []byte) *sesResponse {
	r := &sesResponse{form: nextDataSmall, opcode: rspData, rc: rcOK, job: w.q.job,
		origPSN: w.f.h.psn, data: data}
	if w.q.form == nextStd {
		r.form, r.readID = nextData, w.q.msgID
		r.modified, r.position = w.q.length, w.q.position
	}
	return r
}

func (w *work) inResponse(data []byte) answer {
	r := w.withData(data)
	return answer{form: r.form, body: r.bytes()}
}

// atomic does an atomic operation on one element.
func (w *work) atomic() answer {
	q := &w.q
	m := w.s.memory(q.key)
	size, rc := amoCheck(q, len(w.data))
	if rc != rcOK {
		return w.s.respond(q, rc, 0)
	}
	from := q.offset - m.base
	if uint64(len(m.bytes))-from < uint64(size) {
		return w.s.respond(q, rcOutOfRange, 0)
	}
	if q.offset%uint64(size) != 0 {
		return w.s.respond(q, 0x12, 0)
	}
	cell := m.bytes[from : from+uint64(size)]
	old := append([]byte(nil), cell...)
	copy(cell, amoResult(q, old, w.data))
	w.s.n.out.event("recv", w.fields(fields{"opcode": q.opcode, "return_code": rcOK,
		"len": len(w.data)}))
	if q.opcode == opAtomic {
		return w.s.respond(q, rcOK, q.length)
	}
	a := w.inResponse(old)
	a.gtd = true
	return a
}
