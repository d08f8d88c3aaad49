// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Main runs openpai with the given arguments and returns the exit code. version is
// the version of the build; empty means a development build.
func Main(args []string, s *Streams, version string) int {
	checked := *s
	out := &checkedWriter{to: s.out}
	checked.out = out
	root := newRootCmd(&checked, cmp.Or(version, release+"-dev"))
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	if err != nil && checked.json == nil && asksForJSON(args) {
		checked.json = &jsonOutput{}
		if cmd.Annotations[annotationEvents] != "" {
			checked.json = checked.newEvents()
		}
	}
	if err == nil {
		err = out.failure()
	}
	code := report(&checked, cmd, err)
	if checked.json == nil {
		return code
	}
	err = errors.Join(checked.finishJSON(code), out.failure())
	if err != nil && code == exitOK {
		return report(&checked, cmd, err)
	}
	return code
}

// Command groups on the help page.
const (
	groupJobs   = "jobs"
	groupRead   = "read"
	groupItems  = "items"
	groupFiles  = "files"
	groupOthers = "others"
)

// Help and documentation list commands in the order below.
func init() { cobra.EnableCommandSorting = false }

func newRootCmd(s *Streams, version string) *cobra.Command {
	s.version = version
	root := &cobra.Command{
		Use:   "openpai",
		Short: "Declare, plan and run OpenPAI jobs",
		Long: dedent(`
			openpai runs jobs that are declared in HCL files (*.pai.hcl) or in OpenPAI job
			protocol YAML. Without a cluster, the jobs run on this machine.

			Most commands accept a PATH: a directory whose *.pai.hcl files form one
			workspace, or a file that is a separate workspace. PATH defaults to the current
			directory. An ADDRESS such as job.train selects a job, and a TASK such as
			worker:3 selects one of its tasks ('worker[3]' is equivalent; quote it for the
			shell). Arguments may be in any order and are distinguished by their form:

			- PATH contains a slash, is "." or "..", or ends in .yaml, .yml, .json or .hcl.
			- ADDRESS is job.NAME, job.NAME["key"], prerequisite.TYPE.NAME, storage.NAME
			  or module.NAME. "*" and "?" are wildcards. job.NAME includes all instances.
			- TASK is ROLE:INDEX.
			- Any other argument is a PATH. --job NAME always selects a job.

			Exit codes: 0 success, 1 failure, 130 interrupted. "run" returns the exit code
			of the job, or 125 when openpai itself fails. The help of each command lists
			other codes.

			    openpai run examples/quickstart
			    openpai plan --markdown experiments`),
		Args:          noSubcommand,
		RunE:          printHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version,
	}
	changeDirectory(root)
	root.SetFlagErrorFunc(flagError)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetVersionTemplate("openpai {{.Version}}\n")
	root.AddGroup(
		&cobra.Group{ID: groupJobs, Title: "Change what runs:"},
		&cobra.Group{ID: groupRead, Title: "Inspect declarations and running jobs:"},
		&cobra.Group{ID: groupItems, Title: "Use published items:"},
		&cobra.Group{ID: groupFiles, Title: "Work with files:"},
		&cobra.Group{ID: groupOthers, Title: "Others:"},
	)
	root.SetHelpCommandGroupID(groupOthers)
	root.SetCompletionCommandGroupID(groupOthers)
	for _, c := range commands {
		cmd := c.make(s)
		cmd.GroupID = c.group
		root.AddCommand(cmd)
	}
	cluster := newClusterCmd(s, version)
	cluster.GroupID = groupOthers
	root.AddCommand(cluster, newVersionCmd(s, version))
	registerMissing(s, root)
	describeCobraCommands(root)
	formatUsage(root)
	return root
}

// registerMissing adds --json to each command without this flag. For these
// commands, --json prints only errors as JSON.
func registerMissing(s *Streams, cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		registerMissing(s, c)
	}
	if !cmd.HasSubCommands() && cmd.Flags().Lookup("json") == nil {
		s.registerErrors(cmd)
	}
}

// commands lists the verbs in the order of the help page.
var commands = []struct {
	group string
	make  func(*Streams) *cobra.Command
}{
	{groupJobs, newRunCmd},
	{groupJobs, newPlanCmd},
	{groupJobs, newApplyCmd},
	{groupJobs, newStopCmd},
	{groupJobs, newReleaseCmd},
	{groupJobs, newRepairCmd},
	{groupJobs, newDestroyCmd},
	{groupJobs, newGCCmd},
	{groupJobs, newAdoptCmd},
	{groupRead, newValidateCmd},
	{groupRead, newShowCmd},
	{groupRead, newStatusCmd},
	{groupRead, newDUCmd},
	{groupRead, newDriftCmd},
	{groupRead, newLogsCmd},
	{groupRead, newRunsCmd},
	{groupRead, newEventsCmd},
	{groupRead, newSSHCmd},
	{groupRead, newExecCmd},
	{groupRead, newForwardCmd},
	{groupRead, newWaitCmd},
	{groupRead, newGraphCmd},
	{groupItems, newInitCmd},
	{groupItems, newLockCmd},
	{groupItems, newMarketplaceCmd},
	{groupFiles, newPolicyCmd},
	{groupFiles, newFmtCmd},
	{groupFiles, newImportCmd},
	{groupFiles, newExportCmd},
	{groupFiles, newSchemaCmd},
}

// dedent removes the source indentation of a help text.
func dedent(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	indent := len(lines[0]) - len(strings.TrimLeft(lines[0], "\t"))
	for i, l := range lines {
		lines[i] = strings.TrimRight(l[min(indent, len(l)-len(strings.TrimLeft(l, "\t"))):], " \t")
	}
	return strings.Join(lines, "\n")
}

// interruptible returns a context that the first Ctrl-C or SIGTERM cancels. The second
// signal ends the program.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // restores the default action for the next signal
	return ctx, stop
}
