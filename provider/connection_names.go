// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"sync"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// use is the planned change for the name of a job.
type use int

const (
	keepsJob   use = iota // the state has a job with the name and keeps the job
	createsJob            // no state has it
	renamesJob            // the job gets another name
	endsJob               // the job is deleted
)

// collision is the kind of conflict between resources that claim the same name.
type collision int

const (
	noCollision   collision = iota
	declaredTwice           // two resources of the configuration have the name
	heldByRename            // a job is renamed, and another resource gets its name
	heldByState             // the state has the job at another address
)

// names records the Frameworks and the addresses of storages that the resources
// of one connection declare. A connection serves one walk of Terraform, which
// plans each resource once.
type names struct {
	mu sync.Mutex
	// state holds the names in a state, including tainted resources, and the last
	// state of each job.
	state map[string]planner.JobState
	uses  map[string][]use
}

func newNames() *names { return &names{state: map[string]planner.JobState{}, uses: map[string][]use{}} }

// read stores the last state of the job whose Framework is in a Terraform state.
func (n *names) read(framework string, last planner.JobState) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state[framework] = last
}

// last returns the last state that Terraform has read of a job, or "" if that
// state is unknown.
func (n *names) last(framework string) planner.JobState {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.state[framework]
}

// isNew reports whether no state has a Framework.
func (n *names) isNew(framework string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, read := n.state[framework]
	return !read
}

// claim records the planned change for a Framework. It returns a collision if
// another resource has claimed the same Framework, unless all claims end or
// rename the job.
func (n *names) claim(framework string, u use) collision {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.uses[framework] = append(n.uses[framework], u)
	if len(n.uses[framework]) == 1 {
		return noCollision
	}
	has := map[use]bool{}
	for _, u := range n.uses[framework] {
		has[u] = true
	}
	switch {
	case !has[keepsJob] && !has[createsJob]:
		return noCollision
	case !has[endsJob] && !has[renamesJob]:
		return declaredTwice
	case has[renamesJob] && !has[endsJob] && !has[keepsJob]:
		return heldByRename
	}
	return heldByState
}

// claim claims the job of the resource. Two resources for the same job are an
// error. The second call for a replacement does not claim the job again.
func (p *jobPlan) claim() {
	before := stringOr(attributesOf(p.prior)["framework_name"], "")
	switch {
	case before != "" && before != p.d.resolved.Framework:
		p.claimAs(before, stringOr(attributesOf(p.prior)["name"], ""), renamesJob)
		p.claimAs(p.d.resolved.Framework, p.d.job.Name, createsJob)
	case before != "":
		p.claimAs(before, p.d.job.Name, keepsJob)
	case p.before.Framework == "":
		p.claimAs(p.d.resolved.Framework, p.d.job.Name, createsJob)
	}
}

// claimAs claims the Framework of a job with the given name.
func (p *jobPlan) claimAs(framework, name string, u use) {
	if p.nameKnown() {
		reportSameJob(p.diags, p.conn.names.claim(framework, u), p.d.resolved.User, name)
	}
}

// nameKnown reports whether the name of the job is known.
func (p *jobPlan) nameKnown() bool {
	return !p.d.isUnknown(p.d.job.Path.Attr("name")) && p.conn.userKnown()
}

// isNew reports whether no state has the job: neither the state of the resource nor,
// for a tainted resource, the state that Terraform read.
func (p *jobPlan) isNew() bool {
	framework := p.d.resolved.Framework
	before := stringOr(attributesOf(p.prior)["framework_name"], p.before.Framework)
	return p.nameKnown() && before != framework && p.conn.names.isNew(framework)
}
