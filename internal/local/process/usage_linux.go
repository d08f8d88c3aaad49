// SPDX-License-Identifier: MPL-2.0

package process

import (
	"os"
	"strconv"
	"time"
)

// Fields of /proc/<pid>/stat for the resource usage, with the same numbering
// as in process_linux.go.
const (
	statUser   = 11
	statSystem = 12
	statPages  = 21
)

// tick is the time unit in /proc. The kernel converts times to USER_HZ, which is
// 100 on every architecture that Go supports.
const tick = time.Second / 100

func measureAll() (map[int]measured, error) {
	all, err := pids()
	if err != nil {
		return nil, err
	}
	processes := make(map[int]measured, len(all))
	for _, pid := range all {
		fields, err := stat(pid)
		if err != nil || len(fields) <= statPages || ended(fields) {
			continue
		}
		processes[pid] = measured{
			parent: number(fields[statParent]), session: number(fields[statSession]), start: fields[statStart],
			cpu:    time.Duration(number(fields[statUser])+number(fields[statSystem])) * tick,
			memory: int64(number(fields[statPages])) * int64(os.Getpagesize()),
		}
	}
	return processes, nil
}

// number returns the integer in a field, or 0 if the field is not an integer.
func number(field string) int {
	n, err := strconv.Atoi(field)
	if err != nil {
		return 0
	}
	return n
}
