// SPDX-License-Identifier: MPL-2.0

//go:build !linux

package process

import (
	"errors"
	"os"
)

// Only Linux has cgroups.

func DelegatedCgroup() string { return "" }

func TaskCgroup(string, string, string) string { return "" }

func IsTaskCgroup(string, string, string) bool { return false }

func MakeCgroup(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func KillCgroup(string) (remaining bool, err error) { return false, nil }
