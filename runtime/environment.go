// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
)

// environment is the initial environment of scripts. Callbacks change the
// environment by exporting variables, but they cannot change the runtime's own
// variables. Sessions of the ssh service can read the environment at any time.
type environment struct {
	mu    sync.RWMutex
	vars  map[string]string
	fixed map[string]string
}

// newEnvironment returns the environment of a task. The job's variables
// override inherited variables. The runtime's own variables override all
// other variables.
func newEnvironment(inherited []string, job, fixed map[string]string) *environment {
	e := &environment{vars: map[string]string{}, fixed: maps.Clone(fixed)}
	for _, entry := range inherited {
		name, value, ok := strings.Cut(entry, "=")
		if ok && name != "" {
			e.vars[name] = value
			if strings.HasPrefix(name, "FC_") {
				e.fixed[name] = value
			}
		}
	}
	maps.Copy(e.vars, job)
	maps.Copy(e.vars, e.fixed)
	return e
}

func (e *environment) lookup(name string) (string, bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	value, ok := e.vars[name]
	return value, ok
}

// list returns the variables as "NAME=value", sorted. Variables in extra never
// override other variables.
func (e *environment) list(extra map[string]string) []string {
	e.mu.RLock()
	defer e.mu.RUnlock()
	all := e.vars
	if len(extra) > 0 {
		all = maps.Clone(extra)
		maps.Copy(all, e.vars)
	}
	out := make([]string, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, name+"="+all[name])
	}
	return out
}

// set sets a runtime variable. Callbacks cannot change the variable.
func (e *environment) set(name, value string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.vars[name], e.fixed[name] = value, value
}

// prependPath prepends a directory to PATH. Callbacks may still change PATH.
func (e *environment) prependPath(dir string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if path := e.vars["PATH"]; path != "" {
		dir += string(filepath.ListSeparator) + path
	}
	e.vars["PATH"] = dir
}

// shellVariables are variables that a shell manages itself, such as the working
// directory. The next script does not inherit them.
var shellVariables = map[string]bool{"_": true, "PWD": true, "OLDPWD": true, "SHLVL": true}

// merge replaces the variables with a script's exported variables. The
// parameter extra contains the variables that only this script received;
// merge adds only those that the script changed. Variables whose names are
// not valid in a shell are retained.
func (e *environment) merge(exported, extra map[string]string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for name := range e.vars {
		_, kept := exported[name]
		if !kept && shellName(name) && !shellVariables[name] {
			delete(e.vars, name)
		}
	}
	for name, value := range exported {
		if was, only := extra[name]; only && was == value {
			if _, had := e.vars[name]; !had {
				continue
			}
		}
		if !shellVariables[name] {
			e.vars[name] = value
		}
	}
	maps.Copy(e.vars, e.fixed)
}

// shellName reports whether a string is a valid shell variable name.
func shellName(name string) bool {
	for i, c := range []byte(name) {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func exportLines(vars map[string]string) []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if shellName(name) {
			fmt.Fprintf(&b, "export %s=%s\n", name, shellquote.Quote(vars[name]))
		}
	}
	return []byte(b.String())
}
