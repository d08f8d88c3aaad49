// SPDX-License-Identifier: MPL-2.0

//go:build !linux && !darwin

package store

import (
	"errors"
	"os"
)

const (
	noFollow = 0
	noWait   = 0
)

func isLink(error) bool { return false }

func flock(*os.File, bool, bool) error { return errors.ErrUnsupported }

func unlock(*os.File) error { return errors.ErrUnsupported }
