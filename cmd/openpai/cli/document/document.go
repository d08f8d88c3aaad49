// SPDX-License-Identifier: MPL-2.0

package document

import (
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Document is the output of a command. It includes the command's errors and
// warnings.
type Document interface {
	Report(...view.Diagnostic)
}

// Partial is a document that a command prints even if the command fails. It contains
// the results that the command produced before the error.
type Partial interface {
	Document
	// Empty reports whether the document has no results.
	Empty() bool
}

// Head holds the first fields of a document.
type Head struct {
	FormatVersion string `json:"format_version" doc:"Version of the format: MAJOR.MINOR. A new minor version only adds fields"`
}

// Foot holds the last fields of a document.
type Foot struct {
	Diagnostics []view.Diagnostic `json:"diagnostics" doc:"Errors and warnings of the command"`
}

// Report implements [Document].
func (f *Foot) Report(diags ...view.Diagnostic) { f.Diagnostics = append(f.Diagnostics, diags...) }

func head() Head { return Head{view.FormatVersion} }

func foot() Foot { return Foot{[]view.Diagnostic{}} }

// Version is the output of the version command.
type Version struct {
	Head
	Version  string `json:"version" doc:"Version of the program"`
	Release  string `json:"release" doc:"Release that this build is part of"`
	Go       string `json:"go" doc:"Version of Go that built the program"`
	Platform string `json:"platform" doc:"Operating system and architecture"`
	Commit   string `json:"commit,omitempty"`
	Foot
}

// NewVersion returns v with the fields that every document has.
func NewVersion(v Version) *Version {
	v.Head, v.Foot = head(), foot()
	return &v
}

// Lock is the JSON document for the lock file.
type Lock struct {
	Head
	Items     []LockedItem     `json:"items" doc:"Items of marketplaces"`
	Modules   []LockedModule   `json:"modules" doc:"Modules from outside the workspace"`
	Downloads []LockedDownload `json:"downloads"`
	Images    []LockedImage    `json:"images"`
	Foot
}

// LockedItem is a marketplace item in the lock file.
type LockedItem struct {
	Address    string   `json:"address"`
	References []string `json:"references,omitempty" doc:"Workspace references that resolve to the item"`
	Source     string   `json:"source"`
	Version    string   `json:"version,omitempty"`
	Hash       string   `json:"hash" doc:"Hash of the content"`
}

// LockedModule is a module in the lock file.
type LockedModule struct {
	Address string `json:"address" doc:"Address of the module without instance keys"`
	Source  string `json:"source"`
	Version string `json:"version,omitempty"`
	Commit  string `json:"commit,omitempty" doc:"Commit of a git repository"`
	Hash    string `json:"hash" doc:"Hash of all files of the package that contains the module"`
}

// LockedDownload is a file that a prerequisite downloads.
type LockedDownload struct {
	URL    string `json:"url"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size,omitempty" doc:"Size in bytes; absent if unknown"`
}

// LockedImage is an image with its digest.
type LockedImage struct {
	Reference string `json:"reference"`
	Digest    string `json:"digest"`
}

// NewLock returns an empty lock document.
func NewLock() *Lock {
	return &Lock{Head: head(), Items: []LockedItem{}, Modules: []LockedModule{}, Downloads: []LockedDownload{}, Images: []LockedImage{}, Foot: foot()}
}

// Checks is the output of the cluster check command.
type Checks struct {
	Head
	Clusters []ClusterChecks `json:"clusters"`
	Foot
}

// ClusterChecks are the checks of one cluster.
type ClusterChecks struct {
	Cluster   string        `json:"cluster"`
	Namespace string        `json:"namespace"`
	Checks    []CheckResult `json:"checks"`
}

// CheckResult is a check result whose advice is a string.
type CheckResult struct {
	Check  string         `json:"check"`
	Result cluster.Result `json:"result"`
	Found  string         `json:"found"`
	Advice string         `json:"advice,omitempty" doc:"What to do"`
}

// NewChecks returns the document for the cluster checks.
func NewChecks(all []ClusterChecks) *Checks {
	return &Checks{Head: head(), Clusters: all, Foot: foot()}
}

// NewClusterChecks converts one cluster's check results and renders their
// advice as strings.
func NewClusterChecks(name, namespace string, all []cluster.CheckResult) ClusterChecks {
	out := ClusterChecks{Cluster: name, Namespace: namespace, Checks: make([]CheckResult, len(all))}
	for i, f := range all {
		out.Checks[i] = CheckResult{f.Check, f.Result, f.Found, f.Advice.Phrase(phrase.Of)}
	}
	return out
}

// States counts jobs by state.
type States map[planner.JobState]int
