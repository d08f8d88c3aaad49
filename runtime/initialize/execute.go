// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// runPlugin runs an init plugin and waits for its end. It returns the
// container's exit code and the reason.
func (c *container) runPlugin(ctx context.Context, p *plugin) (int, error) {
	words, err := splitWords(p.Command)
	words = append(words, p.Args...)
	if name, args := c.builtin(words); err == nil && name != "" {
		code, err := builtins[name](ctx, c, args, p.asked)
		if code == 0 && err == nil {
			return 0, nil
		}
		return p.failed(code, err)
	}
	argv, findErr := c.argv(p, words, err)
	if findErr != nil {
		return codeOf(findErr), findErr
	}
	if err := c.program(); err != nil { // the built-in plugins in init.d are links to the program
		return codeOf(err), err
	}
	code, err := c.execute(ctx, argv)
	if code == 0 && err == nil {
		return 0, nil
	}
	if err == nil {
		err = fmt.Errorf("exited with code %d", code)
	}
	return p.failed(code, err)
}

// argv returns the arguments that start an init plugin. It uses a shell only
// if the plugin's command requires a shell.
func (c *container) argv(p *plugin, words []string, splitErr error) ([]string, error) {
	if splitErr != nil {
		shell := findShell(c.Getenv("PATH"))
		if shell == "" || !errors.Is(splitErr, errNeedsShell) {
			return nil, configErrorf("init plugin %s: %v", p.title(), splitErr)
		}
		return append([]string{shell, "-c", p.Command, shell}, p.Args...), nil
	}
	if len(words) == 0 {
		return nil, configErrorf("init plugin %s: the command is empty", p.title())
	}
	path := words[0]
	switch {
	case filepath.IsAbs(path):
	case strings.ContainsRune(path, '/') || isFile(filepath.Join(c.initDir(), path)):
		path = filepath.Join(c.initDir(), path)
	default:
		found, err := exec.LookPath(path)
		if err != nil {
			return nil, configErrorf("init plugin %s: the program %q does not exist in init.d or in the image", p.title(), path)
		}
		path = found
	}
	return append([]string{path}, words[1:]...), nil
}

func findShell(path string) string {
	for _, dir := range append(filepath.SplitList(path), "/bin", "/usr/bin") {
		if name := filepath.Join(dir, "sh"); filepath.IsAbs(name) && isFile(name) {
			return name
		}
	}
	return ""
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// execute runs a program in the directory init.d, and logs the output.
func (c *container) execute(ctx context.Context, argv []string) (int, error) {
	out := c.log.writer()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 2 * time.Second
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.initDir(), out, out
	cmd.Env = c.environment()
	err := cmd.Run()
	_ = out.Flush()
	var failed *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // a child process keeps the output open
		return 0, nil
	case !errors.As(err, &failed):
		return 1, err
	case failed.ExitCode() > 0:
		return failed.ExitCode(), nil
	}
	if status, ok := failed.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), err
	}
	return 1, err
}

// environment returns a plugin's environment. It contains the paths of all
// directories, but no secrets.
func (c *container) environment() []string {
	dirs := map[string]string{
		"PAI_WORK_DIR": c.Root, "PAI_INIT_DIR": c.initDir(), "PAI_RUNTIME_DIR": c.runtimeDir(),
		"PAI_LOG_DIR": c.LogDir, "PAI_SECRET_DIR": c.SecretsDir,
		"PATH": c.initDir() + string(os.PathListSeparator) + c.Getenv("PATH"),
	}
	if len(c.ConfigDirs) > 0 {
		dirs["PAI_CONFIG_DIR"] = c.ConfigDirs[0]
	}
	env := slices.DeleteFunc(slices.Clone(c.Environ), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		_, ours := dirs[name]
		return ours
	})
	for name, value := range dirs {
		env = append(env, name+"="+value)
	}
	return env
}
