//go:build !linux && !darwin

package process

import (
	"errors"
	"syscall"
)

// Supported says that the local cluster works on this system.
const Supported = false

func processStart(int) (string, error) { return "", errors.ErrUnsupported }

func Suspended(int) bool { return false }

// BootID always fails.
func BootID() (string, error) { return "", errors.ErrUnsupported }

func Members(int, string) ([]int, error) { return nil, errors.ErrUnsupported }

// HasEnvironment is always false.
func HasEnvironment(int, string) bool { return false }

// HasArgument is always false.
func HasArgument(int, string) bool { return false }

func NewSession() *syscall.SysProcAttr { return nil }

func Terminate(int) error { return errors.ErrUnsupported }

func Kill(int) error { return errors.ErrUnsupported }
