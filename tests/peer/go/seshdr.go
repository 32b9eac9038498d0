// SPDX-License-Identifier: BSD-2-Clause

// The headers of the semantic sublayer: requests, responses, extensions.
package main

import "encoding/binary"

// Request opcodes.
const (
	opNoop     = 0x00
	opWrite    = 0x01
	opRead     = 0x02
	opAtomic   = 0x03
	opFetch    = 0x04
	opSend     = 0x05
	opDatagram = 0x07
	opTagged   = 0x09
)

// Response opcodes.
const (
	rspDefault = 0
	rspPlain   = 1
	rspData    = 2
	rspNone    = 3
)

// Return codes.
const (
	rcNull            = 0x00
	rcOK              = 0x01
	rcBadGeneration   = 0x02
	rcUnsupportedOp   = 0x06
	rcUnsupportedSize = 0x07
	rcOutOfRange      = 0x0c
	rcAmoOp           = 0x0f
	rcAmoType         = 0x10
	rcAmoSize         = 0x11
	rcBadIndex        = 0x19
	rcBadPid          = 0x1a
	rcBadJob          = 0x1b
	rcBadKey          = 0x1c
)

// Bits of byte 1 of a request.
const (
	sesHD  = 0x04
	sesEOM = 0x02
	sesSOM = 0x01
)

// sesRequest is a request header of any form, with its extension.
type sesRequest struct {
	form     uint8 // nextSmall, nextMedium, nextStd
	opcode   uint8
	bits     uint8
	msgID    uint16
	gen      uint8
	job      uint32
	pid      uint16
	index    uint16
	offset   uint64
	init     uint32
	key      uint64
	length   uint32 // of the message
	slice    uint32 // payload_length, in packets after the first
	position uint32 // message_offset
	hasAMO   bool
	amo      uint8
	datatype uint8
	compare  [16]byte
	swap     [16]byte
}

func (r *sesRequest) som() bool { return r.bits&sesSOM != 0 }
func (r *sesRequest) eom() bool { return r.bits&sesEOM != 0 }

// datagram says whether UUD may carry the request: "single packet,
// DATAGRAM_SEND" (7.8).
func (r *sesRequest) datagram() bool {
	return r.opcode == opDatagram && r.som() && r.eom()
}

var requestLen = map[uint8]int{nextSmall: 20, nextMedium: 32, nextStd: 44}

// swaps says whether an atomic operation carries two operands.
func swaps(amo uint8) bool { return amo >= 0x0d && amo <= 0x12 }

// parseRequest returns the request and its payload; false if it is too short.
func parseRequest(form uint8, b []byte) (r sesRequest, payload []byte, ok bool) {
	size, known := requestLen[form]
	if !known || len(b) < size {
		return r, nil, false
	}
	be := binary.BigEndian
	r.form, r.opcode, r.bits = form, b[0]&0x3f, b[1]&0x3f
	r.gen, r.job = b[4], be.Uint32(b[4:])&0xffffff
	r.pid, r.index = be.Uint16(b[8:])&0xfff, be.Uint16(b[10:])&0xfff
	r.offset = be.Uint64(b[12:])
	if form == nextStd {
		r.msgID = be.Uint16(b[2:])
		r.length = be.Uint32(b[40:])
		if !r.som() {
			r.slice = uint32(be.Uint16(b[34:]) & 0x3fff)
			r.position = be.Uint32(b[36:])
		}
	} else {
		r.length = uint32(be.Uint16(b[2:]) & 0x3fff)
	}
	if form != nextSmall {
		r.init, r.key = be.Uint32(b[20:]), be.Uint64(b[24:])
	}
	if form == nextMedium && r.bits&sesHD != 0 {
		r.offset = 0
	}
	payload = b[size:]
	if r.opcode == opAtomic || r.opcode == opFetch {
		if len(payload) < 4 {
			return r, nil, false
		}
		r.hasAMO, r.amo, r.datatype = true, payload[0], payload[1]
		payload = payload[4:]
		if swaps(r.amo) {
			if len(payload) < 32 {
				return r, nil, false
			}
			copy(r.compare[:], payload)
			copy(r.swap[:], payload[16:])
			payload = payload[32:]
		}
	}
	return r, payload, true
}

