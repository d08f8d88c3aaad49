// SPDX-License-Identifier: MPL-2.0

package view

import "unicode/utf8"

// piece is a part of a document. The view shows a piece either completely or
// not at all.
type piece struct {
	text   string
	needed bool // whether the piece is shown even if it exceeds the limit
	urgent bool // whether the piece takes precedence over other pieces
	covers int  // number of jobs, errors or warnings that the piece contains
	kept   bool
}

// fit selects pieces up to a limit in characters; 0 means no limit. It selects
// needed pieces first, even if they exceed the limit, and then, in list order,
// the other pieces that fit.
func fit(limit int, lists ...[]*piece) {
	remaining := limit
	take := func(p *piece) {
		p.kept = true
		remaining -= utf8.RuneCountInString(p.text)
	}
	for _, list := range lists {
		for _, p := range list {
			if p.needed || limit <= 0 {
				take(p)
			}
		}
	}
	for _, list := range lists {
		for _, p := range list {
			if !p.kept && utf8.RuneCountInString(p.text) <= remaining {
				take(p)
			}
		}
	}
}

// omittedPieces returns the number of omitted pieces and the number of jobs,
// errors or warnings that they contain.
func omittedPieces(list []*piece) (pieces, covered int) {
	for _, p := range list {
		if !p.kept {
			pieces++
			covered += p.covers
		}
	}
	return pieces, covered
}
