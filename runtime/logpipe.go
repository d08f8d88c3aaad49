//go:build unix

package runtime

import (
	"os"
	"path/filepath"
	"syscall"
)

// logPipe is the name, below the root, of a pipe whose lines go to the runtime
// log. RUNTIME_LOG_PIPE names it to callbacks. Source:
// microsoft/openpai-runtime: src/runtime.d/runtime_entry.sh.
const logPipe = "runtime.d/runtime_log_pipe"

// openLogPipe makes the pipe. It is opened for writing too, so that a program
// that closes it does not end it.
func (t *task) openLogPipe() error {
	name := filepath.Join(t.Root, logPipe)
	if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		return &os.PathError{Op: "mkfifo", Path: name, Err: err}
	}
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	t.open = append(t.open, openSource(f, t.log.callback(&tail{})))
	t.env.set("RUNTIME_LOG_PIPE", name)
	return nil
}
