// SPDX-License-Identifier: BSD-2-Clause

// The control channel: verbs, and the operations that they start.
package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

type control struct {
	n   *nic
	out *teller
}

// request is a line: its keys, and what went wrong as they were read.
type request struct {
	keys map[string]any
	used map[string]bool
	err  string
}

// number returns an integer that may stand in a string.
func (r *request) number(key string) uint64 {
	r.used[key] = true
	switch v := r.keys[key].(type) {
	case nil:
		return 0
	case json.Number:
		if u, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return u
		}
	case string:
		if u, err := strconv.ParseUint(v, 0, 64); err == nil {
			return u
		}
	}
	r.err = key + " is no number"
	return 0
}

func (r *request) word(key string) string {
	r.used[key] = true
	s, _ := r.keys[key].(string)
	return s
}

func (r *request) truth(key string) bool {
	r.used[key] = true
	b, _ := r.keys[key].(bool)
	return b
}

// choice returns the place of a word in a list.
func (r *request) choice(key string, words []string) uint8 {
	word := r.word(key)
	for i, w := range words {
		if w == word {
			return uint8(i)
		}
	}
	r.err = "no such " + key + ": " + word
	return 0
}

func (r *request) peer() netip.Addr {
	a, err := netip.ParseAddr(r.word("peer"))
	if err != nil {
		r.err = err.Error()
	}
	return a
}

// done returns an error for a key that the verb did not take.
func (r *request) done() error {
	for key := range r.keys {
		if !r.used[key] {
			return fmt.Errorf("the verb takes no %s", key)
		}
	}
	if r.err != "" {
		return fmt.Errorf("%s", r.err)
	}
	return nil
}

var errUnsupported = fmt.Errorf("unsupported")
var errValue = fmt.Errorf("value")
var errState = fmt.Errorf("state")

type verb func(c *control, r *request) (fields, error)

var verbs map[string]verb

func init() {
	verbs = map[string]verb{
		"hello": (*control).hello, "reset": (*control).reset, "send": (*control).post,
		"write": (*control).post, "read": (*control).post, "atomic": (*control).post,
		"post_recv": (*control).postRecv, "expose": (*control).expose,
		"completions": (*control).completions, "mem_digest": (*control).digest,
		"stats": (*control).stats, "ses_policy": (*control).policy,
		"ask_close": (*control).askClose, "send_cp": (*control).sendCP,
		"ses_pds_tx_rsp": (*control).txRsp,
	}
}

func (c *control) line(line []byte) {
	r := request{keys: map[string]any{}, used: map[string]bool{"id": true, "verb": true}}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&r.keys); err != nil {
		c.out.say(fields{"id": 0, "error": err.Error()})
		return
	}
	id := r.number("id")
	do := verbs[r.word("verb")]
	more, err := fields(nil), errUnsupported
	if do != nil {
		more, err = do(c, &r)
	}
	if err != nil {
		c.out.say(fields{"id": id, "error": err.Error()})
		return
	}
	answer := fields{"id": id, "ok": true}
	for key, value := range more {
		answer[key] = value
	}
	c.out.say(answer)
}

func (c *control) hello(r *request) (fields, error) {
	version := r.number("version")
	if err := r.done(); err != nil {
		return nil, err
	}
	if version != 2 {
		return nil, fmt.Errorf("version %d asked for, version 2 spoken here", version)
	}
	var names []string
	for name := range verbs {
		names = append(names, name)
	}
	return fields{"name": "UET endpoint in Go", "version": 2, "verbs": names}, nil
}

func (c *control) reset(r *request) (fields, error) {
	seed := r.number("seed")
	if err := r.done(); err != nil {
		return nil, err
	}
	c.n.reset(seed)
	return nil, nil
}

func (c *control) completions(r *request) (fields, error) { return nil, r.done() }

func (c *control) postRecv(r *request) (fields, error) {
	handle, count := r.number("handle"), r.number("count")
	r.number("len")
	if err := r.done(); err != nil {
		return nil, err
	}
	s := c.n.ses
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; count > 0; count-- {
		s.room = append(s.room, handle)
	}
	return nil, nil
}

func (c *control) expose(r *request) (fields, error) {
	r.number("handle")
	key, length, offset := r.number("key"), r.number("len"), r.number("offset")
	if err := r.done(); err != nil {
		return nil, err
	}
	if length > 1<<24 {
		return nil, errValue
	}
	s := c.n.ses
	s.mu.Lock()
	defer s.mu.Unlock()
	s.regions[key] = &region{key, offset, pattern(length, s.n.seed, ^key)}
	return nil, nil
}

