// SPDX-License-Identifier: MPL-2.0

package runtimeimage

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// program writes a minimal Linux program to a file. interpreter controls
// whether the program is dynamically linked.
func program(t *testing.T, file string, machine elf.Machine, interpreter bool) string {
	t.Helper()
	header := elf.Header64{
		Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT),
		Ehsize: 64, Phoff: 64, Phentsize: 56, Phnum: 1, Shentsize: 64,
	}
	copy(header.Ident[:], elf.ELFMAG)
	header.Ident[elf.EI_CLASS], header.Ident[elf.EI_DATA], header.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	part := elf.Prog64{Type: uint32(elf.PT_LOAD)}
	if interpreter {
		part.Type = uint32(elf.PT_INTERP)
	}
	var text bytes.Buffer
	_ = binary.Write(&text, binary.LittleEndian, header)
	_ = binary.Write(&text, binary.LittleEndian, part)
	if err := os.WriteFile(file, text.Bytes(), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestProgramsAreSortedByProcessor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	intel := program(t, at("intel"), elf.EM_X86_64, false)
	arm := program(t, at("arm"), elf.EM_AARCH64, false)
	second := program(t, at("second"), elf.EM_AARCH64, false)
	power := program(t, at("power"), elf.EM_PPC64, false)
	dynamic := program(t, at("dynamic"), elf.EM_X86_64, true)
	script := at("script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		files []string
		want  map[string]string
		err   string
	}{
		"one for each":                   {[]string{arm, intel}, map[string]string{"amd64": intel, "arm64": arm}, ""},
		"the same file twice":            {[]string{arm, arm}, map[string]string{"arm64": arm}, ""},
		"two for one processor":          {[]string{arm, second}, nil, "have the same architecture (arm64)"},
		"another processor":              {[]string{power}, nil, "the runtime supports amd64 and arm64"},
		"a program that needs libraries": {[]string{dynamic}, nil, "CGO_ENABLED=0"},
		"a script":                       {[]string{script}, nil, "not a Linux program"},
		"a file that does not exist":     {[]string{at("none")}, nil, "no such file"},
	} {
		got, err := Programs(c.files)
		if diff := cmp.Diff(c.want, got); diff != "" || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, programs (-want +got)\n%s", name, err, diff)
		}
	}
}

func TestProgramsBesideAreFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	arm := program(t, filepath.Join(dir, "openpai-runtime-linux-arm64"), elf.EM_AARCH64, false)
	program(t, filepath.Join(dir, "openpai-runtime"), elf.EM_X86_64, true)
	if diff := cmp.Diff([]string{arm}, Beside(dir)); diff != "" {
		t.Errorf("found (-want +got)\n%s", diff)
	}
}
