# SPDX-License-Identifier: BSD-2-Clause
"""Bytes on the wire: PDS and SES headers of Ultra Ethernet Transport.

A layout is a text, one line per struct item: the item's format character and
its name, or its parts "name/bits" from the most significant bit down.  Parts
called "-" are reserved: sent as 0, ignored on receipt.  All is big-endian.
Table numbers are those of UET 1.0.1.
"""
import struct

# pds.type (table 3-32)
TSS, RUD_REQ, ROD_REQ, RUDI_REQ, RUDI_RESP, UUD_REQ = 1, 2, 3, 4, 5, 6
ACK, ACK_CC, ACK_CCX, NACK, CP, NACK_CCX = 7, 8, 9, 10, 11, 12
RUD_CC_REQ, ROD_CC_REQ = 13, 14

# pds.next_hdr (table 3-16); 9 is what 1.0.3 may send in the ACK of a CP
HDR_NONE, SMALL, MEDIUM, STD, RESPONSE, RESPONSE_DATA, RESPONSE_DATA_SMALL = range(7)
HDR_CP_ACK = 9

# flags.req of an ACK (table 3-44)
REQ_NONE, REQ_CLEAR, REQ_CLOSE = 0, 1, 2

# ctl_type of a control packet (3.5.16.8)
(NOOP, ACK_REQUEST, CLEAR_CMD, CLEAR_REQ, CLOSE_CMD, CLOSE_REQ, PROBE, CREDIT,
 CREDIT_REQ, NEGOTIATION) = range(10)

# NACK codes that this peer sends or treats by name (table 3-59)
TRIMMED, TRIMMED_LASTHOP, TRIMMED_ACK = 0x01, 0x02, 0x03
PSN_OOR_WINDOW, ROD_OOO, INV_DPDCID, PDC_HDR_MISMATCH = 0x0b, 0x0d, 0x0e, 0x0f
CLOSING, CLOSING_IN_ERR, PKT_NOT_RCVD = 0x10, 0x11, 0x12
GTD_RESP_UNAVAIL, ACK_WITH_DATA, INVALID_SYN, PDC_MODE_MISMATCH = 0x13, 0x14, 0x15, 0x16
NEW_START_PSN, RCVD_SES_PROCG, UNEXP_EVENT, RCVR_INFER_LOSS = 0x17, 0x18, 0x19, 0x1a
EXP_NACK_FATAL = 0xff

# SES request opcodes (table 3-17), response opcodes (table 3-11), return codes (table 3-19)
(NO_OP, WRITE, READ, ATOMIC, FETCHING_ATOMIC, SEND, RENDEZVOUS_SEND, DATAGRAM_SEND,
 DEFERRABLE_SEND, TAGGED_SEND, RENDEZVOUS_TSEND, DEFERRABLE_TSEND, DEFERRABLE_RTR,
 TSEND_ATOMIC, TSEND_FETCH_ATOMIC, MSG_ERROR) = range(16)
RSP_DEFAULT, RSP_RESPONSE, RSP_DATA, RSP_NONE = range(4)
RC_NULL, RC_OK, RC_BAD_GENERATION, RC_NO_MATCH, RC_UNSUPPORTED_OP = 0, 1, 2, 5, 6
RC_UNSUPPORTED_SIZE, RC_AT_OUT_OF_RANGE = 7, 0x0c
RC_AMO_UNSUPPORTED_OP, RC_AMO_UNSUPPORTED_DT, RC_AMO_UNSUPPORTED_SIZE = 0x0f, 0x10, 0x11
RC_AMO_UNALIGNED = 0x12
RC_BAD_INDEX, RC_BAD_PID, RC_BAD_JOB_ID, RC_BAD_MKEY = 0x19, 0x1a, 0x1b, 0x1c
RC_OP_VIOLATION, RC_TOO_LONG = 0x18, 0x22


class Malformed(Exception):
    """Raised for bytes that are no header: too short, or of an unknown
    type."""


