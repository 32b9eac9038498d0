// SPDX-License-Identifier: BSD-2-Clause

// A UET endpoint of its own, in Go: RUD, ROD, RUDI and UUD, from the documents
// alone. It speaks the control channel on standard input and output.
//
//	stranger --udp ADDR[:PORT]
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"net/netip"
	"os"
	"strings"
	"sync"
)

var stderr io.Writer = os.Stderr

// config is what uet.decl declares.
type config struct {
	job        uint32
	pid        uint16
	index      uint16
	gen        uint8
	init       uint32
	key        uint64
	base       uint64
	memory     uint64
	mtu        uint32
	maxMessage uint32
	ackData    uint32
	rto        int64
	nackTime   int64
	maxRTO     int
	maxNACK    int
}

var declared = config{
	job: 0x0abcde, pid: 0x123, index: 0x7, gen: 5, init: 0x01234567,
	key: 0x7e57, base: 4096, memory: 49152, mtu: 2048, maxMessage: 49152, ackData: 40,
	rto: 50e6, nackTime: 15e6, maxRTO: 4, maxNACK: 3,
}

type fields map[string]any

// teller writes lines to rung, one at a time.
type teller struct {
	mu sync.Mutex
	w  *bufio.Writer
}

func (t *teller) say(f fields) {
	line, err := json.Marshal(f)
	if err != nil {
		complain("%v", err)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.w.Write(append(line, '\n'))
	t.w.Flush()
}

func (t *teller) event(name string, f fields) {
	f["event"] = name
	t.say(f)
}

func main() {
	udp := flag.String("udp", "127.0.0.1", "address, and port if it is not 4793")
	flag.Parse()
	if !strings.Contains(*udp, ":") {
		*udp += ":4793"
	}
	at, err := netip.ParseAddrPort(*udp)
	if err != nil {
		complain("%v", err)
		os.Exit(2)
	}
	out := &teller{w: bufio.NewWriter(os.Stdout)}
	n, err := newNIC(at.Addr(), at.Port(), declared, out)
	if err != nil {
		complain("%v", err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 65536), 65536)
	c := control{n: n, out: out}
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) != "" {
			c.line(lines.Bytes())
		}
	}
}
