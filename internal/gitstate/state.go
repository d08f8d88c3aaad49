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

// declarations lists the name patterns of the files that openpai reads from a
// directory. An untracked file that matches a pattern makes the state dirty, because
// the commit does not contain the file.
var declarations = []string{"*.pai.hcl", "*.pai.hcl.json", "*.paivars.hcl"}

// timeout limits the total duration of the git commands in one call of
// [Read].
const timeout = 5 * time.Second

var commitPattern = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

// Read returns the state of the repository that contains the directory dir. It
// returns nil if dir is "" or git finds no commit. If git cannot determine the
// state, Read reports it as dirty. Read ignores changes in the directory of
// the run records, whose path is records. It also ignores untracked files that
// do not match a pattern in [declarations].
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
