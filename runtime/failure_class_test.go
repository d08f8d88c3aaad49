// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// TestEachFailureHasItsClass causes real failures and checks their classes. The
// test for a full file system is in volume_test.go.
func TestEachFailureHasItsClass(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		build func(r *rig)
		code  int
		// The record's reason must contain reason, and its last lines must
		// contain line.
		reason, line string
		hint         exitspec.Hint // if it differs from the code's hint
	}{
		"a callback that fails": {
			func(r *rig) { r.step("data", on("taskStarts", "echo the disk is on fire", "exit 3")) },
			exitspec.CodePrerequisite, "the start of prerequisite.script.data exited with code 3", "the disk is on fire", "",
		},
		"an end callback that fails": {
			func(r *rig) { r.step("report", on("taskSucceeds", "echo nobody listens", "exit 4")) },
			exitspec.CodePrerequisite, "taskSucceeds of prerequisite.script.report exited with code 4", "nobody listens", "",
		},
		"a callback whose program is not found": {
			func(r *rig) { r.step("data", on("taskStarts", "no-such-program --x")) },
			220, `recognized by the line "`, "no-such-program", "",
		},
		"a checksum": {
			func(r *rig) {
				r.step("data").Fetch = []runspec.Fetch{{URL: r.source("f", []byte("new")), To: "f", SHA256: sumOf([]byte("other"))}}
			},
			exitspec.CodeChecksum, "the content has the sha256 ", "", "",
		},
		"a file that does not exist": {
			func(r *rig) { r.step("data").Fetch = []runspec.Fetch{{URL: r.dir + "/nowhere", To: "f"}} },
			exitspec.CodeSourceRefused, "the file does not exist", "", "",
		},
		"a port without a listener": {
			func(r *rig) {
				r.step("data").Fetch = []runspec.Fetch{{URL: "http://" + closedPort(r.t) + "/f", To: "f"}}
			},
			exitspec.CodeSourceRefused, "the server cannot be reached", "", exitspec.HintCheckPort,
		},
		"a host that is unknown": {
			func(r *rig) { r.step("data").Fetch = []runspec.Fetch{{URL: "http://no-such-host.invalid/f", To: "f"}} },
			exitspec.CodeSourceRefused, "no-such-host.invalid", "", exitspec.HintCheckHost,
		},
		"a repository without the tag": {
			func(r *rig) {
				dir, _ := r.repository()
				r.step("data").Fetch = []runspec.Fetch{{URL: "git::file://" + dir + "?ref=v7", To: "tree"}}
			},
			exitspec.CodeSourceRefused, "git exited with code", "", "",
		},
		"a repository that does not exist": {
			func(r *rig) {
				r.step("data").Fetch = []runspec.Fetch{{URL: "git::file:///no/such?ref=v1", To: "tree"}}
			},
			exitspec.CodeSourceRefused, "fatal: '/no/such' does not appear to be a git repository", "and the repository exists.", "",
		},
		"a git server that does not run": {
			func(r *rig) {
				r.step("data").Fetch = []runspec.Fetch{{URL: "git::http://" + closedPort(r.t) + "/r.git?ref=v1", To: "tree"}}
			},
			exitspec.CodeSourceRefused, "fatal: unable to access 'http://127.0.0.1:", "", exitspec.HintCheckPort,
		},
		"a certificate that is not trusted": {
			func(r *rig) {
				server := httptest.NewUnstartedServer(nil)
				server.Config.ErrorLog = log.New(io.Discard, "", 0)
				server.StartTLS()
				r.t.Cleanup(server.Close)
				r.step("data").Fetch = []runspec.Fetch{{URL: server.URL + "/f", To: "f"}}
			},
			exitspec.CodeSourceRefused, "certificate", "", exitspec.HintCheckCertificate,
		},
		"the commands of a plugin": {
			func(r *rig) {
				r.plugin("cmd", nil).Callbacks = []runspec.Callback{on("taskStarts", "echo the disk is on fire", "exit 3")}
			},
			exitspec.CodePlugin, "the start of plugin.cmd exited with code 3", "the disk is on fire", "",
		},
		"the end commands of a plugin": {
			func(r *rig) {
				r.plugin("cmd", nil).Callbacks = []runspec.Callback{on("taskSucceeds", "echo nobody listens", "exit 4")}
			},
			exitspec.CodePlugin, "taskSucceeds of plugin.cmd exited with code 4", "nobody listens", "",
		},
		"a plugin": {
			func(r *rig) {
				dir, _ := r.repository()
				if err := os.WriteFile(filepath.Join(r.config.WorkDir, "code"), nil, 0o600); err != nil {
					r.t.Fatal(err)
				}
				r.plugin("git", map[string]any{"repo_uri": "file://" + dir, "clone_dir": "code"})
			},
			exitspec.CodePlugin, "the start of plugin.git exited with code", "already exists and is not an empty directory", "",
		},
		"a commit that the repository lacks": {
			func(r *rig) {
				dir, _ := r.repository()
				r.plugin("git", map[string]any{"repo_uri": "file://" + dir, "clone_dir": "code", "commit": strings.Repeat("0123456789", 4)})
			},
			exitspec.CodeSourceRefused, "the start of plugin.git exited with code", "0123456789", "",
		},
		"NCCL": {
			func(r *rig) {
				r.spec.Commands = []string{"echo 'RuntimeError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:219, unhandled system error, NCCL version 2.14.3'", "exit 1"}
			},
			236, `recognized by the line "RuntimeError: NCCL error in: `, "", "",
		},
		"a program that is not executable": {
			func(r *rig) { r.spec.Commands = []string{"echo true >program", "./program"} },
			238, "ermission denied", "", "",
		},
		// Even root cannot write to this file.
		"permission denied": {
			func(r *rig) {
				r.spec.Commands = []string{"echo x >/proc/sys/kernel/ostype"}
			},
			237, "ermission denied", "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "true")
			c.build(r)
			record := r.run()
			entry, _ := exitspec.Lookup(c.code)
			if record.Code != c.code || record.Phrase != entry.Phrase || record.Behavior != string(entry.Behavior) || record.Hint != cmp.Or(c.hint, entry.Hint) {
				t.Errorf("record %+v, want the entry %+v and the hint %q", record, entry, c.hint)
			}
			if !strings.Contains(record.Reason, c.reason) {
				t.Errorf("reason %q, want %q in it", record.Reason, c.reason)
			}
			if c.line != "" && !slices.ContainsFunc(record.LastLines, func(l string) bool { return strings.Contains(l, c.line) }) {
				t.Errorf("last lines %q, want %q in them", record.LastLines, c.line)
			}
			if c.line != "" && !strings.Contains(r.read("termination"), c.line) {
				t.Errorf("the termination message has no %q:\n%s", c.line, r.read("termination"))
			}
		})
	}
}

