// SPDX-License-Identifier: BSD-2-Clause

// The headers of the packet delivery sublayer: bytes to fields and back.
package main

import "encoding/binary"

// Packet types (pds.type).
const (
	typeRudReq   = 2
	typeRodReq   = 3
	typeRudiReq  = 4
	typeRudiResp = 5
	typeUudReq   = 6
	typeAck      = 7
	typeAckCC    = 8
	typeAckCCX   = 9
	typeNack     = 10
	typeCP       = 11
	typeNackCCX  = 12
	typeRudCCReq = 13
	typeRodCCReq = 14
)

// Next headers.
const (
	nextNone      = 0
	nextSmall     = 1
	nextMedium    = 2
	nextStd       = 3
	nextResponse  = 4
	nextData      = 5
	nextDataSmall = 6
)

// Flags. The bits mean different things in different packet types.
const (
	flagRetx  = 0x10
	flagAR    = 0x08
	flagSyn   = 0x04
	flagMark  = 0x20 // ACK, NACK, RUDI response
	flagProbe = 0x08 // ACK
	flagIsRod = 0x20 // CP
	flagNT    = 0x08 // NACK
)

// Values of flags.req in ACKs.
const (
	reqNone  = 0
	reqClear = 1
	reqClose = 2
)

// Control packet types.
const (
	cpNoop          = 0
	cpAckRequest    = 1
	cpClearCommand  = 2
	cpClearRequest  = 3
	cpCloseCommand  = 4
	cpCloseRequest  = 5
	cpProbe         = 6
	cpCredit        = 7
	cpCreditRequest = 8
	cpNegotiation   = 9
)

// NACK codes that this endpoint sends or treats in a way of their own.
const (
	nackTrimmed      = 0x01
	nackTrimmedLast  = 0x02
	nackTrimmedAck   = 0x03
	nackNoPDC        = 0x04
	nackNoResource   = 0x0a
	nackOutOfWindow  = 0x0b
	nackRodOOO       = 0x0d
	nackInvDpdcid    = 0x0e
	nackHdrMismatch  = 0x0f
	nackClosing      = 0x10
	nackClosingInErr = 0x11
	nackNotReceived  = 0x12
	nackAckWithData  = 0x14
	nackInvalidSyn   = 0x15
	nackModeMismatch = 0x16
	nackNewStart     = 0x17
	nackSesWorking   = 0x18
	nackUnexpected   = 0x19
	nackInferLoss    = 0x1a
)

// nackFatal says whether a NACK code ends the PDC (table 3-59).
func nackFatal(code uint8) bool {
	switch code {
	case nackInvDpdcid, nackHdrMismatch, nackClosing, nackClosingInErr, 0x13,
		nackInvalidSyn, nackModeMismatch, nackUnexpected, 0xff:
		return true
	}
	return false
}

// nackAtOnce says whether the source retransmits without a wait.
func nackAtOnce(code uint8) bool {
	switch code {
	case nackTrimmed, nackTrimmedLast, nackTrimmedAck, nackRodOOO,
		nackNotReceived, nackAckWithData, nackInferLoss:
		return true
	}
	return false
}

// header is any PDS header; the packet type says which fields count.
type header struct {
	kind  uint8
	next  uint8 // ctl_type of a CP
	flags uint8

	psn      uint32 // request, CP, NACK (nack_psn); pkt_id of RUDI
	clearOff int16  // request
	spdcid   uint16
	dpdcid   uint16 // with SYN: pdc_info and psn_offset
	payload  uint32 // CP, NACK
	opaque   uint16 // CP Probe; ACK with p
	code     uint8  // NACK

	cack     uint32 // ACK
	ackOff   int16
	mpr      uint8
	sackOff  int16
	sack     uint64
	ccState  [8]byte
	hasState bool // the ACK has a congestion section
}

var headerLen = map[uint8]int{
	typeRudReq: 12, typeRodReq: 12, typeRudiReq: 8, typeRudiResp: 8,
	typeUudReq: 4, typeAck: 12, typeAckCC: 32, typeAckCCX: 40, typeNack: 16,
	typeCP: 16, typeNackCCX: 32, typeRudCCReq: 16, typeRodCCReq: 16,
}

func (h *header) isRequest() bool {
	switch h.kind {
	case typeRudReq, typeRodReq, typeRudCCReq, typeRodCCReq:
		return true
	}
	return false
}

func (h *header) isAck() bool {
	return h.kind == typeAck || h.kind == typeAckCC || h.kind == typeAckCCX
}