func (c *control) digest(r *request) (fields, error) {
	key, offset, length := r.number("key"), r.number("offset"), r.number("len")
	if err := r.done(); err != nil {
		return nil, err
	}
	s := c.n.ses
	s.mu.Lock()
	defer s.mu.Unlock()
	data := s.last
	if key != 0 {
		m := s.regions[key]
		if m == nil {
			return nil, errValue
		}
		data = m.bytes
	}
	size := uint64(len(data))
	if offset > size || length > size-offset {
		return nil, errValue
	}
	if data = data[offset:]; length > 0 {
		data = data[:length]
	}
	return fields{"digest": checksum(data), "digest_len": len(data)}, nil
}

func (c *control) stats(r *request) (fields, error) {
	if err := r.done(); err != nil {
		return nil, err
	}
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	counts := fields{}
	for name, value := range c.n.stats {
		counts[name] = value
	}
	return fields{"stats": counts}, nil
}

func (c *control) policy(r *request) (fields, error) {
	p := policy{count: r.number("count"), gtd: r.word("gtd"), rc: uint8(r.number("return_code")),
		nack: uint8(r.number("nack_code")), delay: int64(r.number("delay_ns")),
		manual: r.truth("manual")}
	if err := r.done(); err != nil {
		return nil, err
	}
	p.left = p.count > 0
	c.n.ses.mu.Lock()
	c.n.ses.policy = p
	c.n.ses.mu.Unlock()
	return nil, nil
}

// txRsp gives the response to a request that a manual policy kept.
func (c *control) txRsp(r *request) (fields, error) {
	handle := uint32(r.number("rx_pkt_handle"))
	nack, form, gtd := uint8(r.number("ses_nack")), uint8(r.number("next_hdr")), r.truth("gtd_del")
	body, bad := hex.DecodeString(r.word("pkt"))
	if err := r.done(); err != nil {
		return nil, err
	}
	s := c.n.ses
	s.mu.Lock()
	held, known := s.held[handle]
	delete(s.held, handle)
	s.mu.Unlock()
	if !known || bad != nil {
		return nil, errValue
	}
	held.p.box.put(func(p *pdc) {
		a := held.e.ans
		for i, d := range p.rx.later {
			if d.e == held.e {
				a = d.a
				p.rx.later = append(p.rx.later[:i:i], p.rx.later[i+1:]...)
				break
			}
		}
		a.gtd, a.nack = gtd, nack
		if len(body) > 0 {
			a.form, a.body, a.reread = form, body, nil
		}
		p.rx.answer(held.e, a)
	})
	return nil, nil
}

// askClose asks the initiator of each PDC to close it.
func (c *control) askClose(r *request) (fields, error) {
	peer, by := r.peer(), r.word("by")
	if err := r.done(); err != nil {
		return nil, err
	}
	found := c.n.of(peer, false)
	if len(found) == 0 {
		return nil, errState
	}
	for _, p := range found {
		p.box.put(func(p *pdc) {
			p.askClose = by != "cp"
			if by != "ack" {
				p.tx.queue = append(p.tx.queue, &packet{cp: true, next: cpCloseRequest, last: true})
			}
		})
	}
	return nil, nil
}

var cpNames = []string{"noop", "ack_request", "clear_command", "clear_request",
	"close_command", "close_request", "probe", "credit", "credit_request", "negotiation"}

// sendCP sends one control packet.
func (c *control) sendCP(r *request) (fields, error) {
	ctl, peer := r.choice("cp", cpNames), r.peer()
	rod := r.word("mode") == "rod"
	psn, payload := uint32(r.number("psn")), uint32(r.number("payload"))
	if err := r.done(); err != nil {
		return nil, err
	}
	switch ctl {
	case cpNoop, cpNegotiation:
		if payload != 0 {
			return nil, errUnsupported
		}
		o := &op{n: c.n, isCP: true, open: 1}
		o.packets = []*packet{{op: o, cp: true, next: ctl, last: true}}
		c.n.post(peer, rod, o)
		return nil, nil
	case cpClearRequest, cpCloseRequest:
		return nil, c.targets(peer, ctl, payload)
	case cpCredit, cpCreditRequest:
		return nil, errUnsupported
	}
	var path *pdc
	c.n.mu.Lock()
	path = c.n.current[pathKey{peer, rod}]
	c.n.mu.Unlock()
	if path == nil {
		return nil, errState
	}
	path.box.put(func(p *pdc) { p.ordered(ctl, psn) })
	return nil, nil
}

// targets sends a control packet that only a target sends.
func (c *control) targets(peer netip.Addr, ctl uint8, payload uint32) error {
	found := c.n.of(peer, false)
	if len(found) == 0 {
		return errState
	}
	for _, p := range found {
		p.box.put(func(p *pdc) {
			if ctl == cpClearRequest {
				p.sendCP(ctl, 0, 0, payload, 0)
				return
			}
			p.tx.queue = append(p.tx.queue, &packet{cp: true, next: ctl, last: true})
		})
	}
	return nil
}

