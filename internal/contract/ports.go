// SPDX-License-Identifier: MPL-2.0

package contract

import (
	"crypto/md5" // the contract requires MD5 for the formula; security does not depend on it
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
)

// The default range of port numbers. Source: microsoft/pai:
// src/rest-server/src/config/schedule-port.js.
const (
	PortStart = 15000 // inclusive
	PortEnd   = 40000 // exclusive
)

// Labels under which every task has at least one port.
const (
	PortSSH  = "ssh"
	PortHTTP = "http"
)

// Port returns the number of one port of a task. podUID is the UID of the task's
// Pod. index is the 0-based index among the ports of one label. The number
// depends only on the arguments, so every program can compute the same number.
// Ports of different labels or tasks on the same node may collide. The range is
// [start, end). Port panics if the range is empty. Source:
// microsoft/openpai-runtime: src/init.d/framework_parser.py.
func Port(podUID, label string, index, start, end int) int {
	if end <= start {
		panic(fmt.Sprintf("contract: empty port range [%d, %d)", start, end))
	}
	sum := md5.Sum(fmt.Appendf(nil, "[%s][%s][%d]", podUID, label, index))
	digits := hex.EncodeToString(sum[:])
	total := hexNumber(digits[0:12]) + hexNumber(digits[12:24]) + hexNumber(digits[24:32])
	return int(total%uint64(end-start)) + start
}

// Ports returns the port numbers of a label for the indexes 0 to count-1. It
// returns an empty slice if count is negative.
func Ports(podUID, label string, count, start, end int) []int {
	ports := make([]int, max(0, count))
	for i := range ports {
		ports[i] = Port(podUID, label, i, start, end)
	}
	return ports
}

func hexNumber(digits string) uint64 {
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		panic("contract: " + err.Error())
	}
	return n
}

// PortSpec is the JSON value of [AnnotationPorts].
type PortSpec struct {
	Start int                  `json:"schedulePortStart"`
	End   int                  `json:"schedulePortEnd"`
	Ports map[string]PortCount `json:"ports"`
}

// PortCount is the number of ports under one label.
type PortCount struct {
	Count int `json:"count"`
	// Start is the first port of task 0, or 0 for ports computed from the Pod UID.
	Start int `json:"start,omitempty"`
}

// Numbers returns the port numbers of a task for the given label. If Start is
// set, the ports of all tasks are consecutive in task order. Otherwise, Numbers
// returns the result of [Ports]. Source: microsoft/openpai-runtime:
// src/init.d/framework_parser.py. The original runtime reads the start field only
// if the annotation has no port range.
func (c PortCount) Numbers(label, podUID string, taskIndex, start, end int) []int {
	if c.Start == 0 {
		return Ports(podUID, label, c.Count, start, end)
	}
	ports := make([]int, max(0, c.Count))
	for i := range ports {
		ports[i] = c.Start + taskIndex*c.Count + i
	}
	return ports
}

// String returns the value of the annotation, with sorted labels.
func (s PortSpec) String() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic("contract: " + err.Error())
	}
	return string(text)
}
