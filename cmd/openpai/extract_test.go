//go:build unix

package main

import (
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"
)

// extract PAGE LANGUAGE FILE writes the first block of code in a language of a
// Markdown page into a file.
func cmdExtract(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: extract PAGE LANGUAGE FILE")
	}
	page, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	block := regexp.MustCompile("(?ms)^```" + regexp.QuoteMeta(args[1]) + "\n(.*?)^```$").FindSubmatch(page)
	if block == nil {
		ts.Fatalf("%s has no block of %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), block[1], 0o644))
}
