// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// exitPlugin is the exit code of a plugin that failed.
const exitPlugin = 126

// Attempt describes the current attempt of a task for its plugins.
type Attempt struct {
	Spec   *runspec.Spec
	Index  int    // index of the task in its role
	PodUID string // Pod UID that determines the ports
	Self   runspec.Host
	Hosts  []runspec.Host // all known tasks, including this task
	// Root is the directory for the runtime's files. WorkDir is the scripts'
	// working directory. PluginDir is the directory for third-party plugins.
	Root, WorkDir, PluginDir string
	// Listen is the address on which services listen. "" means all addresses.
	Listen string
	Shell  string // the program that runs scripts
	// SSHConfig is the system-wide configuration of ssh clients, or "" if the task
	// must not change it.
	SSHConfig string
}

// Task is the interface through which a plugin accesses its task.
type Task interface {
	Attempt() Attempt
	// Text replaces references to secrets and FC_* variables in a parameter.
	Text(template string) (string, error)
	// Secret returns the value of one of the task's secrets.
	Secret(name string) (value string, ok bool)
	Variable(name string) (value string, ok bool)
	// SetVariable sets a variable for all scripts that start later. Scripts cannot
	// change the variable.
	SetVariable(name, value string)
	// PrependPath prepends a directory to PATH for all scripts that start later.
	PrependPath(dir string)
	// Environ returns the environment for a script that starts now.
	Environ() []string

	Info(text string)
	Warn(text string)

	// Run runs a script and waits until the script exits. The script's
	// background processes may continue until the last end callback has ended.
	Run(script string) Result
	// Serve keeps a script running until the last end callback has ended.
	Serve(name, script string)
	// Session starts a process of the ssh service.
	Session(c ssh.Command) (ssh.Process, error)
	// Pause waits for d before another try. The task's stage shows the reason,
	// which must be a predicate. Pause returns false if the task reaches its time
	// limit or is stopped.
	Pause(reason string, d time.Duration) bool
	// AddCleanup registers an action to run after the last end callback.
	AddCleanup(action func())
}

// Result is the result of starting a plugin.
type Result struct {
	Code int // 0 is success
	// Reason continues a sentence that begins with the name of the plugin.
	Reason string
	Lines  []string // the last lines of output
	// Stopped is set if the task received a request to stop or reached its time limit.
	Stopped bool
	// Spec is the exit specification code that the plugin determined, or 0 if
	// it did not determine a code.
	Spec int
	// Hint, if set, replaces the hint for the code.
	Hint exitspec.Hint
}

func (r Result) ok() bool { return r.Code == 0 && !r.Stopped }

func failed(format string, args ...any) Result {
	return Result{Code: exitPlugin, Reason: fmt.Sprintf(format, args...)}
}

// Set is the state that the plugins of one task share.
type Set struct {
	// Random is the random source for keys. nil means crypto/rand.
	Random io.Reader

	service   *service     // of ssh
	clones    int          // number of git clones without a configured directory
	allocated map[int]bool // allocated TensorBoard ports, which may not be in use yet
}

var plugins = map[string]func(*Set, context.Context, Task, *runspec.Step) Result{
	contract.PluginSSH:             (*Set).ssh,
	contract.PluginGit:             (*Set).git,
	contract.PluginTensorboard:     (*Set).tensorboard,
	contract.PluginTeamwiseStorage: (*Set).storage,
	contract.PluginPVCStorage:      (*Set).storage,
	contract.PluginRestStorage:     (*Set).storage,
}

// HasAction reports whether a plugin has an action in addition to callbacks.
func HasAction(name string) bool {
	return name != "" && name != contract.PluginCmd && name != contract.PluginDocker
}

// Start runs a step's plugin. The step's callbacks run after the plugin. ctx
// is canceled when the task must stop. A third-party plugin can add callbacks
// to the step. For an unknown plugin, the result is a failure.
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
	return failed("failed: the plugin %s is not supported by this runtime; use a newer runtime image", step.Plugin)
}
