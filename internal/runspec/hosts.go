package runspec

// Hosts is the table of all tasks of a job attempt. The barrier publishes it
// once every task is ready; peers are looked up in it.
type Hosts struct {
	Tasks []Host `json:"tasks"` // roles in job order, then by index
}

// Host is one task in the table.
type Host struct {
	Role   string           `json:"role"` // in the Framework
	Index  int              `json:"index"`
	IP     string           `json:"ip,omitempty"`      // Pod IP
	HostIP string           `json:"host_ip,omitempty"` // what PAI_HOST_IP_* shows
	Ports  map[string][]int `json:"ports,omitempty"`
}
