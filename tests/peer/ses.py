# SPDX-License-Identifier: BSD-2-Clause
"""The semantic sublayer: messages to packets and back, responses, memory.

As initiator it cuts operations into request packets (3.4.1) and gathers their
responses; as target it answers each request packet exactly once (3.5.3).
"""
import struct

import wire
from pattern import crc32c, of_memory, pattern

JOB_ID, PID_ON_FEP, RESOURCE_INDEX, RI_GENERATION = 1, 1, 1, 0
MEMORY_KEY, MEMORY_LEN, MAX_MESSAGE = 0x1000, 65536, 65536
MESSAGES_MOST, NO_SES_MSG_AVAIL = 16, 0x09   # sends of several packets that are open
OPCODE = {"datagram": wire.DATAGRAM_SEND, "send": wire.SEND, "write": wire.WRITE, "read": wire.READ}
NEXT_HDR = {"std": wire.STD, "medium": wire.MEDIUM, "small": wire.SMALL}

#: Datatypes of table 3-22 that we compute with: struct format, C order of table.
AMO_TYPES = {0: "b", 1: "B", 2: "h", 3: "H", 4: "i", 5: "I", 6: "q", 7: "Q", 10: "f", 11: "d"}
AMO = {0: min, 1: max, 2: lambda a, b: a + b, 3: lambda a, b: a - b, 4: lambda a, b: a * b,
       5: lambda a, b: int(bool(a) or bool(b)), 6: lambda a, b: int(bool(a) and bool(b)),
       7: lambda a, b: a | b, 8: lambda a, b: a & b, 9: lambda a, b: int(bool(a) != bool(b)),
       10: lambda a, b: a ^ b, 11: lambda a, b: a, 12: lambda a, b: b}  # table 3-21
AMO_BITWISE = {7, 8, 10}
CAS = {0x0d: lambda c, v: c == v, 0x0e: lambda c, v: c != v, 0x0f: lambda c, v: c <= v,
       0x10: lambda c, v: c < v, 0x11: lambda c, v: c >= v, 0x12: lambda c, v: c > v}


class Refused(Exception):
    """The target answers with this return code (table 3-19)."""


class Op:
    """An operation of the application, or read data that we return."""

    def __init__(self, verb, handle, msg_id, length):
        self.verb, self.handle, self.msg_id, self.length = verb, handle, msg_id, length
        self.unanswered = 0
        self.got = {}             # read: message offset to data
        self.code = wire.RC_OK
        self.open = True
        self.first = None         # its first Packet: knows PDC and PSN
        self.locked = verb == "read"

    def complete(self):
        return not self.unanswered and (self.verb != "read" or self.code > wire.RC_OK or
                                        sum(map(len, self.got.values())) >= self.length)


class Packet:
    """One request packet; the PDS fills in PDC and PSN when it sends it."""

    def __init__(self, op, next_hdr, body, eom, offset=0):
        self.op, self.next_hdr, self.body, self.eom = op, next_hdr, body, eom
        self.offset, self.pdc, self.psn = offset, None, None
        op.unanswered += 1
        op.first = op.first or self


