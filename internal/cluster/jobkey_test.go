// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// keeper is a cluster that stores the objects that it receives.
type keeper struct {
	Cluster
	sent []Submission
}

func (k *keeper) Create(_ context.Context, s Submission) error {
	k.sent = append(k.sent, s)
	return nil
}

func TestAJobWithSSHGetsAKeyOfItsOwn(t *testing.T) {
	t.Parallel()
	job := func(name string, plugins ...string) *planner.Change {
		role := &resolve.TaskRole{Name: "worker"}
		for _, p := range plugins {
			role.Steps = append(role.Steps, &resolve.Step{Plugin: p})
		}
		return &planner.Change{Action: planner.Create, Cluster: "c", Framework: name, Job: &resolve.Job{Name: name, TaskRoles: []*resolve.TaskRole{role}}}
	}
	apply := func(random io.Reader) ([]Submission, error) {
		k := &keeper{}
		plan := &planner.Plan{Changes: []*planner.Change{job("plain", "cmd"), job("a", "git", "ssh"), job("b", "ssh")}}
		err := Apply(t.Context(), plan, map[string]Cluster{"c": k}, ApplyOptions{Random: random, Parallel: 1})
		return k.sent, err
	}
	sent, err := apply(nil)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, s := range sent {
		text, has := s.Secrets[contract.SecretJobKey]
		if has != (s.Job.Name != "plain") {
			t.Errorf("job %s: has an ssh key: %v", s.Job.Name, has)
		}
		if !has {
			continue
		}
		if _, err := ssh.ParseJobKey(text); err != nil {
			t.Error(err)
		}
		keys[text] = true
	}
	if len(keys) != 2 {
		t.Errorf("%d different keys for two jobs", len(keys))
	}
	if _, err := apply(strings.NewReader("")); !errors.Is(err, io.EOF) || !strings.Contains(err.Error(), "create the ssh key of a job") {
		t.Errorf("apply with an empty random source: %v", err)
	}
}
