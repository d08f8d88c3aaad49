// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Source reads the items of a marketplace, such as a directory or a server.
type Source interface {
	// Items returns the items that match the query, and possibly other items.
	// Items reports unreadable files in [Listing.Problems], and does not
	// return an error for them.
	Items(ctx context.Context, q Query) (*Listing, error)
	// Address returns the address of the source for the lock file. If the source
	// has revisions, the address includes the revision that was read.
	Address() string
}

// Query describes the wanted items for sources that support searching. The zero
// value matches all items.
type Query struct {
	ID, Name, Keyword string
}

// Listing is the result of reading a source.
type Listing struct {
	Items []*Item
	// Problems lists the errors for the files and items that could not be
	// read.
	Problems []*Error
	// Personal is set if the source lists only items that the current user may
	// see.
	Personal bool
}

// For returns the items intended for a user, and the number of omitted items. It
// omits the private items of other authors. For does not control access:
// everyone who can read a directory can read all items.
func (l *Listing) For(user string) (items []*Item, others int) {
	for _, i := range l.Items {
		if !l.Personal && i.Visibility == "private" && i.Author != "" && i.Author != user {
			others++
			continue
		}
		items = append(items, i)
	}
	return items, others
}

// kind is the kind of a source.
type kind int

const (
	kindDirectory kind = iota
	kindGit
	kindFile
	kindREST
)

// location is a parsed source string.
type location struct {
	kind kind
	// target is a path or URL without the subdirectory and the revision.
	target string
	// written is the target as declared. A relative path is not made
	// absolute.
	written string
	// ref is the commit, branch or tag of a git source. "" means the default
	// branch.
	ref string
	// dir is a directory below the root of a git repository.
	dir string
}

// locate parses a source string. base is the directory for relative paths.
func locate(source, base string) (location, error) {
	forced, rest := forcedKind(source)
	if HasCredential(rest) {
		return location{}, failure(InvalidMarketplaceSource, "the source contains a credential, which openpai would write to files; set token to a secret instead")
	}
	if strings.HasPrefix(rest, "-") || strings.ContainsAny(rest, "\x00\n\r") || strings.TrimSpace(rest) == "" {
		return location{}, failure(InvalidMarketplaceSource, "invalid source %q: must not be empty, begin with \"-\" or contain line breaks", source)
	}
	switch {
	case forced == "git", forced == "" && looksLikeGit(rest):
		return gitLocation(rest, base)
	case forced == "items", forced == "" && isURL(rest) && IsItemFile(urlPath(rest)):
		return location{kind: kindFile, target: rest}, onlyURL(source, rest)
	case forced == "rest", forced == "" && isURL(rest):
		return location{kind: kindREST, target: strings.TrimRight(rest, "/")}, onlyURL(source, rest)
	case strings.Contains(rest, "://") && !strings.HasPrefix(rest, "file://"):
		return location{}, failure(InvalidMarketplaceSource, "unknown protocol in %q; use https, http, ssh or file", source)
	}
	return location{kind: kindDirectory, target: localPath(rest, base)}, nil
}

func forcedKind(source string) (kind, rest string) {
	for _, k := range []string{"git", "items", "rest"} {
		if rest, ok := strings.CutPrefix(source, k+"::"); ok {
			return k, rest
		}
	}
	return "", source
}

func onlyURL(source, rest string) error {
	if !isURL(rest) {
		return failure(InvalidMarketplaceSource, "%q must be an http or https URL", source)
	}
	return nil
}

// looksLikeGit reports whether a source has the usual spelling of a git repository.
func looksLikeGit(s string) bool {
	name, query, _ := strings.Cut(s, "?")
	switch {
	case strings.HasPrefix(s, "ssh://"), strings.HasPrefix(s, "git@"):
		return true
	case strings.HasSuffix(name, ".git"), strings.Contains(name, ".git//"):
		return true
	}
	return !isURL(s) && strings.HasPrefix(query, "ref=")
}

// gitLocation parses repository//directory?ref=revision.
func gitLocation(s, base string) (location, error) {
	repo, query, _ := strings.Cut(s, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return location{}, failure(InvalidMarketplaceSource, "invalid query in %q; write ?ref=REVISION", s)
	}
	for key := range values {
		if key != "ref" {
			return location{}, failure(InvalidMarketplaceSource, "unknown option %[2]q in %[1]q; the only valid option is \"ref\" (a commit, branch or tag)", s, key)
		}
	}
	l := location{kind: kindGit, ref: values.Get("ref")}
	from := 0
	if i := strings.Index(repo, "://"); i >= 0 {
		from = i + len("://")
	}
	if i := strings.Index(repo[from:], "//"); i >= 0 {
		l.dir = strings.Trim(repo[from+i+2:], "/")
		repo = repo[:from+i]
	}
	if strings.HasPrefix(l.ref, "-") || l.dir != "" && !filepath.IsLocal(l.dir) {
		return location{}, failure(InvalidMarketplaceSource, "invalid source %q: ref must not begin with \"-\", and the directory must be inside the repository", s)
	}
	l.target, l.written = repo, repo
	if !strings.Contains(repo, "://") && !strings.HasPrefix(repo, "git@") {
		l.target = localPath(repo, base)
	}
	return l, gitProtocol(s, repo)
}

