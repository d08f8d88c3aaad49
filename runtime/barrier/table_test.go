// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

func TestAFrameworkThatAsksForImpossiblePortsIsRefused(t *testing.T) {
	t.Parallel()
	for annotation, want := range map[string]string{
		`{"ports":{"http":{"count":-1}}}`:                                                     `role worker requests -1 ports with the label "http"`,
		`{"ports":{"http":{"count":2000000000}}}`:                                             `role worker requests 2000000000 ports with the label "http"`,
		`{"schedulePortStart":-5,"schedulePortEnd":40000,"ports":{"http":{"count":1}}}`:       "role worker has the invalid port range -5 to 40000",
		`{"schedulePortStart":20000,"schedulePortEnd":20000,"ports":{"http":{"count":1}}}`:    "role worker has the invalid port range 20000 to 20000",
		`{"schedulePortStart":20000,"schedulePortEnd":99999999999,"ports":{"a":{"count":1}}}`: "role worker has the invalid port range 20000 to 99999999999",
		`{"ports":{"http":{"count":1,"start":65536}}}`:                                        `role worker has the invalid first port 65536 for the label "http"`,
		`{"schedulePortStart":20000,"schedulePortEnd":"40000","ports":{"http":{"count":1}}}`:  "read the ports of role worker: json",
	} {
		text, err := json.Marshal(map[string]any{"spec": map[string]any{"taskRoles": []any{map[string]any{
			"name": "worker", "taskNumber": 1, "task": map[string]any{"pod": map[string]any{"metadata": map[string]any{"annotations": map[string]string{contract.AnnotationPorts: annotation}}}},
		}}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", annotation, err, want)
		}
	}
}

func TestTablesSurviveThePublication(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]*Table{
		"addresses of nodes": want(3),
		"host network":       {Roles: []Role{{Name: "a", Members: []Member{{Index: 4, IP: "10.0.0.1", PodUID: "u", NodeIP: "10.0.0.1"}}}}},
		"texts of every kind": {Roles: []Role{{Name: "a", Members: []Member{
			{Index: 1, IP: "fd00::1", PodUID: "0f8fad5b-d9cb-469f-a165-70867728950e", NodeIP: "10.0.0.1"},
			{Index: 2, IP: "::ffff:10.0.0.1", PodUID: "0F8FAD5B-D9CB-469F-A165-70867728950E", NodeIP: "fe80::1%eth0"},
			{Index: 3, IP: "", PodUID: "0f8fad5bd9cb469fa16570867728950e----", NodeIP: "node.example.org"},
		}}}},
		"a role without tasks": {Roles: []Role{{Name: "a", Members: []Member{}}, {Name: "b", Members: want(1).Roles[0].Members}}},
		"ten thousand tasks":   {Roles: []Role{{Name: "worker", Members: want(10_000).Roles[0].Members}}},
	} {
		packed := table.encode()
		got, err := decode(packed)
		if diff := cmp.Diff(table, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", name, err, diff)
		}
		if len(packed)*4/3 > 1<<20 {
			t.Errorf("%s: %d bytes do not fit into a ConfigMap", name, len(packed))
		}
	}
}

func TestATableThatIsCutOffIsNotRead(t *testing.T) {
	t.Parallel()
	packed := want(3).encode()
	for n := range packed {
		if table, err := decode(packed[:n]); err == nil {
			t.Errorf("%d of %d bytes: %+v", n, len(packed), table)
		}
	}
	if _, err := decode(append(packed, 0)); err == nil {
		t.Error("a byte too many")
	}
}

func BenchmarkDecode(b *testing.B) {
	packed := want(1000).encode()
	for b.Loop() {
		if _, err := decode(packed); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(want(2).encode())
	f.Add([]byte("rubbish"))
	f.Fuzz(func(t *testing.T, packed []byte) {
		if table, err := decode(packed); (table == nil) == (err == nil) {
			t.Errorf("table %v, error %v", table, err)
		}
	})
}

// framework.json and injector.sh must have the same format as the files that
// the original barrier writes.
func TestFrameworkJSONAndInjectorAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	table := want(2)
	spec := &runspec.Spec{PortStart: 15000, PortEnd: 40000, Roles: []runspec.Role{{Name: "worker", Ports: []runspec.Port{{Label: "ssh", Count: 1}}}}}
	again, err := Parse(table.FrameworkJSON("job", spec))
	if err != nil {
		t.Fatal(err)
	}
	if again.Roles[0].Ports == nil || again.Roles[0].Ports.Ports["ssh"].Count != 1 || again.Roles[0].Tasks != 2 {
		t.Errorf("%+v", again.Roles[0])
	}
	again.Roles[0].Ports, again.Roles[0].Tasks = nil, 0
	if diff := cmp.Diff(table, again); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	injector := string(table.Injector())
	for _, line := range []string{"#!/bin/sh", "export FB_WORKER_IPS=10.0.0.0,10.0.0.1", `  export FB_WORKER_ADDRESSES="10.0.0.0:${FB_WORKER_PORT},10.0.0.1:${FB_WORKER_PORT}"`} {
		if !strings.Contains(injector, line+"\n") {
			t.Errorf("%q is not in\n%s", line, injector)
		}
	}
	hosts := table.Hosts(spec)
	if len(hosts.Tasks) != 2 || fmt.Sprintf("%s %s %d", hosts.Tasks[1].IP, hosts.Tasks[1].HostIP, len(hosts.Tasks[1].Ports["ssh"])) != "10.0.0.1 10.0.0.1 1" {
		t.Errorf("%+v", hosts)
	}
}
