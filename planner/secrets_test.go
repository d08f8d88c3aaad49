// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestAnotherValueHasAnotherVersion(t *testing.T) {
	t.Parallel()
	key := []byte("key")
	token, other := &resolve.Secret{Name: "token"}, &resolve.Secret{Name: "other"}
	in := func(name, dataKey string) *resolve.Secret {
		return &resolve.Secret{Name: "token", Declared: &hclspec.Secret{Name: "token", Kubernetes: &hclspec.SecretKey{Name: name, Key: dataKey}}}
	}
	if planner.SecretVersion(key, in("a", "k"), "a value") == planner.SecretVersion(key, in("b", "k"), "a value") ||
		planner.SecretVersion(key, in("a", "k"), "a value") == planner.SecretVersion(key, in("a", "l"), "a value") {
		t.Error("keys of Kubernetes Secrets with the same value have the same version")
	}
	version := planner.SecretVersion(key, token, "a value")
	if again := planner.SecretVersion(key, token, "a value"); again != version {
		t.Errorf("one value has the versions %s and %s", version, again)
	}
	for name, different := range map[string]string{
		"another value":                planner.SecretVersion(key, token, "b value"),
		"the value under another name": planner.SecretVersion(key, other, "a value"),
		"the value with another key":   planner.SecretVersion([]byte("kez"), token, "a value"),
		"an explicit version":          planner.SecretVersion(key, &resolve.Secret{Name: "token", Version: "1"}, "a value"),
	} {
		if different == version {
			t.Errorf("%s has the same version", name)
		}
	}
	if strings.Contains(version, "value") {
		t.Errorf("the version %s reveals the value", version)
	}
	if got := planner.SecretVersion(nil, token, "a value"); got != "" {
		t.Errorf("version without a key: %s", got)
	}
}

func TestSecretKeyIDIdentifiesAKeyWithoutItsBytes(t *testing.T) {
	t.Parallel()
	one, other := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	id := planner.SecretKeyID(one)
	switch {
	case len(id) != 16 || id != planner.SecretKeyID(one):
		t.Errorf("the ID is %q, then %q", id, planner.SecretKeyID(one))
	case id == planner.SecretKeyID(other):
		t.Errorf("two keys have the ID %q", id)
	case strings.Contains(hex.EncodeToString(one), id):
		t.Errorf("the ID %q is a part of the key", id)
	case planner.SecretKeyID(nil) != "":
		t.Errorf("the ID without a key is %q", planner.SecretKeyID(nil))
	}
}

func TestTheVersionDeterminesTheStateOfASecret(t *testing.T) {
	t.Parallel()
	derived := func(value string) string {
		return planner.SecretVersion([]byte("key"), &resolve.Secret{Name: "token"}, value)
	}
	explicit := func(version string) string {
		return planner.SecretVersion(nil, &resolve.Secret{Name: "token", Version: version}, "")
	}
	tests := map[string]struct {
		version string // the user's own version
		value   func(string, *resolve.Secret) (string, bool)
		applied string
		keyLost bool
		want    planner.SecretState
	}{
		"the same value":                                         {"", value("old one"), derived("old one"), false, planner.SecretUnchanged},
		"another value":                                          {"", value("new one"), derived("old one"), false, planner.SecretChanged},
		"an unavailable value":                                   {"", nil, derived("old one"), false, planner.SecretNotChecked},
		"a value that was never applied":                         {"", value("new one"), "", false, planner.SecretNew},
		"neither a value nor an applied version":                 {"", nil, "", false, planner.SecretNotChecked},
		"a lost key":                                             {"", value("old one"), derived("old one"), true, planner.SecretNotChecked},
		"the same version, regardless of the value":              {"2", value("new one"), explicit("2"), false, planner.SecretUnchanged},
		"another version without a value":                        {"3", nil, explicit("2"), false, planner.SecretChanged},
		"a version set by the user instead of a derived version": {"3", value("old one"), derived("old one"), false, planner.SecretChanged},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := newJob("j", withSecret("token", tt.version))
			live := has(newLive(job, applying(map[string]string{"token": tt.applied})))
			if tt.keyLost {
				live["local"].SecretKey = nil
			}
			c := planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{job}, Live: live, SecretValue: tt.value}).Changes[0]
			if got := c.Secrets[0].State; got != tt.want {
				t.Errorf("state %q, want %q", got, tt.want)
			}
			if replaced := c.Action == planner.Replace; replaced != (tt.want == planner.SecretChanged) {
				t.Errorf("action %s for a secret that is %s", c.Action, tt.want)
			}
		})
	}
}

// TestSecretsAreReadOnce checks that the planner reads a secret of two jobs
// once. A third job declares a different secret with the same name, which the
// planner must also read.
func TestSecretsAreReadOnce(t *testing.T) {
	t.Parallel()
	shared := &hclspec.Secret{Name: "token"}
	job := func(label string, declared *hclspec.Secret) *resolve.Job {
		return newJob(label, func(j *resolve.Job) { j.Secrets = []*resolve.Secret{{Name: "token", Declared: declared}} })
	}
	asked := map[*hclspec.Secret]int{}
	other := &hclspec.Secret{Name: "token", Env: "OTHER"}
	p := planner.New(planner.Options{
		Workspace: "ws", Live: has(),
		Jobs: []*resolve.Job{job("a", shared), job("b", shared), job("c", other)},
		SecretValue: func(_ string, s *resolve.Secret) (string, bool) {
			asked[s.Declared]++
			return "abc", true
		},
	})
	if diff := cmp.Diff(map[*hclspec.Secret]int{shared: 1, other: 1}, asked); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
	if len(p.Diagnostics) != 2 {
		t.Errorf("%d warnings of short values, want 2", len(p.Diagnostics))
	}
}

// TestTheSecretOfEachClusterIsRead uses Kubernetes Secrets with the same name on
// two clusters.
func TestTheSecretOfEachClusterIsRead(t *testing.T) {
	t.Parallel()
	declared := &hclspec.Secret{Name: "token", Kubernetes: &hclspec.SecretKey{Name: "s", Key: "k"}}
	on := func(cluster string) *resolve.Job {
		return newJob(cluster, func(j *resolve.Job) {
			j.Cluster, j.Secrets = cluster, []*resolve.Secret{{Name: "token", Declared: declared}}
		})
	}
	var asked []string
	key := &planner.Snapshot{SecretKey: []byte("key")}
	p := planner.New(planner.Options{
		Workspace: "ws", Live: map[string]*planner.Snapshot{"a": key, "b": key}, Jobs: []*resolve.Job{on("a"), on("b")},
		SecretValue: func(cluster string, _ *resolve.Secret) (string, bool) {
			asked = append(asked, cluster)
			return "value of " + cluster, true
		},
	})
	if diff := cmp.Diff([]string{"a", "b"}, asked); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
	if p.Changes[0].Secrets[0].Version == p.Changes[1].Secrets[0].Version {
		t.Error("the two values have the same version")
	}
}
