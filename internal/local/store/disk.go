// SPDX-License-Identifier: MPL-2.0

package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// IsDiskFull reports whether a write failed because the disk is full or the
// user's quota is exceeded.
func IsDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// statusGrowth is the maximum expected growth of the next status in bytes.
const statusGrowth = 8 << 10

// DiskFull reports whether the disk does not have enough space for the next
// status of the Framework.
func (o Object) DiskFull() bool {
	size := int64(statusGrowth)
	if info, err := os.Stat(o.StatusFile()); err == nil {
		size += info.Size()
	}
	f, err := os.CreateTemp(o.Dir, ".room.*.tmp")
	if err != nil {
		return IsDiskFull(err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(make([]byte, size))
	return IsDiskFull(errors.Join(err, f.Close()))
}

// DiskFullText returns a message that reports the full disk and explains what
// to do.
func (o Object) DiskFullText() message.Text {
	return message.Textf("%s. %s", o.diskFull(), diskFullHint)
}

// DiskFullError returns the error for an operation that failed because the disk is
// full.
func (o Object) DiskFullError(what string) error {
	return message.WithHint(fmt.Errorf("%s %s", what, o.diskFull()), diskFullHint)
}

var diskFullHint = message.Hint{Kind: message.HintRemoveLogs}

func (o Object) diskFull() string {
	store := filepath.Dir(filepath.Dir(o.Dir))
	return "no space left on the disk of " + store + "; openpai records and shows the outcome of the job when there is space again"
}
