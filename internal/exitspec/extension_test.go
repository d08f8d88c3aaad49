// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func code(n int) *int { return &n }

func TestClusterRulesMatchByLogAndExitCode(t *testing.T) {
	t.Parallel()
	rules := []Rule{
		{Code: 161, Patterns: []RulePattern{{UserLog: `(?i)license (server|file) .*not (reachable|found)`}}},
		{Code: 162, Patterns: []RulePattern{{ExitCode: code(9)}}},
		{Code: 163, Patterns: []RulePattern{{UserLog: `\d{4}-\d{3}`}, {RuntimeLog: `mount failed`, ExitCode: code(3)}}},
		{Code: 226, Patterns: []RulePattern{{UserLog: `gpu memory gone`}, {UserLog: `CUDA out`}}},
		{Code: 164, Patterns: []RulePattern{{UserLog: `(broken`}}},
	}
	x, problems := NewExtension(rules)
	if len(problems) != 1 || !strings.Contains(problems[0], "entry 4 (containerExitCode 164), pattern 0") {
		t.Errorf("problems %q", problems)
	}
	for name, c := range map[string]struct {
		in   Input
		code int
		line string
	}{
		"a code of the cluster, by pattern":                   {Input{ExitCode: 1, UserLog: []byte("a\nLicense SERVER x not reachable\nb\n")}, 161, "License SERVER x not reachable"},
		"by exit code":                                        {Input{ExitCode: 9}, 162, ""},
		"an expression without words":                         {Input{ExitCode: 1, UserLog: []byte("x\nerror 1234-567\n")}, 163, "error 1234-567"},
		"both conditions hold":                                {Input{ExitCode: 3, RuntimeLog: []byte("mount failed\n")}, 163, ""},
		"only one condition holds":                            {Input{ExitCode: 4, RuntimeLog: []byte("mount failed\n")}, 255, ""},
		"another description for a known code":                {Input{ExitCode: 1, UserLog: []byte("gpu memory gone\n")}, 226, "gpu memory gone"},
		"the specification takes precedence for a known code": {Input{ExitCode: 1, UserLog: []byte("SyntaxError: CUDA out\n")}, 231, "SyntaxError: CUDA out"},
		"nothing matches":                                     {Input{ExitCode: 1, UserLog: []byte("fine\n")}, 255, ""},
	} {
		c.in.Extension = x
		if m := Analyze(c.in); m.Code != c.code || m.UserLine != c.line {
			t.Errorf("%s: code %d, line %q; want %d, %q", name, m.Code, m.UserLine, c.code, c.line)
		}
	}
}

func TestRulesOfTheClusterSetPhraseAndSolution(t *testing.T) {
	t.Parallel()
	x, _ := NewExtension([]Rule{
		{Code: 161, Phrase: "LicenseServerDown", Solution: "ask #licenses", Patterns: []RulePattern{{ExitCode: code(3)}}},
		{Code: 162, Patterns: []RulePattern{{ExitCode: code(4)}}},
		{Code: 226, Solution: "ask #gpus", Patterns: []RulePattern{{ExitCode: code(5)}}},
	})
	known, _ := Lookup(226)
	for name, c := range map[string]struct {
		exit     int
		phrase   string
		hint     Hint
		solution string
	}{
		"new code with phrase and solution":       {3, "LicenseServerDown", HintAskMeaning, "ask #licenses"},
		"new code without phrase and solution":    {4, "ClusterExit162", HintAskMeaning, ""},
		"known code with a solution":              {5, known.Phrase, known.Hint, "ask #gpus"},
		"a code that the cluster does not define": {6, "PAIRuntimeUnknownFailed", HintReadEndOfLog, ""},
	} {
		m := Analyze(Input{ExitCode: c.exit, Extension: x})
		if m.Entry.Phrase != c.phrase || m.Entry.Hint != c.hint || m.Entry.Solution != c.solution {
			t.Errorf("%s: %q, %q, %q", name, m.Entry.Phrase, m.Entry.Hint, m.Entry.Solution)
		}
	}
}

