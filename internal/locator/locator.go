// SPDX-License-Identifier: MPL-2.0

package locator

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Kind is the type of an address.
type Kind int

// Kinds of addresses.
const (
	File Kind = iota
	HTTP
	Git
)

// Locator is a parsed address.
type Locator struct {
	Kind Kind
	URL  *url.URL // the http URL, or the URL of the git repository
	Path string   // absolute, for a file
	Name string   // default file name if the destination is a directory
	// Ref is a commit or a tag. Subdir is a directory in the tree, or "" for the
	// whole tree.
	Ref, Subdir string
}

// gitPrefix is the prefix of git addresses. Their form matches Terraform's module
// sources: git::https://host/repository.git//directory?ref=v1.2.0.
const gitPrefix = "git::"

var commitID = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

var tagName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./+-]*$`)

// IsCommit reports whether Ref is a full commit ID. The content of a commit cannot
// change.
func (l Locator) IsCommit() bool { return IsCommit(l.Ref) }

// IsCommit reports whether a string is a full commit ID.
func IsCommit(ref string) bool { return commitID.MatchString(ref) }

// IsRelative reports whether a string is a file path relative to the workspace
// directory.
func IsRelative(text string) bool {
	return !filepath.IsAbs(text) && !strings.Contains(text, "://") && !strings.HasPrefix(text, gitPrefix)
}

// Parse parses an absolute path, a file, http or https URL, or a git address. A git
// address is git:: followed by a repository URL. The URL must end with ?ref= and a
// commit or tag. The error omits the address, because callers print the address
// first.
func Parse(text string) (Locator, error) {
	if repository, isGit := strings.CutPrefix(text, gitPrefix); isGit {
		return parseGit(repository)
	}
	if filepath.IsAbs(text) {
		return Locator{Kind: File, Path: text, Name: path.Base(path.Clean(filepath.ToSlash(text)))}, nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return Locator{}, errors.New("the URL is not valid; check its spelling")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" && u.Host != "localhost" || u.Path == "" {
			return Locator{}, errors.New("a file URL must start with file:/// and contain an absolute path, for example file:///data/set.zip")
		}
		return Locator{Kind: File, Path: u.Path, Name: path.Base(path.Clean(u.Path))}, nil
	case "http", "https":
		if u.Host == "" {
			return Locator{}, errors.New("the URL has no host")
		}
		return Locator{Kind: HTTP, URL: u, Name: nameOf(u, "")}, nil
	}
	return Locator{}, errors.New("it must be an absolute path, or an http, https, file or git:: URL")
}

// ParseIn is like [Parse], but also accepts a path relative to dir. A
// relative path must not refer to a file outside dir.
func ParseIn(dir, text string) (Locator, error) {
	if !IsRelative(text) {
		return Parse(text)
	}
	if !filepath.IsLocal(text) {
		return Locator{}, errors.New("the path must be inside the workspace directory")
	}
	return Parse(filepath.Join(dir, text))
}

func parseGit(text string) (Locator, error) {
	if filepath.IsAbs(text) {
		text = "file://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return Locator{}, errors.New("invalid repository URL; check its spelling")
	}
	switch u.Scheme {
	case "https", "http", "ssh", "file":
	default:
		return Locator{}, errors.New("a git URL must be git:: followed by an https, http, ssh or file URL, for example git::https://host/repository.git?ref=v1.2.0")
	}
	l := Locator{Kind: Git, Ref: u.Query().Get("ref")}
	if len(u.Query()) > 1 || l.Ref == "" || !l.IsCommit() && !validTag(l.Ref) {
		return Locator{}, errors.New("a git URL must end with ?ref= and a commit (40 or 64 hex digits) or a tag name, so that the fetched content never changes")
	}
	u.RawQuery = ""
	if repository, subdir, found := strings.Cut(u.Path, "//"); found {
		if subdir = path.Clean(subdir); !filepath.IsLocal(subdir) {
			return Locator{}, fmt.Errorf("the directory %q must be inside the repository", subdir)
		}
		if u.Path, u.RawPath = repository, ""; subdir != "." {
			l.Subdir = subdir
		}
	}
	l.URL, l.Name = u, nameOf(u, ".git")
	return l, nil
}

// validTag rejects strings that git would not interpret as a tag name.
func validTag(name string) bool {
	return tagName.MatchString(name) && !strings.Contains(name, "..") && !strings.HasPrefix(name, "refs/")
}

// nameOf returns the last path component without the suffix. If the result is
// not a valid file name, nameOf returns the host.
func nameOf(u *url.URL, suffix string) string {
	switch base := strings.TrimSuffix(path.Base(u.Path), suffix); base {
	case "", ".", "/", "..":
		return u.Hostname()
	default:
		return base
	}
}

// Show formats an address for users. It omits the user and the password. It
// also omits query values, because they may contain a signature.
func Show(text string) string {
	prefix := ""
	if rest, isGit := strings.CutPrefix(text, gitPrefix); isGit {
		prefix, text = gitPrefix, rest
	}
	if filepath.IsAbs(text) || !strings.Contains(text, "://") {
		return prefix + text
	}
	u, err := url.Parse(text)
	if err != nil {
		scheme, _, _ := strings.Cut(text, "://")
		return prefix + scheme + "://..."
	}
	ref := u.Query().Get("ref")
	hidden := u.RawQuery != ""
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	switch {
	case prefix != "" && ref != "":
		return prefix + u.String() + "?ref=" + ref
	case hidden:
		return prefix + u.String() + "?..."
	}
	return prefix + u.String()
}
