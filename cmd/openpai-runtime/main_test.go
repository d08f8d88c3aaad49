// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime/check/porttest"
)

// maxSize is the maximum size of the program, in bytes. A dependency on client-go
// would exceed this limit.
const maxSize = 12_000_000

// program is the path of the runtime binary. Like a release binary, it is statically
// linked.
var program string

func TestMain(m *testing.M) {
	os.Exit(withProgram(m))
}

func withProgram(m *testing.M) int {
	dir, err := os.MkdirTemp("", "openpai-runtime")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "openpai-runtime")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		log.Printf("%v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// container holds the directory and the environment in which a test runs the
// program.
type container struct {
	dir     string
	environ []string
}

func newContainer(t *testing.T, spec *runspec.Spec) container {
	t.Helper()
	dir := t.TempDir()
	// The ports of this Pod are below the ephemeral port range.
	c := container{dir, []string{
		"PATH=" + os.Getenv("PATH"), "PAI_ROOT_DIR=" + filepath.Join(dir, "pai"), "PAI_CONFIG_DIR=" + dir, "PAI_TERMINATION_FILE=" + filepath.Join(dir, "termination"),
		"FC_POD_UID=uid-17", "FC_TASKROLE_NAME=worker", "FC_TASK_INDEX=1", "FC_TASK_ATTEMPT_ID=0", "FC_FRAMEWORK_ATTEMPT_ID=0", "PAI_POD_IP=10.1.2.3",
		"PAI_LOGS_STORED=true",
	}}
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "run.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c container) command(t *testing.T, name string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.CommandContext(t.Context(), name, args...)
	var out bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = c.environ, c.dir, &out, &out
	return cmd, &out
}

func exitCode(err error) int {
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return failed.ExitCode()
	}
	return 0
}

func worker(commands ...string) *runspec.Spec {
	return &runspec.Spec{
		Version: runspec.Version, Job: "alice~job", User: "alice", Role: "worker", Commands: commands, PortStart: porttest.Start, PortEnd: porttest.End, StopGraceSeconds: 5,
		Roles: []runspec.Role{{Name: "worker", Written: "worker", Tasks: 2, Ports: []runspec.Port{{Label: "http", Count: 1}}}},
	}
}

