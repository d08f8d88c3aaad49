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

// The first line of a file, which all versions write in this form.
const (
	firstLine = "# plan saved by openpai %s, sha256 %s\n"
	// maxFirstLine bounds what is read of a file that may be something else.
	maxFirstLine = 512
	// maxSize bounds a plan that is read.
	maxSize = 256 << 20
)

var firstLinePattern = regexp.MustCompile(`^# plan saved by openpai (\S+), sha256 ([0-9a-f]{64})\n$`)

// The errors of a file.
var (
	ErrNotPlan  = errors.New("it is not a saved plan")
	ErrTampered = errors.New("it was changed after it was saved")
)

// File is the content of a saved plan.
type File struct {
	// Version is that of the program that wrote it.
	Version string
	Body    []byte
}

// Is reports whether a path is a saved plan, by its first line.
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

// Write saves a plan. It overwrites nothing but a saved plan, and only its owner
// may read the file: a plan shows what runs.
func Write(path string, f File) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) && !Is(path) {
		return fmt.Errorf("save the plan in %s: the file exists and is not a saved plan; choose another name, or remove it", path)
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

// Read reads a saved plan. The error is [ErrNotPlan] or [ErrTampered] for a file
// that can be read and not be used.
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
