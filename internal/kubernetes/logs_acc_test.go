// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestLogsNameTheirPlaceInTheLogStorage(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	c.target().LogStorage = &hclspec.Storage{Name: "logs", NFS: &hclspec.NFSVolume{Server: "files.example.org", Path: "/export"}}
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
	place := `alice/` + j.Framework + `/worker/` + uid + `/user-all on the storage "logs" (files.example.org:/export); to print it, pass --log-storage on a machine that mounts the storage`
	if log, err := logOf(t, c, j, "worker", 0); err != nil || !strings.HasPrefix(log, "line one\n") || !strings.Contains(log, place) {
		t.Errorf("log %q %v, want a hint to %s", log, err, place)
	}
	kept := keepLogs(t, j, uid)
	request := cluster.LogRequest{Framework: j.Framework, Role: "worker", JobAttempt: -1, Attempt: -1, Kept: kept}
	for stream, want := range map[cluster.Stream]string{
		cluster.StreamAll: "old\none\ntwo\nnote: the log in the log storage", cluster.StreamStderr: "two\nnote: the log in", cluster.StreamRuntime: "begun\nnote: the log in",
	} {
		request.Stream = stream
		if log, err := logWith(t, c, request); err != nil || !strings.HasPrefix(log, want) {
			t.Errorf("%s in the log storage: %q %v, want %q", stream, log, err, want)
		}
	}
	request.Stream, request.TailLines = cluster.StreamAll, 2
	if err := c.removeFramework(t.Context(), fw.Metadata); err != nil {
		t.Fatal(err)
	}
	_, err = logOf(t, c, j, "worker", 0)
	if !errors.Is(err, cluster.ErrNotFound) || !strings.Contains(err.Error(), "only the record") || !strings.Contains(phrase.Error(err), `alice/`+j.Framework+` on the storage "logs"`) {
		t.Errorf("logs after the deletion of the Framework: %v", phrase.Error(err))
	}
	if log, err := logWith(t, c, request); err != nil || !strings.HasPrefix(log, "one\ntwo\nnote:") {
		t.Errorf("in the log storage, after the deletion of the Framework: %q %v", log, err)
	}
	request.Index = 1
	if _, err := logWith(t, c, request); !errors.Is(err, cluster.ErrNotFound) {
		t.Errorf("logs of a task without a log: %v", err)
	}
}

func TestALogStorageThatTheJobDoesNotHaveIsIgnoredWithANote(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := sampleJob("vision", "mnist")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	request := cluster.LogRequest{Framework: j.Framework, Role: "worker", JobAttempt: -1, Attempt: -1, Kept: t.TempDir()}
	if log, _ := logWith(t, c, request); !strings.Contains(log, "note: --log-storage is ignored: ") {
		t.Errorf("%q", log)
	}
}

// keepLogs writes the logs of a task into a log storage, as the runtime does.
func keepLogs(t *testing.T, j *resolve.Job, podUID string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "alice", j.Framework, "worker", podUID)
	for name, text := range map[string]string{
		"user-all/@4000000000000000.s": "old\n", "user-all/current": "one\ntwo\n", "user-stderr/current": "two\n", "runtime.log": "begun\n", "exit-record.json": `{"index": 0}`,
	} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return root
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
