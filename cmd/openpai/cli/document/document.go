package document

import (
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Document is what a command prints. Errors and warnings of the command are part
// of it.
type Document interface {
	Report(...view.Diagnostic)
}

// Head begins a document.
type Head struct {
	FormatVersion string `json:"format_version" doc:"Version of the format: MAJOR.MINOR. A new minor version only adds fields"`
}

// Foot ends a document.
type Foot struct {
	Diagnostics []view.Diagnostic `json:"diagnostics" doc:"Errors and warnings of the command"`
}

// Report implements [Document].
func (f *Foot) Report(diags ...view.Diagnostic) { f.Diagnostics = append(f.Diagnostics, diags...) }

func head() Head { return Head{view.FormatVersion} }

func foot() Foot { return Foot{[]view.Diagnostic{}} }

// Version is what the version command prints.
type Version struct {
	Head
	Version  string `json:"version" doc:"Version of the program"`
	Release  string `json:"release" doc:"The release that it belongs to"`
	Go       string `json:"go" doc:"Version of Go that built it"`
	Platform string `json:"platform" doc:"Operating system and architecture"`
	Commit   string `json:"commit,omitempty"`
	Foot
}

// NewVersion returns the document of a version.
func NewVersion(v Version) *Version {
	v.Head, v.Foot = head(), foot()
	return &v
}

// Lock is the lock file.
type Lock struct {
	Head
	Items     []LockedItem     `json:"items" doc:"Items of marketplaces"`
	Downloads []LockedDownload `json:"downloads"`
	Images    []LockedImage    `json:"images"`
	Foot
}

// LockedItem is an item of a marketplace in the lock file.
type LockedItem struct {
	Address    string   `json:"address"`
	References []string `json:"references,omitempty" doc:"References of the workspace that lead to the item"`
	Source     string   `json:"source"`
	Version    string   `json:"version,omitempty"`
	Hash       string   `json:"hash" doc:"Hash of the content"`
}

// LockedDownload is a file that a prerequisite downloads.
type LockedDownload struct {
	URL    string `json:"url"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size,omitempty" doc:"In bytes; absent where it is not known"`
}

// LockedImage is an image with its digest.
type LockedImage struct {
	Reference string `json:"reference"`
	Digest    string `json:"digest"`
}

// NewLock returns an empty document.
func NewLock() *Lock {
	return &Lock{Head: head(), Items: []LockedItem{}, Downloads: []LockedDownload{}, Images: []LockedImage{}, Foot: foot()}
}

// Checks is what the cluster check command prints.
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

// CheckResult is the result of a check with its advice in words.
type CheckResult struct {
	Check  string         `json:"check"`
	Result cluster.Result `json:"result"`
	Found  string         `json:"found"`
	Advice string         `json:"advice,omitempty" doc:"What to do"`
}

// NewChecks returns the document of the checks of clusters.
func NewChecks(all []ClusterChecks) *Checks {
	return &Checks{Head: head(), Clusters: all, Foot: foot()}
}

// NewClusterChecks puts the advice of results into words.
func NewClusterChecks(name, namespace string, all []cluster.CheckResult) ClusterChecks {
	out := ClusterChecks{Cluster: name, Namespace: namespace, Checks: make([]CheckResult, len(all))}
	for i, f := range all {
		out.Checks[i] = CheckResult{f.Check, f.Result, f.Found, f.Advice.Phrase(view.Phrase)}
	}
	return out
}

// States are the numbers of jobs by state.
type States map[planner.JobState]int
