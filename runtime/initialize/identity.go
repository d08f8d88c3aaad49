// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// Identity identifies a task. Without FrameworkController, all fields are 0.
type Identity struct {
	Index      int // index of the task in its role
	Attempt    int // of the task
	JobAttempt int // of the Framework
}

// IdentityOf reads the variables that FrameworkController sets.
func IdentityOf(getenv func(string) string) (id Identity, err error) {
	for name, to := range map[string]*int{
		contract.EnvTaskIndex: &id.Index, contract.EnvTaskAttempt: &id.Attempt, contract.EnvFrameworkAttempt: &id.JobAttempt,
	} {
		text := getenv(name)
		if text == "" {
			continue
		}
		if *to, err = strconv.Atoi(text); err != nil || *to < 0 {
			return Identity{}, configErrorf("the variable %s is %q; it must be an integer of at least 0", name, text)
		}
	}
	return id, nil
}

// applyTable copies a Framework's task roles and ports, unless a run specification
// defines the roles.
func (c *container) applyTable() {
	if !c.configured {
		return
	}
	var roles []runspec.Role
	for _, r := range c.table.Roles {
		role := runspec.Role{Name: r.Name, Written: r.Name, Tasks: r.Tasks, MinFailed: 1, MinSucceeded: r.Tasks}
		if r.Name == c.spec.Role {
			role = c.spec.Roles[0]
			role.Tasks, role.MinSucceeded = r.Tasks, r.Tasks
		}
		if role.Ports == nil {
			role.Ports = c.spec.Roles[0].Ports
		}
		if p := r.Ports; p != nil && len(p.Ports) > 0 {
			role.Ports = portsOf(p)
			c.spec.PortStart, c.spec.PortEnd = cmp.Or(p.Start, contract.PortStart), cmp.Or(p.End, contract.PortEnd)
		}
		roles = append(roles, role)
	}
	if slices.ContainsFunc(roles, func(r runspec.Role) bool { return r.Name == c.spec.Role }) {
		c.spec.Roles = roles
	}
}

// portsOf returns the ports in an annotation, sorted by label.
func portsOf(p *contract.PortSpec) []runspec.Port {
	var ports []runspec.Port
	for label, n := range p.Ports {
		ports = append(ports, runspec.Port{Label: label, Count: n.Count, First: n.Start})
	}
	slices.SortFunc(ports, func(a, b runspec.Port) int { return cmp.Compare(a.Label, b.Label) })
	return ports
}

func (c *container) rank() int {
	rank := 0
	for _, r := range c.spec.Roles {
		if r.Name == c.spec.Role {
			break
		}
		rank += r.Tasks
	}
	return rank + c.id.Index
}

func (c *container) tasks() int {
	total := 0
	for _, r := range c.spec.Roles {
		total += r.Tasks
	}
	return total
}

// writeTable writes framework.json and injector.sh, like the original barrier.
func (c *container) writeTable() error {
	if err := runtime.Replace(filepath.Join(c.Root, "framework.json"), c.table.FrameworkJSON(c.spec.Framework, c.spec), 0o644); err != nil {
		return err
	}
	return runtime.Replace(filepath.Join(c.Root, "injector.sh"), c.table.Injector(), 0o755)
}

func (c *container) writeSpec() error {
	text, err := json.Marshal(c.spec)
	if err != nil {
		return configErrorf("%s: cannot pass a plugin parameter to the task: %v", envRuntimeConfig, err)
	}
	return runtime.Replace(filepath.Join(c.Root, RunSpecFile), text, 0o644)
}
