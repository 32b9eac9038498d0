// SPDX-License-Identifier: BSD-2-Clause

// Sockets, and which PDC a packet belongs to.
//
// One goroutine reads the UET port. Each PDC is a goroutine of its own, and so
// is each RUDI request that is outstanding; they send by themselves.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// Codepoints and ECN bits of what is sent.
const (
	dscpData        = 8
	dscpControl     = 40
	dscpTrimmed     = 26
	dscpTrimmedLast = 28

	tosData    = dscpData<<2 | 2 // ECT(0)
	tosControl = dscpControl << 2

	soNoCheck  = 11
	maxSockets = 512
	maxPDCs    = 400
)

// frame is a datagram that arrived.
type frame struct {
	peer    netip.Addr
	ev      uint16
	marked  bool  // ECN CE
	trimmed uint8 // NACK code that the trimming asks for, or 0
	h       header
	rest    []byte
	size    int // UDP length
	at      time.Time
}

type synKey struct {
	peer   netip.Addr
	spdcid uint16
}

type pathKey struct {
	peer netip.Addr
	rod  bool
}

type nic struct {
	local   netip.Addr
	port    uint16
	conf    config
	ses     *ses
	out     *teller
	random  *rand.Rand // under mu
	seed    uint64     // of the bytes of messages and memory
	conn    *net.UDPConn
	parked  chan bool // the reader stopped, because of reset
	resume  chan bool
	sockets sync.Mutex
	bySrc   map[uint16]*net.UDPConn
	srcUsed []uint16

	mu      sync.Mutex
	running sync.WaitGroup
	quit    chan bool
	byID    map[uint16]*pdc
	bySyn   map[synKey]*pdc
	current map[pathKey]*pdc    // of an initiator, open to new messages
	refused map[uint16]synKey   // PDCIDs of target PDCs that ended in error
	lastPSN map[uint16]uint32   // where a PDCID's last PDC stopped
	rudi    map[uint32]chan any // pkt_id of what is outstanding
	stats   map[string]uint64
}

func newNIC(local netip.Addr, port uint16, conf config, out *teller) (*nic, error) {
	n := &nic{local: local, port: port, conf: conf, out: out,
		random: rand.New(rand.NewSource(time.Now().UnixNano())),
		parked: make(chan bool), resume: make(chan bool),
		bySrc: map[uint16]*net.UDPConn{}, lastPSN: map[uint16]uint32{}}
	n.ses = newSES(n)
	n.clear()
	conn, err := n.open(port)
	if err != nil {
		return nil, err
	}
	n.conn = conn
	n.bySrc[port] = conn
	go n.read()
	return n, nil
}

func (n *nic) clear() {
	n.quit = make(chan bool)
	n.byID, n.bySyn = map[uint16]*pdc{}, map[synKey]*pdc{}
	n.current = map[pathKey]*pdc{}
	n.refused = map[uint16]synKey{}
	n.rudi = map[uint32]chan any{}
	n.stats = map[string]uint64{}
}

// open makes a socket whose datagrams leave from the port: without a UDP
// checksum, with DF, and telling the TOS of what comes.
func (n *nic) open(port uint16) (*net.UDPConn, error) {
	lc := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) {
			set := func(level, option, value int) {
				if e := syscall.SetsockoptInt(int(fd), level, option, value); e != nil {
					failed = e
				}
			}
			set(syscall.SOL_SOCKET, soNoCheck, 1)
			set(syscall.IPPROTO_IP, syscall.IP_MTU_DISCOVER, syscall.IP_PMTUDISC_DO)
			set(syscall.IPPROTO_IP, syscall.IP_RECVTOS, 1)
			set(syscall.SOL_SOCKET, syscall.SO_TIMESTAMPNS, 1)
			set(syscall.SOL_SOCKET, syscall.SO_RCVBUF, 1<<22) // a burst must fit
		})
		if err != nil {
			return err
		}
		return failed
	}}
	at := netip.AddrPortFrom(n.local, port).String()
	conn, err := lc.ListenPacket(context.Background(), "udp4", at)
	if err != nil {
		return nil, err
	}
	return conn.(*net.UDPConn), nil
}

// socket returns the socket whose source port is the entropy value.
func (n *nic) socket(ev uint16) *net.UDPConn {
	n.sockets.Lock()
	defer n.sockets.Unlock()
	if conn := n.bySrc[ev]; conn != nil {
		return conn
	}
	conn, err := n.open(ev)
	if err != nil {
		complain("source port %d: %v", ev, err)
		return n.conn
	}
	if len(n.srcUsed) == maxSockets {
		n.bySrc[n.srcUsed[0]].Close()
		delete(n.bySrc, n.srcUsed[0])
		n.srcUsed = n.srcUsed[1:]
	}
	n.bySrc[ev] = conn
	n.srcUsed = append(n.srcUsed, ev)
	return conn
}

