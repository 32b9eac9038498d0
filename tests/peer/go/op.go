// SPDX-License-Identifier: BSD-2-Clause

// Operations that this endpoint was asked for, as the initiator's SES has them.
package main

import "sync"

// op is one operation: a message, cut into packets.
type op struct {
	mu       sync.Mutex
	n        *nic
	handle   uint64
	kind     string
	opcode   uint8
	msgID    uint16
	length   uint32
	packets  []*packet
	open     int    // packets whose response is outstanding
	missing  uint32 // bytes of return data that are outstanding
	reads    bool
	into     []byte
	rc       uint8
	ended    bool
	pdcid    uint16
	isCP     bool
	seenData map[uint32]bool // positions of return data that arrived
}

// packet is one request packet.
type packet struct {
	op       *op
	next     uint8 // SES form; ctl_type of a CP
	cp       bool
	rod      bool
	body     []byte
	payload  uint32 // of a CP
	last     bool
	position uint32 // of the slice that a read asks for
	want     uint32
	handle   uint64
	opcode   uint8

	psn      uint32
	ev       uint16
	tries    int
	nacks    int
	sent     bool
	resent   bool
	known    bool // received, says a SACK bit; its response is not here yet
	done     bool
	due      int64 // when to send again, ns; 0: never
	nackWait bool
}

// respond takes the response to one packet. orig is its PSN.
func (o *op) respond(pk *packet, r *sesResponse, orig uint32) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open--
	next := r.form
	o.n.out.event("pds_ses_rx_rsp", fields{"tx_pkt_handle": pk.handle, "msg_id": o.msgID,
		"orig_pdcid": o.pdcid, "orig_psn": orig, "next_hdr": next,
		"opcode": r.opcode, "return_code": r.rc})
	if r.rc > rcOK {
		if o.rc <= rcOK {
			o.rc = r.rc
		}
		o.missing = 0 // of a message that errs one packet alone may say so
	} else if r.form != nextResponse {
		o.place(pk.position, r.data)
	} else if o.rc == rcNull {
		o.rc = r.rc
	}
	o.check()
}

// fetch takes return data that came as a request of the target.
func (o *op) fetch(position uint32, data []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.place(position, data)
	o.check()
}

func (o *op) place(position uint32, data []byte) {
	if !o.reads || o.missing == 0 || o.seenData[position] || uint64(position)+uint64(len(data)) > uint64(len(o.into)) {
		return
	}
	o.seenData[position] = true
	copy(o.into[position:], data)
	o.missing -= uint32(len(data))
}

// waiting says whether return data are outstanding: the PDC stays open.
func (o *op) waiting() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.ended && o.reads && o.missing > 0
}

func (o *op) check() {
	if o.ended || o.open > 0 || o.reads && o.missing > 0 {
		return
	}
	status := "ok"
	if o.rc > rcOK {
		status = "refused"
	}
	if o.reads && status == "ok" {
		o.n.ses.remember(o.into)
	}
	o.end(status)
}

// fail ends the operation without an answer.
func (o *op) fail(status string) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		o.end(status)
	}
}

func (o *op) end(status string) {
	o.ended = true
	if o.isCP {
		return
	}
	told := fields{"handle": o.handle, "status": status, "msg_id": o.msgID,
		"orig_pdcid": o.pdcid, "opcode": o.opcode, "len": o.length, "return_code": o.rc}
	if o.reads && status == "ok" {
		told["digest"] = checksum(o.into)
	}
	o.n.out.event("completion", told)
}
