// SPDX-License-Identifier: MPL-2.0

//go:build linux || darwin

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// CheckOwner fails if .openpai does not belong to the user uid. Without this
// check, commands with the permissions of uid would run the owner's jobs and send
// signals to the processes in the owner's records.
func (l Layout) CheckOwner(uid int) error {
	info, err := os.Stat(string(l))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the owner of the local cluster: %w", err)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) == uid {
		return nil
	}
	name := strconv.Itoa(int(owner.Uid))
	if u, err := user.LookupId(name); err == nil {
		name = u.Username + ", uid " + name
	}
	return fmt.Errorf("%s belongs to another user (%s), so openpai does not use it; run the command as that user, or use a copy of the workspace that does not contain %s", l, name, statedir.Name)
}
