// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOOMKillsAreCountedForBothCgroupVersions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/b/memory.events":      "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n",
		"a/b/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n",
		"memory.events":          "oom_kill 7\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		group, file string
		want        int
	}{
		"version 2":                      {"/a/b", "memory.events", 2},
		"version 1":                      {"/a/b", "memory.oom_control", 5},
		"in a container, its group is /": {"/kubepods/pod1", "memory.events", 7},
		"nothing to read":                {"/a", "memory.oom_control", 0},
	} {
		if got := oomCount(dir, c.group, c.file); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