// bytes returns the request header with its extension.
func (r *sesRequest) bytes() []byte {
	b := make([]byte, requestLen[r.form], requestLen[r.form]+36)
	be := binary.BigEndian
	be.PutUint32(b[4:], uint32(r.gen)<<24|r.job)
	b[0], b[1] = r.opcode, r.bits
	be.PutUint16(b[8:], r.pid)
	be.PutUint16(b[10:], r.index)
	be.PutUint64(b[12:], r.offset)
	if r.form == nextStd {
		be.PutUint16(b[2:], r.msgID)
		be.PutUint32(b[40:], r.length)
		if !r.som() {
			be.PutUint16(b[34:], uint16(r.slice))
			be.PutUint32(b[36:], r.position)
		}
	} else {
		be.PutUint16(b[2:], uint16(r.length))
	}
	if r.form != nextSmall {
		be.PutUint32(b[20:], r.init)
		be.PutUint64(b[24:], r.key)
	}
	if r.hasAMO {
		b = append(b, r.amo, r.datatype, 0, 0)
		if swaps(r.amo) {
			b = append(append(b, r.compare[:]...), r.swap[:]...)
		}
	}
	return b
}

// sesResponse is a response header of any form, with its data.
type sesResponse struct {
	form     uint8 // nextResponse, nextData, nextDataSmall
	opcode   uint8
	rc       uint8
	msgID    uint16 // of nextData: response_message_id
	readID   uint16 // read_request_message_id
	gen      uint8
	job      uint32
	modified uint32
	position uint32 // message_offset
	origPSN  uint32
	data     []byte
}

var responseLen = map[uint8]int{nextResponse: 12, nextData: 20, nextDataSmall: 12}

// parseResponse returns the response; false if it is too short.
func parseResponse(form uint8, b []byte) (r sesResponse, ok bool) {
	size, known := responseLen[form]
	if !known || len(b) < size {
		return r, false
	}
	be := binary.BigEndian
	r.form, r.opcode, r.rc = form, b[0]&0x3f, b[1]&0x3f
	r.job = be.Uint32(b[4:]) & 0xffffff
	length := 0
	switch form {
	case nextResponse:
		r.msgID, r.gen, r.modified = be.Uint16(b[2:]), b[4], be.Uint32(b[8:])
	case nextData:
		r.msgID, r.readID = be.Uint16(b[2:]), be.Uint16(b[8:])
		length = int(be.Uint16(b[10:]) & 0x3fff)
		r.modified, r.position = be.Uint32(b[12:]), be.Uint32(b[16:])
	case nextDataSmall:
		length = int(be.Uint16(b[2:]) & 0x3fff)
		r.origPSN = be.Uint32(b[8:])
	}
	if len(b) < size+length {
		return r, false
	}
	r.data = b[size : size+length]
	return r, true
}

// bytes returns the response header and its data.
func (r *sesResponse) bytes() []byte {
	b := make([]byte, responseLen[r.form], responseLen[r.form]+len(r.data))
	be := binary.BigEndian
	be.PutUint32(b[4:], r.job)
	b[0], b[1] = r.opcode, r.rc
	switch r.form {
	case nextResponse:
		be.PutUint16(b[2:], r.msgID)
		b[4] = r.gen
		be.PutUint32(b[8:], r.modified)
	case nextData:
		be.PutUint16(b[2:], r.msgID)
		be.PutUint16(b[8:], r.readID)
		be.PutUint16(b[10:], uint16(len(r.data)))
		be.PutUint32(b[12:], r.modified)
		be.PutUint32(b[16:], r.position)
	case nextDataSmall:
		be.PutUint16(b[2:], uint16(len(r.data)))
		be.PutUint32(b[8:], r.origPSN)
	}
	return append(b, r.data...)
}
