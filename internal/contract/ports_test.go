// SPDX-License-Identifier: MPL-2.0

package contract

import (
	"slices"
	"testing"
)

func TestPortsAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		uid, label string
		start, end int
		want       []int
	}{
		"ssh of a rest-server task":             {"2320bc0d-db98-4969-965f-077953c6aee9", "ssh", 15000, 40000, []int{26055, 23666}},
		"http of a rest-server task":            {"2320bc0d-db98-4969-965f-077953c6aee9", "http", 15000, 40000, []int{25895, 28593}},
		"tcp of the first task of the runtime":  {"f1020521-9bda-11ea-830b-000d3ab25bb6", "tcp", 20000, 40000, []int{29877, 22353, 29076}},
		"udp of the first task of the runtime":  {"f1020521-9bda-11ea-830b-000d3ab25bb6", "udp", 20000, 40000, []int{31903, 33486, 35953}},
		"ssh of the first task of the runtime":  {"f1020521-9bda-11ea-830b-000d3ab25bb6", "ssh", 20000, 40000, []int{39080}},
		"http of the first task of the runtime": {"f1020521-9bda-11ea-830b-000d3ab25bb6", "http", 20000, 40000, []int{30643}},
		"mpi of the second task":                {"f102a4a7-9bda-11ea-830b-000d3ab25bb6", "mpi", 20000, 40000, []int{20966, 21891}},
		"tensorflow of the second task":         {"f102a4a7-9bda-11ea-830b-000d3ab25bb6", "tensorflow", 20000, 40000, []int{22829}},
		"ssh of the second task":                {"f102a4a7-9bda-11ea-830b-000d3ab25bb6", "ssh", 20000, 40000, []int{26411}},
		"http of the second task":               {"f102a4a7-9bda-11ea-830b-000d3ab25bb6", "http", 20000, 40000, []int{36213}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Ports(tt.uid, tt.label, len(tt.want), tt.start, tt.end); !slices.Equal(got, tt.want) {
				t.Errorf("ports %v, want %v", got, tt.want)
			}
		})
	}
}

func TestPortStaysInRange(t *testing.T) {
	t.Parallel()
	for i := range 10_000 {
		if p := Port("uid", "label", i, 20000, 20007); p < 20000 || p >= 20007 {
			t.Fatalf("port %d of index %d is outside [20000, 20007)", p, i)
		}
	}
}

func TestPortRefusesAnEmptyRange(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic for an empty range")
		}
	}()
	Port("uid", "ssh", 0, 100, 100)
}

func TestThePortSpecIsJSONInAFixedOrder(t *testing.T) {
	t.Parallel()
	spec := PortSpec{Start: PortStart, End: PortEnd, Ports: map[string]PortCount{"ssh": {Count: 1}, "http": {Count: 1}, "mpi": {Count: 2}}}
	want := `{"schedulePortStart":15000,"schedulePortEnd":40000,"ports":{"http":{"count":1},"mpi":{"count":2},"ssh":{"count":1}}}`
	if got := spec.String(); got != want {
		t.Errorf("annotation\n%s\nwant\n%s", got, want)
	}
}

func TestANegativeNumberOfPortsIsNone(t *testing.T) {
	t.Parallel()
	if ports := Ports("uid", PortHTTP, -1, PortStart, PortEnd); len(ports) != 0 {
		t.Errorf("ports %v", ports)
	}
}

func TestEachTaskHasItsPorts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		count PortCount
		index int
		want  []int
	}{
		"without a start, ports are computed from the UID": {PortCount{Count: 2}, 3, []int{26055, 23666}},
		"the first task has the ports from the start":      {PortCount{Count: 2, Start: 8080}, 0, []int{8080, 8081}},
		"each other task has the next ports":               {PortCount{Count: 2, Start: 8080}, 3, []int{8086, 8087}},
		"a negative number of fixed ports means no ports":  {PortCount{Count: -1, Start: 8080}, 0, []int{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := tt.count.Numbers(PortSSH, "2320bc0d-db98-4969-965f-077953c6aee9", tt.index, PortStart, PortEnd)
			if !slices.Equal(got, tt.want) {
				t.Errorf("ports %v, want %v", got, tt.want)
			}
		})
	}
}
