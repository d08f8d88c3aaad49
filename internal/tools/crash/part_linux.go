// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
)

// parts returns the supervisors and task processes of a workspace. It omits a
// process that has not called exec yet, because such a process looks like its
// parent.
func parts(dir string) ([]part, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var all []part
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		args := arguments(pid)
		if len(args) < 3 || !within(dir, args[2]) || strings.Join(args, " ") == strings.Join(arguments(parent(pid)), " ") {
			continue
		}
		id, err := process.Identify(pid)
		if err != nil {
			continue // the process has ended
		}
		switch args[1] {
		case reexec.Supervisor:
			all = append(all, part{id, args[1], args[3]})
		case reexec.Task: // .openpai/attempts/FRAMEWORK/JOB ATTEMPT/TASK/ATTEMPT
			names := strings.Split(strings.TrimPrefix(args[2], dir+"/"), "/")
			all = append(all, part{id, args[1], names[2]})
		}
	}
	return all, nil
}

func runningIn(dir string) []string {
	entries, _ := os.ReadDir("/proc")
	var found []string
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		cwd, _ := os.Readlink(filepath.Join("/proc", e.Name(), "cwd"))
		args := strings.Join(arguments(pid), " ")
		if args != "" && (within(dir, cwd) || strings.Contains(args, dir+"/")) {
			found = append(found, fmt.Sprintf("%d %s", pid, args))
		}
	}
	return found
}

func within(dir, name string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// arguments returns the command line of a process, or nil if the process has
// ended.
func arguments(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

func parent(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	n, _ := strconv.Atoi(fields[1])
	return n
}
