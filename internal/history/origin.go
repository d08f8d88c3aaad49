// SPDX-License-Identifier: MPL-2.0

package history

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Origin describes the source of a job: the submitting program and the
// declaring configuration. The front end sets the fields whose values it
// knows.
type Origin struct {
	Command string
	Git     *Git
	OpenPAI string // version of the program
	// Runtimes maps each cluster to its runtime image.
	Runtimes  map[string]string
	Variables []Variable
	Locals    []Variable
	// Defaults maps each cluster to its defaults; see [hclspec.Cluster.Defaults].
	Defaults map[string]json.RawMessage
	Items    []Item
}

// New returns the record of a new run. hash is the content hash of the job; see
// planner.Hashes.
func New(job *resolve.Job, hash string, o Origin, at time.Time) *Run {
	r := &Run{
		Version: Version, Address: job.Address, Workspace: job.Workspace, Cluster: job.Cluster, Name: job.Name, Framework: job.Framework,
		Submitted: at.UTC().Truncate(time.Millisecond), User: job.User, Command: o.Command, Git: o.Git,
		Versions: versions(job, o), Job: job.Canonical(), Variables: o.Variables, Locals: o.Locals, ClusterDefaults: o.Defaults[job.Cluster], Items: o.Items, Hash: hash,
	}
	for _, role := range job.TaskRoles {
		uri, digest, _ := strings.Cut(role.Image.Pinned(), "@")
		r.Images = append(r.Images, Image{TaskRole: role.Name, URI: uri, Digest: digest})
		r.Resources.Tasks += role.Instances
		r.Resources.CPUs += role.Instances * role.CPU
		r.Resources.MemoryMB += role.Instances * role.MemoryMB
		r.Resources.GPUs += role.Instances * role.GPU
		r.addData(role)
	}
	return r
}

// versions returns the software versions with which a run starts. On the
// local cluster, the runtime is part of openpai and has the same version.
func versions(job *resolve.Job, o Origin) Versions {
	v := Versions{OpenPAI: o.OpenPAI, Runtime: o.Runtimes[job.Cluster], Engine: "FrameworkController v1"}
	if job.Cluster == resolve.LocalCluster {
		v.Runtime, v.Engine = o.OpenPAI, "local cluster of openpai"
	}
	return v
}

var sumPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// AddFetched records the hashes, commits and sizes of downloads that a task
// reported. It does not overwrite a pinned hash or commit. AddFetched skips a
// download if [locator.Show] returns the same text for several URLs of the
// prerequisite.
func (r *Run) AddFetched(all []exitspec.Fetched) {
	if len(all) == 0 {
		return
	}
	byKey := map[string]*Data{}
	for i := range r.Data {
		d := &r.Data[i]
		key := exitspec.FetchedKey(d.Prerequisite, locator.Show(d.URL))
		if _, several := byKey[key]; several {
			d = nil
		}
		byKey[key] = d
	}
	for _, f := range all {
		d := byKey[f.Identity()]
		if d == nil || f.Bytes < 0 {
			continue
		}
		if d.SHA256 == "" && sumPattern.MatchString(f.SHA256) {
			d.SHA256 = f.SHA256
		}
		if d.Commit == "" && locator.IsCommit(f.Commit) && strings.HasPrefix(d.URL, "git::") {
			d.Commit = f.Commit
		}
		d.Bytes = f.Bytes
	}
}

func (r *Run) addData(role *resolve.TaskRole) {
	for _, step := range role.Steps {
		for _, f := range step.Fetch {
			d := Data{Prerequisite: step.Address, URL: f.URL, SHA256: f.SHA256, Commit: commitOf(step, f)}
			if !slices.Contains(r.Data, d) {
				r.Data = append(r.Data, d)
			}
		}
	}
}

// commitOf returns the commit that a task will fetch from git, or "" if unknown.
func commitOf(step *resolve.Step, f *resolve.Fetch) string {
	if commit := step.Commits[f.URL]; commit != "" {
		return commit
	}
	if at, err := locator.Parse(f.URL); err == nil && at.Kind == locator.Git && at.IsCommit() {
		return at.Ref
	}
	return ""
}
