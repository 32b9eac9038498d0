-- SPDX-License-Identifier: BSD-2-Clause
-- Made by bench/lua.c of the wire tables.
local uet = Proto('uetlua', 'Ultra Ethernet Transport (Lua)')
local H = {}
H.entropy = H.entropy or {}
H.entropy[#H.entropy + 1] = {name = "entropy", len = 4,
  {ProtoField.uint16("uetlua.h7.entropy", "entropy", base.HEX, nil), 0, 2}, -- 0
  {ProtoField.uint16("uetlua.h7.rsvd_16", "rsvd_16", base.HEX, nil), 2, 2}, -- 1
}
H.tss = H.tss or {}
H.tss[#H.tss + 1] = {name = "tss", len = 12,
  {ProtoField.uint8("uetlua.h8.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h8.sp", "sp", base.DEC, nil, 0x4), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h8.rsvd_6", "rsvd_6", base.HEX, nil, 0x2), 0, 1}, -- 2
  {ProtoField.uint8("uetlua.h8.an", "an", base.DEC, nil, 0x1), 0, 1}, -- 3
  {ProtoField.uint24("uetlua.h8.sdi", "sdi", base.HEX, nil), 1, 3}, -- 4
  {ProtoField.uint16("uetlua.h8.epoch", "epoch", base.DEC, nil), 4, 2}, -- 5
  {ProtoField.uint64("uetlua.h8.counter", "counter", base.DEC, nil), 6, 6}, -- 6
}
H.tss_ssi = H.tss_ssi or {}
H.tss_ssi[#H.tss_ssi + 1] = {name = "tss_ssi", len = 16,
  {ProtoField.uint8("uetlua.h9.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h9.sp", "sp", base.DEC, nil, 0x4), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h9.rsvd_6", "rsvd_6", base.HEX, nil, 0x2), 0, 1}, -- 2
  {ProtoField.uint8("uetlua.h9.an", "an", base.DEC, nil, 0x1), 0, 1}, -- 3
  {ProtoField.uint24("uetlua.h9.sdi", "sdi", base.HEX, nil), 1, 3}, -- 4
  {ProtoField.uint32("uetlua.h9.ssi", "ssi", base.HEX, nil), 4, 4}, -- 5
  {ProtoField.uint16("uetlua.h9.epoch", "epoch", base.DEC, nil), 8, 2}, -- 6
  {ProtoField.uint64("uetlua.h9.counter", "counter", base.DEC, nil), 10, 6}, -- 7
}
H.pds = H.pds or {}
H.pds[#H.pds + 1] = {name = "pds", len = 2,
  {ProtoField.uint8("uetlua.h10.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h10.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h10.flags", "flags", base.HEX, nil, 0x7f), 1, 1}, -- 2
}
H.req = H.req or {}
H.req[#H.req + 1] = {name = "req", len = 12,
  {ProtoField.uint8("uetlua.h11.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h11.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h11.rsvd_9", "rsvd_9", base.HEX, nil, 0x60), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h11.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h11.ar", "ar", base.DEC, nil, 0x8), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h11.syn", "syn", base.DEC, nil, 0x4), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h11.rsvd_14", "rsvd_14", base.HEX, nil, 0x3), 1, 1}, -- 6
  {ProtoField.int16("uetlua.h11.clear_psn_offset", "clear_psn_offset", base.DEC, nil), 2, 2}, -- 7
  {ProtoField.uint32("uetlua.h11.psn", "psn", base.DEC, nil), 4, 4}, -- 8
  {ProtoField.uint16("uetlua.h11.spdcid", "spdcid", base.HEX, nil), 8, 2}, -- 9
  {ProtoField.uint16("uetlua.h11.dpdcid", "dpdcid", base.HEX, nil), 10, 2}, -- 10
}
H.req_syn = H.req_syn or {}
H.req_syn[#H.req_syn + 1] = {name = "req_syn", len = 12,
  {ProtoField.uint8("uetlua.h12.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h12.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h12.rsvd_9", "rsvd_9", base.HEX, nil, 0x60), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h12.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h12.ar", "ar", base.DEC, nil, 0x8), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h12.syn", "syn", base.DEC, nil, 0x4), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h12.rsvd_14", "rsvd_14", base.HEX, nil, 0x3), 1, 1}, -- 6
  {ProtoField.int16("uetlua.h12.clear_psn_offset", "clear_psn_offset", base.DEC, nil), 2, 2}, -- 7
  {ProtoField.uint32("uetlua.h12.psn", "psn", base.DEC, nil), 4, 4}, -- 8
  {ProtoField.uint16("uetlua.h12.spdcid", "spdcid", base.HEX, nil), 8, 2}, -- 9
  {ProtoField.uint8("uetlua.h12.pdc_info", "pdc_info", base.HEX, nil, 0xf0), 10, 1}, -- 10
  {ProtoField.uint16("uetlua.h12.psn_offset", "psn_offset", base.DEC, nil, 0xfff), 10, 2}, -- 11
}
H.req_cc = H.req_cc or {}
H.req_cc[#H.req_cc + 1] = {name = "req_cc", len = 4,
  {ProtoField.uint8("uetlua.h13.ccc_id", "ccc_id", base.HEX, nil), 0, 1}, -- 0
  {ProtoField.uint24("uetlua.h13.credit_target", "credit_target", base.DEC, nil), 1, 3}, -- 1
}
H.ack = H.ack or {}
H.ack[#H.ack + 1] = {name = "ack", len = 12,
  {ProtoField.uint8("uetlua.h14.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h14.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h14.rsvd_9", "rsvd_9", base.HEX, nil, 0x40), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h14.m", "m", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h14.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h14.p", "p", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h14.req", "req", base.DEC, {[0]="none",[1]="clear",[2]="close",}, 0x6), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h14.rsvd_15", "rsvd_15", base.HEX, nil, 0x1), 1, 1}, -- 7
  {ProtoField.int16("uetlua.h14.ack_psn_offset", "ack_psn_offset", base.DEC, nil), 2, 2}, -- 8
  {ProtoField.uint32("uetlua.h14.cack_psn", "cack_psn", base.DEC, nil), 4, 4}, -- 9
  {ProtoField.uint16("uetlua.h14.spdcid", "spdcid", base.HEX, nil), 8, 2}, -- 10
  {ProtoField.uint16("uetlua.h14.dpdcid", "dpdcid", base.HEX, nil), 10, 2}, -- 11
}
H.ack_probe = H.ack_probe or {}
H.ack_probe[#H.ack_probe + 1] = {name = "ack_probe", len = 12,
  {ProtoField.uint8("uetlua.h15.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h15.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h15.rsvd_9", "rsvd_9", base.HEX, nil, 0x40), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h15.m", "m", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h15.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h15.p", "p", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h15.req", "req", base.DEC, {[0]="none",[1]="clear",[2]="close",}, 0x6), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h15.rsvd_15", "rsvd_15", base.HEX, nil, 0x1), 1, 1}, -- 7
  {ProtoField.uint16("uetlua.h15.probe_opaque", "probe_opaque", base.HEX, nil), 2, 2}, -- 8
  {ProtoField.uint32("uetlua.h15.cack_psn", "cack_psn", base.DEC, nil), 4, 4}, -- 9
  {ProtoField.uint16("uetlua.h15.spdcid", "spdcid", base.HEX, nil), 8, 2}, -- 10
  {ProtoField.uint16("uetlua.h15.dpdcid", "dpdcid", base.HEX, nil), 10, 2}, -- 11
}
H.ack_cc = H.ack_cc or {}
H.ack_cc[#H.ack_cc + 1] = {name = "ack_cc", len = 12,
  {ProtoField.uint8("uetlua.h16.cc_type", "cc_type", base.DEC, {[0]="nscc",[1]="credit",}, 0xf0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h16.cc_flags", "cc_flags", base.HEX, nil, 0xf), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h16.mpr", "mpr", base.DEC, nil), 1, 1}, -- 2
  {ProtoField.int16("uetlua.h16.sack_psn_offset", "sack_psn_offset", base.DEC, nil), 2, 2}, -- 3
  {ProtoField.uint64("uetlua.h16.sack_bitmap", "sack_bitmap", base.HEX, nil), 4, 8}, -- 4
}
H.nscc = H.nscc or {}
H.nscc[#H.nscc + 1] = {name = "nscc", len = 8,
  {ProtoField.uint16("uetlua.h17.service_time", "service_time", base.DEC, nil), 0, 2}, -- 0
  {ProtoField.uint8("uetlua.h17.rc", "rc", base.DEC, nil, 0x80), 2, 1}, -- 1
  {ProtoField.uint8("uetlua.h17.rcv_cwnd_pend", "rcv_cwnd_pend", base.DEC, nil, 0x7f), 2, 1}, -- 2
  {ProtoField.uint24("uetlua.h17.rcvd_bytes", "rcvd_bytes", base.DEC, nil), 3, 3}, -- 3
  {ProtoField.uint16("uetlua.h17.ooo_count", "ooo_count", base.DEC, nil), 6, 2}, -- 4
}
H.credit = H.credit or {}
H.credit[#H.credit + 1] = {name = "credit", len = 8,
  {ProtoField.uint24("uetlua.h18.credit", "credit", base.DEC, nil), 0, 3}, -- 0
  {ProtoField.uint24("uetlua.h18.rsvd_24", "rsvd_24", base.HEX, nil), 3, 3}, -- 1
  {ProtoField.uint16("uetlua.h18.ooo_count", "ooo_count", base.DEC, nil), 6, 2}, -- 2
}
H.cc_state = H.cc_state or {}
H.cc_state[#H.cc_state + 1] = {name = "cc_state", len = 8,
  {ProtoField.uint64("uetlua.h19.ack_cc_state", "ack_cc_state", base.HEX, nil), 0, 8}, -- 0
}
H.ack_ccx = H.ack_ccx or {}
H.ack_ccx[#H.ack_ccx + 1] = {name = "ack_ccx", len = 28,
  {ProtoField.uint8("uetlua.h20.ccx_type", "ccx_type", base.HEX, nil, 0xf0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h20.cc_flags", "cc_flags", base.HEX, nil, 0xf), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h20.mpr", "mpr", base.DEC, nil), 1, 1}, -- 2
  {ProtoField.int16("uetlua.h20.sack_psn_offset", "sack_psn_offset", base.DEC, nil), 2, 2}, -- 3
  {ProtoField.uint64("uetlua.h20.sack_bitmap", "sack_bitmap", base.HEX, nil), 4, 8}, -- 4
  {ProtoField.uint64("uetlua.h20.ack_ccx_state_hi", "ack_ccx_state_hi", base.HEX, nil), 12, 8}, -- 5
  {ProtoField.uint64("uetlua.h20.ack_ccx_state_lo", "ack_ccx_state_lo", base.HEX, nil), 20, 8}, -- 6
}
H.nack = H.nack or {}
H.nack[#H.nack + 1] = {name = "nack", len = 16,
  {ProtoField.uint8("uetlua.h21.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h21.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h21.rsvd_9", "rsvd_9", base.HEX, nil, 0x40), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h21.m", "m", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h21.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h21.nt", "nt", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h21.rsvd_13", "rsvd_13", base.HEX, nil, 0x7), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h21.nack_code", "nack_code", base.DEC, {[1]="trimmed",[2]="trimmed_lasthop",[3]="trimmed_ack",[4]="no_pdc_avail",[5]="no_ccc_avail",[6]="no_bitmap",[7]="no_pkt_buffer",[8]="no_gtd_del_avail",[9]="no_ses_msg_avail",[10]="no_resource",[11]="psn_oor_window",[13]="rod_ooo",[14]="inv_dpdcid",[15]="pdc_hdr_mismatch",[16]="closing",[17]="closing_in_err",[18]="pkt_not_rcvd",[19]="gtd_resp_unavail",[20]="ack_with_data",[21]="invalid_syn",[22]="pdc_mode_mismatch",[23]="new_start_psn",[24]="rcvd_ses_procg",[25]="unexp_event",[26]="rcvr_infer_loss",[253]="exp_nack_normal",[254]="exp_nack_err",[255]="exp_nack_fatal",}), 2, 1}, -- 7
  {ProtoField.uint8("uetlua.h21.vendor_code", "vendor_code", base.HEX, nil), 3, 1}, -- 8
  {ProtoField.uint32("uetlua.h21.nack_psn", "nack_psn", base.DEC, nil), 4, 4}, -- 9
  {ProtoField.uint16("uetlua.h21.spdcid", "spdcid", base.HEX, nil), 8, 2}, -- 10
  {ProtoField.uint16("uetlua.h21.dpdcid", "dpdcid", base.HEX, nil), 10, 2}, -- 11
  {ProtoField.uint32("uetlua.h21.payload", "payload", base.DEC, nil), 12, 4}, -- 12
}
H.nack_rudi = H.nack_rudi or {}
H.nack_rudi[#H.nack_rudi + 1] = {name = "nack_rudi", len = 16,
  {ProtoField.uint8("uetlua.h22.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h22.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h22.rsvd_9", "rsvd_9", base.HEX, nil, 0x40), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h22.m", "m", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h22.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h22.nt", "nt", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h22.rsvd_13", "rsvd_13", base.HEX, nil, 0x7), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h22.nack_code", "nack_code", base.DEC, {[1]="trimmed",[2]="trimmed_lasthop",[3]="trimmed_ack",[4]="no_pdc_avail",[5]="no_ccc_avail",[6]="no_bitmap",[7]="no_pkt_buffer",[8]="no_gtd_del_avail",[9]="no_ses_msg_avail",[10]="no_resource",[11]="psn_oor_window",[13]="rod_ooo",[14]="inv_dpdcid",[15]="pdc_hdr_mismatch",[16]="closing",[17]="closing_in_err",[18]="pkt_not_rcvd",[19]="gtd_resp_unavail",[20]="ack_with_data",[21]="invalid_syn",[22]="pdc_mode_mismatch",[23]="new_start_psn",[24]="rcvd_ses_procg",[25]="unexp_event",[26]="rcvr_infer_loss",[253]="exp_nack_normal",[254]="exp_nack_err",[255]="exp_nack_fatal",}), 2, 1}, -- 7
  {ProtoField.uint8("uetlua.h22.vendor_code", "vendor_code", base.HEX, nil), 3, 1}, -- 8
  {ProtoField.uint32("uetlua.h22.nack_pkt_id", "nack_pkt_id", base.HEX, nil), 4, 4}, -- 9
  {ProtoField.uint16("uetlua.h22.spdcid", "spdcid", base.HEX, nil), 8, 2}, -- 10
  {ProtoField.uint16("uetlua.h22.dpdcid", "dpdcid", base.HEX, nil), 10, 2}, -- 11
  {ProtoField.uint32("uetlua.h22.payload", "payload", base.DEC, nil), 12, 4}, -- 12
}
H.nack_ccx = H.nack_ccx or {}
H.nack_ccx[#H.nack_ccx + 1] = {name = "nack_ccx", len = 16,
  {ProtoField.uint8("uetlua.h23.nccx_type", "nccx_type", base.HEX, nil, 0xf0), 0, 1}, -- 0
  {ProtoField.uint64("uetlua.h23.nack_ccx_state_hi", "nack_ccx_state_hi", base.HEX, nil), 0, 8}, -- 1
  {ProtoField.uint64("uetlua.h23.nack_ccx_state_lo", "nack_ccx_state_lo", base.HEX, nil), 8, 8}, -- 2
}
H.cp = H.cp or {}
H.cp[#H.cp + 1] = {name = "cp", len = 12,
  {ProtoField.uint8("uetlua.h24.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h24.ctl_type", "ctl_type", base.DEC, {[0]="noop",[1]="ack_request",[2]="clear_command",[3]="clear_request",[4]="close_command",[5]="close_request",[6]="probe",[7]="credit",[8]="credit_request",[9]="negotiation",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h24.rsvd_9", "rsvd_9", base.HEX, nil, 0x40), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h24.isrod", "isrod", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h24.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h24.ar", "ar", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h24.syn", "syn", base.DEC, nil, 0x4), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h24.rsvd_14", "rsvd_14", base.HEX, nil, 0x3), 1, 1}, -- 7
  {ProtoField.uint16("uetlua.h24.probe_opaque", "probe_opaque", base.HEX, nil), 2, 2}, -- 8
  {ProtoField.uint32("uetlua.h24.psn", "psn", base.DEC, nil), 4, 4}, -- 9
  {ProtoField.uint16("uetlua.h24.spdcid", "spdcid", base.HEX, nil), 8, 2}, -- 10
  {ProtoField.uint16("uetlua.h24.dpdcid", "dpdcid", base.HEX, nil), 10, 2}, -- 11
}
H.cp_syn = H.cp_syn or {}
H.cp_syn[#H.cp_syn + 1] = {name = "cp_syn", len = 12,
  {ProtoField.uint8("uetlua.h25.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h25.ctl_type", "ctl_type", base.DEC, {[0]="noop",[1]="ack_request",[2]="clear_command",[3]="clear_request",[4]="close_command",[5]="close_request",[6]="probe",[7]="credit",[8]="credit_request",[9]="negotiation",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h25.rsvd_9", "rsvd_9", base.HEX, nil, 0x40), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h25.isrod", "isrod", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h25.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h25.ar", "ar", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h25.syn", "syn", base.DEC, nil, 0x4), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h25.rsvd_14", "rsvd_14", base.HEX, nil, 0x3), 1, 1}, -- 7
  {ProtoField.uint16("uetlua.h25.probe_opaque", "probe_opaque", base.HEX, nil), 2, 2}, -- 8
  {ProtoField.uint32("uetlua.h25.psn", "psn", base.DEC, nil), 4, 4}, -- 9
  {ProtoField.uint16("uetlua.h25.spdcid", "spdcid", base.HEX, nil), 8, 2}, -- 10
  {ProtoField.uint8("uetlua.h25.pdc_info", "pdc_info", base.HEX, nil, 0xf0), 10, 1}, -- 11
  {ProtoField.uint16("uetlua.h25.psn_offset", "psn_offset", base.DEC, nil, 0xfff), 10, 2}, -- 12
}
H.payload = H.payload or {}
H.payload[#H.payload + 1] = {name = "payload", len = 4,
  {ProtoField.uint32("uetlua.h26.payload", "payload", base.HEX, nil), 0, 4}, -- 0
}
H.ack_request = H.ack_request or {}
H.ack_request[#H.ack_request + 1] = {name = "ack_request", len = 4,
  {ProtoField.uint16("uetlua.h27.rsvd_0", "rsvd_0", base.HEX, nil), 0, 2}, -- 0
  {ProtoField.uint16("uetlua.h27.message_id", "message_id", base.DEC, nil), 2, 2}, -- 1
}
H.clear = H.clear or {}
H.clear[#H.clear + 1] = {name = "clear", len = 4,
  {ProtoField.uint32("uetlua.h28.clear_psn", "clear_psn", base.DEC, nil), 0, 4}, -- 0
}
H.probe = H.probe or {}
H.probe[#H.probe + 1] = {name = "probe", len = 4,
  {ProtoField.uint32("uetlua.h29.sack_psn", "sack_psn", base.DEC, nil), 0, 4}, -- 0
}
H.credit = H.credit or {}
H.credit[#H.credit + 1] = {name = "credit", len = 4,
  {ProtoField.uint24("uetlua.h30.credit", "credit", base.DEC, nil), 0, 3}, -- 0
  {ProtoField.uint8("uetlua.h30.rsvd_24", "rsvd_24", base.HEX, nil), 3, 1}, -- 1
}
H.credit_request = H.credit_request or {}
H.credit_request[#H.credit_request + 1] = {name = "credit_request", len = 4,
  {ProtoField.uint8("uetlua.h31.ccc_id", "ccc_id", base.HEX, nil), 0, 1}, -- 0
  {ProtoField.uint24("uetlua.h31.credit_target", "credit_target", base.DEC, nil), 1, 3}, -- 1
}
H.negotiation = H.negotiation or {}
H.negotiation[#H.negotiation + 1] = {name = "negotiation", len = 8,
  {ProtoField.uint8("uetlua.h32.neg_type", "neg_type", base.HEX, nil), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h32.neg_length", "neg_length", base.DEC, nil), 1, 1}, -- 1
  {ProtoField.uint16("uetlua.h32.rsvd_16", "rsvd_16", base.HEX, nil), 2, 2}, -- 2
  {ProtoField.uint32("uetlua.h32.feature_mask", "feature_mask", base.HEX, nil), 4, 4}, -- 3
}
H.rudi_req = H.rudi_req or {}
H.rudi_req[#H.rudi_req + 1] = {name = "rudi_req", len = 8,
  {ProtoField.uint8("uetlua.h33.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h33.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h33.rsvd_9", "rsvd_9", base.HEX, nil, 0x60), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h33.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h33.rsvd_12", "rsvd_12", base.HEX, nil, 0xf), 1, 1}, -- 4
  {ProtoField.uint16("uetlua.h33.rsvd_16", "rsvd_16", base.HEX, nil), 2, 2}, -- 5
  {ProtoField.uint32("uetlua.h33.pkt_id", "pkt_id", base.HEX, nil), 4, 4}, -- 6
}
H.rudi_resp = H.rudi_resp or {}
H.rudi_resp[#H.rudi_resp + 1] = {name = "rudi_resp", len = 8,
  {ProtoField.uint8("uetlua.h34.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h34.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h34.rsvd_9", "rsvd_9", base.HEX, nil, 0x40), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h34.m", "m", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h34.retx", "retx", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h34.rsvd_12", "rsvd_12", base.HEX, nil, 0xf), 1, 1}, -- 5
  {ProtoField.uint16("uetlua.h34.rsvd_16", "rsvd_16", base.HEX, nil), 2, 2}, -- 6
  {ProtoField.uint32("uetlua.h34.pkt_id", "pkt_id", base.HEX, nil), 4, 4}, -- 7
}
H.uud_req = H.uud_req or {}
H.uud_req[#H.uud_req + 1] = {name = "uud_req", len = 4,
  {ProtoField.uint8("uetlua.h35.type", "type", base.DEC, {[1]="tss",[2]="rud_req",[3]="rod_req",[4]="rudi_req",[5]="rudi_resp",[6]="uud_req",[7]="ack",[8]="ack_cc",[9]="ack_ccx",[10]="nack",[11]="cp",[12]="nack_ccx",[13]="rud_cc_req",[14]="rod_cc_req",}, 0xf8), 0, 1}, -- 0
  {ProtoField.uint16("uetlua.h35.next_hdr", "next_hdr", base.DEC, {[0]="none",[1]="request_small",[2]="request_medium",[3]="request_std",[4]="response",[5]="response_data",[6]="response_data_small",[9]="cp_ack",}, 0x780), 0, 2}, -- 1
  {ProtoField.uint8("uetlua.h35.rsvd_9", "rsvd_9", base.HEX, nil, 0x7f), 1, 1}, -- 2
  {ProtoField.uint16("uetlua.h35.rsvd_16", "rsvd_16", base.HEX, nil), 2, 2}, -- 3
}
H.std = H.std or {}
H.std[#H.std + 1] = {name = "std", len = 44,
  {ProtoField.uint8("uetlua.h36.rsvd_0", "rsvd_0", base.HEX, nil, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h36.opcode", "opcode", base.DEC, {[0]="no_op",[1]="write",[2]="read",[3]="atomic",[4]="fetching_atomic",[5]="send",[6]="rendezvous_send",[7]="datagram_send",[8]="deferrable_send",[9]="tagged_send",[10]="rendezvous_tsend",[11]="deferrable_tsend",[12]="deferrable_rtr",[13]="tsend_atomic",[14]="tsend_fetch_atomic",[15]="msg_error",[63]="extended",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h36.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h36.dc", "dc", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h36.ie", "ie", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h36.rel", "rel", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h36.hd", "hd", base.DEC, nil, 0x4), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h36.eom", "eom", base.DEC, nil, 0x2), 1, 1}, -- 7
  {ProtoField.uint8("uetlua.h36.som", "som", base.DEC, nil, 0x1), 1, 1}, -- 8
  {ProtoField.uint16("uetlua.h36.message_id", "message_id", base.DEC, nil), 2, 2}, -- 9
  {ProtoField.uint8("uetlua.h36.ri_generation", "ri_generation", base.HEX, nil), 4, 1}, -- 10
  {ProtoField.uint24("uetlua.h36.job_id", "job_id", base.HEX, nil), 5, 3}, -- 11
  {ProtoField.uint8("uetlua.h36.rsvd_64", "rsvd_64", base.HEX, nil, 0xf0), 8, 1}, -- 12
  {ProtoField.uint16("uetlua.h36.pid_on_fep", "pid_on_fep", base.HEX, nil, 0xfff), 8, 2}, -- 13
  {ProtoField.uint8("uetlua.h36.rsvd_80", "rsvd_80", base.HEX, nil, 0xf0), 10, 1}, -- 14
  {ProtoField.uint16("uetlua.h36.resource_index", "resource_index", base.HEX, nil, 0xfff), 10, 2}, -- 15
  {ProtoField.uint64("uetlua.h36.buffer_offset", "buffer_offset", base.HEX, nil), 12, 8}, -- 16
  {ProtoField.uint32("uetlua.h36.initiator", "initiator", base.HEX, nil), 20, 4}, -- 17
  {ProtoField.uint64("uetlua.h36.match_bits", "match_bits", base.HEX, nil), 24, 8}, -- 18
  {ProtoField.uint64("uetlua.h36.header_data", "header_data", base.HEX, nil), 32, 8}, -- 19
  {ProtoField.uint32("uetlua.h36.request_length", "request_length", base.DEC, nil), 40, 4}, -- 20
}
H.std = H.std or {}
H.std[#H.std + 1] = {name = "std", len = 44,
  {ProtoField.uint8("uetlua.h37.rsvd_0", "rsvd_0", base.HEX, nil, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h37.opcode", "opcode", base.DEC, {[0]="no_op",[1]="write",[2]="read",[3]="atomic",[4]="fetching_atomic",[5]="send",[6]="rendezvous_send",[7]="datagram_send",[8]="deferrable_send",[9]="tagged_send",[10]="rendezvous_tsend",[11]="deferrable_tsend",[12]="deferrable_rtr",[13]="tsend_atomic",[14]="tsend_fetch_atomic",[15]="msg_error",[63]="extended",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h37.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h37.dc", "dc", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h37.ie", "ie", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h37.rel", "rel", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h37.hd", "hd", base.DEC, nil, 0x4), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h37.eom", "eom", base.DEC, nil, 0x2), 1, 1}, -- 7
  {ProtoField.uint8("uetlua.h37.som", "som", base.DEC, nil, 0x1), 1, 1}, -- 8
  {ProtoField.uint16("uetlua.h37.message_id", "message_id", base.DEC, nil), 2, 2}, -- 9
  {ProtoField.uint8("uetlua.h37.ri_generation", "ri_generation", base.HEX, nil), 4, 1}, -- 10
  {ProtoField.uint24("uetlua.h37.job_id", "job_id", base.HEX, nil), 5, 3}, -- 11
  {ProtoField.uint8("uetlua.h37.rsvd_64", "rsvd_64", base.HEX, nil, 0xf0), 8, 1}, -- 12
  {ProtoField.uint16("uetlua.h37.pid_on_fep", "pid_on_fep", base.HEX, nil, 0xfff), 8, 2}, -- 13
  {ProtoField.uint8("uetlua.h37.rsvd_80", "rsvd_80", base.HEX, nil, 0xf0), 10, 1}, -- 14
  {ProtoField.uint16("uetlua.h37.resource_index", "resource_index", base.HEX, nil, 0xfff), 10, 2}, -- 15
  {ProtoField.uint64("uetlua.h37.buffer_offset", "buffer_offset", base.HEX, nil), 12, 8}, -- 16
  {ProtoField.uint32("uetlua.h37.initiator", "initiator", base.HEX, nil), 20, 4}, -- 17
  {ProtoField.uint64("uetlua.h37.match_bits", "match_bits", base.HEX, nil), 24, 8}, -- 18
  {ProtoField.uint24("uetlua.h37.rsvd_256", "rsvd_256", base.HEX, nil, 0xffffc0), 32, 3}, -- 19
  {ProtoField.uint16("uetlua.h37.payload_length", "payload_length", base.DEC, nil, 0x3fff), 34, 2}, -- 20
  {ProtoField.uint32("uetlua.h37.message_offset", "message_offset", base.DEC, nil), 36, 4}, -- 21
  {ProtoField.uint32("uetlua.h37.request_length", "request_length", base.DEC, nil), 40, 4}, -- 22
}
H.std = H.std or {}
H.std[#H.std + 1] = {name = "std", len = 44,
  {ProtoField.uint8("uetlua.h38.rsvd_0", "rsvd_0", base.HEX, nil, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h38.opcode", "opcode", base.DEC, {[0]="no_op",[1]="write",[2]="read",[3]="atomic",[4]="fetching_atomic",[5]="send",[6]="rendezvous_send",[7]="datagram_send",[8]="deferrable_send",[9]="tagged_send",[10]="rendezvous_tsend",[11]="deferrable_tsend",[12]="deferrable_rtr",[13]="tsend_atomic",[14]="tsend_fetch_atomic",[15]="msg_error",[63]="extended",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h38.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h38.dc", "dc", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h38.ie", "ie", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h38.rel", "rel", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h38.hd", "hd", base.DEC, nil, 0x4), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h38.eom", "eom", base.DEC, nil, 0x2), 1, 1}, -- 7
  {ProtoField.uint8("uetlua.h38.som", "som", base.DEC, nil, 0x1), 1, 1}, -- 8
  {ProtoField.uint16("uetlua.h38.message_id", "message_id", base.DEC, nil), 2, 2}, -- 9
  {ProtoField.uint8("uetlua.h38.ri_generation", "ri_generation", base.HEX, nil), 4, 1}, -- 10
  {ProtoField.uint24("uetlua.h38.job_id", "job_id", base.HEX, nil), 5, 3}, -- 11
  {ProtoField.uint8("uetlua.h38.rsvd_64", "rsvd_64", base.HEX, nil, 0xf0), 8, 1}, -- 12
  {ProtoField.uint16("uetlua.h38.pid_on_fep", "pid_on_fep", base.HEX, nil, 0xfff), 8, 2}, -- 13
  {ProtoField.uint8("uetlua.h38.rsvd_80", "rsvd_80", base.HEX, nil, 0xf0), 10, 1}, -- 14
  {ProtoField.uint16("uetlua.h38.resource_index", "resource_index", base.HEX, nil, 0xfff), 10, 2}, -- 15
  {ProtoField.uint32("uetlua.h38.initiator_token", "initiator_token", base.HEX, nil), 12, 4}, -- 16
  {ProtoField.uint32("uetlua.h38.target_token", "target_token", base.HEX, nil), 16, 4}, -- 17
  {ProtoField.uint32("uetlua.h38.initiator", "initiator", base.HEX, nil), 20, 4}, -- 18
  {ProtoField.uint64("uetlua.h38.match_bits", "match_bits", base.HEX, nil), 24, 8}, -- 19
  {ProtoField.uint64("uetlua.h38.header_data", "header_data", base.HEX, nil), 32, 8}, -- 20
  {ProtoField.uint32("uetlua.h38.request_length", "request_length", base.DEC, nil), 40, 4}, -- 21
}
H.std = H.std or {}
H.std[#H.std + 1] = {name = "std", len = 44,
  {ProtoField.uint8("uetlua.h39.rsvd_0", "rsvd_0", base.HEX, nil, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h39.opcode", "opcode", base.DEC, {[0]="no_op",[1]="write",[2]="read",[3]="atomic",[4]="fetching_atomic",[5]="send",[6]="rendezvous_send",[7]="datagram_send",[8]="deferrable_send",[9]="tagged_send",[10]="rendezvous_tsend",[11]="deferrable_tsend",[12]="deferrable_rtr",[13]="tsend_atomic",[14]="tsend_fetch_atomic",[15]="msg_error",[63]="extended",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h39.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h39.dc", "dc", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h39.ie", "ie", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h39.rel", "rel", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h39.hd", "hd", base.DEC, nil, 0x4), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h39.eom", "eom", base.DEC, nil, 0x2), 1, 1}, -- 7
  {ProtoField.uint8("uetlua.h39.som", "som", base.DEC, nil, 0x1), 1, 1}, -- 8
  {ProtoField.uint16("uetlua.h39.message_id", "message_id", base.DEC, nil), 2, 2}, -- 9
  {ProtoField.uint8("uetlua.h39.ri_generation", "ri_generation", base.HEX, nil), 4, 1}, -- 10
  {ProtoField.uint24("uetlua.h39.job_id", "job_id", base.HEX, nil), 5, 3}, -- 11
  {ProtoField.uint8("uetlua.h39.rsvd_64", "rsvd_64", base.HEX, nil, 0xf0), 8, 1}, -- 12
  {ProtoField.uint16("uetlua.h39.pid_on_fep", "pid_on_fep", base.HEX, nil, 0xfff), 8, 2}, -- 13
  {ProtoField.uint8("uetlua.h39.rsvd_80", "rsvd_80", base.HEX, nil, 0xf0), 10, 1}, -- 14
  {ProtoField.uint16("uetlua.h39.resource_index", "resource_index", base.HEX, nil, 0xfff), 10, 2}, -- 15
  {ProtoField.uint64("uetlua.h39.buffer_offset", "buffer_offset", base.HEX, nil), 12, 8}, -- 16
  {ProtoField.uint32("uetlua.h39.initiator", "initiator", base.HEX, nil), 20, 4}, -- 17
  {ProtoField.uint32("uetlua.h39.initiator_token", "initiator_token", base.HEX, nil), 24, 4}, -- 18
  {ProtoField.uint32("uetlua.h39.target_token", "target_token", base.HEX, nil), 28, 4}, -- 19
  {ProtoField.uint64("uetlua.h39.header_data", "header_data", base.HEX, nil), 32, 8}, -- 20
  {ProtoField.uint32("uetlua.h39.request_length", "request_length", base.DEC, nil), 40, 4}, -- 21
}
H.small = H.small or {}
H.small[#H.small + 1] = {name = "small", len = 20,
  {ProtoField.uint8("uetlua.h40.rsvd_0", "rsvd_0", base.HEX, nil, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h40.opcode", "opcode", base.DEC, {[0]="no_op",[1]="write",[2]="read",[3]="atomic",[4]="fetching_atomic",[5]="send",[6]="rendezvous_send",[7]="datagram_send",[8]="deferrable_send",[9]="tagged_send",[10]="rendezvous_tsend",[11]="deferrable_tsend",[12]="deferrable_rtr",[13]="tsend_atomic",[14]="tsend_fetch_atomic",[15]="msg_error",[63]="extended",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h40.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h40.dc", "dc", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h40.ie", "ie", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h40.rel", "rel", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h40.hd", "hd", base.DEC, nil, 0x4), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h40.eom", "eom", base.DEC, nil, 0x2), 1, 1}, -- 7
  {ProtoField.uint8("uetlua.h40.som", "som", base.DEC, nil, 0x1), 1, 1}, -- 8
  {ProtoField.uint8("uetlua.h40.rsvd_16", "rsvd_16", base.HEX, nil, 0xc0), 2, 1}, -- 9
  {ProtoField.uint16("uetlua.h40.request_length", "request_length", base.DEC, nil, 0x3fff), 2, 2}, -- 10
  {ProtoField.uint8("uetlua.h40.ri_generation", "ri_generation", base.HEX, nil), 4, 1}, -- 11
  {ProtoField.uint24("uetlua.h40.job_id", "job_id", base.HEX, nil), 5, 3}, -- 12
  {ProtoField.uint8("uetlua.h40.rsvd_64", "rsvd_64", base.HEX, nil, 0xf0), 8, 1}, -- 13
  {ProtoField.uint16("uetlua.h40.pid_on_fep", "pid_on_fep", base.HEX, nil, 0xfff), 8, 2}, -- 14
  {ProtoField.uint8("uetlua.h40.rsvd_80", "rsvd_80", base.HEX, nil, 0xf0), 10, 1}, -- 15
  {ProtoField.uint16("uetlua.h40.resource_index", "resource_index", base.HEX, nil, 0xfff), 10, 2}, -- 16
  {ProtoField.uint64("uetlua.h40.buffer_offset", "buffer_offset", base.HEX, nil), 12, 8}, -- 17
}
H.medium = H.medium or {}
H.medium[#H.medium + 1] = {name = "medium", len = 32,
  {ProtoField.uint8("uetlua.h41.rsvd_0", "rsvd_0", base.HEX, nil, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h41.opcode", "opcode", base.DEC, {[0]="no_op",[1]="write",[2]="read",[3]="atomic",[4]="fetching_atomic",[5]="send",[6]="rendezvous_send",[7]="datagram_send",[8]="deferrable_send",[9]="tagged_send",[10]="rendezvous_tsend",[11]="deferrable_tsend",[12]="deferrable_rtr",[13]="tsend_atomic",[14]="tsend_fetch_atomic",[15]="msg_error",[63]="extended",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h41.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h41.dc", "dc", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h41.ie", "ie", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h41.rel", "rel", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h41.hd", "hd", base.DEC, nil, 0x4), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h41.eom", "eom", base.DEC, nil, 0x2), 1, 1}, -- 7
  {ProtoField.uint8("uetlua.h41.som", "som", base.DEC, nil, 0x1), 1, 1}, -- 8
  {ProtoField.uint8("uetlua.h41.rsvd_16", "rsvd_16", base.HEX, nil, 0xc0), 2, 1}, -- 9
  {ProtoField.uint16("uetlua.h41.request_length", "request_length", base.DEC, nil, 0x3fff), 2, 2}, -- 10
  {ProtoField.uint8("uetlua.h41.ri_generation", "ri_generation", base.HEX, nil), 4, 1}, -- 11
  {ProtoField.uint24("uetlua.h41.job_id", "job_id", base.HEX, nil), 5, 3}, -- 12
  {ProtoField.uint8("uetlua.h41.rsvd_64", "rsvd_64", base.HEX, nil, 0xf0), 8, 1}, -- 13
  {ProtoField.uint16("uetlua.h41.pid_on_fep", "pid_on_fep", base.HEX, nil, 0xfff), 8, 2}, -- 14
  {ProtoField.uint8("uetlua.h41.rsvd_80", "rsvd_80", base.HEX, nil, 0xf0), 10, 1}, -- 15
  {ProtoField.uint16("uetlua.h41.resource_index", "resource_index", base.HEX, nil, 0xfff), 10, 2}, -- 16
  {ProtoField.uint64("uetlua.h41.buffer_offset", "buffer_offset", base.HEX, nil), 12, 8}, -- 17
  {ProtoField.uint32("uetlua.h41.initiator", "initiator", base.HEX, nil), 20, 4}, -- 18
  {ProtoField.uint64("uetlua.h41.match_bits", "match_bits", base.HEX, nil), 24, 8}, -- 19
}
H.medium = H.medium or {}
H.medium[#H.medium + 1] = {name = "medium", len = 32,
  {ProtoField.uint8("uetlua.h42.rsvd_0", "rsvd_0", base.HEX, nil, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h42.opcode", "opcode", base.DEC, {[0]="no_op",[1]="write",[2]="read",[3]="atomic",[4]="fetching_atomic",[5]="send",[6]="rendezvous_send",[7]="datagram_send",[8]="deferrable_send",[9]="tagged_send",[10]="rendezvous_tsend",[11]="deferrable_tsend",[12]="deferrable_rtr",[13]="tsend_atomic",[14]="tsend_fetch_atomic",[15]="msg_error",[63]="extended",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h42.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h42.dc", "dc", base.DEC, nil, 0x20), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h42.ie", "ie", base.DEC, nil, 0x10), 1, 1}, -- 4
  {ProtoField.uint8("uetlua.h42.rel", "rel", base.DEC, nil, 0x8), 1, 1}, -- 5
  {ProtoField.uint8("uetlua.h42.hd", "hd", base.DEC, nil, 0x4), 1, 1}, -- 6
  {ProtoField.uint8("uetlua.h42.eom", "eom", base.DEC, nil, 0x2), 1, 1}, -- 7
  {ProtoField.uint8("uetlua.h42.som", "som", base.DEC, nil, 0x1), 1, 1}, -- 8
  {ProtoField.uint8("uetlua.h42.rsvd_16", "rsvd_16", base.HEX, nil, 0xc0), 2, 1}, -- 9
  {ProtoField.uint16("uetlua.h42.request_length", "request_length", base.DEC, nil, 0x3fff), 2, 2}, -- 10
  {ProtoField.uint8("uetlua.h42.ri_generation", "ri_generation", base.HEX, nil), 4, 1}, -- 11
  {ProtoField.uint24("uetlua.h42.job_id", "job_id", base.HEX, nil), 5, 3}, -- 12
  {ProtoField.uint8("uetlua.h42.rsvd_64", "rsvd_64", base.HEX, nil, 0xf0), 8, 1}, -- 13
  {ProtoField.uint16("uetlua.h42.pid_on_fep", "pid_on_fep", base.HEX, nil, 0xfff), 8, 2}, -- 14
  {ProtoField.uint8("uetlua.h42.rsvd_80", "rsvd_80", base.HEX, nil, 0xf0), 10, 1}, -- 15
  {ProtoField.uint16("uetlua.h42.resource_index", "resource_index", base.HEX, nil, 0xfff), 10, 2}, -- 16
  {ProtoField.uint64("uetlua.h42.header_data", "header_data", base.HEX, nil), 12, 8}, -- 17
  {ProtoField.uint32("uetlua.h42.initiator", "initiator", base.HEX, nil), 20, 4}, -- 18
  {ProtoField.uint64("uetlua.h42.match_bits", "match_bits", base.HEX, nil), 24, 8}, -- 19
}
H.rendezvous = H.rendezvous or {}
H.rendezvous[#H.rendezvous + 1] = {name = "rendezvous", len = 24,
  {ProtoField.uint32("uetlua.h43.eager_length", "eager_length", base.DEC, nil), 0, 4}, -- 0
  {ProtoField.uint8("uetlua.h43.read_ri_generation", "read_ri_generation", base.HEX, nil), 4, 1}, -- 1
  {ProtoField.uint16("uetlua.h43.read_pid_on_fep", "read_pid_on_fep", base.HEX, nil, 0xfff0), 5, 2}, -- 2
  {ProtoField.uint16("uetlua.h43.read_resource_index", "read_resource_index", base.HEX, nil, 0xfff), 6, 2}, -- 3
  {ProtoField.uint64("uetlua.h43.read_offset", "read_offset", base.HEX, nil), 8, 8}, -- 4
  {ProtoField.uint64("uetlua.h43.read_memory_key", "read_memory_key", base.HEX, nil), 16, 8}, -- 5
}
H.atomic = H.atomic or {}
H.atomic[#H.atomic + 1] = {name = "atomic", len = 4,
  {ProtoField.uint8("uetlua.h44.amo_opcode", "amo_opcode", base.DEC, {[0]="min",[1]="max",[2]="sum",[3]="diff",[4]="prod",[5]="lor",[6]="land",[7]="bor",[8]="band",[9]="lxor",[10]="bxor",[11]="read",[12]="write",[13]="cswap",[14]="cswap_ne",[15]="cswap_le",[16]="cswap_lt",[17]="cswap_ge",[18]="cswap_gt",[19]="mswap",[20]="inval",}), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h44.datatype", "datatype", base.DEC, {[0]="int8",[1]="uint8",[2]="int16",[3]="uint16",[4]="int32",[5]="uint32",[6]="int64",[7]="uint64",[8]="int128",[9]="uint128",[10]="float",[11]="double",[12]="float_complex",[13]="double_complex",[14]="long_double",[15]="long_double_complex",[16]="bf16",[17]="fp16",}), 1, 1}, -- 1
  {ProtoField.uint8("uetlua.h44.semantic_control", "semantic_control", base.HEX, nil), 2, 1}, -- 2
  {ProtoField.uint8("uetlua.h44.rsvd_24", "rsvd_24", base.HEX, nil), 3, 1}, -- 3
}
H.cswap = H.cswap or {}
H.cswap[#H.cswap + 1] = {name = "cswap", len = 32,
  {ProtoField.uint64("uetlua.h45.compare_value_hi", "compare_value_hi", base.HEX, nil), 0, 8}, -- 0
  {ProtoField.uint64("uetlua.h45.compare_value_lo", "compare_value_lo", base.HEX, nil), 8, 8}, -- 1
  {ProtoField.uint64("uetlua.h45.swap_value_hi", "swap_value_hi", base.HEX, nil), 16, 8}, -- 2
  {ProtoField.uint64("uetlua.h45.swap_value_lo", "swap_value_lo", base.HEX, nil), 24, 8}, -- 3
}
H.response = H.response or {}
H.response[#H.response + 1] = {name = "response", len = 12,
  {ProtoField.uint8("uetlua.h46.list", "list", base.DEC, {[0]="expected",[1]="overflow",}, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h46.opcode", "opcode", base.DEC, {[0]="default_response",[1]="response",[2]="response_w_data",[3]="no_response",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h46.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h46.return_code", "return_code", base.DEC, {[0]="null",[1]="ok",[2]="bad_generation",[3]="disabled",[4]="disabled_gen",[5]="no_match",[6]="unsupported_op",[7]="unsupported_size",[8]="at_invalid",[9]="at_perm",[10]="at_ats_error",[11]="at_no_trans",[12]="at_out_of_range",[13]="host_poisoned",[14]="host_unsuccess_cmpl",[15]="amo_unsupported_op",[16]="amo_unsupported_dt",[17]="amo_unsupported_size",[18]="amo_unaligned",[19]="amo_fp_nan",[20]="amo_fp_underflow",[21]="amo_fp_overflow",[22]="amo_fp_inexact",[23]="perm_violation",[24]="op_violation",[25]="bad_index",[26]="bad_pid",[27]="bad_job_id",[28]="bad_mkey",[29]="bad_addr",[30]="cancelled",[31]="undeliverable",[32]="uncor",[33]="uncor_trnsnt",[34]="too_long",[35]="initiator_error",[36]="dropped",[62]="extended",}, 0x3f), 1, 1}, -- 3
  {ProtoField.uint16("uetlua.h46.message_id", "message_id", base.DEC, nil), 2, 2}, -- 4
  {ProtoField.uint8("uetlua.h46.ri_generation", "ri_generation", base.HEX, nil), 4, 1}, -- 5
  {ProtoField.uint24("uetlua.h46.job_id", "job_id", base.HEX, nil), 5, 3}, -- 6
  {ProtoField.uint32("uetlua.h46.modified_length", "modified_length", base.DEC, nil), 8, 4}, -- 7
}
H.response_data = H.response_data or {}
H.response_data[#H.response_data + 1] = {name = "response_data", len = 20,
  {ProtoField.uint8("uetlua.h47.list", "list", base.DEC, {[0]="expected",[1]="overflow",}, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h47.opcode", "opcode", base.DEC, {[0]="default_response",[1]="response",[2]="response_w_data",[3]="no_response",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h47.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h47.return_code", "return_code", base.DEC, {[0]="null",[1]="ok",[2]="bad_generation",[3]="disabled",[4]="disabled_gen",[5]="no_match",[6]="unsupported_op",[7]="unsupported_size",[8]="at_invalid",[9]="at_perm",[10]="at_ats_error",[11]="at_no_trans",[12]="at_out_of_range",[13]="host_poisoned",[14]="host_unsuccess_cmpl",[15]="amo_unsupported_op",[16]="amo_unsupported_dt",[17]="amo_unsupported_size",[18]="amo_unaligned",[19]="amo_fp_nan",[20]="amo_fp_underflow",[21]="amo_fp_overflow",[22]="amo_fp_inexact",[23]="perm_violation",[24]="op_violation",[25]="bad_index",[26]="bad_pid",[27]="bad_job_id",[28]="bad_mkey",[29]="bad_addr",[30]="cancelled",[31]="undeliverable",[32]="uncor",[33]="uncor_trnsnt",[34]="too_long",[35]="initiator_error",[36]="dropped",[62]="extended",}, 0x3f), 1, 1}, -- 3
  {ProtoField.uint16("uetlua.h47.response_message_id", "response_message_id", base.DEC, nil), 2, 2}, -- 4
  {ProtoField.uint8("uetlua.h47.rsvd_32", "rsvd_32", base.HEX, nil), 4, 1}, -- 5
  {ProtoField.uint24("uetlua.h47.job_id", "job_id", base.HEX, nil), 5, 3}, -- 6
  {ProtoField.uint16("uetlua.h47.read_request_message_id", "read_request_message_id", base.DEC, nil), 8, 2}, -- 7
  {ProtoField.uint8("uetlua.h47.rsvd_80", "rsvd_80", base.HEX, nil, 0xc0), 10, 1}, -- 8
  {ProtoField.uint16("uetlua.h47.payload_length", "payload_length", base.DEC, nil, 0x3fff), 10, 2}, -- 9
  {ProtoField.uint32("uetlua.h47.modified_length", "modified_length", base.DEC, nil), 12, 4}, -- 10
  {ProtoField.uint32("uetlua.h47.message_offset", "message_offset", base.DEC, nil), 16, 4}, -- 11
}
H.response_data_small = H.response_data_small or {}
H.response_data_small[#H.response_data_small + 1] = {name = "response_data_small", len = 12,
  {ProtoField.uint8("uetlua.h48.list", "list", base.DEC, {[0]="expected",[1]="overflow",}, 0xc0), 0, 1}, -- 0
  {ProtoField.uint8("uetlua.h48.opcode", "opcode", base.DEC, {[0]="default_response",[1]="response",[2]="response_w_data",[3]="no_response",}, 0x3f), 0, 1}, -- 1
  {ProtoField.uint8("uetlua.h48.version", "version", base.DEC, nil, 0xc0), 1, 1}, -- 2
  {ProtoField.uint8("uetlua.h48.return_code", "return_code", base.DEC, {[0]="null",[1]="ok",[2]="bad_generation",[3]="disabled",[4]="disabled_gen",[5]="no_match",[6]="unsupported_op",[7]="unsupported_size",[8]="at_invalid",[9]="at_perm",[10]="at_ats_error",[11]="at_no_trans",[12]="at_out_of_range",[13]="host_poisoned",[14]="host_unsuccess_cmpl",[15]="amo_unsupported_op",[16]="amo_unsupported_dt",[17]="amo_unsupported_size",[18]="amo_unaligned",[19]="amo_fp_nan",[20]="amo_fp_underflow",[21]="amo_fp_overflow",[22]="amo_fp_inexact",[23]="perm_violation",[24]="op_violation",[25]="bad_index",[26]="bad_pid",[27]="bad_job_id",[28]="bad_mkey",[29]="bad_addr",[30]="cancelled",[31]="undeliverable",[32]="uncor",[33]="uncor_trnsnt",[34]="too_long",[35]="initiator_error",[36]="dropped",[62]="extended",}, 0x3f), 1, 1}, -- 3
  {ProtoField.uint8("uetlua.h48.rsvd_16", "rsvd_16", base.HEX, nil, 0xc0), 2, 1}, -- 4
  {ProtoField.uint16("uetlua.h48.payload_length", "payload_length", base.DEC, nil, 0x3fff), 2, 2}, -- 5
  {ProtoField.uint8("uetlua.h48.rsvd_32", "rsvd_32", base.HEX, nil), 4, 1}, -- 6
  {ProtoField.uint24("uetlua.h48.job_id", "job_id", base.HEX, nil), 5, 3}, -- 7
  {ProtoField.uint32("uetlua.h48.original_request_psn", "original_request_psn", base.DEC, nil), 8, 4}, -- 8
}

local fields = {}
for _, family in pairs(H) do
  for _, h in ipairs(family) do
    for _, f in ipairs(h) do fields[#fields + 1] = f[1] end
  end
end
uet.fields = fields

local function bit_of(tvb, at, n)
  return tvb(at, 1):bitfield(n, 1)
end

local types = {[1] = 'tss', [2] = 'rud_req', [3] = 'rod_req',
  [4] = 'rudi_req', [5] = 'rudi_resp', [6] = 'uud_req', [7] = 'ack',
  [8] = 'ack_cc', [9] = 'ack_ccx', [10] = 'nack', [11] = 'cp',
  [12] = 'nack_ccx', [13] = 'rud_cc_req', [14] = 'rod_cc_req'}

local function pds(tvb, kind)
  if kind == 2 or kind == 3 or kind == 13 or kind == 14 then
    local first = bit_of(tvb, 1, 5) == 1 and H.req_syn[1] or H.req[1]
    return kind > 12 and {first, H.req_cc[1]} or {first}
  elseif kind >= 7 and kind <= 9 then
    local first = bit_of(tvb, 1, 4) == 1 and H.ack_probe[1] or H.ack[1]
    if kind == 8 then return {first, H.ack_cc[1], H.nscc[1]} end
    return kind == 9 and {first, H.ack_ccx[1]} or {first}
  elseif kind == 10 or kind == 12 then
    local first = bit_of(tvb, 1, 4) == 1 and H.nack_rudi[1] or H.nack[1]
    return kind == 12 and {first, H.nack_ccx[1]} or {first}
  elseif kind == 11 then
    local first = bit_of(tvb, 1, 5) == 1 and H.cp_syn[1] or H.cp[1]
    return {first, H.payload[1]}
  end
  local word = types[kind]
  return word and H[word] and {H[word][1]} or {}
end

local function ses(tvb, at, next_hdr)
  if next_hdr == 1 then return H.small[1] end
  if next_hdr == 2 then return H.medium[1] end
  if next_hdr == 3 then
    return tvb:len() > at + 1 and bit_of(tvb, at + 1, 7) == 1 and H.std[1]
      or H.std[2]
  end
  if next_hdr == 4 then return H.response[1] end
  if next_hdr == 5 then return H.response_data[1] end
  if next_hdr == 6 then return H.response_data_small[1] end
end

local function show(tvb, tree, h, at)
  if at + h.len > tvb:len() then return nil end
  local sub = tree:add(uet, tvb(at, h.len), h.name)
  for _, f in ipairs(h) do
    sub:add(f[1], tvb(at + f[2], f[3]))
  end
  return at + h.len
end

function uet.dissector(tvb, pinfo, tree)
  if tvb:len() < 2 then return 0 end
  local kind = tvb(0, 1):bitfield(0, 5)
  local next_hdr = tvb(0, 2):bitfield(5, 4)
  local sub = tree:add(uet, tvb(), 'Ultra Ethernet Transport')
  local at = 0
  local info = types[kind] or 'unknown'
  for _, h in ipairs(pds(tvb, kind)) do
    at = at and show(tvb, sub, h, at)
  end
  if at and at >= 12 then
    info = info .. ' psn=' .. tvb(4, 4):uint()
  end
  local h = at and kind ~= 11 and kind ~= 1 and ses(tvb, at, next_hdr)
  if h then
    info = info .. ' | ' .. h.name
    at = show(tvb, sub, h, at)
  end
  if at and at < tvb:len() then
    sub:add(tvb(at), 'data ' .. tvb:len() - at)
  end
  pinfo.cols.protocol = 'UET'
  pinfo.cols.info = info
  return tvb:len()
end

DissectorTable.get('udp.port'):add(4793, uet)
