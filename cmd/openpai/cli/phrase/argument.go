// SPDX-License-Identifier: MPL-2.0

package phrase

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
)

var pathEndings = []string{".yaml", ".yml", ".json", ".hcl"}

// IsPath reports whether the command line reads an argument as a path, regardless of
// whether a file of that name exists.
func IsPath(argument string) bool {
	return strings.ContainsAny(argument, `/\`) || argument == "." || argument == ".." ||
		slices.Contains(pathEndings, strings.ToLower(filepath.Ext(argument)))
}

// JobArgument returns the argument that selects the job with an address, quoted
// for a shell. The address of a job called yaml would be read as a path.
func JobArgument(address string) string {
	if IsPath(address) {
		return "--job " + shellquote.Word(strings.TrimPrefix(address, "job."))
	}
	return shellquote.Word(address)
}

// rerunArgument returns the flag that runs the job with an address again. The
// value of --rerun is optional: without the equals sign, the address would be a
// separate argument.
func rerunArgument(address string) string {
	if IsPath(address) {
		return "--rerun=" + shellquote.Word(address)
	}
	return "--rerun " + shellquote.Word(address)
}

// commandLine returns a command with additional marketplaces and an optional
// argument, quoted for a shell.
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
