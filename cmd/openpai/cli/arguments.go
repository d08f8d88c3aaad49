// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// argumentKind is the kind of an argument. Only the spelling of an argument
// determines its kind, so a new file does not change the meaning of a command.
type argumentKind int

const (
	argumentPath argumentKind = iota
	argumentAddress
	argumentTask
)

const (
	// namePattern matches one part of an address, which can be a glob.
	namePattern = `[\pL\pN_*?-]+`
	// modulePattern matches a module or an instance of a module.
	modulePattern = `module\.` + namePattern + `(\[[^\]]*\])?`
)

var (
	addressPattern = regexp.MustCompile(`^` + modulePattern + `(\.` + modulePattern + `)*$|^(` + modulePattern + `\.)*(job(\.` + namePattern + `(\[.*\])?|\[.*\])|prerequisite\.` + namePattern + `\.` + namePattern + `|storage\.[\pL\pN_*?.-]+)$`)
	// taskWithoutIndex does not match the drive of a Windows path.
	taskWithoutIndex = regexp.MustCompile(`^([\w-]{2,})(?:\[[^/\\]*\]|:[^/\\]*)$`)
	taskPattern      = regexp.MustCompile(`^([\w-]+)(?:\[(\d+)\]|:(\d+))$`)
)

// kindOf returns the kind of an argument: an address, a task, or otherwise a
// path.
func kindOf(argument string) argumentKind {
	switch {
	case phrase.IsPath(argument):
		return argumentPath
	case addressPattern.MatchString(argument):
		return argumentAddress
	case taskPattern.MatchString(argument):
		return argumentTask
	}
	return argumentPath
}

// taskArgument is a task in the form worker[3] or worker:3. The second form does not
// need quotes in any shell.
type taskArgument struct {
	role  string
	index int
}

func parseTask(argument string) (taskArgument, error) {
	m := taskPattern.FindStringSubmatch(argument)
	index, err := strconv.Atoi(m[2] + m[3])
	if err != nil {
		return taskArgument{}, fmt.Errorf("invalid task %q: the index is too large", argument)
	}
	return taskArgument{m[1], index}, nil
}

// chosenArguments are the arguments of a command that has an optional PATH.
type chosenArguments struct {
	path      string
	addresses []string
	task      *taskArgument
}

// parseArguments sorts arguments into a PATH, a TASK and addresses. It
// accepts at most one PATH and one TASK, in any order.
func parseArguments(args []string) (chosenArguments, error) {
	var c chosenArguments
	var paths []string
	for _, a := range args {
		switch kindOf(a) {
		case argumentAddress:
			if present(a) {
				return c, fmt.Errorf("%q is ambiguous: it is an address, but a file with that name exists; use ./%s or --job %s", a, a, strings.TrimPrefix(a, "job."))
			}
			c.addresses = append(c.addresses, a)
		case argumentTask:
			task, err := parseTask(a)
			if err != nil {
				return c, err
			}
			if c.task != nil {
				return c, fmt.Errorf("unexpected task %q: only one TASK is accepted", a)
			}
			c.task = &task
		default:
			paths = append(paths, a)
		}
	}
	if len(paths) > 1 {
		return c, fmt.Errorf("only one PATH is accepted, got %d: %s", len(paths), strings.Join(paths, " "))
	}
	c.path = strings.Join(paths, "")
	return c, nil
}

// acceptAddresses sets the slice that receives the ADDRESS arguments.
func (f *workspaceFlags) acceptAddresses(to *[]string) { f.addresses = to }

func (f *workspaceFlags) acceptTask(role *string, index *int) { f.role, f.index = role, index }

func (f *workspaceFlags) take(args []string) error {
	c, err := parseArguments(args)
	if err != nil {
		return err
	}
	if len(c.addresses) > 0 {
		if f.addresses == nil {
			return fmt.Errorf("unexpected address %q: this command accepts only a PATH", c.addresses[0])
		}
		*f.addresses = append(*f.addresses, c.addresses...)
	}
	if c.task != nil {
		switch {
		case f.role == nil:
			return fmt.Errorf("unexpected task %s:%d: this command does not accept a TASK", c.task.role, c.task.index)
		case *f.role != "":
			return fmt.Errorf("use either the task %s:%d or --role, not both", c.task.role, c.task.index)
		}
		*f.role, *f.index = c.task.role, c.task.index
	}
	f.path = c.path
	if err := f.remote.check(c.path); err != nil {
		return err
	}
	if err := f.checkSubmission(); err != nil {
		return err
	}
	return f.checkPath()
}

