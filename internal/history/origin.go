// SPDX-License-Identifier: MPL-2.0

package history

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Origin describes where a job is submitted from, as far as the front end knows.
type Origin struct {
	Command string
	Git     *Git
	OpenPAI string // version of the program
	// Runtimes are the runtime images, by cluster.
	Runtimes  map[string]string
	Variables []Variable
	Items     []Item
}

// New returns the record of a new run. hash is the content hash of the job; see
// planner.Hashes.
func New(job *resolve.Job, hash string, o Origin, at time.Time) *Run {
	r := &Run{
		Version: Version, Address: job.Address, Workspace: job.Workspace, Cluster: job.Cluster, Name: job.Name, Framework: job.Framework,
		Submitted: at.UTC().Truncate(time.Millisecond), User: job.User, Command: o.Command, Git: o.Git,
		Versions: versions(job, o), Job: job.Canonical(), Variables: o.Variables, Items: o.Items, Hash: hash,
	}
	for _, role := range job.TaskRoles {
		uri, digest, _ := strings.Cut(role.Image.URI, "@")
		r.Images = append(r.Images, Image{TaskRole: role.Name, URI: uri, Digest: digest})
		r.Resources.Tasks += role.Instances
		r.Resources.CPUs += role.Instances * role.CPU
		r.Resources.MemoryMB += role.Instances * role.MemoryMB
		r.Resources.GPUs += role.Instances * role.GPU
		r.addData(role)
	}
	return r
}

// versions returns the versions that are known when a run starts. The local cluster
// runs tasks with the program itself.
func versions(job *resolve.Job, o Origin) Versions {
	v := Versions{OpenPAI: o.OpenPAI, Runtime: o.Runtimes[job.Cluster], Engine: "FrameworkController v1"}
	if job.Cluster == resolve.LocalCluster {
		v.Runtime, v.Engine = o.OpenPAI, "local cluster of openpai"
	}
	return v
}

var sumPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// AddFetched adds the hash and size of a download that a task reported. It keeps a
// pinned hash. shown is the URL as [locator.Show] returns it; a hash is not added if
// the prerequisite has several such URLs.
func (r *Run) AddFetched(prerequisite, shown, sum string, bytes int64) {
	same := func(d Data) bool { return d.Prerequisite == prerequisite && locator.Show(d.URL) == shown }
	if first := slices.IndexFunc(r.Data, same); first < 0 || slices.ContainsFunc(r.Data[first+1:], same) {
		return
	}
	for i := range r.Data {
		d := &r.Data[i]
		if !same(*d) || bytes < 0 {
			continue
		}
		if d.SHA256 == "" && sumPattern.MatchString(sum) {
			d.SHA256 = sum
		}
		d.Bytes = bytes
	}
}

func (r *Run) addData(role *resolve.TaskRole) {
	for _, step := range role.Steps {
		for _, f := range step.Fetch {
			d := Data{Prerequisite: step.Address, URL: f.URL, SHA256: f.SHA256}
			if !slices.Contains(r.Data, d) {
				r.Data = append(r.Data, d)
			}
		}
	}
}