// gitProtocol rejects git protocols that run programs.
func gitProtocol(s, repo string) error {
	protocol, _, found := strings.Cut(repo, "://")
	if strings.Contains(repo, "::") {
		return failure(InvalidMarketplaceSource, "%q requires a git remote helper, which is not allowed", s)
	}
	if !found {
		return nil
	}
	switch protocol {
	case "https", "http", "ssh", "file":
		return nil
	}
	return failure(InvalidMarketplaceSource, "the protocol of %q is not allowed; use https, http, ssh or file", s)
}

func localPath(s, base string) string {
	s = strings.TrimPrefix(s, "file://")
	if filepath.IsAbs(s) {
		return filepath.Clean(s)
	}
	return filepath.Join(base, filepath.FromSlash(s))
}

func urlPath(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return s
	}
	return u.Path
}

// IsItemFile reports whether a name has the extension of an item file.
func IsItemFile(name string) bool {
	for _, ending := range itemEndings {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return false
}

// itemEndings are the extensions for YAML and HCL. The longest extension comes
// first.
var itemEndings = []string{".pai.hcl.json", ".pai.hcl", ".yaml", ".yml"}

func stem(name string) string {
	for _, ending := range itemEndings {
		if s, ok := strings.CutSuffix(name, ending); ok {
			return s
		}
	}
	return name
}

// Rebase rewrites the relative path of a source for a different base
// directory.
func Rebase(source, from, to string) string {
	l, err := locate(source, "")
	forced, rest := forcedKind(source)
	if err != nil || l.kind != kindDirectory && l.kind != kindGit || strings.Contains(rest, "://") || strings.HasPrefix(rest, "git@") || filepath.IsAbs(rest) {
		return source
	}
	abs, err := filepath.Abs(from)
	if err != nil {
		return source
	}
	rel, err := filepath.Rel(to, abs)
	if err != nil || rel == "." {
		return source
	}
	moved := filepath.ToSlash(rel) + "/" + strings.TrimPrefix(rest, "./")
	if forced != "" {
		moved = forced + "::" + moved
	}
	return moved
}

// SourceFrom is like [Rebase], but also simplifies the path of a directory for
// readability.
func SourceFrom(source, from, to string) string {
	l, err := locate(source, from)
	if err != nil || l.kind != kindDirectory || strings.Contains(source, "://") || filepath.IsAbs(source) {
		return Rebase(source, from, to)
	}
	rel, err := filepath.Rel(to, l.target)
	if err != nil {
		return source
	}
	if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "..") {
		rel = "./" + rel
	}
	return rel
}

// SameSource reports whether two marketplaces have the same source. dir is
// the directory of both declarations.
func SameSource(a, b *hclspec.Marketplace, dir string) bool {
	if a.Kubernetes != nil || b.Kubernetes != nil {
		return a.Kubernetes != nil && b.Kubernetes != nil && *a.Kubernetes == *b.Kubernetes
	}
	la, errA := locate(a.Source, dir)
	lb, errB := locate(b.Source, dir)
	la.written, lb.written = "", ""
	return errA == nil && errB == nil && la == lb
}

// Limits contains limits for the resources that a source may use.
type Limits struct {
	// FileBytes is the maximum size of one item file. ListBytes is the maximum size
	// of a response with many items. RepositoryBytes is the maximum size of a git
	// repository on disk.
	FileBytes, ListBytes, RepositoryBytes int64
	// Files is the maximum number of item files in a directory or repository.
	Files int
	// Items is the maximum number of items that a workspace may require.
	Items int
	// Attempt is the time limit of one try. Total is the time limit of all
	// tries.
	Attempt, Total time.Duration
	// Tries is the maximum number of tries of a request. Pause is the time before
	// the second try, and doubles before each further try. Wait is the longest
	// accepted value of Retry-After.
	Tries       int
	Pause, Wait time.Duration
}

// DefaultLimits are the limits of the openpai CLI.
var DefaultLimits = Limits{
	FileBytes: 4 << 20, ListBytes: 32 << 20, RepositoryBytes: 512 << 20, Files: 5000, Items: 1000,
	Attempt: 30 * time.Second, Total: 2 * time.Minute,
	Tries: 4, Pause: 500 * time.Millisecond, Wait: 30 * time.Second,
}
