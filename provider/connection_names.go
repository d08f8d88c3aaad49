// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"sync"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// use is the planned change to the job with a given name.
type use int

const (
	keepsJob   use = iota // the state contains the name, and the plan keeps the job
	createsJob            // no state contains the name
	renamesJob            // the plan gives the job a different name
	endsJob               // the job is deleted
)

// collision is the kind of conflict between resources that claim the same name.
type collision int

const (
	noCollision   collision = iota
	declaredTwice           // two resources of the configuration have the name
	heldByRename            // a job is renamed, and another resource reuses its old name
	heldByState             // the state has the job at a different address
)

// names records which Frameworks and storage addresses the resources of one
// connection declare. Terraform uses a connection for one graph walk, in
// which it plans each resource once.
type names struct {
	mu sync.Mutex
	// state contains the Frameworks and storage addresses read from states,
	// including tainted resources. The value is the last state of the job, or ""
	// for a storage.
	state map[string]planner.JobState
	uses  map[string][]use
}

func newNames() *names { return &names{state: map[string]planner.JobState{}, uses: map[string][]use{}} }

// read stores a job state that Terraform has read.
func (n *names) read(framework string, last planner.JobState) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state[framework] = last
}

// last returns the job state that Terraform read last, or "" if it is
// unknown.
func (n *names) last(framework string) planner.JobState {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.state[framework]
}

// isNew reports whether no state contains a Framework.
func (n *names) isNew(framework string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, read := n.state[framework]
	return !read
}

// claim records a planned change. If several resources claim one Framework,
// it returns the kind of collision. Claims that delete or rename the job do
// not collide.
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

// claim records the planned use of the Framework, and reports an error if two
// resources declare the same job. For a replacement, Terraform calls plan
// twice; the second call does not claim the job again.
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

func (p *jobPlan) claimAs(framework, name string, u use) {
	if p.nameKnown() {
		reportSameJob(p.diags, p.conn.names.claim(framework, u), p.d.resolved.User, name)
	}
}

func (p *jobPlan) nameKnown() bool {
	return !p.d.isUnknown(p.d.job.Path.Attr("name")) && p.conn.userKnown()
}

// isNew reports whether no state contains the job, including tainted jobs
// that Terraform has read.
func (p *jobPlan) isNew() bool {
	framework := p.d.resolved.Framework
	before := stringOr(attributesOf(p.prior)["framework_name"], p.before.Framework)
	return p.nameKnown() && before != framework && p.conn.names.isNew(framework)
}
