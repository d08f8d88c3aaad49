//go:build !linux && !darwin

package local

import (
	"errors"
	"os"
	"syscall"
)

// supported says that the local cluster works on this system.
const supported = false

var errUnsupported = errors.New("not supported on this system")

func flock(*os.File, bool, bool) error { return errUnsupported }

func processStart(int) (string, error) { return "", errUnsupported }

func suspended(int) bool { return false }

func bootID() (string, error) { return "", errUnsupported }

func members(int, string) ([]int, error) { return nil, errUnsupported }

func memoryMB() int { return 0 }

func ownSession() *syscall.SysProcAttr { return nil }

func terminate(int) error { return errUnsupported }

func kill(int) error { return errUnsupported }
