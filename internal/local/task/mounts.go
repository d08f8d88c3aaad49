// SPDX-License-Identifier: MPL-2.0

package task

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
)

// An ability describes whether private mounts are possible, and which
// namespaces they require.
type ability int

const (
	mountsImpossible ability = iota
	mountsPlain              // in a mount namespace
	mountsMapped             // in a mount namespace inside a user namespace
)

// CanMount reports whether local tasks can mount a storage privately at a
// different path. This requires Linux, and root or user namespaces.
func CanMount() bool { return mountAbility() != mountsImpossible }

// mountAbility tests once, in a separate process, which private mounts are possible.
var mountAbility = sync.OnceValue(func() ability {
	for _, a := range []ability{mountsPlain, mountsMapped} {
		if tryMounts(a) {
			return a
		}
	}
	return mountsImpossible
})

const mountPatience = 10 * time.Second

func tryMounts(a ability) bool {
	attributes := mountSession(a)
	if attributes == nil || reexec.MayStart() != nil {
		return false
	}
	program, err := os.Executable()
	if err != nil {
		return false
	}
	dir := filepath.Dir(program) // any directory works, because no other process sees the mount
	ctx, cancel := context.WithTimeout(context.Background(), mountPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, reexec.Mounts, dir)
	cmd.Env = append(Environment(), reexec.Variable+"="+reexec.Mounts)
	cmd.SysProcAttr = attributes
	return cmd.Run() == nil
}
