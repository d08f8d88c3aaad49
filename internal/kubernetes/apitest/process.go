// SPDX-License-Identifier: MPL-2.0

//go:build acc

package apitest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is a program that belongs to the control plane.
type process struct {
	name string
	log  string
	cmd  *exec.Cmd
	done chan struct{}
}

// run starts a program and writes its output to a file next to its data.
func (s *Server) run(name string, args ...string) error { return s.runAs(name, name, args...) }

// runAs starts a program under a different name, so that two instances of the
// program can run.
func (s *Server) runAs(name, file string, args ...string) error {
	program, err := Tool(file)
	if err != nil {
		return err
	}
	p := &process{name: name, log: filepath.Join(s.Dir, name+".log"), done: make(chan struct{})}
	out, err := os.Create(p.log)
	if err != nil {
		return err
	}
	defer out.Close()
	// The process runs until Stop, even if the context of Start ends earlier.
	p.cmd = exec.CommandContext(context.Background(), program, args...)
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.Dir = out, out, s.Dir
	p.cmd.SysProcAttr = child()
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	s.processes = append(s.processes, p)
	return nil
}

// Tool returns the path of a program in the directory that KUBEBUILDER_ASSETS
// contains. If this variable is not set, Tool uses the directory in which .ci/tools
// builds programs.
func Tool(name string) (string, error) {
	dir := os.Getenv("KUBEBUILDER_ASSETS")
	if dir == "" {
		cache := os.Getenv("XDG_CACHE_HOME")
		if cache == "" {
			cache = filepath.Join(os.Getenv("HOME"), ".cache")
		}
		dir = filepath.Join(cache, "terraform-provider-openpai", "tools")
	}
	program := filepath.Join(dir, name)
	if _, err := os.Stat(program); err != nil {
		return "", fmt.Errorf("%s does not exist; build it with .ci/tools", program)
	}
	return program, nil
}

// ended returns nil while the process is running. After that, it returns an
// error that contains the last part of the log.
func (p *process) ended() error {
	select {
	case <-p.done:
		text, _ := os.ReadFile(p.log)
		return fmt.Errorf("%s ended: %s", p.name, text[max(0, len(text)-2000):])
	default:
		return nil
	}
}

// stop sends SIGTERM, and then SIGKILL if the process does not end in time. Its
// data are discarded.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(2 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}
