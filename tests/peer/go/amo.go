// SPDX-License-Identifier: BSD-2-Clause

// Atomic operations on one element of memory, low byte first.
package main

import (
	"encoding/binary"
	"math"
)

const (
	amoMin = iota
	amoMax
	amoSum
	amoDiff
	amoProd
	amoLor
	amoLand
	amoBor
	amoBand
	amoLxor
	amoBxor
	amoRead
	amoWrite
	amoSwap
	amoSwapNE
	amoSwapLE
	amoSwapLT
	amoSwapGE
	amoSwapGT
	amoMaskSwap
	amoInval
)

var amoNames = []string{"min", "max", "sum", "diff", "prod", "lor", "land", "bor", "band",
	"lxor", "bxor", "read", "write", "cswap", "cswap_ne", "cswap_le", "cswap_lt",
	"cswap_ge", "cswap_gt", "mswap", "inval"}

var typeNames = []string{"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
	"uint64", "int128", "uint128", "float", "double", "float_complex", "double_complex",
	"long_double", "long_double_complex", "bf16", "fp16"}

// Sizes of the types that are implemented.
var typeSizes = map[uint8]int{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 8, 7: 8, 10: 4, 11: 8}

const (
	typeFloat  = 10
	typeDouble = 11
)

// idempotent says whether an operation may be done twice.
func idempotent(amo uint8) bool {
	switch amo {
	case amoMin, amoMax, amoLor, amoLand, amoBor, amoBand, amoWrite:
		return true
	}
	return false
}

// amoCheck returns the size of the element, or the code that refuses it.
func amoCheck(q *sesRequest, payload int) (size int, rc uint8) {
	size, known := typeSizes[q.datatype]
	real := q.datatype == typeFloat || q.datatype == typeDouble
	switch {
	case q.amo >= amoMaskSwap:
		return 0, rcAmoOp
	case !known:
		return 0, rcAmoType
	case real && q.amo >= amoLor && q.amo <= amoBxor:
		return 0, rcAmoOp
	case !swaps(q.amo) && q.amo != amoRead && payload != size:
		return 0, rcAmoSize
	}
	return size, rcOK
}

func word(b []byte) uint64 {
	var all [8]byte
	copy(all[:], b)
	return binary.LittleEndian.Uint64(all[:])
}

func bytesOf(v uint64, size int) []byte {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], v)
	return all[:size]
}

// order compares two elements: -1, 0 or 1.
func order(datatype uint8, a, b uint64) int {
	less, more := a < b, a > b
	bits := uint(64 - 8*typeSizes[datatype])
	switch {
	case datatype == typeFloat:
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		less, more = x < y, x > y
	case datatype == typeDouble:
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		less, more = x < y, x > y
	case datatype%2 == 0:
		x, y := int64(a<<bits)>>bits, int64(b<<bits)>>bits
		less, more = x < y, x > y
	}
	switch {
	case less:
		return -1
	case more:
		return 1
	}
	return 0
}

// amoResult returns what is in memory afterwards.
func amoResult(q *sesRequest, old, operand []byte) []byte {
	size := len(old)
	was, by := word(old), word(operand)
	if swaps(q.amo) {
		cmp := order(q.datatype, word(q.compare[:size]), was)
		do := []bool{cmp == 0, cmp != 0, cmp <= 0, cmp < 0, cmp >= 0, cmp > 0}
		if do[q.amo-amoSwap] {
			return q.swap[:size]
		}
		return old
	}
	switch q.amo {
	case amoSum, amoDiff, amoProd:
		return bytesOf(calculate(q.amo, q.datatype, was, by), size)
	case amoMin, amoMax:
		if cmp := order(q.datatype, by, was); q.amo == amoMin && cmp < 0 || q.amo == amoMax && cmp > 0 {
			return operand
		}
		return old
	case amoLor:
		return bytesOf(truth(was != 0 || by != 0), size)
	case amoLand:
		return bytesOf(truth(was != 0 && by != 0), size)
	case amoLxor:
		return bytesOf(truth((was != 0) != (by != 0)), size)
	case amoBor:
		return bytesOf(was|by, size)
	case amoBand:
		return bytesOf(was&by, size)
	case amoBxor:
		return bytesOf(was^by, size)
	case amoWrite:
		return operand
	}
	return old
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func calculate(amo, datatype uint8, a, b uint64) uint64 {
	switch datatype {
	case typeFloat:
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return uint64(math.Float32bits(float32(arith(amo, float64(x), float64(y)))))
	case typeDouble:
		return math.Float64bits(arith(amo, math.Float64frombits(a), math.Float64frombits(b)))
	}
	switch amo {
	case amoSum:
		return a + b
	case amoDiff:
		return a - b
	}
	return a * b
}

func arith(amo uint8, a, b float64) float64 {
	switch amo {
	case amoSum:
		return a + b
	case amoDiff:
		return a - b
	}
	return a * b
}
