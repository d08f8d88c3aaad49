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

// Example is an archive of a small input that leads to one diagnostic. Its
// comment has lines of the form "key: value", done in their order; who reads
// the archive says which keys there are.
//
// A file holds its text, where «x»*5 stands for xxxxx. x may be quoted as in
// Go, and <n> in it is the number of the repetition, <n-1> the one before.
// live.json is not part of the input: it is what a cluster has. Files below
// server/ are served over HTTP ([Serve]), and HOST in a file is the server's
// address.
type Example struct {
	Code  string
	Steps []Step
	Files []txtar.File
	// Live is what a cluster has, or nil.
	Live []byte
}

// Step is one line of the comment.
type Step struct{ Verb, Text string }

// Read returns the example CODE.txtar of a directory. An example without steps
// gets the default ones.
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

// repeat writes a text several times, numbered from 1.
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

// content is what a file of an example really holds.
func content(text, host string) []byte {
	text = repetition.ReplaceAllStringFunc(text, func(s string) string {
		m := repetition.FindStringSubmatch(s)
		times, _ := strconv.Atoi(m[2])
		return repeat(m[1], times)
	})
	return []byte(strings.ReplaceAll(text, "HOST", host))
}

// Shown is a file of an example as a page shows it: what is repeated is written
// once.
func Shown(text string) string {
	return repetition.ReplaceAllString(text, `$1 … ($2 times)`)
}

// Write puts the files below a directory.
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
