// SPDX-License-Identifier: BSD-2-Clause

// The codec against tests/golden/uet_golden.txt: each vector is decoded and
// compared field by field, and encoded again.
package main

import (
	"bytes"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"
)

type vector struct {
	name   string
	fields map[string]int64
	data   []byte
}

func vectors(t *testing.T, family string) (all []vector) {
	text, err := os.ReadFile("../../golden/uet_golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(text), "\n\n") {
		v := vector{fields: map[string]int64{}}
		for _, line := range strings.Split(block, "\n") {
			key, value, _ := strings.Cut(line, ": ")
			switch key {
			case "name":
				v.name = value
			case "hex":
				if v.data, err = hex.DecodeString(strings.ReplaceAll(value, " ", "")); err != nil {
					t.Fatal(v.name, err)
				}
			case "fields":
				v.read(value)
			}
		}
		if strings.HasPrefix(v.name, family+"/") {
			all = append(all, v)
		}
	}
	return all
}

func (v *vector) read(line string) {
	for _, word := range strings.Fields(line) {
		key, value, _ := strings.Cut(word, "=")
		if u, err := strconv.ParseUint(value, 0, 64); err == nil {
			v.fields[key] = int64(u)
		} else if i, err := strconv.ParseInt(value, 0, 64); err == nil {
			v.fields[key] = i
		}
	}
}

// compare checks those of the fields that the vector names.
func (v *vector) compare(t *testing.T, got map[string]int64) (count int) {
	for key, have := range got {
		if want, named := v.fields[key]; named {
			count++
			if want != have {
				t.Errorf("%s: %s is %d, decoded %d", v.name, key, want, have)
			}
		}
	}
	return count
}

func bit(flags, mask uint8) int64 {
	if flags&mask != 0 {
		return 1
	}
	return 0
}

// decoded returns the fields of a header under the names of the vectors.
func decoded(h *header) map[string]int64 {
	f := map[string]int64{"pds.type": int64(h.kind), "flags.retx": bit(h.flags, flagRetx)}
	switch {
	case h.isRequest() || h.kind == typeCP:
		f["flags.ar"], f["flags.syn"] = bit(h.flags, flagAR), bit(h.flags, flagSyn)
		f["psn"], f["spdcid"] = int64(h.psn), int64(h.spdcid)
		if h.flags&flagSyn != 0 {
			f["start_psn"] = int64(h.psn - uint32(h.dpdcid&0xfff))
			f["psn_offset"] = int64(h.dpdcid & 0xfff)
		} else {
			f["dpdcid"] = int64(h.dpdcid)
		}
		if h.kind == typeCP {
			f["ctl_type"], f["flags.isrod"] = int64(h.next), bit(h.flags, flagIsRod)
			f["payload"], f["probe_opaque"] = int64(h.payload), int64(h.opaque)
		} else {
			f["clear_psn_offset"] = int64(h.clearOff)
			f["CLEAR_PSN"] = int64(h.psn + uint32(int32(h.clearOff)))
		}
	case h.isAck():
		f["flags.m"], f["flags.p"] = bit(h.flags, flagMark), bit(h.flags, flagProbe)
		f["flags.req"] = int64(h.flags >> 1 & 3)
		f["cack_psn"], f["spdcid"], f["dpdcid"] = int64(h.cack), int64(h.spdcid), int64(h.dpdcid)
		if h.flags&flagProbe == 0 {
			f["ack_psn_offset"] = int64(h.ackOff)
			f["ACK_PSN"] = int64(h.cack + uint32(int32(h.ackOff)))
		} else {
			f["probe_opaque"] = int64(h.opaque)
		}
		if h.hasState {
			f["mpr"], f["sack_psn_offset"] = int64(h.mpr), int64(h.sackOff)
			f["sack_bitmap"] = int64(h.sack)
			f["SACK_PSN"] = int64(h.cack + uint32(int32(h.sackOff)))
		}
	case h.isNack():
		f["nack_code"], f["flags.nt"] = int64(h.code), bit(h.flags, flagNT)
		f["flags.m"] = bit(h.flags, flagMark)
		f["spdcid"], f["dpdcid"] = int64(h.spdcid), int64(h.dpdcid)
		f["payload"], f["nack_psn"] = int64(h.payload), int64(h.psn)
	case h.kind == typeRudiReq || h.kind == typeRudiResp:
		f["pkt_id"] = int64(h.psn)
	}
	return f
}

