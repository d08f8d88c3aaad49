// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime/check/porttest"
)

// program installs a shell script in a separate directory in the task's PATH.
func (r *rig) program(name, text string) {
	r.t.Helper()
	dir := filepath.Join(r.dir, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		r.t.Fatal(err)
	}
	r.config.Environ[0] = "PATH=" + dir + ":" + os.Getenv("PATH")
}

// askedForHelp is a shell test for the option that the plugin uses to determine
// the version.
const askedForHelp = "[ \"$1\" = --helpfull ]" //nolint:misspell // TensorBoard spells it so

const (
	fakeTensorboard = askedForHelp + " && echo '  --logdir_spec' && exit 0\necho \"$@\" >started.tmp; mv started.tmp started; exec sleep 1000\n"
	oldTensorboard  = askedForHelp + " && echo '  --logdir' && exit 0\necho \"$@\" >started.tmp; mv started.tmp started; exec sleep 1000\n"
	awaitStart      = "while [ ! -e started ]; do sleep 0.01; done; cat started; echo $PAI_TENSORBOARD_PORT"
)

// In OpenPAI's original runtime, TensorBoard blocks the following steps, and a copied
// job has the same port as the original job.
func TestTensorBoardRunsBesideTheTask(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	used, free := float64(taken.Addr().(*net.TCPAddr).Port), float64(porttest.Free(t))
	open := strconv.Itoa(int(free))
	two := map[string]any{"b": "/logs/b", "a": "/logs/a"}
	for name, c := range map[string]struct {
		program, listen string
		parameters      map[string]any
		output          string
	}{
		"two directories":   {fakeTensorboard, "", map[string]any{"port": free, "logdir": two}, "--logdir_spec a:/logs/a,b:/logs/b --port " + open + " --bind_all\n" + open},
		"on one address":    {fakeTensorboard, "127.0.0.1", map[string]any{"port": free, "logdir": two}, "--logdir_spec a:/logs/a,b:/logs/b --port " + open + " --host 127.0.0.1\n" + open},
		"one directory":     {fakeTensorboard, "", map[string]any{"port": free, "logdir": map[string]any{"a": "/logs/a b"}}, "--logdir /logs/a b --port " + open + " --bind_all\n" + open},
		"version 1":         {oldTensorboard, "", map[string]any{"port": free, "logdir": two}, "--logdir a:/logs/a,b:/logs/b --port " + open + "\n" + open},
		"a port in use":     {fakeTensorboard, "127.0.0.1", map[string]any{"port": used, "logdir": two}, `--port (\d+) --host 127.0.0.1\n(\d+)`},
		"no requested port": {fakeTensorboard, "127.0.0.1", map[string]any{"logdir": two}, `--port (\d+) --host 127.0.0.1\n(\d+)`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, awaitStart)
			r.program("tensorboard", c.program)
			r.config.Listen = c.listen
			r.plugin("tensorboard", c.parameters)
			if record := r.run(); record.Code != 0 {
				t.Errorf("record %+v\n%s", record, r.log())
			}
			if !strings.Contains(c.output, "(") {
				c.output = regexp.QuoteMeta(c.output)
			}
			m := regexp.MustCompile(c.output + "\n$").FindStringSubmatch(r.output())
			if m == nil {
				t.Fatalf("output %q\n%s", r.output(), r.log())
			}
			if len(m) == 3 && (m[1] != m[2] || m[1] < "20000" || m[1] >= "40000") {
				t.Errorf("ports %v differ from the formula", m[1:])
			}
		})
	}
}

func TestTensorboardIsForTheFirstTaskOnly(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*rig){
		"a later task": func(r *rig) { r.config.Index = 1 },
		"a later role": func(r *rig) { r.spec.Roles = append([]runspec.Role{{Name: "first", Tasks: 1}}, r.spec.Roles...) },
	} {
		r := newRig(t, "true")
		r.program("tensorboard", fakeTensorboard)
		r.plugin("tensorboard", map[string]any{"logdir": map[string]any{"a": "/tmp"}})
		change(r)
		if record := r.run(); record.Code != 0 || strings.Contains(r.log(), "TensorBoard") {
			t.Errorf("%s: record %+v\n%s", name, record, r.log())
		}
	}
}

// The runtime restarts a service that exits. The task continues even if its
// service exits.
func TestAServiceThatEndsIsStartedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, "while [ ! -e started ]; do sleep 0.01; done; cat started")
	r.program("tensorboard", askedForHelp+" && exit 0\n[ -e once ] || { echo crash; >once; exit 3; }\n"+fakeTensorboard)
	r.plugin("tensorboard", map[string]any{"logdir": map[string]any{"a": "/tmp"}})
	if record := r.run(); record.Code != 0 || !strings.Contains(r.log(), "crash\n[WARNING] TensorBoard exited with code 3; the runtime starts it again in 1s\n") {
		t.Errorf("record %+v\n%s", record, r.log())
	}
}

func TestServicesOfTheSameNameAllEndWithTheTask(t *testing.T) {
	t.Parallel()
	r := newRig(t, "while [ $(wc -l <pids) -lt 2 ]; do sleep 0.01; done")
	if err := os.WriteFile(filepath.Join(r.config.WorkDir, "pids"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r.program("tensorboard", askedForHelp+" && exit 0\necho $$ >>pids; exec sleep 1000\n")
	for range 2 {
		r.plugin("tensorboard", map[string]any{"logdir": map[string]any{"a": "/tmp"}})
	}
	ended := make(chan exitspec.Record, 1)
	go func() { ended <- r.run() }()
	select {
	case record := <-ended:
		if record.Code != 0 {
			t.Errorf("record %+v\n%s", record, r.log())
		}
	case <-time.After(time.Minute):
		t.Error("the task does not end")
	}
	if ports := regexp.MustCompile(`starts on port (\d+)`).FindAllString(r.log(), -1); len(ports) != 2 || ports[0] == ports[1] {
		t.Errorf("ports %q", ports)
	}
	for word := range strings.FieldsSeq(r.read("work/pids")) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		if groupRuns(pid) && (&process{pid: pid}).alive() {
			t.Error("a service outlives the task")
			_ = syscall.Kill(-pid, syscall.SIGKILL)
		}
	}
}

func TestServicesLastUntilTheLastEndCallback(t *testing.T) {
	t.Parallel()
	r := newRig(t, "while [ ! -e pid ]; do sleep 0.01; done")
	r.program("tensorboard", askedForHelp+" && exit 0\necho $$ >pid.tmp; mv pid.tmp pid; exec sleep 1000\n")
	r.step("debug", on("taskExits", "kill -0 $(cat pid) && echo up"))
	r.plugin("tensorboard", map[string]any{"logdir": map[string]any{"a": "/tmp"}})
	if record := r.run(); record.Code != 0 || !strings.HasSuffix(r.log(), "\nup\n") {
		t.Errorf("record %+v\n%s", record, r.log())
	}
	pid, err := strconv.Atoi(strings.TrimSpace(r.read("work/pid")))
	if err != nil {
		t.Fatal(err)
	}
	if groupRuns(pid) && (&process{pid: pid}).alive() {
		t.Error("the service outlives the task")
	}
}