// ordered sends the control packets of an initiator that need a PDC.
func (p *pdc) ordered(ctl uint8, psn uint32) {
	if p.establishing {
		p.waiting = append(p.waiting, func() { p.ordered(ctl, psn) })
		return
	}
	switch ctl {
	case cpAckRequest:
		p.sendCP(ctl, flagAR, psn, 0, 0)
	case cpClearCommand:
		p.sendCP(ctl, 0, 0, p.tx.clear, 0)
	case cpCloseCommand:
		p.beginClose()
	case cpProbe:
		p.sendCP(ctl, flagAR, 0, p.tx.cack+1, uint16(p.tx.next)^0x5a5a)
	}
}

var modes = []string{"", "rud", "rod", "rudi", "uud"}
var forms = []string{"", "small", "medium", "std"}

// post starts an operation.
func (c *control) post(r *request) (fields, error) {
	o := &op{n: c.n, kind: r.word("verb"), handle: r.number("handle"),
		msgID: uint16(r.number("msg_id")), seenData: map[uint32]bool{}}
	peer, mode, form := r.peer(), modes[r.choice("mode", modes)], r.choice("header", forms)
	q := sesRequest{job: c.n.conf.job, pid: c.n.conf.pid, index: c.n.conf.index,
		gen: c.n.conf.gen, init: c.n.conf.init}
	if o.kind != "atomic" {
		o.length = uint32(r.number("len"))
	}
	if o.kind != "send" {
		q.key, q.offset = r.number("key"), r.number("offset")
	}
	o.opcode = map[string]uint8{"send": opSend, "write": opWrite, "read": opRead,
		"atomic": opAtomic}[o.kind]
	o.reads = o.kind == "read"
	if o.kind == "atomic" {
		c.operands(r, o, &q)
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	again := o.kind == "read" || o.kind == "write" || q.hasAMO &&
		(o.opcode == opAtomic && idempotent(q.amo) || q.amo == amoRead)
	single := o.length <= c.n.conf.mtu
	switch {
	case o.length > c.n.conf.maxMessage, mode == "rudi" && !again, mode == "uud" && (o.kind != "send" || !single),
		form != 0 && form != nextStd && !single:
		return nil, errValue
	}
	if mode == "uud" {
		o.opcode = opDatagram
	}
	c.cut(o, q, form, r, mode == "uud")
	switch mode {
	case "rudi":
		c.n.postRudi(peer, o)
	case "uud":
		c.n.postUud(peer, o)
	default:
		c.n.post(peer, mode == "rod", o)
	}
	return nil, nil
}

// operands reads what an atomic operation takes.
func (c *control) operands(r *request, o *op, q *sesRequest) {
	q.hasAMO, q.amo, q.datatype = true, r.choice("amo", amoNames), r.choice("datatype", typeNames)
	size, known := typeSizes[q.datatype]
	if !known || q.amo >= amoMaskSwap {
		r.err = "unsupported"
		size = 8
	}
	copy(q.swap[:], bytesOf(r.number("operand"), size))
	copy(q.compare[:], bytesOf(r.number("compare"), size))
	o.length = uint32(size)
	if r.truth("fetch") {
		o.opcode, o.reads = opFetch, true
	}
}

// cut makes the packets of a message. One packet has the medium header, unless
// something else is asked for.
func (c *control) cut(o *op, q sesRequest, form uint8, r *request, datagram bool) {
	mtu := c.n.conf.mtu
	if form == 0 {
		form = nextMedium
		if o.length > mtu || o.msgID != 0 {
			form = nextStd
		}
	}
	if form == nextStd && o.msgID == 0 && !datagram {
		o.msgID = c.n.ses.messageID()
	}
	if form != nextStd {
		o.msgID = 0
	}
	q.form, q.opcode, q.msgID, q.length = form, o.opcode, o.msgID, o.length
	data := pattern(uint64(o.length), c.n.seed, o.handle)
	if o.reads {
		o.into = make([]byte, o.length)
		o.missing = o.length
	}
	for at := uint32(0); at == 0 || at < o.length; at += mtu {
		size := o.length - at
		if size > mtu {
			size = mtu
		}
		one := q
		one.position, one.slice = at, size
		if at == 0 {
			one.bits |= sesSOM
		}
		last := at+size == o.length
		if last {
			one.bits |= sesEOM
		}
		pk := &packet{op: o, next: form, last: last, position: at, want: size,
			handle: o.handle, opcode: o.opcode}
		pk.body = one.bytes()
		switch {
		case q.hasAMO && !swaps(q.amo):
			pk.body = append(pk.body, q.swap[:size]...)
		case !q.hasAMO && o.kind != "read":
			pk.body = append(pk.body, data[at:at+size]...)
		}
		o.packets = append(o.packets, pk)
	}
	o.open = len(o.packets)
	if strings.HasPrefix(o.kind, "read") && o.length == 0 {
		o.seenData[0] = true
	}
}