class Layout:
    """A header: packs a dict of fields into bytes, and unpacks them again."""

    def __init__(self, text):
        self.items = []
        for line in text.strip().splitlines():
            code, *parts = line.split()
            parts = [p.split("/") if "/" in p else [p, 0] for p in parts]
            self.items.append((code, [(name, int(bits)) for name, bits in parts]))
        self.struct = struct.Struct(">" + "".join(code for code, _ in self.items))
        self.size = self.struct.size

    def pack(self, f):
        values = []
        for code, parts in self.items:
            if code.endswith("s"):
                values.append(f.get(parts[0][0], 0).to_bytes(int(code[:-1]), "big"))
                continue
            value = 0
            for name, bits in parts:
                part = 0 if name == "-" else f.get(name, 0)
                if bits and part >> bits:
                    raise ValueError(f"{name} = {part} does not fit {bits} bits")
                value = value << bits | part if bits else part
            values.append(value)
        return self.struct.pack(*values)

    def unpack(self, data, at=0):
        if len(data) < at + self.size:
            raise Malformed(f"{len(data) - at} bytes, header has {self.size}")
        f = {}
        for (code, parts), value in zip(self.items, self.struct.unpack_from(data, at)):
            if code.endswith("s"):
                value = int.from_bytes(value, "big")
            for name, bits in reversed(parts):
                if name != "-":
                    f[name] = value & (1 << bits) - 1 if bits else value
                value >>= bits
        return f


# ---- PDS (section 3.5.10).  Each begins with the prologue: type 5, next_hdr 4, flags 7.

_REQ_FLAGS = "-/2 retx/1 ar/1 syn/1 -/2"
_ACK_FLAGS = "-/1 m/1 retx/1 p/1 req/2 -/1"
_NACK_FLAGS = "-/1 m/1 retx/1 nt/1 -/3"
_REQ = f"H type/5 next_hdr/4 {_REQ_FLAGS}\nh clear_psn_offset\nI psn\nH spdcid\n"
_CP = ("H type/5 ctl_type/4 -/1 isrod/1 retx/1 ar/1 syn/1 -/2\nH probe_opaque\nI psn\n"
       "H spdcid\n")
_PLAIN, _OVERLAY = "H dpdcid\n", "H pdc_info/4 psn_offset/12\n"
_CC_REQ = "I ccc_id/8 credit_target/24\n"
_ACK = f"H type/5 next_hdr/4 {_ACK_FLAGS}\n%s\nI cack_psn\nH spdcid\nH dpdcid\n"
_ACK_PSN, _ACK_PROBE = "h ack_psn_offset", "H probe_opaque"
_SACK = "B %s/4 cc_flags/4\nB mpr\nh sack_psn_offset\nQ sack_bitmap\n"
_NSCC = "H service_time\nI rc/1 rcv_cwnd_pend/7 rcvd_bytes/24\nH ooo_count\n"
_CREDIT = "I credit/24 -/8\nH -\nH ooo_count\n"
_NACK = (f"H type/5 next_hdr/4 {_NACK_FLAGS}\nB nack_code\nB vendor_code\n"
         "I %s\nH spdcid\nH dpdcid\nI payload\n")
_NACK_CCX = "16s nccx\n"


def _variants():
    """Every PDS header: (type, what distinguishes it) to Layout."""
    yield (RUDI_REQ, 0), "H type/5 next_hdr/4 -/2 retx/1 -/4\nH -\nI pkt_id"
    yield (RUDI_RESP, 0), "H type/5 next_hdr/4 -/1 m/1 retx/1 -/4\nH -\nI pkt_id"
    yield (UUD_REQ, 0), "H type/5 next_hdr/4 -/7\nH -"
    for syn, end in ((0, _PLAIN), (1, _OVERLAY)):
        for kind in (RUD_REQ, ROD_REQ):
            yield (kind, syn), _REQ + end
        for kind in (RUD_CC_REQ, ROD_CC_REQ):
            yield (kind, syn), _REQ + end + _CC_REQ
        yield (CP, syn), _CP + end + "I payload"
    for p, offset in ((0, _ACK_PSN), (1, _ACK_PROBE)):
        ack = _ACK % offset
        yield (ACK, p), ack
        yield (ACK_CC, p), ack + _SACK % "cc_type" + _NSCC
        yield (ACK_CC, p, "credit"), ack + _SACK % "cc_type" + _CREDIT
        yield (ACK_CCX, p), ack + _SACK % "ccx_type" + "16s ack_ccx_state"
    for nt, name in ((0, "nack_psn"), (1, "nack_pkt_id")):
        yield (NACK, nt), _NACK % name
        yield (NACK_CCX, nt), _NACK % name + _NACK_CCX


PDS = {key: Layout(text) for key, text in _variants()}
_BIT = {RUD_REQ: 2, ROD_REQ: 2, RUD_CC_REQ: 2, ROD_CC_REQ: 2, CP: 2, ACK: 3, ACK_CC: 3,
        ACK_CCX: 3, NACK: 3, NACK_CCX: 3}  # the flag that selects a variant: syn, p or nt