func TestTheProgramRunsATaskInAContainer(t *testing.T) {
	t.Parallel()
	if info, err := os.Stat(program); err != nil || info.Size() > maxSize {
		t.Errorf("the program has %d bytes, error %v", info.Size(), err)
	}
	c := newContainer(t, worker(`echo "index $PAI_TASK_INDEX at $PAI_CONTAINER_HOST_IP"`, "exit 7"))
	for range 2 { // init runs again if the kubelet restarts the Pod
		if cmd, out := c.command(t, program, "init"); cmd.Run() != nil {
			t.Fatalf("init: %s", out)
		}
	}
	cmd, out := c.command(t, filepath.Join(c.dir, "pai", "runtime"))
	if code := exitCode(cmd.Run()); code != 255 {
		t.Errorf("exit code %d\n%s", code, out)
	}
	for _, want := range []string{"index 1 at 10.1.2.3\n", "[INFO] USER COMMAND START"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	message, err := os.ReadFile(filepath.Join(c.dir, "termination"))
	if err != nil || !strings.Contains(string(message), "originUserExitCode: 7") {
		t.Errorf("termination message %s, error %v", message, err)
	}
	logs := filepath.Join(c.dir, "pai", "logs", "uid-17")
	for _, name := range []string{"runtime.log", "init.log", "user-all/current", "user-stdout/current", "user-stderr/current", "pai-termination-log", "exit-record.json"} {
		if _, err := os.Stat(filepath.Join(logs, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestSIGTERMReachesTheCommandsOfTheTask(t *testing.T) {
	t.Parallel()
	spec := worker("trap 'echo saved >saved; exit 3' TERM", ">started", "while :; do sleep 0.02; done")
	spec.Steps = []runspec.Step{{Address: "a", Plugin: "cmd", Callbacks: []runspec.Callback{{Event: "taskExits", Commands: []string{"echo exits >>saved"}}}}}
	c := newContainer(t, spec)
	if cmd, out := c.command(t, program, "init"); cmd.Run() != nil {
		t.Fatalf("init: %s", out)
	}
	cmd, out := c.command(t, program, "run")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, err := os.Stat(filepath.Join(c.dir, "started")); err != nil; _, err = os.Stat(filepath.Join(c.dir, "started")) {
		time.Sleep(time.Millisecond)
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err == nil {
		t.Errorf("a stopped task succeeded\n%s", out)
	}
	if text, err := os.ReadFile(filepath.Join(c.dir, "saved")); err != nil || string(text) != "saved\nexits\n" {
		t.Errorf("left %q, error %v\n%s", text, err, out)
	}
}

func TestATaskSucceedsWithoutAReaderOfItsOutput(t *testing.T) {
	t.Parallel()
	c := newContainer(t, worker("seq 1 100000", ">reached", "yes | head -n 1 >/dev/null || [ $? = 141 ]"))
	if cmd, out := c.command(t, program, "init"); cmd.Run() != nil {
		t.Fatalf("init: %s", out)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	cmd, _ := c.command(t, program, "run")
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	_ = w.Close()
	if _, err := os.Stat(filepath.Join(c.dir, "reached")); err != nil {
		t.Error(err)
	}
}

func TestEachInvocationHasItsExitCode(t *testing.T) {
	t.Parallel()
	newer := worker("true")
	newer.Version = runspec.Version + 1
	gang := worker("echo user")
	gang.Gang = true
	environ := func(c container) func(string) string {
		return func(name string) string {
			for _, e := range c.environ {
				if v, ok := strings.CutPrefix(e, name+"="); ok {
					return v
				}
			}
			return ""
		}
	}
	for name, c := range map[string]struct {
		args []string
		spec *runspec.Spec
		code int
		out  string
	}{
		"no command":                           {[]string{"openpai-runtime"}, worker(), 2, "missing command\nusage:"},
		"an unknown command":                   {[]string{"openpai-runtime", "start"}, worker(), 2, "unknown command \"start\"\nusage:"},
		"an unknown init plugin":               {[]string{"openpai-runtime", "plugin", "ports"}, worker(), 2, "unknown init plugin \"ports\"\nusage:"},
		"no init plugin":                       {[]string{"openpai-runtime", "plugin"}, worker(), 2, "missing NAME of the init plugin\nusage:"},
		"an argument too many":                 {[]string{"openpai-runtime", "run", "x"}, worker(), 2, "unexpected argument \"x\" after \"run\"\nusage:"},
		"help":                                 {[]string{"openpai-runtime", "--help"}, worker(), 0, "usage:"},
		"help for a command":                   {[]string{"openpai-runtime", "plugin", "portChecker", "--help"}, worker(), 0, "usage:"},
		"a specification with a newer version": {[]string{"openpai-runtime", "init"}, newer, 255, "has version 2; this runtime supports 1"},
		"version":                              {[]string{"openpai-runtime", "version"}, worker(), 0, "openpai-runtime "},
	} {
		var out bytes.Buffer
		if code := run(c.args, environ(newContainer(t, c.spec)), &out, &out); code != c.code || !strings.Contains(out.String(), c.out) {
			t.Errorf("%s: code %d, output %s", name, code, out.String())
		}
	}
	box := newContainer(t, worker())
	if err := os.Remove(filepath.Join(box.dir, "run.json")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code := run([]string{"/usr/local/pai/runtime"}, environ(box), &out, &out); code != 240 || !strings.Contains(out.String(), "find the run specification") {
		t.Errorf("no specification: code %d, output %s", code, out.String())
	}
	message, err := os.ReadFile(filepath.Join(box.dir, "termination"))
	if err != nil || !strings.HasPrefix(string(message), "[PAI_RUNTIME_ERROR_START]\nexitCode: 240\n") || !strings.Contains(string(message), "find the run specification") {
		t.Errorf("no specification: error %v, message\n%s", err, message)
	}
	cmd, text := newContainer(t, gang).command(t, program, "run")
	if code := exitCode(cmd.Run()); code != 252 || !strings.Contains(text.String(), "gang allocation") || strings.Contains(text.String(), "user\n") {
		t.Errorf("a gang without a barrier: code %d\n%s", code, text)
	}
}
