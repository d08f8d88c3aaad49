// SPDX-License-Identifier: MPL-2.0

package barrier

import "github.com/openpai/terraform-provider-openpai/internal/contract"

// Member is one task of the gang.
type Member struct {
	Index  int
	IP     string // IP of the Pod, or of the node with host networking
	PodUID string // UID from which the ports are computed
	NodeIP string
}

// Role is a task role in the table.
type Role struct {
	Name    string
	Members []Member // by index
	// Tasks is the number of tasks that the Framework requests. Ports is the
	// content of the Framework's port annotation. Only Parse sets them.
	Tasks int
	Ports *contract.PortSpec
}

// Table contains the data that the tasks of a gang need about each other.
type Table struct{ Roles []Role }

func (t *Table) find(role string, index int) (Member, bool) {
	for _, r := range t.Roles {
		if r.Name != role {
			continue
		}
		for _, m := range r.Members {
			if m.Index == index {
				return m, true
			}
		}
	}
	return Member{}, false
}
