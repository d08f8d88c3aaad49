// SPDX-License-Identifier: MPL-2.0

package module

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// Kind is the kind of a source.
type Kind int

// Kinds of sources.
const (
	Directory Kind = iota // on this machine
	Git
	Archive // on a web server
)

// Source is the parsed source of a module.
type Source struct {
	Kind Kind
	// Package is a relative path, a repository address or an archive URL.
	Package string
	// Dir is the directory of the module in the package, or "" for the root.
	Dir string
	// Ref is a commit, branch or tag of a git repository. Version is a tag with
	// or without a leading v. At most one of Ref and Version is set. If both are
	// empty, the source refers to the default branch.
	Ref, Version string
	// Local reports whether the package is a directory on this machine.
	Local bool
}

// ErrCredential reports that a source contains a credential. Callers must
// print neither the source nor the line that contains it.
var ErrCredential = errors.New("it contains a credential, which openpai would write to files; use a git credential helper or an SSH key")

// VersionError is an error in the version, not in the source.
type VersionError struct{ reason string }

func (e *VersionError) Error() string { return e.reason }

const maxSource = 4096

// Parse parses the source and the version of a module. version may be "". The error
// text is a clause, such as "it is longer than 4096 characters".
func Parse(text, version string) (Source, error) {
	s, err := parse(text)
	if err != nil || version == "" {
		return s, err
	}
	switch {
	case s.Kind != Git:
		return s, &VersionError{"version requires a git repository as the source; remove version"}
	case s.Ref != "":
		return s, &VersionError{fmt.Sprintf("the source already sets ref=%s; set either ref or version", s.Ref)}
	case strings.ContainsAny(version, "<>=~!, *"):
		return s, &VersionError{fmt.Sprintf("%q is a version constraint; version must be exactly one tag of the repository, for example 1.2.0", version)}
	case !isRevision(version):
		return s, &VersionError{fmt.Sprintf("%q is not a valid tag name; version must be exactly one tag of the repository, for example 1.2.0", version)}
	}
	s.Version = version
	return s, nil
}

func parse(text string) (Source, error) {
	rest, forced := strings.CutPrefix(text, "git::")
	switch {
	case marketplace.HasCredential(rest):
		return Source{}, ErrCredential
	case len(text) > maxSource:
		return Source{}, fmt.Errorf("it is longer than %d characters", maxSource)
	case rest == "" || strings.HasPrefix(rest, "-") || strings.ContainsFunc(rest, isUnprintable):
		return Source{}, errUnknown
	case isRelative(rest) && !forced:
		return directory(rest), nil
	case forced || looksLikeGit(rest):
		return git(rest)
	case isWeb(rest):
		return archive(rest)
	}
	return Source{}, advice(rest)
}

var errUnknown = errors.New("it must be a directory (./modules/train), a git repository (git::https://host/repository.git//directory?ref=v1) or an archive (https://host/module.tar.gz//directory)")

// advice returns the error for an invalid source. For Terraform-only sources,
// the error explains what to write instead.
func advice(text string) error {
	host, _, found := strings.Cut(text, "/")
	switch {
	case filepath.IsAbs(text):
		return errors.New("it is an absolute path, which differs between machines; write a path that begins with ./ or ../")
	case found && (host == "github.com" || host == "bitbucket.org" || host == "gitlab.com"):
		return fmt.Errorf("write the full address of the repository, for example git::https://%s/owner/repository.git", host)
	}
	return errUnknown
}

func isUnprintable(r rune) bool { return r <= ' ' || r == 0x7f || r == '\ufffd' }

func isRelative(text string) bool {
	return text == "." || text == ".." || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")
}

func isWeb(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}

// looksLikeGit reports whether a source has a usual form of a git address:
// ssh://..., git@..., or a web URL with ".git" at the end of the repository
// path. internal/marketplace applies a similar rule.
func looksLikeGit(text string) bool {
	name, _, _ := strings.Cut(text, "?")
	return strings.HasPrefix(text, "ssh://") || strings.HasPrefix(text, "git@") ||
		isWeb(text) && (strings.HasSuffix(name, ".git") || strings.Contains(name, ".git//"))
}

// directory parses a relative path. "//" separates the package path from the module
// path. Without "//", the package and the module are the same directory. Only a
// directory outside the workspace is locked as a package.
func directory(text string) Source {
	root, dir, _ := strings.Cut(text, "//")
	s := Source{Kind: Directory, Package: path.Clean(root), Local: true}
	if dir = path.Clean("/" + dir)[1:]; dir != "" {
		s.Dir = dir
	}
	return s
}

