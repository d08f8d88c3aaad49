// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestTheExampleOfAPlainPodRuns runs the containers of examples/runtime-in-a-pod as
// processes, one at a time.
func TestTheExampleOfAPlainPodRuns(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../../examples/runtime-in-a-pod/pod.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var secret struct {
		Data map[string]string `yaml:"stringData"`
	}
	var pod struct {
		Spec struct {
			Init []struct {
				Env []struct{ Name, Value string }
			} `yaml:"initContainers"`
		}
	}
	docs := yaml.NewDecoder(f)
	if err := docs.Decode(&secret); err != nil {
		t.Fatal(err)
	}
	if err := docs.Decode(&pod); err != nil {
		t.Fatal(err)
	}
	c := newContainer(t, worker())
	if err := os.Remove(filepath.Join(c.dir, "run.json")); err != nil {
		t.Fatal(err)
	}
	for name, text := range secret.Data {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o400); err != nil {
			t.Fatal(err)
		}
	}
	task := c
	for _, e := range pod.Spec.Init[0].Env {
		if e.Value != "" {
			c.environ = append(c.environ, e.Name+"="+e.Value)
		}
	}
	if cmd, out := c.command(t, program, "init"); cmd.Run() != nil {
		t.Fatalf("init: %s", out)
	}
	cmd, out := task.command(t, filepath.Join(c.dir, "pai/runtime"))
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "\n***\n") || strings.Contains(out.String(), "hello-from") {
		t.Errorf("%v\n%s", err, out)
	}
}
