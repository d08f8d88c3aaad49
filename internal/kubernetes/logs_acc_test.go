//go:build acc

package kubernetes

import (
	"errors"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestLogsNameTheirPlaceInTheLogStorage(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	c.options.Target.LogStorage = &hclspec.Storage{Name: "logs", NFS: &hclspec.NFSVolume{Server: "files.example.org", Path: "/export"}}
	j := sampleJob("vision", "mnist")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	e := &engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}
	for _, step := range []func() error{
		func() error { return e.Prepare(t.Context(), j.Framework) },
		func() error { return e.Run(t.Context(), j.Framework) },
		func() error { return e.Complete(t.Context(), j.Framework, failedWith(7)) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	fw, err := c.framework(t.Context(), j.Framework)
	if err != nil {
		t.Fatal(err)
	}
	uid := podUID(t, fw, "worker")
	place := `alice/` + j.Framework + `/worker/` + uid + `/user-all on the storage "logs" (files.example.org:/export), which openpai cannot read from here`
	if log, err := logOf(t, c, j, "worker", 0); err != nil || !strings.HasPrefix(log, "line one\n") || !strings.Contains(log, place) {
		t.Errorf("log %q %v, want the place %s", log, err, place)
	}
	if err := c.removeFramework(t.Context(), fw.Metadata); err != nil {
		t.Fatal(err)
	}
	_, err = logOf(t, c, j, "worker", 0)
	if !errors.Is(err, cluster.ErrNotFound) || !strings.Contains(err.Error(), "only the record") || !strings.Contains(err.Error(), `alice/`+j.Framework+` on the storage "logs"`) {
		t.Errorf("after the Framework went: %v", err)
	}
}

func podUID(t *testing.T, fw *framework.Framework, role string) string {
	t.Helper()
	statuses, err := roleStatuses(fw)
	if err != nil {
		t.Fatal(err)
	}
	uid := deref(statuses[role].TaskStatuses[0].AttemptStatus.PodUID)
	if uid == "" {
		t.Fatal("the task has no Pod")
	}
	return uid
}
