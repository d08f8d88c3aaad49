// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"path"
	"regexp"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
)

// repository matches URLs of git repositories: any URL that ends in .git, and
// two-part GitHub addresses.
var repository = regexp.MustCompile(`^(?:(?:https?|ssh|git|file)://[^\s]+\.git|git@[^\s]+|(?:https?://)?[^/\s]*github[^/\s]*/[^/\s]+/[^/\s@]+)/?$`)

// commit matches a commit hash after the @ of a URL. A URL with a commit hash
// is always a repository URL, on any host.
var commit = regexp.MustCompile(`^[0-9a-f]{7,40}$`)

func isRepository(address, ref string) bool {
	return repository.MatchString(address) || commit.MatchString(ref) && strings.HasPrefix(address, "http")
}

// legacyTransfer returns commands that copy the content of a URI into the
// prerequisite's directory. For some URIs, it also returns commands that copy
// the content back after the task.
func legacyTransfer(p *hclspec.Prerequisite, uri string) (before, after []string, ok bool) {
	address, ref := cutRef(uri)
	target := p.Name + "/" + uriName(address)
	switch {
	case strings.HasPrefix(uri, "hdfs://"):
		before, after = hdfsCopy(p, uri, target)
	case isRepository(address, ref):
		before = checkout(address, ref, target)
	case strings.HasPrefix(uri, "http://"), strings.HasPrefix(uri, "https://"):
		before = download(uri, p.Name+"/"+uriName(uri))
	case strings.HasPrefix(uri, "/"):
		before = []string{"ln -sfn " + shellQuote(uri) + " " + shellQuote(target)}
	default:
		return nil, nil, false
	}
	return before, after, true
}

// cutRef splits a repository URL at the @ in its last part. ref is the commit,
// tag or branch after the @, or "".
func cutRef(uri string) (address, ref string) {
	at := strings.LastIndexByte(uri, '@')
	if at <= strings.LastIndexByte(uri, '/') {
		return uri, ""
	}
	return uri[:at], uri[at+1:]
}

// uriName returns the last part of the path, without query and fragment.
func uriName(uri string) string {
	uri, _, _ = strings.Cut(uri, "?")
	uri, _, _ = strings.Cut(uri, "#")
	name := strings.TrimSuffix(path.Base(strings.TrimRight(uri, "/")), ".git")
	if name == "" || name == "." || name == "/" || name == ".." {
		return "content"
	}
	return name
}

func checkout(address, ref, target string) []string {
	if !strings.Contains(address, "://") && !strings.HasPrefix(address, "git@") {
		address = "https://" + address
	}
	commands := []string{
		requireProgram("git"),
		"git clone --quiet -- " + shellQuote(address) + " " + shellQuote(target),
	}
	if ref != "" {
		commands = append(commands, "git -C "+shellQuote(target)+" checkout --quiet "+shellQuote(ref))
	}
	return commands
}

func download(uri, target string) []string {
	from, to := shellQuote(uri), shellQuote(target)
	return []string{
		"if command -v curl > /dev/null; then curl -fsSL --retry 3 -o " + to + " " + from + "; else wget -q -O " + to + " " + from + "; fi",
	}
}

// hdfsCopy returns commands that copy a file or directory from HDFS to the
// target path before the task starts. For an output, it also returns a
// command that copies the output to the URI after the task succeeds, unless
// the URI already exists. Source: microsoft/pai pull request 1456.
func hdfsCopy(p *hclspec.Prerequisite, uri, target string) (before, after []string) {
	from, to := shellQuote(uri), shellQuote(target)
	if p.Type != "output" {
		return []string{requireProgram("hdfs"), "hdfs dfs -get " + from + " " + to}, nil
	}
	before = []string{
		requireProgram("hdfs"),
		"if hdfs dfs -test -e " + from + "; then hdfs dfs -get " + from + " " + to + "; else mkdir -p " + to + "; fi",
	}
	return before, []string{"hdfs dfs -test -e " + from + " || hdfs dfs -put " + to + " " + from}
}

// requireProgram returns a command that fails if the image lacks a program.
func requireProgram(program string) string {
	return "command -v " + program + " > /dev/null || { echo 'This prerequisite needs " + program + ", which the image does not have.' >&2; exit 1; }"
}

// shellQuote quotes a string for a shell. shellQuote also escapes template
// tags, because the older format does not interpret template tags.
func shellQuote(s string) string {
	s = strings.ReplaceAll(s, "<%", "<%%")
	if plainWord.MatchString(s) {
		return s
	}
	return shellquote.Quote(s)
}

// plainWord matches words that do not require quotes. It matches fewer words
// than [shellquote.Word]. A different pattern would change the content of
// imported jobs.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)
