// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// replaced maps each script of the original runtime to the built-in plugin that
// replaces it. The script names omit the suffix .py. Source:
// microsoft/openpai-runtime: src/init.d.
var replaced = map[string]string{
	"framework_parser": frameworkParser, "image_checker": imageChecker, "port": portChecker,
	"command_render": userCommandRender, "user_command_renderer": userCommandRender,
}

// builtinOf returns the built-in plugin that a command runs, and the arguments.
// The command can contain the plugin's name or the name of the original script.
// The command may start with python, although the image does not have python.
func builtinOf(words []string) (name string, args []string) {
	if len(words) > 1 && strings.HasPrefix(filepath.Base(words[0]), "python") {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", nil
	}
	base := filepath.Base(words[0])
	script, isScript := strings.CutSuffix(base, ".py")
	switch {
	case Builtin(script):
		return script, words[1:]
	case isScript && replaced[script] != "":
		return replaced[script], words[1:]
	}
	return "", nil
}

// builtin is like builtinOf, but returns "" if the image's init.d contains a
// program or script with the same name.
func (c *container) builtin(words []string) (name string, args []string) {
	name, args = builtinOf(words)
	if name == "" {
		return "", nil
	}
	written := words[len(words)-len(args)-1]
	if target, err := os.Readlink(filepath.Join(c.initDir(), name)); err != nil || target != c.path(contract.Runtime) {
		return "", nil
	}
	if base := filepath.Base(written); base != name && isFile(filepath.Join(c.initDir(), base)) {
		return "", nil
	}
	return name, args
}
