package view

import "unicode/utf8"

// piece is a part of a document that is shown whole or not at all.
type piece struct {
	text   string
	needed bool // shown even beyond the limit
	urgent bool // kept before what is not
	jobs   int  // that it is about
	kept   bool
}

// fit chooses what a document shows within a limit of characters: all that is
// needed, then what fits, list by list. 0 is no limit.
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

// omittedJobs returns how many pieces are not shown, and the jobs that they
// are about.
func omittedJobs(list []*piece) (pieces, jobs int) {
	for _, p := range list {
		if !p.kept {
			pieces++
			jobs += p.jobs
		}
	}
	return pieces, jobs
}
