// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
)

// fewestWords is the minimum number of words in a printed sentence.
const fewestWords = 5

// end matches the end of a sentence: a full stop, question mark or
// exclamation mark before white space. A full stop inside an abbreviation
// does not end a sentence.
var end = regexp.MustCompile(`[.?!]["”)]?\s+`)

// draw prints random sentences with their positions. The seed determines the
// sentences. draw omits strings in tests, because most of these strings are
// test input.
func draw(passages []passage, number int, seed uint64, out io.Writer) error {
	var all []passage
	for _, p := range passages {
		if p.literal && strings.HasSuffix(p.file, "_test.go") {
			continue
		}
		all = append(all, sentences(p)...)
	}
	if number < 1 || number > len(all) {
		return fmt.Errorf("-n must be between 1 and %d, the number of sentences", len(all))
	}
	fmt.Fprintf(out, "%d of %d sentences, seed %d\n", number, len(all), seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for i, at := range random.Perm(len(all))[:number] {
		fmt.Fprintf(out, "%3d. %s:%d\n     %s\n", i+1, all[at].file, all[at].line, all[at].text)
	}
	return nil
}

// sentences splits a passage. The line of each sentence is the first line of
// its passage.
func sentences(p passage) []passage {
	var found []passage
	rest := p.text
	for rest != "" {
		stop := len(rest)
		if at := end.FindStringIndex(rest); at != nil {
			stop = at[1]
		}
		text := strings.Join(strings.Fields(rest[:stop]), " ")
		if len(strings.Fields(text)) >= fewestWords {
			found = append(found, passage{file: p.file, line: p.line, text: text})
		}
		rest = rest[stop:]
	}
	return found
}