// send puts one datagram on the link.
func (n *nic) send(peer netip.Addr, ev uint16, tos byte, parts ...[]byte) {
	var b []byte
	for _, part := range parts {
		b = append(b, part...)
	}
	oob := make([]byte, syscall.CmsgSpace(4))
	binary.LittleEndian.PutUint64(oob, uint64(syscall.CmsgLen(4)))
	binary.LittleEndian.PutUint32(oob[8:], syscall.IPPROTO_IP)
	binary.LittleEndian.PutUint32(oob[12:], syscall.IP_TOS)
	binary.LittleEndian.PutUint32(oob[16:], uint32(tos))
	to := netip.AddrPortFrom(peer, n.port)
	if _, _, err := n.socket(ev).WriteMsgUDPAddrPort(b, oob, to); err != nil {
		complain("to %v: %v", to, err)
	}
}

// read hands each datagram to its PDC.
func (n *nic) read() {
	buf, oob := make([]byte, 65536), make([]byte, 256)
	for {
		size, used, _, from, err := n.conn.ReadMsgUDPAddrPort(buf, oob)
		if err != nil { // the deadline that reset sets
			n.parked <- true
			<-n.resume
			continue
		}
		h, rest, ok := parseHeader(buf[:size])
		if !ok {
			continue
		}
		f := frame{peer: from.Addr().Unmap(), ev: from.Port(), h: h, size: size + 8,
			rest: append([]byte(nil), rest...)}
		var tos byte
		tos, f.at = arrival(oob[:used])
		f.marked = tos&3 == 3
		switch tos >> 2 {
		case dscpTrimmed:
			f.trimmed = nackTrimmed
		case dscpTrimmedLast:
			f.trimmed = nackTrimmedLast
		}
		n.dispatch(&f)
	}
}

// arrival returns the TOS of a datagram and when the kernel took it.
func arrival(oob []byte) (tos byte, at time.Time) {
	at = time.Now()
	messages, err := syscall.ParseSocketControlMessage(oob)
	if err != nil {
		return 0, at
	}
	for _, m := range messages {
		switch {
		case m.Header.Level == syscall.IPPROTO_IP && m.Header.Type == syscall.IP_TOS:
			tos = m.Data[0]
		case m.Header.Level == syscall.SOL_SOCKET && m.Header.Type == syscall.SO_TIMESTAMPNS:
			at = time.Unix(int64(binary.LittleEndian.Uint64(m.Data)),
				int64(binary.LittleEndian.Uint64(m.Data[8:])))
		}
	}
	return tos, at
}

// reset ends every PDC and request, and forgets what has arrived so far.
func (n *nic) reset(seed uint64) {
	n.conn.SetReadDeadline(time.Now())
	<-n.parked
	n.mu.Lock()
	close(n.quit)
	n.mu.Unlock()
	n.running.Wait()
	n.drain()
	n.mu.Lock()
	n.clear()
	n.seed = seed
	if seed != 0 {
		n.random = rand.New(rand.NewSource(int64(seed)))
	}
	n.mu.Unlock()
	n.ses.reset()
	n.conn.SetReadDeadline(time.Time{})
	n.resume <- true
}

func (n *nic) drain() {
	raw, err := n.conn.SyscallConn()
	if err != nil {
		return
	}
	buf := make([]byte, 65536)
	raw.Control(func(fd uintptr) {
		for {
			_, _, err := syscall.Recvfrom(int(fd), buf, syscall.MSG_DONTWAIT)
			if err != nil {
				return
			}
		}
	})
}

// run starts a goroutine that reset waits for; under mu.
func (n *nic) run(body func()) {
	n.running.Add(1)
	go func() {
		defer n.running.Done()
		body()
	}()
}

func (n *nic) count(name string) {
	n.mu.Lock()
	n.stats[name]++
	n.mu.Unlock()
}

// nack refuses a packet that belongs to no PDC of ours.
func (n *nic) nack(f *frame, code uint8, spdcid uint16) {
	h := header{kind: typeNack, code: code, psn: f.h.psn, spdcid: spdcid,
		dpdcid: f.h.spdcid, flags: echoed(f.h.flags, f.marked)}
	n.send(f.peer, f.ev, tosControl, h.bytes())
}

// echoed returns the flags of an answer to a packet: its retx, and its mark.
func echoed(flags uint8, marked bool) uint8 {
	flags &= flagRetx
	if marked {
		flags |= flagMark
	}
	return flags
}

func (n *nic) dispatch(f *frame) {
	switch f.h.kind {
	case typeRudiReq, typeRudiResp, typeUudReq:
		n.datagram(f)
		return
	}
	if f.h.isNack() && f.h.flags&flagNT != 0 {
		n.datagram(f)
		return
	}
	n.mu.Lock()
	p, refusal, spdcid := n.find(f)
	if p != nil {
		p.box.put(f)
	}
	n.mu.Unlock()
	if refusal != 0 {
		n.nack(f, refusal, spdcid)
	}
}

