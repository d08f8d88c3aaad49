package local

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// mountSession returns the attributes of a process in a session of its own
// that can make mounts nobody else sees. In a user namespace it keeps its user
// and group, and gets the right to mount, which it gives up again before the
// task begins.
func mountSession(a ability) *syscall.SysProcAttr {
	attributes := ownSession()
	attributes.Cloneflags = syscall.CLONE_NEWNS
	if a == mountsMapped {
		attributes.Cloneflags |= syscall.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		attributes.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}
	}
	return attributes
}

// taskSession returns the attributes of a task process.
func taskSession(withMounts bool) *syscall.SysProcAttr {
	if withMounts {
		return mountSession(mountAbility())
	}
	return ownSession()
}

// checkMounts makes a mount on a directory, in this process' own namespace.
func checkMounts(dir string) int {
	if privateMounts() != nil || unix.Mount("tmpfs", dir, "tmpfs", 0, "") != nil {
		return 1
	}
	return 0
}

// privateMounts keeps what is mounted from now on from every other namespace.
func privateMounts() error {
	return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
}
