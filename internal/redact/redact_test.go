// SPDX-License-Identifier: MPL-2.0

package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os/exec"
	"strings"
	"testing"
)

// nasty returns the secrets from which the tests build their input.
func nasty() []string {
	return []string{
		"hunter2!", "abcd", "aaaa", "abab", "pass word", "tab\there", "it's", `"quoted"`, `back\slash`, "dollar$HOME",
		"`tick`", "semi;colon", "amp&ersand", "<tag>", "100%sure", "a+b+c+d", "käse-brot", "密码密码", "\U0001F600\U0001F601\U0001F602\U0001F603",
		"line one is long enough\nline two is long enough\n", "trailing newline\n", "\x01\x02\x03\x04", "\x7f\x1b[0m~", "ends with \\",
		"/path/to/key", "user:pass@host", "{\"json\":1}", "[1,2,3]", "$(touch x)", "${HOME}", "#hash", "~tilde", "-dash-dash",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig", "AKIAIOSFODNN7EXAMPLE", "ghp_0123456789abcdefghij",
		strings.Repeat("x", 300), "abcdabcdabce", "\r\nCRLF\r\n", "=?&#;:,",
	}
}

// encodings contains functions that encode a value as common tools do.
var encodings = map[string]func(string) string{
	"as it is":           func(s string) string { return s },
	"query":              url.QueryEscape,
	"path":               url.PathEscape,
	"user of a URL":      func(s string) string { return url.User(s).String() },
	"base64 alone":       func(s string) string { return strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(s)), "=") },
	"base64 after one":   func(s string) string { return inner(base64.StdEncoding, 1, s) },
	"base64 after two":   func(s string) string { return inner(base64.StdEncoding, 2, s) },
	"base64url":          func(s string) string { return inner(base64.URLEncoding, 0, s) },
	"base64url after 2":  func(s string) string { return inner(base64.URLEncoding, 2, s) },
	"hex":                func(s string) string { return hex.EncodeToString([]byte(s)) },
	"hex in upper case":  func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	"JSON":               inJSON,
	"JSON in JSON":       func(s string) string { return inJSON(inJSON(s)) },
	"JSON in Python's":   func(s string) string { return asciiOnly(inJSON(inJSON(s))) },
	"shell in JSON":      func(s string) string { return inJSON(strings.ReplaceAll(s, "'", `'\''`)) },
	"single quotes":      func(s string) string { return strings.ReplaceAll(s, "'", `'\''`) },
	"Python shlex.quote": func(s string) string { return strings.ReplaceAll(s, "'", `'"'"'`) },
}

// inJSON returns the JSON encoding without quotes.
func inJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

// inner returns the part of a base64 encoding that depends only on s. before
// is the number of preceding bytes.
func inner(enc *base64.Encoding, before int, s string) string {
	text := enc.WithPadding(base64.NoPadding).EncodeToString([]byte(strings.Repeat("?", before) + s))
	return text[(8*before+5)/6 : 8*(before+len(s))/6]
}

func TestFortySecretsInEveryEncodingLeaveNoTraceAtAnySplit(t *testing.T) {
	t.Parallel()
	secrets := nasty()
	if len(secrets) != 40 {
		t.Fatalf("%d secrets", len(secrets))
	}
	r := New(secrets...)
	for name, encode := range encodings {
		for _, secret := range secrets {
			hidden := encode(secret)
			text := "before " + hidden + " after"
			for cut := 0; cut <= len(text); cut++ {
				got := through(t, r, text[:cut], text[cut:])
				if strings.Contains(got, hidden) || !strings.Contains(got, Mask) {
					t.Fatalf("%s of %q, split at %d: %q", name, secret, cut, got)
				}
			}
		}
	}
}

