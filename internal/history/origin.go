package history

import (
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Origin is what a front end knows of the place that a job is submitted from.
type Origin struct {
	Command   string
	Git       *Git
	OpenPAI   string // the version of the program
	Variables []Variable
	Items     []Item
}

// New returns the record of a run that begins.
func New(job *resolve.Job, o Origin, at time.Time) *Run {
	r := &Run{
		Version: Version, Address: job.Address, Workspace: job.Workspace, Cluster: job.Cluster, Name: job.Name, Framework: job.Framework,
		Submitted: at.UTC().Truncate(time.Millisecond), User: job.User, Command: o.Command, Git: o.Git,
		Versions: Versions{OpenPAI: o.OpenPAI}, Job: job.Canonical(), Variables: o.Variables, Items: o.Items,
	}
	r.Hash, _ = planner.Hashes(job)
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
