package barrier

import "github.com/openpai/terraform-provider-openpai/internal/contract"

// Member is one task of the gang.
type Member struct {
	Index  int
	IP     string // of the Pod; that of the node with host network
	PodUID string // its ports follow from it
	NodeIP string
}

// Role is a task role in the table.
type Role struct {
	Name    string
	Members []Member // by index
	// Tasks is the number that the Framework asks for, Ports what its
	// annotation says; only Parse fills them.
	Tasks int
	Ports *contract.PortSpec
}

// Table is everything that tasks need to know of each other.
type Table struct{ Roles []Role }

// find returns a task of the table.
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
