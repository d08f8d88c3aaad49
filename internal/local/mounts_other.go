//go:build !linux

package local

import (
	"errors"
	"syscall"
)

// Only Linux has mounts that a single process sees.

func mountSession(ability) *syscall.SysProcAttr { return nil }

func taskSession(bool) *syscall.SysProcAttr { return ownSession() }

func checkMounts(string) int { return 1 }

func enterMounts([]mount, string, []string) error {
	return errors.New("this system has no private mounts")
}