func through(t *testing.T, r *Redactor, parts ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := r.Writer(&out)
	for _, p := range parts {
		if n, err := w.Write([]byte(p)); n != len(p) || err != nil {
			t.Fatalf("wrote %d of %d, error %v", n, len(p), err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSecretsWrittenCharacterByCharacterAreMasked(t *testing.T) {
	t.Parallel()
	secrets := nasty()
	r := New(secrets...)
	text := strings.Join(secrets, " | ")
	got := through(t, r, strings.Split(text, "")...)
	for _, s := range secrets {
		if strings.Contains(got, s) {
			t.Errorf("%q is in %q", s, got)
		}
	}
}

func TestBashQuotingIsMasked(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatalf("this test needs bash: %v", err)
	}
	for _, secret := range nasty() {
		if strings.ContainsAny(secret, "\x01\x7f") || !isASCII(secret) {
			continue // bash's output depends on the locale
		}
		out, err := exec.Command(bash, "-c", `printf '%q\n' "$1"; v=$1; export v; export -p | tail -n +1 | sed -n '/ v=/,$p'; set -x; : "$1"`, "-", secret).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v", secret, err)
		}
		got := New(secret).String(string(out))
		if strings.Count(got, Mask) < 3 {
			t.Errorf("%q: bash printed\n%s\nwhich is masked as\n%s", secret, out, got)
		}
	}
}

func isASCII(s string) bool {
	for _, c := range []byte(s) {
		if c > 126 {
			return false
		}
	}
	return true
}

func TestSecretValuesAreReplaced(t *testing.T) {
	t.Parallel()
	r := New("hunter2", "ab", "abc", "overlapping", "pingpong", "abcd", "abcdef")
	for name, c := range map[string]struct{ in, want string }{
		"nothing to hide":         {"plain text", "plain text"},
		"empty":                   {"", ""},
		"alone":                   {"hunter2", "***"},
		"twice":                   {"hunter2 hunter2", "*** ***"},
		"side by side":            {"hunter2hunter2", "******"},
		"two values that overlap": {"<overlappingpong>", "<***>"},
		"the longest value wins":  {"abcdefg", "***g"},
		"the start of a longer value does not match": {"abcde", "***e"},
		"values of two and three characters":         {"ab abc", "ab abc"},
		"only a part of a value":                     {"hunter hunte", "hunter hunte"},
	} {
		if got := r.String(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestTextThatCannotBeASecretPassesAtOnce(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := New("hunter2").Writer(&out)
	for _, step := range []struct{ write, seen string }{
		{"a line\n", "a line\n"},
		{"prompt> ", "prompt> "},
		{"h", ""},
		{"ello\n", "hello\n"},
		{" hunter", " "},
		{"2", "***"},
	} {
		out.Reset()
		_, _ = w.Write([]byte(step.write))
		if out.String() != step.seen {
			t.Errorf("after %q: %q, want %q", step.write, out.String(), step.seen)
		}
	}
}

func TestWithoutValuesTextPassesUnchanged(t *testing.T) {
	t.Parallel()
	for _, r := range []*Redactor{New(), New("", "a", "abc")} {
		if got := r.String("a abc *"); got != "a abc *" {
			t.Errorf("got %q", got)
		}
	}
}

func FuzzWriter(f *testing.F) {
	for _, s := range nasty() {
		f.Add(s, "x"+s+s+"y", 3)
	}
	f.Fuzz(func(t *testing.T, secret, text string, step int) {
		if !Maskable(secret) || strings.Trim(secret, "*") == "" {
			return
		}
		r := New(secret)
		want := r.String(text)
		var parts []string
		for rest, n := text, 1+abs(step)%7; rest != ""; {
			n = min(n, len(rest))
			parts, rest = append(parts, rest[:n]), rest[n:]
		}
		got := through(t, r, parts...)
		if got != want {
			t.Fatalf("written in parts: %q, at once: %q", got, want)
		}
		if strings.Contains(secret, "*") {
			return // the output may contain this secret, because masks consist of asterisks
		}
		if strings.Contains(got, secret) {
			t.Fatalf("%q is in %q", secret, got)
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func BenchmarkWriterWithFortySecrets(b *testing.B) {
	line := []byte("epoch 12 step 3456 loss 0.1234 accuracy 0.987 learning rate 1e-4\n")
	chunk := bytes.Repeat(line, 4000)
	w := New(nasty()...).Writer(discard{})
	b.SetBytes(int64(len(chunk)))
	for b.Loop() {
		_, _ = w.Write(chunk)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
