// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/runtime/initialize"
)

// version is the version of the build; make build sets it.
var version string

const usage = `usage: openpai-runtime init | run | plugin NAME [ARGUMENT...] | release | version

  init     prepare the volume that the init container shares with the task
  run      run the task of this container
  plugin   run one init plugin: frameworkBarrier, frameworkParser, imageChecker,
           portChecker, userCommandRender
  release  end the callback that holds the task of this container; exit with
           code 1 if no callback holds the task
  version  print the version

examples:

  openpai-runtime init
  openpai-runtime run
  openpai-runtime plugin portChecker
  openpai-runtime release
`

// exitUsage is the exit code for invalid arguments.
const exitUsage = 2

func main() {
	os.Exit(run(os.Args, os.Getenv, os.Stdout, os.Stderr))
}

// run implements main and returns the exit code.
func run(args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	command, name := "", filepath.Base(args[0])
	switch {
	case initialize.Builtin(name):
		return initPlugin(pathsFrom(getenv), getenv, stdout, stderr, name, args[1:])
	case asksForHelp(args[1:]):
		_, _ = io.WriteString(stdout, usage)
		return 0
	case len(args) > 2 && args[1] == "plugin" && initialize.Builtin(args[2]):
		return initPlugin(pathsFrom(getenv), getenv, stdout, stderr, args[2], args[3:])
	case len(args) == 2:
		command = args[1]
	case len(args) == 1 && name == filepath.Base(contract.Runtime):
		command = "run"
	}
	p := pathsFrom(getenv)
	switch command {
	case "init":
		return runInit(p, getenv, stdout, stderr)
	case "run":
		return runTask(p, getenv, stdout, stderr)
	case "release":
		return release(p, stdout, stderr)
	case "version":
		_, _ = fmt.Fprintln(stdout, "openpai-runtime", versionText())
		return 0
	}
	_, _ = fmt.Fprintf(stderr, "%s\n%s", argumentError(args[1:]), usage)
	return exitUsage
}

// asksForHelp reports whether the last argument is a help flag, or the command is help.
func asksForHelp(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return last == "-h" || last == "--help" || slices.Equal(args, []string{"help"})
}

// argumentError describes invalid arguments.
func argumentError(args []string) string {
	switch {
	case len(args) == 0:
		return "missing command"
	case args[0] == "plugin" && len(args) == 1:
		return "missing NAME of the init plugin"
	case args[0] == "plugin":
		return fmt.Sprintf("unknown init plugin %q", args[1])
	case len(args) == 1:
		return fmt.Sprintf("unknown command %q", args[0])
	}
	return fmt.Sprintf("unexpected argument %q after %q", args[1], args[0])
}

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(development build)"
}

func initOptions(p paths, getenv func(string) string, stdout, stderr io.Writer) initialize.Options {
	return initialize.Options{
		Root: p.root, ConfigDirs: p.config, SourceDir: p.source, LogDir: p.logs, SecretsDir: p.secrets,
		TokenDir: p.token, DockerConfig: p.logins, TerminationFile: p.initTermination,
		Environ: os.Environ(), Getenv: getenv, Stdout: stdout, Stderr: stderr, Now: time.Now,
	}
}

// runInit returns the exit code of the init container. SIGTERM cancels the
// context.
func runInit(p paths, getenv func(string) string, stdout, stderr io.Writer) int {
	started := time.Now()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code := initialize.Run(ctx, initOptions(p, getenv, stdout, stderr))
	if ctx.Err() == nil {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		stayAfterInit(code, started, getenv, signals)
	}
	return code
}

// initPlugin runs one built-in init plugin and returns its exit code.
func initPlugin(p paths, getenv func(string) string, stdout, stderr io.Writer, name string, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return initialize.RunPlugin(ctx, initOptions(p, getenv, stdout, stderr), name, args)
}

// exitFailed is the exit code for a failed release.
const exitFailed = 3

// release ends the callback that holds the task, and returns the exit code.
func release(p paths, stdout, stderr io.Writer) int {
	held, err := stage.AskRelease(p.root)
	if err == nil {
		_, _ = fmt.Fprintln(stdout, contract.ReleaseAsked)
		err = stage.AwaitRelease(context.Background(), p.root, held)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, stage.ErrNotHeld):
		return contract.ExitNotHeld
	}
	_, _ = fmt.Fprintln(stderr, err)
	return exitFailed
}
