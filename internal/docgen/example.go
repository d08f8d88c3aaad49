package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed testdata/errors/*.txtar
var archives embed.FS

// example is an archive of a small input that leads to one finding. Its comment
// has lines of the form "key: value", done in their order:
//
//	run: validate .          a command of openpai; the last one shows the finding
//	set: NAME=value          an environment variable
//	copy: FROM TO            a file is replaced
//	damage: NAME             a directory is replaced by an empty file
//	link: NAME TARGET        a symbolic link is made
//	terraform: plan          main.tf is planned, applied, imported, moved or invoked
//	write: .                 a protocol file is written
//	plan-without-mounts: .   a plan on a machine that permits no mounts
//
// A file holds its text, where «x»*5 stands for xxxxx. x may be quoted as in
// Go, and <n> in it is the number of the repetition, <n-1> the one before.
// live.json is not part of the input: it says what a cluster has, and makes the
// planner be asked instead of the commands; FRAMEWORK in it is the name of the
// first job's Framework. Files below server/ are
// served by http, and HOST in a file is the server's address; it wants a login
// below /private/, fails below /broken/, and below /api/ and /apis/ it is that
// of a cluster.
type example struct {
	code  string
	steps []exampleStep
	files []txtar.File
	// live is what a cluster has, or nil.
	live []byte
}

// exampleStep is one line of the comment.
type exampleStep struct{ verb, text string }

// readExample returns the example of an entry, or an error when there is none.
func readExample(code string) (*example, error) {
	text, err := archives.ReadFile("testdata/errors/" + code + ".txtar")
	if err != nil {
		return nil, fmt.Errorf("the entry %s has no example: %w", code, err)
	}
	archive := txtar.Parse(text)
	e := &example{code: code}
	for line := range strings.Lines(string(archive.Comment)) {
		if verb, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			e.steps = append(e.steps, exampleStep{verb, text})
		}
	}
	if len(e.steps) == 0 {
		e.steps = []exampleStep{{"run", "validate ."}}
	}
	for _, f := range archive.Files {
		if f.Name == "live.json" {
			e.live = f.Data
			continue
		}
		e.files = append(e.files, f)
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

// shown is a file of an example as the page shows it: what is repeated is
// written once.
func shown(text string) string {
	return repetition.ReplaceAllString(text, `$1 … ($2 times)`)
}

// write puts the files below a directory.
func (e *example) write(dir, host string) error {
	for _, f := range e.files {
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
