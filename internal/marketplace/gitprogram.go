// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// gitProgram runs git with a controlled environment.
type gitProgram struct {
	// environ is the user's environment, which contains PATH, HOME and the proxy
	// settings.
	environ []string
	// origin is the server, and token is its credential. If token is empty, git
	// uses the user's credential helpers.
	origin, token string
	// limit is the maximum output size of one call, in bytes.
	limit int64
}

// gitSettings contains options that make git quiet and safe, regardless of the user's
// settings.
var gitSettings = [][2]string{
	{"core.hooksPath", os.DevNull},
	{"core.fsmonitor", "false"},
	{"protocol.allow", "never"},
	{"protocol.https.allow", "always"},
	{"protocol.http.allow", "always"},
	{"protocol.ssh.allow", "always"},
	{"protocol.file.allow", "always"},
	{"protocol.ext.allow", "never"},
	{"submodule.recurse", "false"},
	{"fetch.recurseSubmodules", "false"},
	{"gc.auto", "0"},
	{"maintenance.auto", "false"},
	{"http.followRedirects", "initial"},
	{"safe.directory", "*"},
}

// run returns the output of git. The error contains the "fatal" message or,
// without one, the last line that git printed.
func (g gitProgram) run(ctx context.Context, dir string, in io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Stdin, cmd.Env = dir, in, g.environment()
	cmd.WaitDelay = 5 * time.Second
	out, said := bound{limit: g.limit}, bound{limit: g.limit}
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	switch {
	case out.full || said.full:
		return nil, errTooLarge
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("git is not installed or is not in PATH")
	case ctx.Err() != nil && err != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, errors.New(g.mask(lastLine(said.String(), err)))
	}
	return out.Bytes(), nil
}

// bound collects the output of a program. Output above the limit ends the
// program.
type bound struct {
	bytes.Buffer
	limit int64
	full  bool
}

// Write implements [io.Writer].
func (b *bound) Write(p []byte) (int, error) {
	if b.full = b.full || int64(b.Len()+len(p)) > b.limit; b.full {
		return 0, errTooLarge
	}
	return b.Buffer.Write(p)
}

// environment returns the environment of git. It omits variables that could
// redirect git, and adds settings that prevent prompts.
func (g gitProgram) environment() []string {
	var env []string
	for _, e := range g.environ {
		name, _, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, "GIT_") && name != "GIT_SSL_CAINFO" && name != "GIT_SSL_NO_VERIFY" && name != "GIT_CONFIG_GLOBAL" {
			continue
		}
		env = append(env, e)
	}
	env = append(env, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_LFS_SKIP_SMUDGE=1",
		"GIT_SSH_COMMAND=ssh -oBatchMode=yes -oConnectTimeout=20")
	settings := gitSettings
	if g.token != "" {
		settings = append(settings[:len(settings):len(settings)],
			[2]string{"http." + g.origin + "/.extraHeader", "Authorization: " + g.header()},
			[2]string{"http.followRedirects", "false"}, // otherwise git would send the header to the new host
			[2]string{"credential.helper", ""})
	}
	env = append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(settings)))
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s[1]))
	}
	return env
}

// header returns the value of the Authorization header. Git hosts accept a
// token as the password of any username.
func (g gitProgram) header() string {
	if strings.Contains(g.token, " ") {
		return g.token
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+g.token))
}

func (g gitProgram) mask(text string) string {
	if g.token == "" {
		return text
	}
	return strings.ReplaceAll(text, g.token, "***")
}

func lastLine(said string, err error) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	for _, l := range lines {
		if rest, ok := strings.CutPrefix(l, "fatal: "); ok {
			return rest
		}
	}
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return "git: " + err.Error()
}

func diskUse(dir string) int64 {
	var total int64
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := e.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}
