// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TypeJob is the type of items that are whole jobs. All other types are
// prerequisite types.
const TypeJob = "job"

// Types lists the types that a reference may contain.
func Types() []string { return append(slices.Clone(hclspec.PrerequisiteTypes), TypeJob) }

// Item is a prerequisite or job in a source.
type Item struct {
	// Name is the name in references. It can differ from the name in the
	// definition: users of a Marketplace server can set titles.
	Name string
	Type string
	// ID is the server's ID, or the path of the file without its extension.
	ID      string
	Version string

	Title, Summary, Description, Usage string
	Author                             string
	Tags                               []string
	// Visibility is "public", "protected", "private" or "" if unknown.
	Visibility string

	// Exactly one of Prerequisite and Job is set.
	Prerequisite *hclspec.Prerequisite
	Job          *hclspec.Job
	// Variables are the variables in the file of an HCL job.
	Variables []*hclspec.Variable
	// Protocol is the job as protocol YAML, with the variables replaced by
	// their values.
	Protocol []byte

	// Place is the exact address in the source. The address is a file in a
	// directory, in a commit or at a URL, or an ID on a server.
	Place string
	// Content is the canonical definition as YAML, the input of Hash. For a job
	// with variables, Content also contains the file; see [Carrier].
	Content []byte
	// Siblings are the items in the same file, including this one.
	Siblings []*Item
	// Text is the text of the original file, which can also contain siblings. File
	// is the name of the original file.
	Text []byte
	File string
	// Sources contains the positions in Text.
	Sources hclspec.SourceMap
}

// Hash returns the content hash: "h1:" and the SHA-256 of Content in hex.
func (i *Item) Hash() string { return Hash(i.Content) }

// Hash returns the content hash of a canonical definition.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return "h1:" + hex.EncodeToString(sum[:])
}

// shortDigits is the number of hash digits in messages.
const shortDigits = 12

// ShortHash returns the part of a content hash that messages show.
func ShortHash(hash string) string { return hash[:min(len(hash), len("h1:")+shortDigits)] }

// Definition returns the name in the item's definition. This name can differ
// from i.Name.
func (i *Item) Definition() string {
	if i.Job != nil {
		return i.Job.Name
	}
	return i.Prerequisite.Name
}

// Requires returns the references to other items. For a prerequisite, it also
// returns the names of required siblings. The references are in the order of the
// definition.
func (i *Item) Requires() []string {
	if i.Job != nil {
		return JobReferences(i.Job)
	}
	var all []string
	for _, r := range i.Prerequisite.Require {
		all = append(all, r.Target)
	}
	return all
}

// JobReferences returns a job's references to items, without duplicates.
func JobReferences(job *hclspec.Job) []string {
	var all []string
	met := map[string]bool{}
	add := func(refs ...hclspec.Reference) {
		for _, r := range refs {
			if IsReference(r.Target) && !met[r.Target] {
				met[r.Target] = true
				all = append(all, r.Target)
			}
		}
	}
	for _, p := range slices.Concat(job.Prerequisites, job.ReferencePrerequisites) {
		add(p.Require...)
	}
	for _, role := range job.TaskRoles {
		add(role.Prerequisites...)
		add(role.Image, role.Data, role.Output, role.Script)
	}
	return all
}

// newer reports whether version a is newer than b. Invalid versions are older
// than all valid versions, and are compared as strings.
func newer(a, b string) bool {
	va, errA := version.NewVersion(a)
	vb, errB := version.NewVersion(b)
	switch {
	case errA == nil && errB == nil && !va.Equal(vb):
		return va.GreaterThan(vb)
	case (errA == nil) != (errB == nil):
		return errA == nil
	}
	return a > b
}

// label returns the name of an item for messages, such as mnist 1.2 (data).
func (i *Item) label() string {
	return strings.TrimSpace(i.Name+" "+i.Version) + " (" + i.Type + ")"
}

// NewestOf returns an item from the newest file published under a name, or nil. In
// a source without files, such as a server, name is an item name.
func (l *Listing) NewestOf(name string) *Item {
	if i := l.newest(func(i *Item) bool { return i.isFrom(name) }); i != nil {
		return i
	}
	return l.newest(func(i *Item) bool { return i.Name == name })
}

func (l *Listing) newest(means func(*Item) bool) *Item {
	var found *Item
	for _, i := range l.Items {
		if means(i) && (found == nil || newer(i.Version, found.Version)) {
			found = i
		}
	}
	return found
}

// PublishedAs returns the name by which [Listing.NewestOf] finds the item. For an
// item with a file, it is the file name without the version. Otherwise, it is the
// name of the item.
func (i *Item) PublishedAs() string {
	if i.File == "" {
		return i.Name
	}
	return strings.TrimSuffix(stem(path.Base(i.File)), versionSuffix(i.Version))
}

// isFrom reports whether name is the item's file name. name may omit the
// version.
func (i *Item) isFrom(name string) bool {
	file := path.Base(i.File)
	return stem(file) == name || stem(file) == fileName(name, i.Version)
}
