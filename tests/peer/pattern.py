# SPDX-License-Identifier: BSD-2-Clause
"""The bytes of messages and memory, and their checksum (docs/dut-control.md, "Bytes")."""
MASK = (1 << 64) - 1


def word(seed, ident, number):
    """Eight bytes in a row as a number; the low byte is the first."""
    x = seed + ident * 0x9e3779b97f4a7c15 + (number + 1) * 0xd1342543de82ef95 & MASK
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & MASK
    x = (x ^ x >> 27) * 0x94d049bb133111eb & MASK
    return x ^ x >> 31


def pattern(length, seed, ident):
    """The first |length| bytes of a message or of memory."""
    words = (word(seed, ident, i).to_bytes(8, "little") for i in range((length + 7) // 8))
    return b"".join(words)[:length]


def of_memory(key):
    """The id of the memory that is exposed under a key."""
    return ~key & MASK


def crc32c_table():
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82f63b78 if n & 1 else 0)
        yield n


CRC32C = tuple(crc32c_table())


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc = crc >> 8 ^ CRC32C[(crc ^ byte) & 0xff]
    return crc ^ 0xffffffff


def digest_of(memory, request):
    """The answer to mem_digest: of |len| bytes from |offset| on, 0: of all behind it."""
    at, length = int(str(request.get("offset", 0)), 0), request.get("len", 0)
    if at + length > len(memory):
        return {"error": "value"}
    part = memory[at:at + length] if length else memory[at:]
    return {"digest": crc32c(part), "digest_len": len(part)}