// find returns the PDC of a packet, or the NACK code that refuses it and the
// SPDCID of that NACK. Both are absent for what is dropped. Under mu.
func (n *nic) find(f *frame) (p *pdc, refusal uint8, spdcid uint16) {
	asks := f.h.isRequest() || f.h.kind == typeCP
	if asks && f.h.flags&flagSyn != 0 {
		return n.findSyn(f)
	}
	p = n.byID[f.h.dpdcid]
	if p == nil {
		if !asks || f.trimmed != 0 && f.h.kind == typeCP {
			return nil, 0, 0
		}
		if n.refused[f.h.dpdcid] == (synKey{f.peer, f.h.spdcid}) {
			return nil, nackClosingInErr, f.h.dpdcid
		}
		return nil, nackInvDpdcid, 0
	}
	if p.peer != f.peer || p.remote != 0 && p.remote != f.h.spdcid && f.h.spdcid != 0 {
		if asks {
			return nil, nackHdrMismatch, 0
		}
		return nil, 0, 0
	}
	return p, 0, 0
}

// findSyn looks for the PDC that a packet with SYN belongs to, and makes it.
func (n *nic) findSyn(f *frame) (*pdc, uint8, uint16) {
	if f.trimmed != 0 && f.h.kind == typeCP {
		return nil, 0, 0
	}
	key := synKey{f.peer, f.h.spdcid}
	if p := n.bySyn[key]; p != nil {
		return p, 0, 0
	}
	for _, p := range n.byID {
		if p.initiator && p.peer == f.peer && p.remote == f.h.spdcid {
			return nil, nackInvalidSyn, p.id
		}
	}
	if f.trimmed != 0 {
		return nil, f.trimmed, 0
	}
	start := f.h.psn - uint32(f.h.dpdcid&0xfff)
	switch {
	case f.h.spdcid == 0:
		return nil, nackHdrMismatch, 0
	case f.h.isRequest() && (f.h.next < nextSmall || f.h.next > nextStd):
		return nil, nackHdrMismatch, 0
	case f.h.kind == typeCP && f.h.next != cpNoop && f.h.next != cpNegotiation:
		return nil, nackUnexpected, 0
	case f.h.rod() && f.h.psn != start:
		return nil, nackRodOOO, 0
	case len(n.byID) >= maxPDCs:
		return nil, nackNoPDC, 0
	}
	p := n.newPDC(f.peer, f.h.rod(), false, start)
	p.remote = f.h.spdcid
	n.bySyn[key] = p
	return p, 0, 0
}

// newPDC makes a PDC with an unused id and starts it; under mu.
func (n *nic) newPDC(peer netip.Addr, rod, initiator bool, start uint32) *pdc {
	id := uint16(0)
	for id == 0 || n.byID[id] != nil || n.refused[id] != (synKey{}) {
		id = uint16(n.random.Intn(1 << 16))
	}
	if initiator {
		start = n.random.Uint32()
		for last, used := n.lastPSN[id]; used && int32(start-last) < 1<<16 &&
			int32(last-start) < 1<<16; {
			start = n.random.Uint32()
		}
	}
	p := newPDC(n, id, peer, rod, initiator, start)
	p.quit = n.quit
	n.byID[id] = p
	n.stats["pdcs"]++
	n.run(p.run)
	return p
}

// post gives an operation to the PDC of its peer and mode.
func (n *nic) post(peer netip.Addr, rod bool, o *op) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.path(peer, rod).box.put(o)
}

func (n *nic) path(peer netip.Addr, rod bool) *pdc {
	key := pathKey{peer, rod}
	p := n.current[key]
	if p == nil {
		p = n.newPDC(peer, rod, true, 0)
		n.current[key] = p
	}
	return p
}

// retire keeps new messages from a PDC that is closing.
func (n *nic) retire(p *pdc) {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := pathKey{p.peer, p.rod}
	if n.current[key] == p {
		delete(n.current, key)
	}
}

// free removes a PDC and returns what it has not looked at yet.
func (n *nic) free(p *pdc, failed bool) []any {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.byID, p.id)
	key := synKey{p.peer, p.remote}
	if n.bySyn[key] == p {
		delete(n.bySyn, key)
	}
	path := pathKey{p.peer, p.rod}
	if n.current[path] == p {
		delete(n.current, path)
	}
	n.lastPSN[p.id] = p.tx.next
	if failed && !p.initiator {
		n.refused[p.id] = key
	}
	return p.box.take()
}

// of returns the PDCs with a peer in one of the two roles.
func (n *nic) of(peer netip.Addr, initiator bool) (found []*pdc) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range n.byID {
		if p.peer == peer && p.initiator == initiator {
			found = append(found, p)
		}
	}
	return found
}

// mailbox is a queue without a limit that a select can wait for.
type mailbox struct {
	mu    sync.Mutex
	items []any
	wake  chan bool
}

func (m *mailbox) put(item any) {
	m.mu.Lock()
	m.items = append(m.items, item)
	m.mu.Unlock()
	select {
	case m.wake <- true:
	default:
	}
}

func (m *mailbox) take() []any {
	m.mu.Lock()
	defer m.mu.Unlock()
	items := m.items
	m.items = nil
	return items
}

func complain(format string, args ...any) {
	fmt.Fprintf(stderr, "uet-go: "+format+"\n", args...)
}
