package barrier

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

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

// wireTable is the published form: short, so that thousands of tasks fit into
// one ConfigMap.
type wireTable struct {
	Roles []wireRole `json:"roles"`
}

// wireRole has one list per property, all of one length. An empty list of nodes
// says that every task has the address of its node.
type wireRole struct {
	Name    string   `json:"name"`
	Indexes []int    `json:"index"`
	IPs     []string `json:"ip"`
	PodUIDs []string `json:"uid"`
	NodeIPs []string `json:"node,omitempty"`
}

// encode returns the table compressed.
func (t *Table) encode() []byte {
	var w wireTable
	for _, r := range t.Roles {
		role := wireRole{Name: r.Name}
		other := false
		for _, m := range r.Members {
			role.Indexes, role.IPs = append(role.Indexes, m.Index), append(role.IPs, m.IP)
			role.PodUIDs, role.NodeIPs = append(role.PodUIDs, m.PodUID), append(role.NodeIPs, m.NodeIP)
			other = other || m.NodeIP != m.IP
		}
		if !other {
			role.NodeIPs = nil
		}
		w.Roles = append(w.Roles, role)
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if err := json.NewEncoder(z).Encode(w); err != nil {
		panic("barrier: " + err.Error())
	}
	if err := z.Close(); err != nil {
		panic("barrier: " + err.Error())
	}
	return out.Bytes()
}

// maxTable bounds what a published table unfolds to, in bytes.
const maxTable = 16 << 20

// decode reads what encode wrote.
func decode(packed []byte) (*Table, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("read the table of tasks: %w", err)
	}
	var w wireTable
	if err := json.NewDecoder(io.LimitReader(z, maxTable)).Decode(&w); err != nil {
		return nil, fmt.Errorf("read the table of tasks: %w", err)
	}
	t := &Table{}
	for _, r := range w.Roles {
		n := len(r.Indexes)
		if len(r.NodeIPs) == 0 {
			r.NodeIPs = r.IPs
		}
		if len(r.IPs) != n || len(r.PodUIDs) != n || len(r.NodeIPs) != n {
			return nil, fmt.Errorf("read the table of tasks: the lists of role %s differ in length", r.Name)
		}
		role := Role{Name: r.Name, Members: make([]Member, n)}
		for i := range n {
			role.Members[i] = Member{Index: r.Indexes[i], IP: r.IPs[i], PodUID: r.PodUIDs[i], NodeIP: r.NodeIPs[i]}
		}
		t.Roles = append(t.Roles, role)
	}
	return t, nil
}

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