// git parses repository//directory?ref=revision.
func git(text string) (Source, error) {
	repository, query, _ := strings.Cut(text, "?")
	values, err := url.ParseQuery(query)
	if err != nil || strings.Contains(text, "#") {
		return Source{}, errUnknown
	}
	for key := range values {
		if key != "ref" {
			return Source{}, fmt.Errorf("unknown option %q; a git repository supports only the option \"ref\" (a commit, branch or tag)", key)
		}
	}
	if before, dir, found := strings.Cut(values.Get("ref"), "//"); found {
		return Source{}, misplaced(repository, dir, "ref="+before)
	}
	s := Source{Kind: Git, Ref: values.Get("ref")}
	if values.Has("ref") && !isRevision(s.Ref) {
		return Source{}, fmt.Errorf("%q is not a valid commit, branch or tag", s.Ref)
	}
	if s.Package, s.Dir, err = split(repository); err != nil {
		return Source{}, err
	}
	s.Local = strings.HasPrefix(s.Package, "file://")
	return s, gitProtocol(s.Package)
}

// gitProtocol rejects protocols for which git starts other programs.
func gitProtocol(repository string) error {
	protocol, rest, found := strings.Cut(repository, "://")
	switch {
	case strings.Contains(repository, "::"):
		return errors.New("it requires a git remote helper, which is not allowed")
	case !found && scpAddress.MatchString(repository):
		return nil
	case !found || rest == "" || strings.HasPrefix(rest, "-"):
		return errUnknown
	case protocol == "https", protocol == "http", protocol == "ssh", protocol == "file":
		u, err := url.Parse(repository)
		if err != nil || protocol != "file" && u.Hostname() == "" || strings.HasPrefix(u.Hostname(), "-") {
			return errUnknown
		}
		return nil
	}
	return fmt.Errorf("the protocol %q is not supported; use https, http, ssh or file", protocol)
}

// scpAddress matches git@host:path, the short form of an ssh URL.
var scpAddress = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^-].*$`)

// split separates a package from the directory after "//".
func split(text string) (root, dir string, err error) {
	from := 0
	if i := strings.Index(text, "://"); i >= 0 {
		from = i + len("://")
		from += len(text[from:]) - len(strings.TrimLeft(text[from:], "/")) // file:///
	}
	root, dir, found := strings.Cut(text[from:], "//")
	root = text[:from] + root
	if !found {
		return root, "", nil
	}
	dir = path.Clean(dir)
	if !filepath.IsLocal(dir) {
		return "", "", fmt.Errorf("the directory %q is not inside the package", dir)
	}
	if dir == "." {
		dir = ""
	}
	return root, dir, nil
}

// archiveEndings are the extensions of archives that runtime/fetch unpacks.
var archiveEndings = []string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.zst"}

// archive parses the URL of an archive. The path may contain "//directory". The
// option "archive" marks a URL without an extension as an archive.
func archive(text string) (Source, error) {
	address, query, _ := strings.Cut(text, "?")
	root, dir, err := split(address)
	if err != nil {
		return Source{}, err
	}
	u, err := url.Parse(root)
	values, bad := url.ParseQuery(query)
	if err != nil || bad != nil || u.Hostname() == "" || strings.Contains(text, "#") {
		return Source{}, errUnknown
	}
	if before, after, found := strings.Cut(values.Get("archive"), "//"); found {
		return Source{}, misplaced(root, after, "archive="+before)
	}
	marked := values.Has("archive")
	values.Del("archive")
	for _, ending := range archiveEndings {
		marked = marked || strings.HasSuffix(u.Path, ending)
	}
	if !marked {
		return Source{}, fmt.Errorf("it must end with one of %s; for a git repository, write git:: before the URL; for an archive, append ?archive=zip to the URL", strings.Join(archiveEndings, ", "))
	}
	if len(values) > 0 {
		root += "?" + values.Encode()
	}
	return Source{Kind: Archive, Package: root, Dir: dir}, nil
}

// misplaced returns the error for a directory after the query.
func misplaced(root, dir, query string) error {
	return fmt.Errorf("write the directory before the query: %s//%s?%s", root, dir, query)
}

var revision = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./+@-]*$`)

// isRevision rejects text that git could interpret as a range, refspec or option.
func isRevision(text string) bool {
	return len(text) <= 250 && revision.MatchString(text) && !strings.Contains(text, "..") && !strings.Contains(text, "@{")
}

// Revisions returns the revisions that Fetch tries for a git source, in
// order.
func (s Source) Revisions() []string {
	switch {
	case s.Ref != "":
		return []string{s.Ref}
	case s.Version == "":
		return []string{"HEAD"}
	}
	other, found := strings.CutPrefix(s.Version, "v")
	if !found {
		other = "v" + s.Version
	}
	return []string{"refs/tags/" + s.Version, "refs/tags/" + other}
}
