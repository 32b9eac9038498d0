# SPDX-License-Identifier: BSD-2-Clause
"""The endpoint of this folder as a device with a driver of its own, not rung's.

    toy.py --udp ADDR[:PORT]

What adapters are written for (docs/adapters/).  Lines of words, in and out:

    reset SEED       forget everything; says "ready"
    room COUNT       receive so many messages
    map KEY LEN      let others read and write so much
    send N PEER LEN  send a message; later says "sent N ok" or "sent N STATUS"
    write N PEER LEN KEY, read N PEER LEN KEY: likewise
                     says "got LEN" for each message that has arrived whole
"""
import sys

import peer


class Toy(peer.Peer):
    def line(self, text, now):
        word, *args = text.decode().split()
        if word == "reset":
            self.reset(int(args[0].strip('"'), 0))
            print("ready", flush=True)
        elif word == "room":
            self.ses.receives += [0] * int(args[0])
        elif word == "map":
            self.ses.expose(int(args[0]), int(args[1]))
        else:
            number, whom, length, key = int(args[0]), args[1], int(args[2]), int((args[3:] or [0])[0])
            self.ses.start(word, whom, length, number, 0, "std", key, 0, "rud", now)

    @staticmethod
    def say(message):
        if message.get("event") == "completion":
            print("sent", message["handle"], message["status"], flush=True)
        elif message.get("event") == "recv":
            print("got", message.get("len", 0), flush=True)


if __name__ == "__main__":
    peer.Peer = Toy
    sys.exit(peer.main())
