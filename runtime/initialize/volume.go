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

// prepareVolume makes the directories, writable for whatever user the image of
// the task has, and puts the image's plugins there.
// It may run again in a volume that is prepared already.
func (o *Options) prepareVolume() error {
	for _, dir := range []string{o.Root, o.runtimeDir(), o.initDir(), o.path(contract.LogDir), o.LogDir} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("prepare the volume: %w", err)
		}
		// The mask of the process may have taken rights away. A directory of
		// somebody else stays as it is.
		if err := os.Chmod(dir, 0o777); err != nil && !errors.Is(err, os.ErrPermission) {
			return fmt.Errorf("prepare the volume: %w", err)
		}
	}
	return errors.Join(o.copyPlugins(), o.copyThirdParty())
}

// copyProgram puts the program itself into the volume, beside the other work there
// is to do. The function that it returns waits for the end.
func (o *Options) copyProgram() (wait func() error) {
	copied := make(chan error, 1)
	go func() {
		self, err := os.Executable()
		if err != nil {
			copied <- fmt.Errorf("find the program itself: %w", err)
			return
		}
		if err = copyFile(self, o.path(contract.Runtime), 0o755); err != nil {
			err = fmt.Errorf("prepare the volume: %w", err)
		}
		copied <- err
	}()
	return sync.OnceValue(func() error { return <-copied })
}

// copyPlugins brings the image's init plugins into init.d, and the built-in
// ones under their names, for commands that are shell text.
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

// ownPlugins lists the files that the image's builder added to init.d, by
// name.
func (o *Options) ownPlugins() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(o.SourceDir, filepath.Base(contract.InitDir)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the init plugins of the image: %w", err)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// copyFile replaces a file, also one that is being executed. It does not wait
// for the disk: the volume does not outlive the machine.
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

// archiveLogs puts the logs of an earlier start of the same Pod aside, into
// prelog_<n>. Once the task itself has begun its logs stay where they are:
// nothing of it runs again. Source: microsoft/openpai-runtime: src/init.
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

// isEmptyDir reports whether an entry of the log directory is one that this
// program prepared and nobody used.
func (o *Options) isEmptyDir(name string) bool {
	entries, err := os.ReadDir(filepath.Join(o.LogDir, name))
	return err == nil && len(entries) == 0
}

// prepareLogs makes the directories of the user's logs, which takes a disk
// longer than starting a shell.
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

// preLog begins the names of directories with earlier logs.
const preLog = "prelog_"

const fileExitSpec = "runtime-exit-spec.yaml"

// copyExitSpec leaves the operator's part of the exit specification for the
// task: as it is, where the original has it, and as what the task reads. A
// mistake in it is not the user's and does not hold the task up.
func (c *container) copyExitSpec() error {
	text, name, err := c.withImage().findConfig(fileExitSpec)
	if err != nil || name == "" {
		return err
	}
	var rules []exitspec.Rule
	if err := decode(name, text, &rules); err != nil {
		c.log.warning("the exit specification of the cluster is omitted: " + err.Error())
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
