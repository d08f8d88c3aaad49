// SPDX-License-Identifier: MPL-2.0

//go:build !linux

package task

import (
	"errors"
	"os"
	"syscall"

	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// Only Linux supports private mounts.

func mountSession(ability) *syscall.SysProcAttr { return nil }

func Session(bool) *syscall.SysProcAttr { return process.NewSession() }

func inCgroup(*syscall.SysProcAttr, *os.File) {}

func CheckMounts(string) int { return 1 }

func enterMounts([]store.Mount, string, []string) error {
	return errors.New("this system does not support private mounts")
}
