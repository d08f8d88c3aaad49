// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"net/url"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// download parses one download and returns its number of lines. It returns nil if
// the first line does not start a download.
func download(lines []string) (*hclspec.Fetch, int) {
	if words := splitLine(byCurlOrWget(lines[0])); len(words) > 0 {
		switch words[0] {
		case "curl":
			return curl(words[1:]), 1
		case "wget":
			return wget(words[1:]), 1
		}
	}
	return checkout(lines)
}

// curlOrWget matches the download line that the conversion from the older format
// writes. Both commands have the same effect, so download parses only the curl
// command.
var curlOrWget = regexp.MustCompile(`^if command -v curl > /dev/null; then (curl -fsSL --retry 3 -o (\S+|'[^']*') (\S+|'[^']*')); else wget -q -O (\S+|'[^']*') (\S+|'[^']*'); fi$`)

func byCurlOrWget(line string) string {
	m := curlOrWget.FindStringSubmatch(line)
	if m == nil || m[2] != m[4] || m[3] != m[5] {
		return line
	}
	return m[1]
}

// curl converts a curl command to a fetch, or returns nil. It accepts only
// commands with -f and -L. Without -f, curl does not fail on HTTP errors.
// Without -L, it does not follow redirects. The stored content may then
// differ from the content of a fetch.
func curl(args []string) *hclspec.Fetch {
	a := arguments{rest: args, switches: "fsSLO#", values: map[string]string{"--output": "o", "--retry": "retry", "-o": "o"},
		long: map[string]string{"--fail": "f", "--silent": "s", "--show-error": "S", "--location": "L", "--remote-name": "O", "--create-dirs": "s"}}
	if !a.parse() || !a.has["f"] || !a.has["L"] || a.has["O"] == (a.value["o"] != "") {
		return nil
	}
	to := a.value["o"]
	if a.has["O"] {
		to = plainName(a.url)
	}
	return newFetch(a.url, to, a.value["retry"])
}

// wget parses the arguments of a wget command. Without a file name, wget stores the
// file under the last part of the URL.
func wget(args []string) *hclspec.Fetch {
	a := arguments{rest: args, switches: "q", values: map[string]string{"-O": "O", "--output-document": "O", "-P": "P", "--directory-prefix": "P"},
		long: map[string]string{"--quiet": "q", "--no-verbose": "q", "-nv": "q"}}
	if !a.parse() || a.value["O"] != "" && a.value["P"] != "" {
		return nil
	}
	to := a.value["O"]
	if to == "" {
		if to = plainName(a.url); to != "" && a.value["P"] != "" {
			to = path.Join(a.value["P"], to)
		}
		if path.IsAbs(to) {
			return nil // wget would keep an existing file and write to a file with a different name
		}
	}
	return newFetch(a.url, to, "")
}

func newFetch(from, to, retries string) *hclspec.Fetch {
	u, err := url.Parse(from)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return nil
	}
	if strings.ContainsAny(from, "[]") || to == "" || to == "-" || strings.HasSuffix(to, "/") || strings.HasPrefix(to, "/dev/") {
		return nil
	}
	f := &hclspec.Fetch{}
	hclspec.PrerequisiteBlock.Field("fetch").Block.SetDefaults(reflect.ValueOf(f).Elem())
	f.URL, f.To = from, to
	if retries != "" {
		if f.Retries, err = strconv.Atoi(retries); err != nil || f.Retries < 0 {
			return nil
		}
	}
	return f
}

