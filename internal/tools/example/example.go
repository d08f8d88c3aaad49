// SPDX-License-Identifier: MPL-2.0

package example

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// Example is an archive with a small input that produces one diagnostic. The
// comment of the archive contains lines of the form "key: value", which are
// executed in order. The caller of [Read] defines the keys.
//
// In the text of a file, «x»*5 means xxxxx. x may be quoted as in Go. In each
// copy, <n> becomes the number of the copy, starting at 1, and <n-1> the
// previous number. live.json describes the state of a cluster, and is not part
// of the input. A web server serves the files below server/ (see [Serve]). Its
// address replaces HOST in the files.
type Example struct {
	Code  string
	Steps []Step
	Files []txtar.File
	// Live is the state of a cluster, or nil.
	Live []byte
}

// Step is one line in the archive's comment.
type Step struct{ Verb, Text string }

// Read returns the example from the file CODE.txtar in a directory. If the
// example does not contain any steps, Read uses the default steps.
func Read(dir fs.FS, code string, defaults ...Step) (*Example, error) {
	text, err := fs.ReadFile(dir, code+".txtar")
	if err != nil {
		return nil, fmt.Errorf("the entry %s has no example: %w", code, err)
	}
	archive := txtar.Parse(text)
	e := &Example{Code: code}
	for line := range strings.Lines(string(archive.Comment)) {
		if verb, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			e.Steps = append(e.Steps, Step{verb, text})
		}
	}
	if len(e.Steps) == 0 {
		e.Steps = defaults
	}
	for _, f := range archive.Files {
		if f.Name == "live.json" {
			e.Live = f.Data
			continue
		}
		e.Files = append(e.Files, f)
	}
	return e, nil
}

var repetition = regexp.MustCompile(`«([^»]*)»\*(\d+)`)

// repeat returns copies of text. It replaces <n> with the number of the copy,
// and <n-1> with the previous number.
func repeat(text string, times int) string {
	if unquoted, err := strconv.Unquote(text); err == nil {
		text = unquoted
	}
	var b strings.Builder
	for n := 1; n <= times; n++ {
		b.WriteString(strings.NewReplacer("<n>", strconv.Itoa(n), "<n-1>", strconv.Itoa(n-1)).Replace(text))
	}
	return b.String()
}

func content(text, host string) []byte {
	text = repetition.ReplaceAllStringFunc(text, func(s string) string {
		m := repetition.FindStringSubmatch(s)
		times, _ := strconv.Atoi(m[2])
		return repeat(m[1], times)
	})
	return []byte(strings.ReplaceAll(text, "HOST", host))
}

// Shown returns the text of an example file as a page shows it. Repeated text
// occurs only once, followed by the number of repetitions.
func Shown(text string) string {
	return repetition.ReplaceAllString(text, `$1 … ($2 times)`)
}

// Write writes the files of the example to a directory.
func (e *Example) Write(dir, host string) error {
	for _, f := range e.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, content(string(f.Data), host), 0o644); err != nil {
			return err
		}
	}
	return nil
}
