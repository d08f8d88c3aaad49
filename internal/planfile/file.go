// SPDX-License-Identifier: MPL-2.0

package planfile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

// The first line of a plan file has the same format in all versions.
const (
	firstLine = "# plan saved by openpai %s, sha256 %s\n"
	// maxFirstLine is the maximum length of the first line, in bytes. The function
	// Is reads at most maxFirstLine bytes of a file.
	maxFirstLine = 512
	// maxSize is the maximum size of a plan file, in bytes.
	maxSize = 256 << 20
)

var firstLinePattern = regexp.MustCompile(`^# plan saved by openpai (\S+), sha256 ([0-9a-f]{64})\n$`)

// Errors about the content of a plan file.
var (
	ErrNotPlan  = errors.New("it is not a saved plan")
	ErrTampered = errors.New("it was modified after it was saved")
)

// File is the content of a saved plan.
type File struct {
	// Version is the version of the program that wrote the file.
	Version string
	Body    []byte
}

// Is reports whether a file begins like a saved plan.
func Is(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(io.LimitReader(f, maxFirstLine), maxFirstLine).ReadString('\n')
	return err == nil && firstLinePattern.MatchString(line)
}

// Write saves a plan. It overwrites only files that are saved plans. Only the
// owner can read the file, because a plan contains the commands of jobs.
func Write(path string, f File) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) && !Is(path) {
		return fmt.Errorf("save the plan in %s: the file exists and is not a saved plan; choose a different name, or remove the file", path)
	}
	if err := atomicfile.Write(path, encode(f), 0o600); err != nil {
		return fmt.Errorf("save the plan in %s: %w", path, err)
	}
	return nil
}

func encode(f File) []byte {
	return append(fmt.Appendf(nil, firstLine, f.Version, sum(f.Body)), f.Body...)
}

func sum(body []byte) string {
	all := sha256.Sum256(body)
	return hex.EncodeToString(all[:])
}

// Read reads a saved plan. It returns [ErrNotPlan] or [ErrTampered] if the file
// is readable but invalid.
func Read(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, fmt.Errorf("read the plan: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSize))
	if err != nil {
		return File{}, fmt.Errorf("read the plan %s: %w", path, err)
	}
	return decode(text)
}

func decode(text []byte) (File, error) {
	end := bytes.IndexByte(text[:min(len(text), maxFirstLine)], '\n')
	if end < 0 {
		return File{}, ErrNotPlan
	}
	first := firstLinePattern.FindSubmatch(text[:end+1])
	if first == nil {
		return File{}, ErrNotPlan
	}
	body := text[end+1:]
	if sum(body) != string(first[2]) {
		return File{}, ErrTampered
	}
	return File{Version: string(first[1]), Body: body}, nil
}
