package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// initialise prepares the volume: the directories, writable for whatever user
// the task's image has, and the program itself under the name that the task
// starts. It may run again in a volume that is prepared already: it removes
// nothing, so that a task that has begun is not begun again.
func initialise(p places, getenv func(string) string, stdout, stderr io.Writer) int {
	err := prepare(p)
	if err == nil {
		_, err = readSpec(p, getenv) // a container that cannot start is better told now
	}
	line := contract.RuntimeLine(time.Now(), contract.LevelInfo, "the volume is prepared")
	if err != nil {
		line = contract.RuntimeLine(time.Now(), contract.LevelError, err.Error())
	}
	out := stdout
	if err != nil {
		out = stderr
	}
	_, _ = fmt.Fprintln(out, line)
	if logErr := appendLine(filepath.Join(p.logs, contract.InitLog), line); logErr != nil {
		_, _ = fmt.Fprintln(stderr, logErr)
	}
	if err != nil {
		return exitspec.CodeUnknown
	}
	return 0
}

func prepare(p places) error {
	for _, dir := range []string{p.root, filepath.Join(p.root, filepath.Base(contract.RuntimeDir)), filepath.Join(p.root, filepath.Base(contract.InitDir)), p.logs} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("prepare the volume: %w", err)
		}
		// The mask of the process may have taken rights away. A directory
		// of somebody else stays as it is.
		if err := os.Chmod(dir, 0o777); err != nil && !errors.Is(err, os.ErrPermission) {
			return fmt.Errorf("prepare the volume: %w", err)
		}
	}
	return copySelf(filepath.Join(p.root, filepath.Base(contract.Runtime)))
}

func copySelf(target string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program itself: %w", err)
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return fmt.Errorf("read the program itself: %w", err)
	}
	return atomicfile.Write(target, text, 0o755)
}

func appendLine(name, line string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write the log of init: %w", err)
	}
	_, err = io.WriteString(f, line+"\n")
	return errors.Join(err, f.Close())
}
