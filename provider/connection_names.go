// SPDX-License-Identifier: MPL-2.0

package provider

import "sync"

// use is the planned change for the name of a job.
type use int

const (
	keepsJob   use = iota // the state has a job with the name, and keeps it
	createsJob            // no state has it
	endsJob               // the job is deleted or gets another name
)

// names records the Frameworks, and the addresses of storages, of the resources
// of one connection. A connection serves one walk of Terraform, which plans each
// resource once.
type names struct {
	mu    sync.Mutex
	state map[string]bool // names in a state, including tainted resources
	uses  map[string][]use
}

func newNames() *names { return &names{state: map[string]bool{}, uses: map[string][]use{}} }

// read records that a state has a Framework.
func (n *names) read(framework string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state[framework] = true
}

// isNew reports whether no state has a Framework.
func (n *names) isNew(framework string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return !n.state[framework]
}

// claim records the planned change for a Framework. It returns false if another
// resource has claimed the same Framework, unless all destroy it.
func (n *names) claim(framework string, u use) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.uses[framework] = append(n.uses[framework], u)
	if len(n.uses[framework]) == 1 {
		return true
	}
	for _, other := range n.uses[framework] {
		if other != endsJob {
			return false
		}
	}
	return true
}

// claim claims the job of the resource. Another resource of the same job is an
// error. The second call for a replacement does not claim it again.
func (p *jobPlan) claim() {
	before := stringOr(attributesOf(p.prior)["framework_name"], "")
	switch {
	case before != "" && before != p.d.resolved.Framework:
		p.claimAs(before, endsJob)
		p.claimAs(p.d.resolved.Framework, createsJob)
	case before != "":
		p.claimAs(before, keepsJob)
	case p.before.Framework == "":
		p.claimAs(p.d.resolved.Framework, createsJob)
	}
}

func (p *jobPlan) claimAs(framework string, u use) {
	if p.nameKnown() && !p.conn.names.claim(framework, u) {
		reportSameJob(p.diags, p.d.job.Name)
	}
}

// nameKnown reports whether the name of the job is known.
func (p *jobPlan) nameKnown() bool {
	return !p.d.isUnknown(p.d.job.Path.Attr("name")) && p.conn.userKnown()
}

// isNew reports whether no state has the job: neither the state of the resource
// nor, for a tainted resource, the one that Terraform read.
func (p *jobPlan) isNew() bool {
	framework := p.d.resolved.Framework
	before := stringOr(attributesOf(p.prior)["framework_name"], p.before.Framework)
	return p.nameKnown() && before != framework && p.conn.names.isNew(framework)
}