def pds_unpack(data):
    """(fields, length) of the PDS header at the start of |data|."""
    if len(data) < 2:
        raise Malformed("no prologue")
    kind = data[0] >> 3
    key = (kind, data[1] >> _BIT[kind] & 1) if kind in _BIT else (kind, 0)
    if key not in PDS:
        raise Malformed(f"pds.type {kind}")
    if kind == ACK_CC and len(data) > 12 and data[12] >> 4 == 1:
        key += ("credit",)
    f = PDS[key].unpack(data)
    if "nccx" in f:  # 4 + 124 bits are no struct items
        f["nccx_type"], f["nack_ccx_state"] = f["nccx"] >> 124, f.pop("nccx") & (1 << 124) - 1
    return f, PDS[key].size


def pds_pack(f):
    kind = f["type"]
    names = {2: "syn", 3: "nt" if kind in (NACK, NACK_CCX) else "p"}
    key = (kind, f.get(names[_BIT[kind]], 0) if kind in _BIT else 0)
    if kind == ACK_CC and f.get("cc_type") == 1:
        key += ("credit",)
    if kind == NACK_CCX:
        f = dict(f, nccx=f.get("nccx_type", 0) << 124 | f.get("nack_ccx_state", 0))
    return PDS[key].pack(f)


# ---- SES (section 3.4.2)

_COMMON = ("B -/2 opcode/6\nB version/2 dc/1 ie/1 rel/1 hd/1 eom/1 som/1\n%s\n"
           "I ri_generation/8 job_id/24\nH -/4 pid_on_fep/12\nH -/4 resource_index/12\n")
_STD = _COMMON % "H message_id" + "Q buffer_offset\nI initiator\nQ match_bits\n"
_SHORT = _COMMON % "H -/2 request_length/14"
_RSP = "B list/2 opcode/6\nB version/2 return_code/6\n"

STD_SOM = Layout(_STD + "Q header_data\nI request_length")
STD_REST = Layout(_STD + "H -\nH -/2 payload_length/14\nI message_offset\nI request_length")
SMALL_REQ = Layout(_SHORT + "Q buffer_offset")
MEDIUM_REQ = Layout(_SHORT + "Q buffer_offset\nI initiator\nQ match_bits")
MEDIUM_HD = Layout(_SHORT + "Q header_data\nI initiator\nQ match_bits")
RSP = Layout(_RSP + "H message_id\nI ri_generation/8 job_id/24\nI modified_length")
RSP_W_DATA = Layout(_RSP + "H response_message_id\nI -/8 job_id/24\nH read_request_message_id\n"
                    "H -/2 payload_length/14\nI modified_length\nI message_offset")
RSP_W_DATA_SMALL = Layout(_RSP + "H -/2 payload_length/14\nI -/8 job_id/24\n"
                          "I original_request_psn")
RENDEZVOUS_EXT = Layout("I eager_length\n"
                        "I read_ri_generation/8 read_pid_on_fep/12 read_resource_index/12\n"
                        "Q read_offset\nQ read_memory_key")
ATOMIC_EXT = Layout("B amo_opcode\nB datatype\nB semantic_control\nB -")
CAS_EXT = Layout("B amo_opcode\nB datatype\nB semantic_control\nB -\n"
                 "16s compare_value\n16s swap_value")


def ses_layout(next_hdr, data):
    """The layout of the SES header that begins |data|."""
    if len(data) < 2:
        raise Malformed("no SES header")
    if next_hdr == STD:
        return STD_SOM if data[1] & 1 else STD_REST
    if next_hdr == MEDIUM:
        return MEDIUM_HD if data[1] & 4 else MEDIUM_REQ
    try:
        return {SMALL: SMALL_REQ, RESPONSE: RSP, RESPONSE_DATA: RSP_W_DATA,
                RESPONSE_DATA_SMALL: RSP_W_DATA_SMALL}[next_hdr]
    except KeyError:
        raise Malformed(f"next_hdr {next_hdr}") from None


def ses_unpack(next_hdr, data):
    """(fields, length) of the SES header; small headers have no hd bit."""
    layout = ses_layout(next_hdr, data)
    f = layout.unpack(data)
    if next_hdr == SMALL:
        del f["hd"]  # reserved there (figure 3-13)
    return f, layout.size


# ---- serial arithmetic (section 3.5.8)

def add(psn, n):
    return (psn + n) & 0xffffffff


def diff(a, b):
    """a - b, signed: positive if a is after b."""
    return ((a - b + 0x80000000) & 0xffffffff) - 0x80000000
