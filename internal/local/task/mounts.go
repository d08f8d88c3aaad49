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

// ability reports how a task can get separate mounts.
type ability int

const (
	mountsImpossible ability = iota
	mountsPlain              // in a mount namespace
	mountsMapped             // in a mount namespace of a user namespace
)

// CanMount reports whether tasks on this machine can see a storage under
// another path than its own: in a private mount namespace that no other
// process sees. It takes root or user namespaces, and Linux.
func CanMount() bool { return mountAbility() != mountsImpossible }

// mountAbility tries it once, in a process that ends at once.
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
	dir := filepath.Dir(program) // any directory does: nobody else sees the mount
	ctx, cancel := context.WithTimeout(context.Background(), mountPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, reexec.Mounts, dir)
	cmd.Env = append(Environment(), reexec.Variable+"="+reexec.Mounts)
	cmd.SysProcAttr = attributes
	return cmd.Run() == nil
}
