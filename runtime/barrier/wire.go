// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"strings"
)

// The published table has a binary format. The format is compact, so that
// thousands of tasks fit into one ConfigMap. Decoding must also be fast: every
// task of a gang decodes the table before the task starts. Numbers are varints.
// Each role name, UID and IP address is prefixed with a one-byte mark, which
// specifies the encoding of the bytes that follow.
const (
	wireVersion = 1

	markSame = iota // no bytes: the value equals the previous value
	markIPv4
	markIPv6
	markUUID
	markText // a length and a string
)

// encode returns the binary form of the table, which publish writes to the
// ConfigMap.
func (t *Table) encode() []byte {
	out := binary.AppendUvarint([]byte{wireVersion}, uint64(len(t.Roles)))
	for _, r := range t.Roles {
		out = appendText(out, r.Name)
		out = binary.AppendUvarint(out, uint64(len(r.Members)))
		for _, m := range r.Members {
			out = binary.AppendUvarint(out, uint64(m.Index))
			out = appendText(out, m.PodUID)
			out = appendText(out, m.IP)
			if m.NodeIP == m.IP {
				out = append(out, markSame)
			} else {
				out = appendText(out, m.NodeIP)
			}
		}
	}
	return out
}

func appendText(out []byte, text string) []byte {
	if raw, ok := rawUUID(text); ok {
		return append(append(out, markUUID), raw[:]...)
	}
	if ip, err := netip.ParseAddr(text); err == nil && ip.Zone() == "" && ip.String() == text {
		mark := byte(markIPv4)
		if !ip.Is4() {
			mark = markIPv6
		}
		return append(append(out, mark), ip.AsSlice()...)
	}
	out = binary.AppendUvarint(append(out, markText), uint64(len(text)))
	return append(out, text...)
}

// rawUUID returns false if the UID is not in canonical UUID form.
func rawUUID(text string) (raw [16]byte, ok bool) {
	if len(text) != 36 {
		return raw, false
	}
	if n, err := hex.Decode(raw[:], []byte(strings.ReplaceAll(text, "-", ""))); err != nil || n != len(raw) {
		return raw, false
	}
	return raw, uuidText(raw[:]) == text
}

func uuidText(raw []byte) string {
	var text [36]byte
	at := 0
	for i, part := range [][]byte{raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:]} {
		if i > 0 {
			text[at] = '-'
			at++
		}
		at += hex.Encode(text[at:], part)
	}
	return string(text[:])
}

// decode parses the output of encode.
func decode(packed []byte) (*Table, error) {
	r := wireReader{rest: packed}
	if version := r.take(1); r.err == nil && version[0] != wireVersion {
		r.err = fmt.Errorf("unsupported version %d, expected %d", version[0], wireVersion)
	}
	t := &Table{Roles: make([]Role, r.count())}
	for i := range t.Roles {
		t.Roles[i].Name = r.text("")
		t.Roles[i].Members = make([]Member, r.count())
		for j := range t.Roles[i].Members {
			m := &t.Roles[i].Members[j]
			m.Index, m.PodUID, m.IP = int(r.number()), r.text(""), r.text("")
			m.NodeIP = r.text(m.IP)
		}
	}
	if r.err == nil && len(r.rest) > 0 {
		r.err = errors.New("unexpected data after the table")
	}
	if r.err != nil {
		return nil, fmt.Errorf("decode the task table: %w", r.err)
	}
	return t, nil
}

// wireReader decodes a table. After an error, its methods return zero values.
type wireReader struct {
	rest []byte
	err  error
}

var errTruncated = errors.New("it is truncated")

func (r *wireReader) take(n uint64) []byte {
	if r.err != nil || n > uint64(len(r.rest)) {
		r.fail(errTruncated)
		return nil
	}
	used := r.rest[:n]
	r.rest = r.rest[n:]
	return used
}

func (r *wireReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *wireReader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if r.err != nil || size <= 0 {
		r.fail(errTruncated)
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// count reads the number of elements in a list. Each element occupies at
// least one byte.
func (r *wireReader) count() uint64 {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.fail(errTruncated)
		return 0
	}
	return n
}

func (r *wireReader) text(before string) string {
	mark := r.take(1)
	if r.err != nil {
		return ""
	}
	switch mark[0] {
	case markSame:
		return before
	case markIPv4, markIPv6:
		size := uint64(4)
		if mark[0] == markIPv6 {
			size = 16
		}
		if ip, ok := netip.AddrFromSlice(r.take(size)); ok {
			return ip.String()
		}
		return ""
	case markUUID:
		if raw := r.take(16); raw != nil {
			return uuidText(raw)
		}
		return ""
	case markText:
		return string(r.take(r.number()))
	}
	r.fail(fmt.Errorf("unknown mark %d", mark[0]))
	return ""
}
