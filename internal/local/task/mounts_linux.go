// SPDX-License-Identifier: MPL-2.0

package task

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/openpai/terraform-provider-openpai/internal/local/process"
)

// mountSession returns the attributes of a process that can create private
// mounts. In a user namespace, the process keeps its user and group. The process
// must drop the mount capability before the task starts.
func mountSession(a ability) *syscall.SysProcAttr {
	attributes := process.NewSession()
	attributes.Cloneflags = syscall.CLONE_NEWNS
	if a == mountsMapped {
		attributes.Cloneflags |= syscall.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		attributes.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}
	}
	return attributes
}

// Session returns the attributes of a task process.
func Session(withMounts bool) *syscall.SysProcAttr {
	if withMounts {
		return mountSession(mountAbility())
	}
	return process.NewSession()
}

func inCgroup(attributes *syscall.SysProcAttr, cgroup *os.File) {
	if cgroup != nil {
		attributes.UseCgroupFD, attributes.CgroupFD = true, int(cgroup.Fd())
	}
}

// CheckMounts returns 0 if this process can mount a file system at dir.
// Otherwise, it returns 1.
func CheckMounts(dir string) int {
	if privateMounts() != nil || unix.Mount("tmpfs", dir, "tmpfs", 0, "") != nil {
		return 1
	}
	return 0
}

// privateMounts hides all later mounts from other namespaces.
func privateMounts() error {
	return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
}
