// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"os"
	"regexp"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdExtract implements extract PAGE LANGUAGE FILE [N]: it writes the first or Nth
// code block in LANGUAGE of a Markdown page to a file.
func cmdExtract(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 && len(args) != 4 {
		ts.Fatalf("usage: extract PAGE LANGUAGE FILE [N]")
	}
	number := 1
	if len(args) == 4 {
		n, err := strconv.Atoi(args[3])
		ts.Check(err)
		number = n
	}
	page, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	block := regexp.MustCompile("(?ms)^```"+regexp.QuoteMeta(args[1])+"\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(block) < number {
		ts.Fatalf("%s has no block %d of %s", args[0], number, args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), block[number-1][1], 0o644))
}