// checkPath fails if a missing path resembles an address, a task or a job name.
func (f *workspaceFlags) checkPath() error {
	if f.addresses == nil || f.path == "" || marketplace.IsReference(f.path) || present(f.path) {
		return nil
	}
	if strings.HasPrefix(f.path, "prerequisite.") {
		return fmt.Errorf("%q is neither a file nor an address; use prerequisite.TYPE.NAME for a prerequisite, or job.NAME for a job", f.path)
	}
	if m := taskWithoutIndex.FindStringSubmatch(f.path); m != nil && f.role != nil {
		return fmt.Errorf("invalid task %q: the index must be an integer, for example %s:0", f.path, m[1])
	}
	if meant := f.meant(); meant != "" {
		return fmt.Errorf("file or directory %q does not exist; did you mean %s?", f.path, meant)
	}
	return nil
}

// meant returns the arguments that the user may have meant by a missing path. It
// returns "" if there is no suggestion. The path can have the form JOB or, as in
// log lines, JOB/TASK, each with an optional "./" prefix.
func (f *workspaceFlags) meant() string {
	words := strings.TrimSuffix(strings.TrimPrefix(f.path, "./"), "/")
	job, task, several := strings.Cut(words, "/")
	switch {
	case several && (f.role == nil || kindOf(task) != argumentTask):
		return ""
	case f.role != nil && kindOf(words) == argumentTask:
		return strings.NewReplacer("[", ":", "]", "").Replace(words)
	}
	name := job
	if kind, rest, dotted := strings.Cut(job, "."); dotted && hclspec.Nearest(kind, []string{"job"}) != "" {
		name = rest
	}
	label := f.nearestJob(name, words != f.path && kindOf(job) != argumentAddress)
	if label == "" {
		return ""
	}
	meant := phrase.JobArgument(string(address(label)))
	if several {
		meant += " " + strings.NewReplacer("[", ":", "]", "").Replace(task)
	}
	return meant
}

// nearestJob returns the job label in the current directory that is most similar to
// word, or "". A label without a for_each key selects all instances of the job. If
// exact is set, only an identical label matches.
func (f *workspaceFlags) nearestJob(word string, exact bool) string {
	here := workspaceFlags{vars: f.vars, varFiles: f.varFiles, addresses: f.addresses}
	loaded, _ := here.load()
	var labels []string
	for _, job := range loaded.Workspace.Jobs {
		label := strings.TrimPrefix(string(job.Address()), "job.")
		labels = append(labels, label)
		if all, _, instance := strings.Cut(label, "["); instance {
			labels = append(labels, all)
		}
	}
	if slices.Contains(labels, word) {
		return word
	}
	if exact {
		return ""
	}
	return hclspec.Nearest(word, labels)
}

// runAt returns a RunE function that parses the arguments. The first Ctrl-C cancels
// the context.
func (f *workspaceFlags) runAt(run func(context.Context) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		f.invoked(cmd)
		if err := f.take(args); err != nil {
			return err
		}
		ctx, stop := interruptible(cmd)
		defer stop()
		return run(ctx)
	}
}

func present(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// changeDirectory adds the flag -C to every command. As in git, each -C is relative
// to the previous -C, and an empty -C has no effect.
func changeDirectory(root *cobra.Command) {
	var dirs []string
	root.PersistentFlags().StringArrayVarP(&dirs, "chdir", "C", nil, "change to this `DIRECTORY` first, and resolve relative paths from it; repeatable")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		for _, dir := range dirs {
			if dir == "" {
				continue
			}
			if err := os.Chdir(dir); err != nil {
				var cause *os.PathError
				if errors.As(err, &cause) {
					err = cause.Err
				}
				return fmt.Errorf("-C %s: %w", dir, err)
			}
		}
		return nil
	}
}

// attemptNumber is an attempt number on the command line. Numbers start at 1; 0 means
// unset. FrameworkController counts attempts from 0.
type attemptNumber int

var _ pflag.Value = (*attemptNumber)(nil)

// String implements pflag.Value.
func (n *attemptNumber) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// Set implements pflag.Value.
func (n *attemptNumber) Set(text string) error {
	input, err := strconv.Atoi(text)
	if err != nil || input < 1 {
		return errors.New("attempts must be positive integers")
	}
	*n = attemptNumber(input)
	return nil
}

// Type implements pflag.Value.
func (n *attemptNumber) Type() string { return "number" }

// id returns the attempt ID of FrameworkController (from 0), or -1 for an
// unset number.
func (n attemptNumber) id() int { return int(n) - 1 }
