// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

// TestKeptLogsStayInTheLogStorage checks that names from the cluster and
// files from tasks cannot lead out of the log storage.
func TestKeptLogsStayInTheLogStorage(t *testing.T) {
	const uid = "0a1b"
	tests := map[string]struct {
		spoil           func(t *testing.T, role string) // receives the directory of the task role
		path, role, uid string
		want            string // substring of the error
	}{
		"the record leads out":                                {path: "../private", role: "worker", uid: uid, want: `"../private"`},
		"the record is absolute":                              {path: "/etc", role: "worker", uid: uid, want: `"/etc"`},
		"the role leads out":                                  {path: "alice/job", role: "../../../private/worker", uid: uid, want: "private"},
		"the directory of the role is a link to another role": {path: "alice/job", role: "../../bob/job", uid: uid, want: "bob"},
		"the Pod leads out":                                   {path: "alice/job", role: "worker", uid: "../../../../private/worker/" + uid, want: "private"},
		"the name of the Pod is a path":                       {path: "alice/job", role: "worker", uid: "..", want: `".."`},
		"the log is a link to a file outside":                 {path: "alice/job", role: "worker", uid: uid, spoil: link("../../../../../../private/worker/0a1b/user-all/current", uid+"/user-all/current"), want: "escapes"},
		"the log is an absolute link":                         {path: "alice/job", role: "worker", uid: uid, spoil: link("/etc/hostname", uid+"/user-all/current"), want: "escapes"},
		"the directory of logs is a link":                     {path: "alice/job", role: "worker", uid: uid, spoil: link("../../../../../private/worker/0a1b/user-all", uid+"/user-all"), want: "escapes"},
		"the directory of the Pod is a link":                  {path: "alice/job", role: "worker", uid: uid, spoil: link("../../../../private/worker/0a1b", uid), want: "escapes"},
		"the log is a link to the log of another task":        {path: "alice/job", role: "worker", uid: uid, spoil: link("../../../../../bob/job/worker/0a1b/user-all/current", uid+"/user-all/current"), want: "escapes"},
		"the log is a directory":                              {path: "alice/job", role: "worker", uid: uid, spoil: directory(uid + "/user-all/current"), want: "not a regular file"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			storage := filepath.Join(top, "storage")
			for _, dir := range []string{"storage/alice/job", "storage/bob/job", "private"} {
				storeFile(t, filepath.Join(top, dir, "worker", uid, "user-all/current"), "of "+dir+"\n")
			}
			if tt.spoil != nil {
				tt.spoil(t, filepath.Join(storage, "alice/job/worker"))
			}
			var out strings.Builder
			l := &logs{
				request: cluster.LogRequest{Kept: storage, Role: tt.role, JobAttempt: -1, Attempt: -1}, lines: &logtime.Lines{Out: &out},
				record: &stored{Record: cluster.Record{Logs: &cluster.LogPlace{Path: tt.path}}},
			}
			found, err := l.copyStored(tt.role, tt.uid)
			if found || err == nil || !strings.Contains(err.Error(), tt.want) || out.Len() > 0 {
				t.Errorf("copied %t %q, error %v, want one that shows %s", found, out.String(), err, tt.want)
			}
		})
	}
}

// TestSearchedLogsStayInTheLogStorage checks that copyForgotten does not
// follow links to exit records outside the log storage.
func TestSearchedLogsStayInTheLogStorage(t *testing.T) {
	top := t.TempDir()
	storage := filepath.Join(top, "storage")
	role := filepath.Join(storage, "alice/job/worker")
	storeFile(t, filepath.Join(role, "good/user-all/current"), "hello\n")
	storeFile(t, filepath.Join(role, "good/exit-record.json"), `{"index": 0, "finished": "2020-01-01T00:00:00Z"}`)
	storeFile(t, filepath.Join(top, "private/exit-record.json"), `{"index": 0, "finished": "2030-01-01T00:00:00Z"}`)
	storeFile(t, filepath.Join(top, "private/user-all/current"), "private\n")
	link("../../../../private", "bad")(t, role)
	storeFile(t, filepath.Join(role, "worse/user-all/current"), "not this one\n")
	link("../../../../../private/exit-record.json", "worse/exit-record.json")(t, role)

	var out strings.Builder
	l := &logs{
		request: cluster.LogRequest{Kept: storage, Role: "worker", JobAttempt: -1, Attempt: -1}, lines: &logtime.Lines{Out: &out},
		record: &stored{Record: cluster.Record{Logs: &cluster.LogPlace{Path: "alice/job"}}},
	}
	if found, err := l.copyForgotten(); !found || err != nil || out.String() != "hello\n" {
		t.Errorf("copied %t %q, error %v", found, out.String(), err)
	}
}

func TestStoredLogsHaveTheirTimes(t *testing.T) {
	storage := t.TempDir()
	current := filepath.Join(storage, "alice/job/worker/0a1b/user-all/current")
	storeFile(t, current, "one\ntwo\nthree\n")
	times := logtime.NewWriter(current, 0o644)
	for n, offset := range []int64{0, 4, 8} {
		times.Mark(offset, time.Date(2026, 11, 23, 10, 0, n, 0, time.UTC))
	}
	times.Close()
	var out strings.Builder
	l := &logs{
		request: cluster.LogRequest{Kept: storage, Role: "worker", TailLines: 2},
		lines:   &logtime.Lines{Out: &out, Stamp: true},
		record:  &stored{Record: cluster.Record{Logs: &cluster.LogPlace{Path: "alice/job"}}},
	}
	found, err := l.copyStored("worker", "0a1b")
	if diff := cmp.Diff("2026-11-23T10:00:01.000Z two\n2026-11-23T10:00:02.000Z three\n", out.String()); !found || err != nil || diff != "" {
		t.Errorf("copied %t, error %v (-want +got)\n%s", found, err, diff)
	}
}

func TestAMissingLogStorageIsAnError(t *testing.T) {
	l := &logs{
		request: cluster.LogRequest{Kept: filepath.Join(t.TempDir(), "nowhere")},
		record:  &stored{Record: cluster.Record{Logs: &cluster.LogPlace{Path: "alice/job"}}},
	}
	if _, err := l.copyStored("worker", "0a1b"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "open the log storage") {
		t.Errorf("error %v", err)
	}
}

func storeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// link replaces a file with a symbolic link.
func link(to, name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		name := filepath.Join(dir, name)
		if err := errors.Join(os.RemoveAll(name), os.Symlink(to, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func directory(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		name := filepath.Join(dir, name)
		if err := errors.Join(os.RemoveAll(name), os.MkdirAll(name, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
}