func (h *header) isNack() bool {
	return h.kind == typeNack || h.kind == typeNackCCX
}

// rod says whether the packet belongs to a PDC of ordered delivery. Of CPs
// only those that can open a PDC tell.
func (h *header) rod() bool {
	if h.kind == typeCP {
		return h.flags&flagIsRod != 0
	}
	return h.kind == typeRodReq || h.kind == typeRodCCReq
}

// parseHeader returns the header and what follows it; false if the packet is
// too short or of a type that is reserved.
func parseHeader(b []byte) (h header, rest []byte, ok bool) {
	if len(b) < 4 {
		return h, nil, false
	}
	word := binary.BigEndian.Uint16(b)
	h.kind, h.next, h.flags = uint8(word>>11), uint8(word>>7)&15, uint8(word)&0x7f
	size, known := headerLen[h.kind]
	if !known || len(b) < size {
		return h, nil, false
	}
	be := binary.BigEndian
	switch {
	case h.isRequest():
		h.clearOff = int16(be.Uint16(b[2:]))
		h.psn = be.Uint32(b[4:])
		h.spdcid, h.dpdcid = be.Uint16(b[8:]), be.Uint16(b[10:])
	case h.isAck():
		h.opaque = be.Uint16(b[2:])
		h.ackOff = int16(h.opaque)
		h.cack = be.Uint32(b[4:])
		h.spdcid, h.dpdcid = be.Uint16(b[8:]), be.Uint16(b[10:])
		if h.kind != typeAck {
			h.hasState = true
			h.mpr = b[13]
			h.sackOff = int16(be.Uint16(b[14:]))
			h.sack = be.Uint64(b[16:])
			copy(h.ccState[:], b[24:32])
		}
	case h.isNack():
		h.code = b[2]
		h.psn = be.Uint32(b[4:])
		h.spdcid, h.dpdcid = be.Uint16(b[8:]), be.Uint16(b[10:])
		h.payload = be.Uint32(b[12:])
	case h.kind == typeCP:
		h.opaque = be.Uint16(b[2:])
		h.psn = be.Uint32(b[4:])
		h.spdcid, h.dpdcid = be.Uint16(b[8:]), be.Uint16(b[10:])
		h.payload = be.Uint32(b[12:])
	case h.kind == typeRudiReq || h.kind == typeRudiResp:
		h.psn = be.Uint32(b[4:])
	}
	return h, b[size:], true
}

// bytes returns the header as it stands on the wire.
func (h *header) bytes() []byte {
	b := make([]byte, headerLen[h.kind])
	be := binary.BigEndian
	be.PutUint16(b, uint16(h.kind)<<11|uint16(h.next)<<7|uint16(h.flags))
	switch {
	case h.isRequest():
		be.PutUint16(b[2:], uint16(h.clearOff))
		be.PutUint32(b[4:], h.psn)
		be.PutUint16(b[8:], h.spdcid)
		be.PutUint16(b[10:], h.dpdcid)
	case h.isAck():
		be.PutUint16(b[2:], uint16(h.ackOff))
		if h.flags&flagProbe != 0 {
			be.PutUint16(b[2:], h.opaque)
		}
		be.PutUint32(b[4:], h.cack)
		be.PutUint16(b[8:], h.spdcid)
		be.PutUint16(b[10:], h.dpdcid)
		if h.kind != typeAck {
			b[13] = h.mpr
			be.PutUint16(b[14:], uint16(h.sackOff))
			be.PutUint64(b[16:], h.sack)
			copy(b[24:], h.ccState[:])
		}
	case h.isNack():
		b[2] = h.code
		be.PutUint32(b[4:], h.psn)
		be.PutUint16(b[8:], h.spdcid)
		be.PutUint16(b[10:], h.dpdcid)
		be.PutUint32(b[12:], h.payload)
	case h.kind == typeCP:
		be.PutUint16(b[2:], h.opaque)
		be.PutUint32(b[4:], h.psn)
		be.PutUint16(b[8:], h.spdcid)
		be.PutUint16(b[10:], h.dpdcid)
		be.PutUint32(b[12:], h.payload)
	case h.kind == typeRudiReq || h.kind == typeRudiResp:
		be.PutUint32(b[4:], h.psn)
	}
	return b
}

// after says whether PSN a comes after b, in serial arithmetic.
func after(a, b uint32) bool { return int32(a-b) > 0 }

// later returns the later one of two PSNs.
func later(a, b uint32) uint32 {
	if after(a, b) {
		return a
	}
	return b
}
