// SPDX-License-Identifier: MPL-2.0

package render

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/tools/golden"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func hivedJob() *resolve.Job {
	job := sampleJob()
	job.Hived = &resolve.Hived{
		Priority:             100,
		LazyPreemptionEnable: pointer(true),
		TaskRoles: []*resolve.HivedTaskRole{
			{Name: "Train_1", SKUType: "V100", LeafCellNumber: 2, AffinityGroup: "alice~mnist/default"},
			{Name: "serve", PinnedCellID: "cell-1", LeafCellNumber: 1, AffinityGroup: "alice~mnist/default"},
		},
	}
	return job
}

func TestManifestsAreWrittenAsInTestdata(t *testing.T) {
	t.Parallel()
	openpai := sampleTarget()
	openpai.Profile = ProfileOpenPAI
	tests := map[string]struct {
		job    *resolve.Job
		target Target
	}{
		"standard": {sampleJob(), sampleTarget()},
		"openpai":  {sampleJob(), openpai},
		"hived":    {hivedJob(), sampleTarget()},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m, diags := Objects(tt.job, tt.target)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			// The golden file does not contain the resolved job, because
			// another package defines its fields.
			m.ConfigMaps[0].Data[ResolvedJobKey] = "the resolved job"
			golden.File(t, filepath.Join("testdata", name+".yaml"), m.YAML())
		})
	}
}

func TestTheManifestOfAJobIsDeterministic(t *testing.T) {
	t.Parallel()
	first, _ := Objects(hivedJob(), sampleTarget())
	want := first.YAML()
	for range 100 {
		m, _ := Objects(hivedJob(), sampleTarget())
		if got := m.YAML(); !bytes.Equal(want, got) {
			t.Fatal(cmp.Diff(string(want), string(got)))
		}
	}
}

func TestTheYAMLOfAManifestEqualsTheJSONOfItsObjects(t *testing.T) {
	t.Parallel()
	m, _ := Objects(hivedJob(), sampleTarget())
	dec := yaml.NewDecoder(bytes.NewReader(m.YAML()))
	for _, object := range []any{m.Volumes[0], m.Claims[0], m.ConfigMaps[0], m.Access.Hosts, m.Access.Account, m.Access.Role, m.Access.RoleBinding, m.Secrets[0], m.Secrets[1], m.Framework} {
		var fromYAML any
		if err := dec.Decode(&fromYAML); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(fromYAML)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(canonical(object)), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("object (-want +got)\n%s", diff)
		}
	}
}

func TestNoSecretValueIsRendered(t *testing.T) {
	t.Parallel()
	job := sampleJob()
	for _, s := range job.Secrets {
		s.Declared = &hclspec.Secret{Name: s.Name, Value: hclspec.NewSensitive("canary-7e1f")}
	}
	m, _ := Objects(job, sampleTarget())
	if strings.Contains(string(m.YAML()), "canary") {
		t.Error("the YAML contains the value of a secret")
	}
	for _, s := range m.Secrets {
		if !strings.Contains(string(m.YAML()), "name: "+s.Metadata.Name) {
			t.Errorf("no stub of Secret %s", s.Metadata.Name)
		}
	}
}

func TestLocalTargetNeedsNoImage(t *testing.T) {
	t.Parallel()
	m, diags := Objects(sampleJob(), Target{Local: true})
	if len(diags) > 0 || m == nil {
		t.Fatalf("diagnostics %v", diags)
	}
}
