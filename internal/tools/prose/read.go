// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode"
)

// passage is a piece of text with the position of its first line.
type passage struct {
	file    string
	line    int
	text    string
	literal bool // a Go string literal
}

// skipped contains the files and directories that prose does not check. Some
// contain avoided words on purpose. The others are generated from Go strings,
// which prose checks in the Go source.
var skipped = map[string]bool{
	"docs/errors.md": true, "docs/cli.md": true, "docs/language": true, "internal/tools/prose/words.go": true, "internal/tools/prose/main_test.go": true,
}

// readers maps a file extension to the function that reads such files.
var readers = map[string]func(name string, content []byte) ([]passage, error){
	".go": readGo, ".md": readMarkdown, ".txtar": readScript,
}

// readScript returns the comments of a test script. The files that follow the script
// in the archive are test input.
func readScript(name string, content []byte) ([]passage, error) {
	var found []passage
	var open *passage
	for i, line := range strings.Split(string(content), "\n") {
		text, comment := strings.CutPrefix(line, "# ")
		switch {
		case strings.HasPrefix(line, "-- "):
			return found, nil
		case !comment:
			open = nil
		case open == nil:
			found = append(found, passage{file: name, line: i + 1, text: text})
			open = &found[len(found)-1]
		default:
			open.text += " " + text
		}
	}
	return found, nil
}

// read returns all passages, sorted by path. It skips directories with a leading
// dot. In testdata directories, it reads only test scripts.
func read(files fs.FS) ([]passage, error) {
	var found []passage
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && strings.HasPrefix(d.Name(), ".") || skipped[name] {
				return fs.SkipDir
			}
			return nil
		}
		reader := readers[path.Ext(name)]
		if path.Ext(name) != ".txtar" && strings.Contains("/"+name, "/testdata/") {
			return nil
		}
		if reader == nil || skipped[name] {
			return nil
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		passages, err := reader(name, content)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		found = append(found, passages...)
		return nil
	})
	return found, err
}

// readMarkdown returns the paragraphs and table cells of a page. It omits code and
// front matter.
func readMarkdown(name string, content []byte) ([]passage, error) {
	var found []passage
	var open *passage
	code := false
	for i, line := range strings.Split(string(content), "\n") {
		trimmed := strings.TrimSpace(line)
		fence := strings.HasPrefix(trimmed, "```") || trimmed == "---"
		switch {
		case fence:
			code = !code
			open = nil
		case code, trimmed == "", strings.HasPrefix(line, "    ") && open == nil:
			open = nil
		case strings.HasPrefix(trimmed, "|"):
			found = append(found, readRow(name, i+1, trimmed)...)
			open = nil
		case open == nil || startsBlock(trimmed):
			found = append(found, passage{file: name, line: i + 1, text: trimmed})
			open = &found[len(found)-1]
		default:
			open.text += " " + trimmed
		}
	}
	return found, nil
}

// readRow returns the cells of a table row that contain letters.
func readRow(name string, line int, row string) []passage {
	const bar = `\|` // not a separator
	var found []passage
	for _, cell := range strings.Split(strings.ReplaceAll(row, bar, "\x00"), "|") {
		cell = strings.TrimSpace(strings.ReplaceAll(cell, "\x00", bar))
		if strings.ContainsFunc(cell, unicode.IsLetter) {
			found = append(found, passage{file: name, line: line, text: cell})
		}
	}
	return found
}

// startsBlock reports whether a line begins a new passage without a preceding
// empty line.
func startsBlock(line string) bool {
	for _, start := range []string{"- ", "* ", "#", "> "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	number, _, ok := strings.Cut(line, ". ")
	return ok && len(number) == 1 && number[0] >= '0' && number[0] <= '9'
}
