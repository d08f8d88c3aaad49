// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"os"
	"path/filepath"
	"testing"
)

func TestUsageIsReadFromBothCgroupVersions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files  map[string]string
		cpu    float64
		memory int64
		ok     bool
	}{
		"version 2":     {map[string]string{"memory.peak": "4096\n", "cpu.stat": "usage_usec 2500000\nuser_usec 1\n"}, 2.5, 4096, true},
		"version 1":     {map[string]string{"cpuacct/cpuacct.usage": "1500000000\n", "memory/memory.max_usage_in_bytes": "8192\n"}, 1.5, 8192, true},
		"no peak":       {map[string]string{"cpu.stat": "usage_usec 2500000\n"}, 0, 0, false},
		"a broken peak": {map[string]string{"memory.peak": "max\n", "cpu.stat": "usage_usec 1\n"}, 0, 0, false},
		"no CPU time":   {map[string]string{"memory.peak": "4096\n", "cpu.stat": "user_usec 1\n"}, 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for file, text := range c.files {
				file = filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cpu, memory, ok := groupUse(root)
			if cpu != c.cpu || memory != c.memory || ok != c.ok {
				t.Errorf("%v s, %d bytes, %v", cpu, memory, ok)
			}
		})
	}
}

func TestTheUseOfChildrenIsCounted(t *testing.T) {
	t.Parallel()
	r := newRig(t, "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
	record := r.run()
	if record.CPUSeconds <= 0 || record.PeakMemoryBytes < 100<<10 {
		t.Errorf("%v s, %d bytes", record.CPUSeconds, record.PeakMemoryBytes)
	}
}
