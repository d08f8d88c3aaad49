// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"slices"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

func TestHostsHaveFixedPorts(t *testing.T) {
	t.Parallel()
	spec := &runspec.Spec{PortStart: 15000, PortEnd: 40000, Roles: []runspec.Role{{Name: "a", Ports: []runspec.Port{{Label: "http", Count: 2, First: 8080}}}}}
	table := &Table{Roles: []Role{{Name: "a", Members: []Member{{Index: 0, PodUID: "u"}, {Index: 3, PodUID: "v"}}}}}
	var got []int
	for _, h := range table.Hosts(spec).Tasks {
		got = append(got, h.Ports["http"]...)
	}
	if want := []int{8080, 8081, 8086, 8087}; !slices.Equal(got, want) {
		t.Errorf("ports %v, want %v", got, want)
	}
	parsed, err := Parse(table.FrameworkJSON("f", spec))
	if err != nil || parsed.Roles[0].Ports.Ports["http"] != (contract.PortCount{Count: 2, Start: 8080}) {
		t.Errorf("framework.json is read as %+v, %v", parsed, err)
	}
}
