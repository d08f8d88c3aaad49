// SPDX-License-Identifier: MPL-2.0

package phrase

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
)

var pathEndings = []string{".yaml", ".yml", ".json", ".hcl"}

// IsPath reports whether openpai reads an argument as a path. The file need not
// exist.
func IsPath(argument string) bool {
	return strings.ContainsAny(argument, `/\`) || argument == "." || argument == ".." ||
		slices.Contains(pathEndings, strings.ToLower(filepath.Ext(argument)))
}

// JobArgument returns the argument that selects a job, quoted for a shell. An
// address that openpai would read as a path, such as job.yaml, needs --job.
func JobArgument(address string) string {
	if IsPath(address) {
		return "--job " + shellquote.Word(strings.TrimPrefix(address, "job."))
	}
	return shellquote.Word(address)
}

// rerunArgument returns --rerun with the address of a job, quoted for a
// shell. The value of --rerun is optional, so openpai reads a value without
// the equals sign as a separate argument. An address that looks like a path
// therefore needs the equals sign.
func rerunArgument(address string) string {
	if IsPath(address) {
		return "--rerun=" + shellquote.Word(address)
	}
	return "--rerun " + shellquote.Word(address)
}

// commandLine adds marketplaces and an optional argument to a command, quoted
// for a shell.
func commandLine(command string, marketplaces []string, argument string) string {
	words := []string{command}
	for _, m := range marketplaces {
		words = append(words, "--marketplace", shellquote.Word(m))
	}
	if argument != "" {
		words = append(words, shellquote.Word(argument))
	}
	return strings.Join(words, " ")
}
