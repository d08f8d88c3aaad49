package provider

import "sync"

// use is what a plan does with the name of a job.
type use int

const (
	keepsJob   use = iota // the state has a job of the name, and keeps it
	createsJob            // no state has it
	endsJob               // the job goes, or gets another name
)

// names are the Frameworks, and the addresses of storages, that the resources of
// one connection stand for. A
// connection serves one walk of Terraform, which plans each resource once.
type names struct {
	mu    sync.Mutex
	state map[string]bool // those of a state, tainted resources too
	uses  map[string][]use
}

func newNames() *names { return &names{state: map[string]bool{}, uses: map[string][]use{}} }

// read notes that a state has a Framework.
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

// claim notes what a resource does with a Framework. It is false when another
// resource stands for the same one, unless all destroy it.
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

// claim notes which job the resource stands for. Another resource of the same
// job is an error. The second call for a replacement claims nothing again.
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

// nameKnown reports whether it is known which job the resource is.
func (p *jobPlan) nameKnown() bool {
	return !p.d.isUnknown(p.d.job.Path.Attr("name")) && p.conn.userKnown()
}

// isNew reports whether no state has the job: neither that of the resource nor,
// for a tainted one, the one that Terraform read.
func (p *jobPlan) isNew() bool {
	framework := p.d.resolved.Framework
	before := stringOr(attributesOf(p.prior)["framework_name"], p.before.Framework)
	return p.nameKnown() && before != framework && p.conn.names.isNew(framework)
}
