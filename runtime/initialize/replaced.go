// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// replaced maps the scripts of the original runtime, without .py, to the built-in
// plugins that replace them. Source: microsoft/openpai-runtime: src/init.d.
var replaced = map[string]string{
	"framework_parser": frameworkParser, "image_checker": imageChecker, "port": portChecker,
	"command_render": userCommandRender, "user_command_renderer": userCommandRender,
}

// builtinOf returns the built-in plugin for a command, and its arguments. The
// command is the name of a plugin, or the original script that the plugin replaces.
// It may start with python, although the image does not have python.
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

// builtin is like builtinOf, except that a program or script with the same name in
// init.d of the image takes precedence.
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
