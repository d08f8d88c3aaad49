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

type wireRole struct {
	Name string `json:"name"`
	// Tasks holds index, Pod address, Pod UID and, where it is another one,
	// the address of the node.
	Tasks [][]any `json:"tasks"`
}

// encode returns the table compressed.
func (t *Table) encode() []byte {
	var w wireTable
	for _, r := range t.Roles {
		role := wireRole{Name: r.Name}
		for _, m := range r.Members {
			task := []any{m.Index, m.IP, m.PodUID}
			if m.NodeIP != m.IP {
				task = append(task, m.NodeIP)
			}
			role.Tasks = append(role.Tasks, task)
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
		role := Role{Name: r.Name}
		for _, task := range r.Tasks {
			m, ok := member(task)
			if !ok {
				return nil, fmt.Errorf("read the table of tasks: an entry of role %s is not understood", r.Name)
			}
			role.Members = append(role.Members, m)
		}
		t.Roles = append(t.Roles, role)
	}
	return t, nil
}

func member(task []any) (m Member, ok bool) {
	if len(task) < 3 {
		return m, false
	}
	index, isNumber := task[0].(float64)
	m.Index = int(index)
	text := [3]string{}
	for i := range min(len(task)-1, len(text)) {
		if text[i], ok = task[i+1].(string); !ok {
			return m, false
		}
	}
	m.IP, m.PodUID, m.NodeIP = text[0], text[1], text[2]
	if m.NodeIP == "" {
		m.NodeIP = m.IP
	}
	return m, isNumber
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
