// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/tools/spelling"
)

// avoided is a wording that is hard to read, and its replacement.
type avoided struct {
	pattern *regexp.Regexp
	instead string
}

// words is the list of avoided wordings. A pattern must not match a wording
// that is correct in another sense: "reads its own file" is fine, "a file of
// its own" is not. "makes", "made" and "holder" are usually correct, so no pattern
// matches them.
var words = []avoided{
	{regexp.MustCompile(`(?i)\b(is|are|was|were|be|been|not) told\b`), "is reported, is printed, learns"},
	{regexp.MustCompile(`(?i)\btells?\b`), "reports, prints, shows, distinguishes"},
	{regexp.MustCompile(`(?i)\b(stands?|lies|lie) (in [^f]|on|at|beside|above|below|there|where|under|before|after|alone)\b`), "is"},
	{regexp.MustCompile(`(?i)\bstands?([.,;:!?)]|$)`), "is"},
	{regexp.MustCompile(`(?i)\b(go|goes|going|went) on\b`), "continues, resumes"},
	{regexp.MustCompile(`(?i)\bgiven up\b`), "gives up, times out"},
	{regexp.MustCompile(`(?i)\bby (itself|themselves)\b`), "automatically, alone"},
	{regexp.MustCompile(`(?i)\banew\b`), "again"},
	{regexp.MustCompile(`(?i)\bwhat (else|is more)\b`), "other, also"},
	{regexp.MustCompile(`(?i)\bof (its|their|your|our|his|her) own([.,:;!?)]|$)`), "its own, separate"},
	{regexp.MustCompile(`(?i)\b((other|[0-9]+) signs|signs (than|of))\b`), "characters"},
	{regexp.MustCompile(`(?i)\b(it|that|which|and|error|page|file|message|command|plan|openpai|tool|program|server|provider) says\b`), "reports, prints, shows"},
	{regexp.MustCompile(`(?i)\bcosts? no squares?\b`), "is linear"},
	{regexp.MustCompile(`(?i)\b(un)?mend(s|ed|ing)?\b`), "fix"},
	{regexp.MustCompile(`(?i)\bby force\b`), "SIGKILL, forcibly"},
	{regexp.MustCompile(`(?i)\bas OpenPAI does\b`), "like OpenPAI"},
	{regexp.MustCompile(`(?i)\b(left|leaves?|leaving) out\b`), "omit, skip"},
	{regexp.MustCompile(`(?i)\bbusy with\b`), "processes"},
	{regexp.MustCompile(`(?i)\bfindings?\b`), "diagnostic"},
	{regexp.MustCompile(`(?i)\bwhole numbers?\b`), "integer"},
	{regexp.MustCompile(`(?i)\btaken for\b`), "treated as, confused with"},
	{regexp.MustCompile(`(?i)\blead(s|ing)? nowhere\b`), "does not exist, is broken"},
	{regexp.MustCompile(`(?i)\ball the same\b`), "still"},
	{regexp.MustCompile(`(?i)\b[^t\W]\w* (is|are) no [a-km-z]\w*`), "is not a"}, // not "there is no"
	{regexp.MustCompile(`(?i)\bno equals?\b`), "no equivalent"},
	{regexp.MustCompile(`(?i)\bwork(s|ing|ed)? on ((a|an|the|this|that|each|every|its|one|all) )?(task|job|file|line|request|item|image|plan|event|record|value|field)s?\b`), "processes"},
	{regexp.MustCompile(`(?i)\b(cannot|not to) be had\b`), "is not available"},
}

// required are wordings that the project promised for its output, and the code of a
// diagnostic.
var required = strings.NewReplacer("have passed; the job goes on", "", "items-not-initialised", "")

// mostWords is the maximum number of words up to a full stop or semicolon.
const mostWords = 30

var word = regexp.MustCompile(`\p{L}+`)

// check reports each avoided wording, each British spelling and each long sentence, and
// fails if there is one.
// A literal can be a program or a table, so its length is not checked.
func check(passages []passage, out io.Writer) error {
	found := 0
	for _, p := range passages {
		text := required.Replace(p.text)
		for _, w := range words {
			for _, at := range w.pattern.FindAllString(text, -1) {
				fmt.Fprintf(out, "%s:%d: %q; write: %s\n", p.file, p.line, at, w.instead)
				found++
			}
		}
		for _, w := range word.FindAllString(text, -1) {
			if american := spelling.American(w); american != "" {
				fmt.Fprintf(out, "%s:%d: %q is British; write: %s…\n", p.file, p.line, w, american)
				found++
			}
		}
		for _, s := range sentences(p) {
			for part := range strings.SplitSeq(s.text, "; ") {
				if n := len(strings.Fields(part)); n > mostWords && !p.literal {
					fmt.Fprintf(out, "%s:%d: %d words without a stop; split the sentence: %.40s...\n", p.file, p.line, n, part)
					found++
				}
			}
		}
	}
	if found > 0 {
		return fmt.Errorf("found %d avoided wordings, British spellings and long sentences", found)
	}
	return nil
}