// reserved says whether a vector has bits that this codec does not keep.
func (v *vector) reserved() bool {
	for key, value := range v.fields {
		other := strings.HasPrefix(key, "rsvd") || key == "flags.rsvd" || key == "vendor_code" ||
			key == "cc_type" || key == "cc_flags" || key == "ccx_type" || key == "ccc_id" ||
			key == "credit_target" || key == "cc.type" || strings.HasPrefix(key, "ack_ccx") ||
			strings.HasPrefix(key, "neg.")
		if other && value != 0 {
			return true
		}
	}
	return false
}

func TestPDS(t *testing.T) {
	same, fields := 0, 0
	for _, v := range vectors(t, "pds") {
		h, rest, ok := parseHeader(v.data)
		if !ok {
			t.Errorf("%s: not decoded", v.name)
			continue
		}
		fields += v.compare(t, decoded(&h))
		if !v.reserved() && len(rest) == 0 && h.kind != typeNackCCX { // never sent
			same++
			if !bytes.Equal(h.bytes(), v.data) {
				t.Errorf("%s: encoded %x", v.name, h.bytes())
			}
		}
		for n := 0; n < headerLen[h.kind]; n++ {
			if _, _, ok := parseHeader(v.data[:n]); ok {
				t.Errorf("%s: %d bytes decoded", v.name, n)
			}
		}
	}
	if same < 80 || fields < 900 {
		t.Errorf("only %d vectors encoded again, %d fields compared", same, fields)
	}
}

func TestSES(t *testing.T) {
	forms := map[string]uint8{"std": nextStd, "medium": nextMedium, "small": nextSmall,
		"response": nextResponse, "response_data": nextData,
		"response_data_small": nextDataSmall}
	fields := 0
	for _, v := range vectors(t, "ses") {
		layout, _, _ := strings.Cut(strings.Split(v.name, "/")[1], "+")
		form := forms[layout]
		switch {
		case form == 0:
		case form <= nextStd:
			r, _, ok := parseRequest(form, v.data)
			if !ok { // an atomic without its extension
				continue
			}
			f := map[string]int64{"ses.opcode": int64(r.opcode), "ses.job_id": int64(r.job),
				"ses.ri_generation": int64(r.gen), "ses.pid_on_fep": int64(r.pid),
				"ses.resource_index": int64(r.index), "ses.request_length": int64(r.length),
				"ses.som": bit(r.bits, sesSOM), "ses.eom": bit(r.bits, sesEOM),
				"ses.buffer_offset": int64(r.offset)}
			if form == nextStd {
				f["ses.message_id"] = int64(r.msgID)
				f["ses.payload_length"], f["ses.message_offset"] = int64(r.slice), int64(r.position)
			}
			if form != nextSmall {
				f["ses.initiator"], f["ses.memory_key"] = int64(r.init), int64(r.key)
			}
			fields += v.compare(t, f)
		default:
			r, ok := parseResponse(form, v.data)
			if !ok { // a header without its data
				continue
			}
			f := map[string]int64{"ses.opcode": int64(r.opcode), "ses.return_code": int64(r.rc),
				"ses.job_id": int64(r.job)}
			if form == nextResponse {
				f["ses.message_id"] = int64(r.msgID)
			}
			if form != nextDataSmall {
				f["ses.modified_length"] = int64(r.modified)
			}
			fields += v.compare(t, f)
		}
	}
	if fields < 300 {
		t.Errorf("only %d fields compared", fields)
	}
}

func TestSerial(t *testing.T) {
	if !after(2, 0xfffffffe) || after(0xfffffffe, 2) || after(7, 7) {
		t.Error("serial arithmetic")
	}
}
