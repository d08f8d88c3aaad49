// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// invocation is the command and the version, for the records of runs.
type invocation struct{ command, version string }

// invoked records the command to which the flags belong.
func (f *workspaceFlags) invoked(cmd *cobra.Command) {
	f.invocation = invocation{cmd.CommandPath(), cmd.Root().Version}
}

// origin returns the origin for the records of jobs: the command without its arguments,
// which may hold secret values, the repository, the variables and the lock file.
func (i invocation) origin(loaded *workspace.Loaded) history.Origin {
	o := history.Origin{Command: i.command, OpenPAI: i.version, Git: gitState(loaded.Dir, loaded.Workspace.RunRecords)}
	o.Runtimes = map[string]string{}
	for _, c := range loaded.Workspace.Clusters {
		o.Runtimes[c.Name] = c.Runtime.Image
	}
	for _, v := range loaded.Workspace.Variables {
		o.Variables = append(o.Variables, history.Variable{Name: v.Name, Value: json.RawMessage(v.Value), Sensitive: v.Sensitive})
	}
	lock, _ := loaded.Lock() // load reported its diagnostics
	for _, e := range lock.Items {
		o.Items = append(o.Items, history.Item{Address: e.Address, Version: e.Version, Source: relativeSource(loaded.Dir, e.Source), Hash: e.Hash})
	}
	for _, m := range lock.Modules {
		o.Items = append(o.Items, history.Item{Address: m.Address, Version: m.Version, Source: m.Source, Hash: m.Hash})
	}
	return o
}

// relativeSource returns the source of an item relative to the directory of the
// workspace.
func relativeSource(dir, source string) string {
	return strings.TrimPrefix(source, dir+string(os.PathSeparator))
}

// gitTime is the timeout of git commands.
const gitTime = 5 * time.Second

var commitPattern = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

// gitState returns the commit of the repository that contains a directory, or nil
// without a repository or git. It ignores changes below records, the directory of run
// records.
func gitState(dir, records string) *history.Git {
	if dir == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	commit, err := git(ctx, dir, "rev-parse", "--verify", "HEAD")
	if err != nil || !commitPattern.MatchString(commit) {
		return nil
	}
	changed, err := git(ctx, dir, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all", "--", ":(top)", ":(exclude,literal)"+cmp.Or(records, ".openpai"))
	return &history.Git{Commit: commit, Dirty: err != nil || changed != ""}
}

// git runs git without hooks, fsmonitor and optional locks.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull}, args...)...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	out, err := cmd.Output()
	return string(bytes.TrimSpace(out)), err
}
