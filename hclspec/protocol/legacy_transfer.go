package protocol

import (
	"path"
	"regexp"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
)

// repository matches an address that is cloned rather than downloaded: any
// that ends in .git, and the two-part addresses of GitHub.
var repository = regexp.MustCompile(`^(?:(?:https?|ssh|git|file)://[^\s]+\.git|git@[^\s]+|(?:https?://)?[^/\s]*github[^/\s]*/[^/\s]+/[^/\s@]+)/?$`)

// commit matches what follows the @ of an address that is surely one of a
// repository, wherever it lies.
var commit = regexp.MustCompile(`^[0-9a-f]{7,40}$`)

func isRepository(address, ref string) bool {
	return repository.MatchString(address) || commit.MatchString(ref) && strings.HasPrefix(address, "http")
}

// legacyTransfer returns the commands that bring one address into the
// directory of a prerequisite, and those that save it afterwards.
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

// cutRef splits an address of a repository at the commit, tag or branch that
// follows its last part after an @.
func cutRef(uri string) (address, ref string) {
	at := strings.LastIndexByte(uri, '@')
	if at <= strings.LastIndexByte(uri, '/') {
		return uri, ""
	}
	return uri[:at], uri[at+1:]
}

// uriName is the last part of an address, without what follows its path.
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

// hdfsCopy copies in what is there. A storage is copied out when the task
// succeeded and the address did not exist before. Source: microsoft/pai pull
// request 1456.
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

// requireProgram ends the script with a sentence when the image lacks a program.
func requireProgram(program string) string {
	return "command -v " + program + " > /dev/null || { echo 'This prerequisite needs " + program + ", which the image does not have.' >&2; exit 1; }"
}

// shellQuote writes a string as one word of a POSIX shell. Template tags of the
// protocol have no meaning in the older format.
func shellQuote(s string) string {
	s = strings.ReplaceAll(s, "<%", "<%%")
	if plainWord.MatchString(s) {
		return s
	}
	return shellquote.Quote(s)
}

// plainWord matches what is not quoted. It is part of the content of imported
// jobs and narrower than [shellquote.Word].
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)