func TestExpressionsAreMatchedAgainstSingleLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("y", 3*maxLine)
	for expr, c := range map[string]struct{ log, line string }{
		`^\d+ \d+$`:     {"7 8\nstep\n12 34\nend 5\n" + strings.Repeat("a line of words\n", 100), "12 34"},
		`^error \d+$`:   {"an error 5\nerror 6\nan error 7\n", "error 6"},
		`^\s*$`:         {"a\n\nb", ""},
		`[0-9]{3}`:      {"x\n" + long + "123" + long + "\nz\n", ""},
		`\d{2}\s+\d{2}`: {"ends with 12\n34 begins\n", "none"},
		`(?m)^[0-9]+%$`: {"\x1b[31m50%\x1b[0m\nend\n", "50%"},
	} {
		x, problems := NewExtension([]Rule{{Code: 161, Patterns: []RulePattern{{UserLog: expr}}}})
		m := Analyze(Input{ExitCode: 1, UserLog: []byte(c.log), Extension: x})
		if len(problems) > 0 || (m.Code == 161) == (c.line == "none") || c.line != "" && c.line != "none" && m.UserLine != c.line {
			t.Errorf("%s: code %d, line %.40q, problems %q", expr, m.Code, m.UserLine, problems)
		}
	}
}

func TestRulesForCodesThatNoFailureHasAreVoid(t *testing.T) {
	t.Parallel()
	always := []RulePattern{{}}
	x, problems := NewExtension([]Rule{{Patterns: always}, {Code: -1200, Patterns: always}, {Code: 256, Patterns: always}})
	if m := Analyze(Input{ExitCode: 1, Extension: x}); m.Code != CodeUnknown || m.Entry.Code != CodeUnknown {
		t.Errorf("matched %+v", m)
	}
	if len(problems) != 3 || !strings.Contains(problems[0], "entry 0: containerExitCode must be between 1 and 255, but is 0") {
		t.Errorf("problems %q", problems)
	}
}

func TestRulesWithTooManyWordsForTheScannerMatch(t *testing.T) {
	t.Parallel()
	var words []string
	for i := range 12_000 {
		words = append(words, fmt.Sprintf("word%06d", i*7919))
	}
	x, problems := NewExtension([]Rule{
		{Code: 161, Patterns: []RulePattern{{UserLog: strings.Join(words, "|")}}},
		{Code: 162, Patterns: []RulePattern{{UserLog: strings.Repeat("abcdefgh", 20_000)}}},
		{Code: 163, Patterns: []RulePattern{{UserLog: "license"}}},
	})
	if len(problems) != 0 {
		t.Fatalf("problems %q", problems)
	}
	for line, want := range map[string]int{"x " + words[11_000] + " y": 161, "no license": 163, "word": CodeUnknown} {
		if m := Analyze(Input{ExitCode: 1, UserLog: []byte(line + "\n"), Extension: x}); m.Code != want {
			t.Errorf("%.40s: code %d, want %d", line, m.Code, want)
		}
	}
}

func TestRulesDoNotMakeTheAnalysisSlow(t *testing.T) {
	t.Parallel()
	var rules []Rule
	for i := range 60 {
		rules = append(rules, Rule{Code: 236, Patterns: []RulePattern{{UserLog: `(?mi)some message ` + strings.Repeat("x", i+1) + `.*`}}})
	}
	x, _ := NewExtension(rules)
	log := []byte(strings.Repeat("epoch 12 step 3456 loss 0.1234 some messages\n", Window/45))
	done := make(chan Match)
	go func() { done <- Analyze(Input{ExitCode: 1, UserLog: log, Extension: x}) }()
	select {
	case m := <-done:
		if m.Code != CodeUnknown {
			t.Errorf("matched %+v", m)
		}
	case <-time.After(time.Minute): // the original takes minutes
		t.Error("the analysis hangs")
	}
}
