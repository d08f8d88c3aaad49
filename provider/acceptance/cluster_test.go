//go:build acc

package acceptance

import (
	"encoding/json"
	"testing"
)

// TestTheClusterIsChecked reads what `openpai cluster check` finds.
func TestTheClusterIsChecked(t *testing.T) {
	first := map[string]string{"local": "machine", "kubernetes": "API server"}
	each(t, func(t *testing.T, program string) {
		for name, open := range places {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				p.configure(open(t, p.dir).provider, "data \"openpai_cluster\" \"here\" {}\n\noutput \"here\" {\n  value = data.openpai_cluster.here\n}\n")
				p.apply()
				var here struct {
					Kind      string `json:"kind"`
					Reachable bool   `json:"reachable"`
					Checks    []struct{ Check, Result, Found, Advice string }
				}
				if err := json.Unmarshal([]byte(p.must("output", "-json", "here")), &here); err != nil {
					t.Fatal(err)
				}
				if here.Kind != name || !here.Reachable || len(here.Checks) < 4 || here.Checks[0].Check != first[name] || here.Checks[0].Result != "ok" {
					t.Errorf("%+v", here)
				}
				for _, c := range here.Checks {
					if c.Result == "missing" && c.Advice == "" {
						t.Errorf("no advice: %+v", c)
					}
				}
			})
		}
	})
}
