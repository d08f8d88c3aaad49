// SPDX-License-Identifier: MPL-2.0

package runtimeimage

import (
	"debug/elf"
	"fmt"
	"path/filepath"
)

// architectures maps the machine type of a program to the architecture of its
// image.
var architectures = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}

// Programs maps architectures, in Go's spelling, to openpai-runtime files. It fails
// if a file is not a static Linux program for a supported architecture. Two files
// must not have the same architecture.
func Programs(files []string) (map[string]string, error) {
	programs := map[string]string{}
	for _, file := range files {
		arch, err := architecture(file)
		if err != nil {
			return nil, err
		}
		if other := programs[arch]; other != "" && other != file {
			return nil, fmt.Errorf("%s and %s have the same architecture (%s); use only one program for each architecture", other, file, arch)
		}
		programs[arch] = file
	}
	return programs, nil
}

// architecture returns the architecture of a static Linux program.
func architecture(file string) (string, error) {
	f, err := elf.Open(file)
	if err != nil {
		return "", fmt.Errorf("%s is not a Linux program: %w", file, err)
	}
	defer func() { _ = f.Close() }()
	arch, ok := architectures[f.Machine]
	if !ok {
		return "", fmt.Errorf("%s is for the architecture %s; the runtime supports amd64 and arm64", file, f.Machine)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return "", fmt.Errorf("%s is dynamically linked, but a job's image may lack its libraries; build the program with CGO_ENABLED=0", file)
		}
	}
	return arch, nil
}

// Beside returns the runtime programs in dir. It uses the file names of a
// release and of "make runtime-image".
func Beside(dir string) []string {
	var files []string
	for _, name := range []string{"openpai-runtime", "openpai-runtime-linux-amd64", "openpai-runtime-linux-arm64"} {
		file := filepath.Join(dir, name)
		if _, err := architecture(file); err == nil {
			files = append(files, file)
		}
	}
	return files
}
