// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// helperEnv is the environment variable that makes the test binary run a task
// instead of tests. Its value is a rig's directory.
const helperEnv = "OPENPAI_TEST_TASK"

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperEnv); dir != "" {
		os.Exit(runHelper(dir))
	}
	os.Exit(m.Run())
}

type helperConfig struct {
	Spec    *runspec.Spec
	PodUID  string
	Environ []string
}

func runHelper(dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, "helper.json"))
	var h helperConfig
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	return Run(context.Background(), Config{
		Spec: h.Spec, PodUID: h.PodUID, Environ: h.Environ, Reap: true, Signals: signals, Now: time.Now,
		Root: filepath.Join(dir, "pai"), LogDir: filepath.Join(dir, "logs"), WorkDir: filepath.Join(dir, "work"),
		SecretsDir: filepath.Join(dir, "secrets"), RecordFile: filepath.Join(dir, "record.json"),
		Self: runspec.Host{IP: "127.0.0.1"}, Stdout: os.Stdout, Stderr: os.Stderr,
	}).Code
}

// process starts the rig's task in a separate process.
func (r *rig) process() *exec.Cmd {
	r.t.Helper()
	cmd := r.helper()
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	return cmd
}

// processKilledAfter runs the task in a separate process, and kills only that
// process after the delay. It waits until the task's script processes have
// ended.
func (r *rig) processKilledAfter(delay time.Duration) {
	r.t.Helper()
	ended, open, err := os.Pipe()
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = ended.Close() }()
	cmd := r.helper()
	// Scripts inherit the write end of the pipe. Its file descriptor is
	// higher than the descriptors that the runtime uses.
	cmd.ExtraFiles = append(make([]*os.File, 40), open)
	err = cmd.Start()
	_ = open.Close()
	if err != nil {
		r.t.Fatal(err)
	}
	time.Sleep(delay)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	_ = ended.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.Copy(io.Discard, ended); err != nil {
		r.t.Fatalf("processes of the killed runtime still run: %v", err)
	}
}

// helper returns a command that runs the rig's task in a separate process.
func (r *rig) helper() *exec.Cmd {
	r.t.Helper()
	text, err := json.Marshal(helperConfig{r.spec, r.config.PodUID, r.config.Environ})
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "helper.json"), text, 0o600); err != nil {
		r.t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.CommandContext(r.t.Context(), self)
	cmd.Env = append(os.Environ(), helperEnv+"="+r.dir)
	cmd.Stdout, cmd.Stderr = &r.stdout, &r.stderr
	return cmd
}