// TestAnAnswerDecidesOverTheRetry checks the exit codes for HTTP error status
// codes that file servers and git servers return.
func TestAnAnswerDecidesOverTheRetry(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]int{
		http.StatusBadRequest: exitspec.CodeSourceRefused, http.StatusUnauthorized: exitspec.CodeSourceRefused,
		http.StatusForbidden: exitspec.CodeSourceRefused, http.StatusNotFound: exitspec.CodeSourceRefused,
		http.StatusRequestTimeout: exitspec.CodeSourceUnreachable, http.StatusTooManyRequests: exitspec.CodeSourceUnreachable,
		http.StatusInternalServerError: exitspec.CodeSourceUnreachable, http.StatusServiceUnavailable: exitspec.CodeSourceUnreachable,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Cleanup(server.Close)
		for _, url := range []string{server.URL + "/f", "git::" + server.URL + "/r.git?ref=v1"} {
			t.Run(http.StatusText(status)+" "+filepath.Base(url), func(t *testing.T) {
				t.Parallel()
				r := newRig(t, "true")
				r.step("data").Fetch = []runspec.Fetch{{URL: url, To: "f"}}
				if record := r.run(); record.Code != want || (record.Behavior == string(exitspec.Transient)) != (want == exitspec.CodeSourceUnreachable) {
					t.Errorf("record %+v, want code %d", record, want)
				}
			})
		}
	}
}

// TestABrokenConnectionMayBeWholeLater checks that a failure is transient if a
// server closes every connection in the middle of the response.
func TestABrokenConnectionMayBeWholeLater(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("part"))
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	r := newRig(t, "true")
	r.step("data").Fetch = []runspec.Fetch{{URL: server.URL + "/f", To: "f"}}
	if record := r.run(); record.Code != exitspec.CodeSourceUnreachable {
		t.Errorf("record %+v", record)
	}
}
