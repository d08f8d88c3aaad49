// SPDX-License-Identifier: MPL-2.0

package process

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestTheCgroupOfAProcessIsFoundInItsMounts(t *testing.T) {
	t.Parallel()
	const (
		unified = "31 23 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
		hybrid  = "30 23 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
		below   = "41 31 0:38 /user.slice /mnt/groups rw shared:4 - cgroup2 cgroup2 rw\n"
	)
	for name, test := range map[string]struct{ groups, mounts, want string }{
		"one hierarchy":              {"0::/user.slice/a.service\n", unified, "/sys/fs/cgroup/user.slice/a.service"},
		"the topmost":                {"0::/\n", unified, "/sys/fs/cgroup"},
		"next to version 1":          {"9:name=systemd:/x\n1:cpu:/y\n0::/z\n", hybrid, "/sys/fs/cgroup/unified/z"},
		"version 1 only":             {"1:cpu:/y\n", hybrid, ""},
		"no mount":                   {"0::/z\n", "", ""},
		"a mount of a part of it":    {"0::/user.slice/a\n", below, "/mnt/groups/a"},
		"a mount of another part":    {"0::/system.slice/a\n", below, ""},
		"outside of its namespace":   {"0::/../a\n", unified, ""},
		"a path with a space":        {"0::/a b\n", unified, "/sys/fs/cgroup/a b"},
		"a mount at an escaped path": {"0::/a\n", "41 31 0:38 / /mnt/a\\040b rw - cgroup2 cgroup2 rw\n", ""},
	} {
		if got := cgroupDir(test.groups, test.mounts); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestOnlyTheCgroupOfATaskIsOne(t *testing.T) {
	t.Parallel()
	group := ownCgroup()
	if group == "" {
		t.Skip("this machine has no cgroups of version 2")
	}
	for name, dir := range map[string]string{
		"the group of this process":       group,
		"a directory that is not a group": TaskCgroup(t.TempDir(), "/w/task", "uid"),
		"a relative one":                  TaskCgroup("x", "/w/task", "uid"),
		"a cgroup that does not exist":    TaskCgroup(group, "/w/task", "uid"),
		"one of another task":             TaskCgroup(group, "/w/other", "uid"),
		"none":                            "",
	} {
		if IsTaskCgroup(dir, "/w/task", "uid") {
			t.Errorf("IsTaskCgroup accepts %s", name)
		}
	}
}

func TestACgroupIsDelegatedByItsMark(t *testing.T) {
	t.Parallel()
	if ownCgroup() == "" {
		t.Skip("this machine has no cgroups of version 2")
	}
	dir := filepath.Join(ownCgroup(), "openpai-test-delegated")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skipf("cannot create a cgroup: %v", err)
	}
	defer func() { _ = os.Remove(dir) }()
	if delegated(dir) {
		t.Error("a group that another program created is treated as a delegated group")
	}
	for mark, want := range map[string]bool{"0": false, "1": true} {
		if err := unix.Setxattr(dir, "user.delegate", []byte(mark), 0); err != nil {
			t.Skipf("cannot set the mark: %v", err)
		}
		if got := delegated(dir); got != want {
			t.Errorf("marked %s: delegated %v", mark, got)
		}
	}
}
