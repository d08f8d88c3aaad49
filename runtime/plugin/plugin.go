//go:build unix

package plugin

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// exitPlugin is what a plugin counts as that could not do its work.
const exitPlugin = 126

// Attempt is what a plugin knows about its task.
type Attempt struct {
	Spec   *runspec.Spec
	Index  int    // of the task in its role
	PodUID string // ports are a function of it
	Self   runspec.Host
	Hosts  []runspec.Host // those that are known, this task too
	// Root is where the runtime keeps its files, WorkDir where scripts start,
	// PluginDir where the programs of plugins are.
	Root, WorkDir, PluginDir string
	// Listen is the address that services listen on; empty is every one.
	Listen string
	Shell  string // the program that runs scripts
	// SSHConfig is the system-wide configuration of ssh clients when the task may
	// add to it, or empty.
	SSHConfig string
}

// Task is what a plugin may do in the task that it starts in.
type Task interface {
	Attempt() Attempt
	// Text fills the secrets and FC_* variables of a parameter.
	Text(template string) (string, error)
	// Secret returns the value of a secret of the task.
	Secret(name string) (value string, ok bool)
	Variable(name string) (value string, ok bool)
	// SetVariable fixes a variable for everything that starts later.
	SetVariable(name, value string)
	// PrependPath makes what starts later look for programs in a directory first.
	PrependPath(dir string)
	// Environ is what a script that started now would see.
	Environ() []string

	Info(text string)
	Warn(text string)

	// Run runs a script to its end. What it leaves in the background stays
	// until the last end callback has ended.
	Run(script string) Result
	// Serve keeps a script running until the last end callback has ended.
	Serve(name, script string)
	// Session starts a process of the ssh service.
	Session(c ssh.Command) (ssh.Process, error)
	// Pause returns false when the task's time was over, or a stop came.
	Pause(d time.Duration) bool
	// AtEnd is called after the last end callback.
	AddCleanup(action func())
}

// Result is how the start of a plugin ended.
type Result struct {
	Code int // 0 is success
	// Reason continues a sentence that begins with the plugin.
	Reason string
	Lines  []string // the end of what it printed
	// Stopped: the task was asked to stop, or its time was over.
	Stopped bool
	// Spec is the exit code of the specification where the plugin decides it.
	Spec int
}

func (r Result) ok() bool { return r.Code == 0 && !r.Stopped }

func failed(format string, args ...any) Result {
	return Result{Code: exitPlugin, Reason: fmt.Sprintf(format, args...)}
}

// Set holds what the plugins of one task share.
type Set struct {
	// Random is what keys are made from; nil is crypto/rand.
	Random io.Reader

	service   *service     // of ssh
	clones    int          // of git, without their own directory
	allocated map[int]bool // ports of TensorBoards, which may not listen yet
}

var plugins = map[string]func(*Set, context.Context, Task, *runspec.Step) Result{
	contract.PluginSSH:             (*Set).ssh,
	contract.PluginGit:             (*Set).git,
	contract.PluginTensorboard:     (*Set).tensorboard,
	contract.PluginTeamwiseStorage: (*Set).storage,
	contract.PluginPVCStorage:      (*Set).storage,
	contract.PluginRestStorage:     (*Set).storage,
}

// HasAction reports whether a plugin does something without callbacks.
func HasAction(name string) bool {
	return name != "" && name != contract.PluginCmd && name != contract.PluginDocker
}

// Start does what the plugin of a step does before its callbacks. The context
// ends when the task is to stop. A third-party plugin adds to the callbacks of
// the step. No plugin is passed over in silence.
func (s *Set) Start(ctx context.Context, t Task, step *runspec.Step) Result {
	if !HasAction(step.Plugin) {
		return Result{}
	}
	if start, known := plugins[step.Plugin]; known {
		return start(s, ctx, t, step)
	}
	if name, own := strings.CutPrefix(step.Plugin, contract.CustomPluginPrefix); own {
		return custom(t, step, name)
	}
	return failed("failed: this runtime does not know the plugin %s", step.Plugin)
}
