// SPDX-License-Identifier: MPL-2.0

//go:build !linux && !darwin

package process

import (
	"errors"
	"syscall"
)

// Supported reports whether this system supports the local cluster.
const Supported = false

func processStart(int) (string, error) { return "", errors.ErrUnsupported }

func exiting(int) bool { return false }

func Suspended(int) bool { return false }

// BootID always fails.
func BootID() (string, error) { return "", errors.ErrUnsupported }

func Members(int, string) ([]int, error) { return nil, errors.ErrUnsupported }

// HasEnvironment always returns false.
func HasEnvironment(int, string) bool { return false }

// HasArgument always returns false.
func HasArgument(int, string) bool { return false }

func NewSession() *syscall.SysProcAttr { return nil }

func Terminate(int) error { return errors.ErrUnsupported }

func Kill(int) error { return errors.ErrUnsupported }