var plainFile = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.+-]*$`)

// plainName returns the last part of a URL, or "" if some download programs
// would use a different name. An example is a URL with a query.
func plainName(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.RawQuery != "" || u.ForceQuery || strings.Contains(u.EscapedPath(), "%") {
		return ""
	}
	name := u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	if !plainFile.MatchString(name) {
		return ""
	}
	return name
}

var fullCommit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// checkout parses three lines: git clone URL DIR, git -C DIR checkout COMMIT, rm -rf
// DIR/.git. The third line is required because a fetch does not keep the history. A
// full commit hash is required because a branch does not identify fixed content.
func checkout(lines []string) (*hclspec.Fetch, int) {
	if len(lines) < 3 {
		return nil, 0
	}
	clone, to := splitQuiet(lines[0]), splitQuiet(lines[1])
	if len(clone) != 4 || clone[0] != "git" || clone[1] != "clone" || len(to) != 5 {
		return nil, 0
	}
	from, dir := clone[2], clone[3]
	remove := splitQuiet(lines[2])
	if strings.Join(to[:4], " ") != "git -C "+dir+" checkout" || !fullCommit.MatchString(to[4]) || strings.Join(remove, " ") != "rm -rf "+dir+"/.git" {
		return nil, 0
	}
	f := newFetch(from, dir, "")
	if f == nil || strings.Contains(from, "?") || strings.Contains(strings.TrimPrefix(from, "https://"), "//") {
		return nil, 0
	}
	f.URL = "git::" + from + "?ref=" + to[4]
	return f, 3
}

// splitQuiet splits a git command into words. It omits arguments without effect
// on the result, such as --quiet.
func splitQuiet(line string) []string {
	var words []string
	for _, word := range splitLine(line) {
		if word != "-q" && word != "--quiet" && word != "--" {
			words = append(words, word)
		}
	}
	return words
}

// madeDirectories returns the directories of a mkdir -p line, or nil for
// another line.
func madeDirectories(line string) []string {
	words := splitLine(line)
	if len(words) < 3 || words[0] != "mkdir" || words[1] != "-p" {
		return nil
	}
	for i, dir := range words {
		if i > 1 && strings.HasPrefix(dir, "-") {
			return nil
		}
		words[i] = strings.TrimSuffix(dir, "/")
	}
	return words[2:]
}

// arguments describes a command line: one-letter switches, options with a
// value, and one URL.
type arguments struct {
	rest     []string
	switches string
	long     map[string]string // maps a long option to the letter of its switch
	values   map[string]string // maps an option to its key in the value map
	has      map[string]bool
	value    map[string]string
	url      string
}

// parse parses the arguments. It reports whether all options are known and
// there is exactly one URL.
func (a *arguments) parse() bool {
	a.has, a.value = map[string]bool{}, map[string]string{}
	for len(a.rest) > 0 {
		word := a.rest[0]
		a.rest = a.rest[1:]
		name, inline, joined := strings.Cut(word, "=")
		letter, known := a.long[word]
		key, valued := a.values[name]
		switch {
		case known:
			a.has[letter] = true
		case valued && joined && strings.HasPrefix(name, "--"):
			a.value[key] = inline
		case valued && !joined && len(a.rest) > 0:
			a.value[key], a.rest = a.rest[0], a.rest[1:]
		case strings.HasPrefix(word, "-"):
			if !a.letters(word[1:]) {
				return false
			}
		case a.url == "":
			a.url = word
		default:
			return false
		}
	}
	return a.url != ""
}

// letters parses combined one-letter switches. The last switch may take its
// value from the next argument.
func (a *arguments) letters(word string) bool {
	for i, letter := range word {
		key, valued := a.values["-"+string(letter)]
		switch {
		case valued && i == len(word)-1 && len(a.rest) > 0:
			a.value[key], a.rest = a.rest[0], a.rest[1:]
		case !strings.ContainsRune(a.switches, letter):
			return false
		default:
			a.has[string(letter)] = true
		}
	}
	return word != ""
}

// shellWord matches a word that neither a shell nor a template expands.
var shellWord = regexp.MustCompile(`^(?:([A-Za-z0-9_./:@%+,=#-]+)|'([^'<>{}\n]*)'|"([^"$` + "`" + `\\!<>{}\n]*)")(?:[ \t]+|$)`)

// splitLine splits a command into words. It returns nil for a line with an
// expansion, a redirection or a second command.
func splitLine(line string) []string {
	line = strings.TrimSpace(line)
	var words []string
	for line != "" {
		m := shellWord.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(m[1], "#") {
			return nil
		}
		words, line = append(words, m[1]+m[2]+m[3]), line[len(m[0]):]
	}
	return words
}
