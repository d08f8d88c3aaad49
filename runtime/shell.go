// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

var errNoShell = errors.New("the image contains neither bash nor sh; callbacks and commands require one of them")

// shell is the program that runs scripts.
type shell struct {
	path string
	bash bool
}

// shellDirs returns the directories in PATH, then the usual locations.
func shellDirs(path string) []string {
	return append(filepath.SplitList(path), "/bin", "/usr/bin")
}

// findShell searches all directories for bash, then for sh.
func findShell(dirs []string) (shell, error) {
	for _, name := range []string{"bash", "sh"} {
		for _, dir := range dirs {
			file := filepath.Join(dir, name)
			if !filepath.IsAbs(file) {
				continue
			}
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return shell{path: file, bash: name == "bash"}, nil
			}
		}
	}
	return shell{}, errNoShell
}

// argv returns the command that runs the script on descriptor 3. The shell options
// are arguments, so that the options apply from the first line.
func (s shell) argv() []string {
	if s.bash {
		return []string{s.path, "-e", "-u", "-o", "pipefail", "/dev/fd/3"}
	}
	return []string{s.path, "-e", "-u", "/dev/fd/3"}
}

// Descriptors for exported variables. Scripts rarely use these numbers, and
// sh supports only one-digit numbers.
const (
	bashExportsTo = "62"
	shExportsTo   = "8"
)

// script returns a prelude and the commands. Both begin on line 1, so that line
// numbers in messages match the user's script. If exports is set, the shell writes
// the exported variables and a NUL to descriptor 4, regardless of how the script
// ends.
func (s shell) script(commands []string, exports bool) string {
	var b strings.Builder
	b.WriteString("exec 3<&-")
	if exports {
		to := shExportsTo
		if s.bash {
			to = bashExportsTo
		}
		b.WriteString(" " + to + ">&4 4>&-; trap '{ command export -p && command printf \"\\000\"; } >&" + to + " 2>/dev/null || :' EXIT")
	}
	if !s.bash {
		b.WriteString("; if (set -o pipefail) 2>/dev/null; then set -o pipefail; fi")
	}
	b.WriteString("; ")
	for _, c := range commands {
		b.WriteString(c + "\n")
	}
	return b.String()
}

// scriptPipe returns the read end of a pipe that contains the text. The text
// can be read only once.
func scriptPipe(text string) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() {
		_, _ = w.WriteString(text) // fails if the shell ends before it has read the text
		_ = w.Close()
	}()
	return r, nil
}