class Ses:
    def __init__(self, emit, mtu=1024, max_ack_data=16, seed=0):
        self.emit, self.mtu, self.max_ack_data, self.seed = emit, mtu, max_ack_data, seed
        self.pds = None           # the caller's to set
        self.ops = []             # open operations of ours
        self.memory = {}
        self.expose(MEMORY_KEY, MEMORY_LEN)
        self.policy, self.policy_left = {}, None
        self.delayed = []         # (due, handle, next_hdr, body, gtd, return data or None)
        self.messages = {}        # messages that are not whole: bytes so far, contents
        self.received = b""       # the last that was
        self.receives = []        # handles of post_recv
        self.last_msg = 0

    # ---- initiator

    def expose(self, key, length):
        self.memory[key] = bytearray(pattern(length, self.seed, of_memory(key)))

    def start(self, verb, peer, length, handle, msg_id, header, key, offset, mode, now):
        """send, write or read; by RUDI only what may be done twice (3.5.7.3)"""
        if (header != "std" or mode == "uud") and length > self.mtu:
            raise ValueError("this is for one packet")
        if mode == "uud":
            return self.start_datagram(verb, peer, length, handle, header, now)
        if mode == "rudi" and verb not in ("write", "read"):
            raise ValueError("RUDI is for idempotent operations")
        if not msg_id:
            busy = {op.msg_id for op in self.ops}
            while True:           # unique over all PDCs (3.5.20.2.5)
                self.last_msg = self.last_msg % 0xffff + 1
                if self.last_msg not in busy:
                    break
            msg_id = self.last_msg
        op = Op(verb, handle, msg_id, length)
        data = b"" if verb == "read" else pattern(length, self.seed, handle)
        packets = []
        for at in range(0, max(length, 1), self.mtu):
            size = min(self.mtu, length - at)
            head = self.request(op, header, key, offset, at, size)
            packets.append(Packet(op, NEXT_HDR[header], head + data[at:at + size],
                                  at + size == length, at))
        self.ops.append(op)
        if mode == "rudi":
            op.locked = False     # there is no PDC to lock
            self.pds.rudi.tx_message(peer, packets, now)
        else:
            self.pds.tx_message(peer, packets, now, lock=verb == "read", rod=mode == "rod")

    def start_datagram(self, verb, peer, length, handle, header, now):
        """Completes as soon as the packet has left: no answer will come."""
        if verb != "send":
            raise ValueError("UUD is for sends")
        op = Op("datagram", handle, 0, length)
        head = self.request(op, header, 0, 0, 0, length)
        packet = Packet(op, NEXT_HDR[header], head + pattern(length, self.seed, handle), True)
        op.unanswered = 0
        self.ops.append(op)
        self.pds.rudi.tx_datagram(peer, packet)
        self.check(op, now)

    def request(self, op, header, key, offset, at, size):
        """The SES request header of the slice [at, at + size)."""
        f = {"opcode": OPCODE[op.verb], "som": int(at == 0), "eom": int(at + size == op.length),
             "message_id": op.msg_id, "ri_generation": RI_GENERATION, "job_id": JOB_ID,
             "pid_on_fep": PID_ON_FEP, "resource_index": RESOURCE_INDEX,
             "buffer_offset": offset, "match_bits": key, "request_length": op.length,
             "payload_length": size, "message_offset": at}
        layout = {"medium": wire.MEDIUM_REQ, "small": wire.SMALL_REQ}.get(header)
        return (layout or (wire.STD_REST if at else wire.STD_SOM)).pack(f)

    def message_id_of(self, packet):
        return packet.op.msg_id if packet and packet.next_hdr == wire.STD else 0

    def on_response(self, packet, next_hdr, data, now):
        """pds_ses_rx_rsp; without a header this is the default response,
        success."""
        op, f, size = packet.op, {}, 0
        try:
            f, size = wire.ses_unpack(next_hdr, data)
        except wire.Malformed:
            pass                  # none, or unreadable: the PSN is acknowledged all the same
        code = f.get("return_code", wire.RC_NULL)
        self.emit("pds_ses_rx_rsp", tx_pkt_handle=op.handle, msg_id=op.msg_id,
                  orig_pdcid=packet.pdc.lid, orig_psn=packet.psn, next_hdr=next_hdr,
                  opcode=f.get("opcode", wire.RSP_DEFAULT), return_code=code)
        op.unanswered -= 1
        if code > wire.RC_OK:
            op.code = code
        elif "payload_length" in f:
            op.got[f.get("message_offset", packet.offset)] = data[size:size + f["payload_length"]]
        self.check(op, now)

    def check(self, op, now, status=None, nack_code=0):
        """A completion, once per operation."""
        if not op.open or not (status or op.complete()):
            return
        op.open = False
        if op not in self.ops:
            return                # read data that we returned: no completion to tell
        self.ops.remove(op)
        status = status or ("refused" if op.code > wire.RC_OK else "ok")
        self.emit("completion", handle=op.handle, status=status, msg_id=op.msg_id,
                  len=op.length, return_code=op.code if status == "refused" else 0,
                  nack_code=nack_code, digest=self.digest_of_read(op, status))
        if op.locked:
            self.pds.unlock(op.first.pdc, now)

    @staticmethod
    def digest_of_read(op, status):
        """Returns the checksum of the data of a read; 0 for other
        operations."""
        if op.verb != "read" or status != "ok":
            return 0
        return crc32c(b"".join(op.got[at] for at in sorted(op.got)))

    def on_return(self, pdc, psn, handle, next_hdr, data, now):
        """pds_ses_rx_ret: read data on a return-direction request (3.5.12.1)."""
        f, size = wire.ses_unpack(next_hdr, data)
        data = data[size:size + f["payload_length"]]
        reads = [op for op in self.ops if op.verb == "read" and op.first.pdc is pdc]
        if next_hdr == wire.RESPONSE_DATA:
            msg_id, at = f["response_message_id"], f["message_offset"]
            op = next((o for o in reads if o.msg_id == f["read_request_message_id"]), None)
        else:
            msg_id = at = 0
            op = next((o for o in reads if o.first.psn == f["original_request_psn"]), None)
        self.emit("pds_ses_rx_ret", rx_pkt_handle=handle, orig_pdcid=pdc.lid, orig_psn=psn,
                  msg_id=f.get("read_request_message_id", 0), next_hdr=next_hdr, len=len(data))
        code = wire.RC_OK if op else wire.RC_NO_MATCH
        self.pds.tx_rsp(handle, wire.RESPONSE, self.response(f["job_id"], msg_id, code, len(data)),
                        False, now)   # an initiator never asks for a clear (UET-ACK-04)
        if op:
            op.got[at] = data
            if f["return_code"] > wire.RC_OK:
                op.code = f["return_code"]
            self.check(op, now)

    def on_error(self, packet, status, code, now):
        """pds_ses_error of one request packet."""
        op = packet.op
        self.emit("pds_ses_error", handle=op.handle, msg_id=op.msg_id, status=status,
                  orig_psn=packet.psn or 0, nack_code=code)
        op.locked = False         # its lock is gone with the PDC
        self.check(op, now, status, code)

    def on_pdc_error(self, pdc, status, code, now):
        """Reads that were accepted and wait for data that will not come."""
        for op in [op for op in self.ops if op.first.pdc is pdc]:
            op.locked = False
            self.check(op, now, status, code)

    # ---- responses

    @staticmethod
    def response(job_id, msg_id, code, length, opcode=wire.RSP_RESPONSE):
        return wire.RSP.pack({"opcode": opcode, "return_code": code, "message_id": msg_id,
                              "job_id": job_id, "modified_length": length})

    def default(self, next_hdr, body):
        """The default response for a duplicate of |body| (3.5.13, 3.5.17)."""
        f, _ = wire.ses_unpack(next_hdr, body)
        return self.default_of(f.get("message_id", f.get("response_message_id", 0)), f["job_id"])

    def default_of(self, msg_id, job_id=0):
        return self.response(job_id, msg_id, wire.RC_NULL, 0, wire.RSP_DEFAULT)

    # ---- target

    def set_policy(self, policy):
        """ses_policy: how the next |count| requests are answered; 0 is all of them."""
        self.policy, self.policy_left = policy, policy.get("count") or None

    def take_policy(self):
        policy = self.policy
        if self.policy_left is not None:
            self.policy_left -= 1
            if self.policy_left == 0:
                self.policy, self.policy_left = {}, None
        return policy

    def full(self, pdc, next_hdr, data):
        """A NACK code if a packet of one more message of several packets cannot be kept."""
        f, size = wire.ses_unpack(next_hdr, data)
        sends = sum(len(key) == 2 for key in self.messages)
        if (next_hdr == wire.STD and f["opcode"] in (wire.SEND, wire.TAGGED_SEND) and
                f["request_length"] > len(data) - size and sends >= MESSAGES_MOST and
                (pdc, f["message_id"]) not in self.messages):
            return NO_SES_MSG_AVAIL
        return 0

    def refuse(self):
        """A NACK code if the next request is to be refused (ses_nack)."""
        return self.take_policy()["nack_code"] if self.policy.get("nack_code") else 0

    def on_request(self, pdc, psn, handle, next_hdr, data, now):
        """pds_ses_rx_req: answered at once, or as the policy says."""
        f, size = wire.ses_unpack(next_hdr, data)
        f.setdefault("message_id", 0)
        f["small"], f["psn"] = next_hdr != wire.STD, psn
        body = data[size:]
        self.emit("pds_ses_rx_req", rx_pkt_handle=handle, msg_id=f["message_id"],
                  orig_pdcid=pdc.lid, orig_psn=psn, next_hdr=next_hdr, opcode=f["opcode"],
                  som=bool(f["som"]), eom=bool(f["eom"]), len=len(body))
        policy, ret = self.take_policy(), None
        try:
            if policy.get("return_code", 0) > wire.RC_OK:
                raise Refused(policy["return_code"])
            answer, ret = self.serve(pdc, f, body)
            gtd = answer is not None
            out = wire.RESPONSE_DATA_SMALL if f["small"] else wire.RESPONSE_DATA
            if not gtd:
                out = wire.RESPONSE
                answer = self.response(f["job_id"], f["message_id"],
                                       policy.get("return_code") or wire.RC_OK,
                                       f["request_length"])
        except Refused as e:
            gtd, out = True, wire.RESPONSE
            answer = self.response(f["job_id"], f["message_id"], e.args[0], 0)
        gtd = {"yes": True, "no": False}.get(policy.get("gtd"), gtd)
        due = now + policy.get("delay_ns", 0) / 1e9
        if pdc.rod:               # answers keep the order of the requests
            due = max([due] + [d[0] for d in self.delayed if d[5] is pdc])
        self.delayed.append((due, handle, out, answer, gtd, pdc, ret))
        self.tick(now)

    def on_datagram(self, f, next_hdr, body, now):
        """UUD: the datagram arrived, and is not answered (3.5.7.4)."""
        if f.get("job_id", JOB_ID) != JOB_ID:
            return
        self.emit("pds_ses_rx_req", rx_pkt_handle=0, msg_id=f.get("message_id", 0),
                  next_hdr=next_hdr, opcode=f["opcode"], som=True, eom=True, len=len(body))
        self.received = body
        self.emit("recv", handle=self.receives.pop(0) if self.receives else 0,
                  msg_id=f.get("message_id", 0), opcode=f["opcode"], len=len(body),
                  digest=crc32c(body))

    def deadline(self):
        return min((d[0] for d in self.delayed), default=None)

    def tick(self, now):
        due = [d for d in self.delayed if d[0] <= now]
        self.delayed = [d for d in self.delayed if d[0] > now]
        for _, handle, next_hdr, answer, gtd, pdc, ret in due:
            self.pds.tx_rsp(handle, next_hdr, answer, gtd, now)
            if ret:
                self.pds.tx_ret(pdc, ret, now)

    def serve(self, pdc, f, body):
        """(data response for the ACK or None, Packet of return data or None)"""
        for name, value, code in (("ri_generation", RI_GENERATION, wire.RC_BAD_GENERATION),
                                  ("job_id", JOB_ID, wire.RC_BAD_JOB_ID),
                                  ("pid_on_fep", PID_ON_FEP, wire.RC_BAD_PID),
                                  ("resource_index", RESOURCE_INDEX, wire.RC_BAD_INDEX)):
            if f[name] != value:
                raise Refused(code)
        op = f["opcode"]
        if getattr(pdc, "stateless", False) and op not in (wire.WRITE, wire.READ, wire.NO_OP):
            raise Refused(wire.RC_OP_VIOLATION)   # it could be executed twice
        if op in (wire.SEND, wire.TAGGED_SEND):
            self.take_send(pdc, f, body)
        elif op == wire.WRITE:
            region, at = self.reach(f, len(body))
            region[at:at + len(body)] = body
        elif op == wire.READ:
            return self.take_read(pdc, f)
        elif op in (wire.ATOMIC, wire.FETCHING_ATOMIC):
            old = self.take_atomic(f, body)
            if op == wire.FETCHING_ATOMIC:
                return self.data(f, old, 0), None
        elif op != wire.NO_OP:
            raise Refused(wire.RC_UNSUPPORTED_OP)
        return None, None

    def take_send(self, pdc, f, body):
        """Counts the bytes of a message, in any order; a whole message is a
        receive."""
        key = (pdc, f["message_id"]) if not f["small"] else (pdc, "psn", f["psn"])
        at, total = f.get("message_offset", 0), f["request_length"]
        if at + len(body) > total or total > MAX_MESSAGE:
            raise Refused(wire.RC_TOO_LONG)
        message = self.messages.setdefault(key, [0, bytearray(total)])
        message[0] += len(body)
        message[1][at:at + len(body)] = body
        if message[0] >= total:
            self.received = self.messages.pop(key)[1]
            self.emit("recv", handle=self.receives.pop(0) if self.receives else 0,
                      msg_id=f["message_id"], orig_pdcid=pdc.lid, orig_psn=f["psn"],
                      opcode=f["opcode"], len=total, digest=crc32c(self.received))

    def reach(self, f, length):
        """The memory region that a request names, and where in it."""
        # The small header has no key: it reaches what is exposed under key 0.
        key = f.get("match_bits", 0 if 0 in self.memory else MEMORY_KEY)
        if key not in self.memory:
            raise Refused(wire.RC_BAD_MKEY)
        at = f.get("buffer_offset", 0) + f.get("message_offset", 0)
        if at + length > len(self.memory[key]):
            raise Refused(wire.RC_AT_OUT_OF_RANGE)
        return self.memory[key], at

    def take_read(self, pdc, f):
        """All packets of a message use the same PDC (3.5.20.1 point 8)."""
        total = f["request_length"]
        length = f.get("payload_length", min(total, self.mtu))
        if length > self.mtu or f.get("message_offset", 0) + length > total:
            raise Refused(wire.RC_UNSUPPORTED_SIZE)
        region, at = self.reach(f, length)
        data = bytes(region[at:at + length])
        if total <= self.max_ack_data or getattr(pdc, "stateless", False):
            return self.data(f, data, 0), None
        key = (pdc, "read", f["message_id"] if not f["small"] else f["psn"])
        mine = self.messages.setdefault(key, [0, 0])   # our message id, bytes served
        if not mine[0]:
            self.last_msg = self.last_msg % 0xffff + 1
            mine[0] = self.last_msg
        mine[1] += length
        if mine[1] >= total:
            del self.messages[key]
        op = Op("ret", 0, mine[0] if not f["small"] else 0, length)
        head = self.data(f, data, mine[0])
        return None, Packet(op, wire.RESPONSE_DATA_SMALL if f["small"] else wire.RESPONSE_DATA,
                            head, True)

    def data(self, f, data, msg_id):
        """RESPONSE_DATA, or the short one for requests without a message id."""
        out = {"opcode": wire.RSP_DATA, "return_code": wire.RC_OK, "job_id": f["job_id"],
               "payload_length": len(data), "modified_length": f["request_length"]}
        if f["small"]:
            return wire.RSP_W_DATA_SMALL.pack(dict(out, original_request_psn=f["psn"])) + data
        out.update(response_message_id=msg_id, read_request_message_id=f["message_id"],
                   message_offset=f.get("message_offset", 0))
        return wire.RSP_W_DATA.pack(out) + data

    def take_atomic(self, f, body):
        """The old value; operands are in host order, as memory is (3.4.2.3)."""
        if len(body) < wire.ATOMIC_EXT.size:
            raise Refused(wire.RC_UNSUPPORTED_SIZE)
        ext = wire.ATOMIC_EXT.unpack(body)
        cas = ext["amo_opcode"] in CAS
        if cas and len(body) < wire.CAS_EXT.size:
            raise Refused(wire.RC_UNSUPPORTED_SIZE)
        if not cas and ext["amo_opcode"] not in AMO:
            raise Refused(wire.RC_AMO_UNSUPPORTED_OP)
        code = AMO_TYPES.get(ext["datatype"])
        if code is None or (code in "fd" and ext["amo_opcode"] in AMO_BITWISE):
            raise Refused(wire.RC_AMO_UNSUPPORTED_DT)
        size = struct.calcsize(code)
        if cas:
            at = wire.ATOMIC_EXT.size
            operands = body[at:at + size], body[at + 16:at + 16 + size]
            data = operands[0]
        else:
            data = body[wire.ATOMIC_EXT.size:]
        if not data or len(data) % size or len(data) > self.max_ack_data:
            raise Refused(wire.RC_AMO_UNSUPPORTED_SIZE)
        region, at = self.reach(f, len(data))
        if at % size:
            raise Refused(wire.RC_AMO_UNALIGNED)
        form = f"<{len(data) // size}{code}"
        old = bytes(region[at:at + len(data)])
        was = struct.unpack(form, old)
        if cas:
            compare, swap = (struct.unpack(form, o)[0] for o in operands)
            new = [swap if CAS[ext["amo_opcode"]](compare, was[0]) else was[0]]
        else:
            new = [AMO[ext["amo_opcode"]](a, b) for a, b in zip(was, struct.unpack(form, data))]
        if code not in "fd":
            mask = (1 << 8 * size) - 1
            form, new = form.upper(), [v & mask for v in new]
        region[at:at + len(data)] = struct.pack(form, *new)
        return old
