package provider

import "sync"

// use is what a plan does with the name of a job.
type use int

const (
	keepsJob   use = iota // the state has a job of the name, and keeps it
	createsJob            // no state has it
	endsJob               // the job goes, or gets another name
)

// names are the Frameworks that the resources of one connection stand for. A
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
