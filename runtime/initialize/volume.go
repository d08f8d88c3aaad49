// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// prepareVolume lets any user of the task's image write to the directories. It
// also accepts a volume that is already prepared.
func (o *Options) prepareVolume() error {
	for _, dir := range []string{o.Root, o.runtimeDir(), o.initDir(), o.path(contract.LogDir), o.LogDir} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("prepare the volume: %w", err)
		}
		// The umask of the process may have removed permissions. prepareVolume does
		// not change directories of other users.
		if err := os.Chmod(dir, 0o777); err != nil && !errors.Is(err, os.ErrPermission) {
			return fmt.Errorf("prepare the volume: %w", err)
		}
	}
	return errors.Join(o.copyPlugins(), o.copyThirdParty())
}

// copyProgram copies the running program in the background. The returned
// function waits for the copy.
func (o *Options) copyProgram() (wait func() error) {
	copied := make(chan error, 1)
	go func() {
		self, err := os.Executable()
		if err != nil {
			copied <- fmt.Errorf("find the running program: %w", err)
			return
		}
		if err = copyFile(self, o.path(contract.Runtime), 0o755); err != nil {
			err = fmt.Errorf("prepare the volume: %w", err)
		}
		copied <- err
	}()
	return sync.OnceValue(func() error { return <-copied })
}

// copyPlugins copies the image's init plugins to init.d. It links the
// built-in plugins by name, so that shell commands can call these plugins.
func (o *Options) copyPlugins() error {
	for name := range builtins {
		link := filepath.Join(o.initDir(), name)
		if err := os.Symlink(o.path(contract.Runtime), link); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("prepare init.d: %w", err)
		}
	}
	names, err := o.ownPlugins()
	if err != nil {
		return err
	}
	for _, name := range names {
		from := filepath.Join(o.SourceDir, filepath.Base(contract.InitDir), name)
		if err := copyFile(from, filepath.Join(o.initDir(), name), 0o755); err != nil {
			return fmt.Errorf("copy the init plugin %s: %w", name, err)
		}
	}
	return nil
}

// ownPlugins returns the files that the image's author added to init.d, sorted
// by name.
func (o *Options) ownPlugins() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(o.SourceDir, filepath.Base(contract.InitDir)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the image's init plugins: %w", err)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// copyFile replaces a file, even if a process is executing the file. It does not
// sync, because the volume does not survive a crash of the machine.
func copyFile(from, to string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to+".tmp", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Chmod(mode), out.Close()); err != nil {
		return err
	}
	return os.Rename(to+".tmp", to)
}

// archiveLogs moves the logs from an earlier start of the Pod to prelog_<n>.
// It does not move the logs if the task has started, because the task does
// not run again. Source: microsoft/openpai-runtime: src/init.
func (o *Options) archiveLogs() error {
	if begun, err := runtime.ReadJournal(o.Root); err != nil || len(begun) > 0 {
		return err
	}
	entries, err := os.ReadDir(o.LogDir)
	if err != nil {
		return fmt.Errorf("look for earlier logs: %w", err)
	}
	var old []string
	next := 0
	for _, e := range entries {
		if n, ok := strings.CutPrefix(e.Name(), preLog); ok {
			if number, err := strconv.Atoi(n); err == nil {
				next = max(next, number+1)
			}
		} else if e.Name() != contract.InitLog && !o.isEmptyDir(e.Name()) {
			old = append(old, e.Name())
		}
	}
	if len(old) == 0 {
		return nil
	}
	aside := filepath.Join(o.LogDir, preLog+strconv.Itoa(next))
	if err := os.Mkdir(aside, 0o777); err != nil {
		return fmt.Errorf("keep earlier logs: %w", err)
	}
	for _, name := range old {
		if err := os.Rename(filepath.Join(o.LogDir, name), filepath.Join(aside, name)); err != nil {
			return fmt.Errorf("keep earlier logs: %w", err)
		}
	}
	return nil
}

// isEmptyDir reports whether a log directory is empty. An earlier run of init
// may have created an empty directory that the task has not used.
func (o *Options) isEmptyDir(name string) bool {
	entries, err := os.ReadDir(filepath.Join(o.LogDir, name))
	return err == nil && len(entries) == 0
}

// prepareLogs creates the user's log directories during init, because on slow
// disks their creation would delay the task's scripts.
func (o *Options) prepareLogs() error {
	for _, name := range []string{contract.StdoutDir, contract.StderrDir, contract.AllDir} {
		dir := filepath.Join(o.LogDir, name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("prepare the logs: %w", err)
		}
		if err := os.Chmod(dir, 0o777); err != nil && !errors.Is(err, os.ErrPermission) {
			return fmt.Errorf("prepare the logs: %w", err)
		}
	}
	return nil
}

// preLog is the prefix of directories with earlier logs.
const preLog = "prelog_"

const fileExitSpec = "runtime-exit-spec.yaml"

// copyExitSpec copies the operator's part of the exit specification to the
// original runtime's location. It also writes the rules in the format that the
// task reads. A mistake in the specification does not stop the task, because
// the task's user cannot correct the specification.
func (c *container) copyExitSpec() error {
	text, name, err := c.withImage().findConfig(fileExitSpec)
	if err != nil || name == "" {
		return err
	}
	var rules []exitspec.Rule
	if err := decode(name, text, &rules); err != nil {
		c.log.warning("ignoring the cluster's exit specification: " + err.Error())
		return nil
	}
	_, problems := exitspec.NewExtension(rules)
	for _, p := range problems {
		c.log.warning(name + ": " + p)
	}
	if err := runtime.Replace(filepath.Join(c.runtimeDir(), fileExitSpec), text, 0o644); err != nil {
		return err
	}
	packed, err := json.Marshal(rules)
	if err != nil {
		panic("initialize: " + err.Error())
	}
	return runtime.Replace(filepath.Join(c.Root, runtime.ExitSpecFile), packed, 0o644)
}
