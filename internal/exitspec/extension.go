// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Rule is an entry in runtime-exit-spec.yaml. The cluster operator extends the
// specification with this file. The code and the patterns have OpenPAI's format.
// The fields that describe the code do not exist in the original OpenPAI.
// Source: microsoft/pai:
// src/openpai-runtime/deploy/runtime-exit-spec.yaml.template.
type Rule struct {
	Code     int           `json:"containerExitCode" yaml:"containerExitCode"`
	Phrase   string        `json:"phrase,omitempty" yaml:"phrase"`
	Solution string        `json:"solution,omitempty" yaml:"solution"`
	Patterns []RulePattern `json:"patterns" yaml:"patterns"`
}

// RulePattern matches if every part that is set matches.
type RulePattern struct {
	ExitCode   *int   `json:"exitCode,omitempty" yaml:"exitCode"`
	UserLog    string `json:"userLogRegex,omitempty" yaml:"userLogRegex"`
	RuntimeLog string `json:"platformLogRegex,omitempty" yaml:"platformLogRegex"`
	GPU        *struct {
		DoubleECC bool `json:"nvidiaDoubleEccError" yaml:"nvidiaDoubleEccError"`
	} `json:"gpuInfo,omitempty" yaml:"gpuInfo"`
}

// Extension is a compiled rule file. Analyze tries new codes in the file
// first, because they can be more specific than the specification. The file
// can also contain patterns for existing codes. Analyze tries these patterns
// last.
type Extension struct {
	first, last   []Entry
	user, runtime *extraRegexps
}

// maxRules is the maximum number of patterns in a file.
const maxRules = 250

// NewExtension compiles rules. Like OpenPAI, NewExtension ignores patterns with an
// invalid expression. It also ignores rules with a code outside 1 to 255. Failed
// containers have only codes from 1 to 255. The returned problems describe the
// ignored parts.
func NewExtension(rules []Rule) (x *Extension, problems []string) {
	x = &Extension{}
	count := 0
	for i, r := range rules {
		if r.Code < 1 || r.Code > 255 {
			problems = append(problems, fmt.Sprintf("entry %d: containerExitCode must be between 1 and 255, but is %d", i, r.Code))
			continue
		}
		entry, known := r.entry()
		for k := range r.Patterns {
			if count++; count > maxRules {
				return x.ready(), append(problems, fmt.Sprintf("only the first %d patterns are used", maxRules))
			}
			p, err := r.Patterns[k].pattern()
			if err != nil {
				problems = append(problems, fmt.Sprintf("entry %d (containerExitCode %d), pattern %d: %v", i, r.Code, k, err))
				continue
			}
			entry.Patterns = append(entry.Patterns, p)
		}
		if known {
			x.last = append(x.last, entry)
		} else {
			x.first = append(x.first, entry)
		}
	}
	return x.ready(), problems
}

// entry returns an entry without patterns. Text in the file overrides the
// default text.
func (r *Rule) entry() (e Entry, known bool) {
	e, known = Lookup(r.Code)
	if !known {
		e = Entry{Code: r.Code, Phrase: fmt.Sprintf("ClusterExit%d", r.Code), Issuer: IssuerRuntime, Causer: CauserUndetermined,
			Type: TypeUnknown, Stage: StageRunning, Behavior: Unknown,
			Reason: "a pattern in the cluster's exit specification matched", Hint: HintAskMeaning}
	}
	e.Phrase, e.Solution, e.Patterns = cmp.Or(r.Phrase, e.Phrase), cmp.Or(r.Solution, e.Solution), nil
	return e, known
}

func (x *Extension) ready() *Extension {
	for _, entries := range [][]Entry{x.first, x.last} {
		x.user = x.user.add(regexpsOf(entries, func(p *Pattern) *Regexp { return p.UserLog }))
		x.runtime = x.runtime.add(regexpsOf(entries, func(p *Pattern) *Regexp { return p.RuntimeLog }))
	}
	return x
}

func (r *RulePattern) pattern() (Pattern, error) {
	var p Pattern
	if r.ExitCode != nil {
		p.ExitCode = *r.ExitCode
	}
	p.ECC = r.GPU != nil && r.GPU.DoubleECC
	var err error
	if p.UserLog, err = ruleRegexp(r.UserLog); err != nil {
		return p, err
	}
	p.RuntimeLog, err = ruleRegexp(r.RuntimeLog)
	return p, err
}

func ruleRegexp(expr string) (*Regexp, error) {
	if expr == "" {
		return nil, nil
	}
	compiled, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	t := &Regexp{Expr: expr, compiled: sync.OnceValue(func() *regexp.Regexp { return compiled })}
	if parsed, err := syntax.Parse(expr, syntax.Perl); err == nil {
		if words := wordsOf(parsed); totalLen(words) <= maxWords && shortest(words) >= minWord {
			t.Words = words
		}
	}
	return t, nil
}

// minWord is the minimum length of a word to search for, in bytes. A shorter word,
// such as a space, can have more hits than [maxHits].
const minWord = 3

// maxWords is the maximum total size of the words of one expression, in bytes.
// The limit makes 16-bit state numbers sufficient for the words of maxRules
// expressions. Analyze searches separately for an expression whose words
// exceed the limit.
const maxWords = 256

func totalLen(words []string) int {
	total := 0
	for _, w := range words {
		total += len(w)
	}
	return total
}

// wordsOf returns lower-case words. Every match of the expression contains at
// least one of the words. It returns nil if it cannot find such words.
func wordsOf(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		word := strings.ToLower(string(re.Rune))
		for i := range len(word) {
			if word[i] >= 0x80 {
				return nil // the scanner folds only ASCII case
			}
		}
		return []string{word}
	case syntax.OpCapture, syntax.OpPlus:
		return wordsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return wordsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if words := wordsOf(sub); len(words) > 0 && shortest(words) > shortest(best) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			words := wordsOf(sub)
			if len(words) == 0 {
				return nil
			}
			all = append(all, words...)
		}
		return all
	}
	return nil
}

func shortest(words []string) int {
	length := 0
	for i, w := range words {
		if i == 0 || len(w) < length {
			length = len(w)
		}
	}
	return length
}

// extraRegexps contains the expressions of an extension. One pass over a log finds the
// words of all expressions. Each expression without words requires a separate search.
type extraRegexps struct {
	byWords  *scanner
	patterns []*Regexp
}

func (x *extraRegexps) add(found []*Regexp) *extraRegexps {
	if x == nil {
		x = &extraRegexps{}
	}
	x.patterns = append(x.patterns, found...)
	var worded []*Regexp
	for _, t := range x.patterns {
		if len(t.Words) > 0 {
			worded = append(worded, t)
		}
	}
	x.byWords = scannerOf(worded)
	return x
}

func (x *extraRegexps) search(log []byte) map[*Regexp]*hits {
	found := x.byWords.scan(log)
	for _, t := range x.patterns {
		if len(t.Words) > 0 {
			continue
		}
		if at, ok := t.lastMatch(log); ok {
			found[t] = &hits{}
			found[t].add(at)
		}
	}
	return found
}

// lastMatch returns the offset of the match in the last matching line. If the
// line matches only without its color codes, lastMatch returns the start of
// the line.
func (t *Regexp) lastMatch(log []byte) (at int, ok bool) {
	for end := len(log); end >= 0; {
		start := lineStart(log, end)
		line := log[start:end]
		if t.matchesLine(line) {
			if match := t.compiled().FindIndex(line); match != nil { // color codes in the raw line can prevent a match
				start += match[0]
			}
			return start, true
		}
		end = start - 1
	}
	return 0, false
}
