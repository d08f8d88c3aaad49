// SPDX-License-Identifier: MPL-2.0

package gitstate

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"regexp"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// declarations are the patterns of the file names that openpai reads from a directory.
// If git does not track one of these files, the commit does not describe the workspace.
var declarations = []string{"*.pai.hcl", "*.pai.hcl.json", "*.paivars.hcl"}

// timeout limits the total time of the git commands of one call.
const timeout = 5 * time.Second

var commitPattern = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

// Read returns the commit of the repository that contains a directory. It returns
// nil if dir is empty, there is no commit, or git fails. It ignores changes below
// records, the directory of run records, and untracked files other than
// declarations.
func Read(dir, records string) *history.Git {
	if dir == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	commit, err := run(ctx, dir, "rev-parse", "--verify", "HEAD")
	if err != nil || !commitPattern.MatchString(commit) {
		return nil
	}
	changed, err := run(ctx, dir, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all", "--", ":(top)", ":(exclude,literal)"+cmp.Or(records, ".openpai"))
	if err == nil && changed == "" {
		changed, err = run(ctx, dir, append([]string{"ls-files", "--others", "--exclude-standard", "--"}, declarations...)...)
	}
	return &history.Git{Commit: commit, Dirty: err != nil || changed != ""}
}

// run runs git without hooks, fsmonitor or optional locks.
func run(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull}, args...)...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	out, err := cmd.Output()
	return string(bytes.TrimSpace(out)), err
}
