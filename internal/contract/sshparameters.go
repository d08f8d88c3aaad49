// SPDX-License-Identifier: MPL-2.0

package contract

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parameters of the ssh plugin. Source: microsoft/openpai-runtime:
// src/plugins/ssh; this project adds publicKeys.
const (
	sshJobSSH         = "jobssh"
	SSHBarrier        = "sshbarrier"
	sshBarrierTimeout = "sshbarrierTimeout"
	sshUserSSH        = "userssh"
	sshPublicKeys     = "publicKeys"
)

var (
	sshParameterNames = []string{sshJobSSH, sshPublicKeys, SSHBarrier, sshBarrierTimeout, sshUserSSH}
	userSSHNames      = []string{"type", "value"}
)

// maxSSHBarrierMinutes is the maximum timeout. It fits into a time.Duration.
const maxSSHBarrierMinutes = 100_000_000

// SSHParameters contains the parsed parameters of an ssh plugin.
type SSHParameters struct {
	JobSSH  bool
	Barrier bool
	// BarrierRoles lists the task roles to wait for. It is nil if the
	// parameter sshbarrier is a bool.
	BarrierRoles   []string
	BarrierTimeout time.Duration // 0: the default
	Keys           []string      // from userssh and publicKeys; each has one or more lines
	SystemKeys     string        // name of a file that the cluster operator provides, or ""
}

// ParameterProblem describes a parameter that has no effect because of its
// value or name.
type ParameterProblem struct {
	Path []string // keys below the parameters
	Want string   // the valid values; "" for an unknown name
	// Known is the list of valid names if the parameter has an unknown name.
	Known []string
}

// ReadSSHParameters reads the parameters of an ssh plugin. A number may have any Go
// type if fmt prints the number as in the configuration. Like OpenPAI,
// ReadSSHParameters ignores invalid values. It also returns a problem for each
// invalid value.
func ReadSSHParameters(all map[string]any) (SSHParameters, []ParameterProblem) {
	r := sshReader{all: all}
	r.unknown(nil, all, sshParameterNames)
	p := SSHParameters{JobSSH: r.flag(sshJobSSH), BarrierTimeout: r.minutes(sshBarrierTimeout), Keys: r.publicKeys()}
	p.Barrier, p.BarrierRoles = r.barrier()
	r.userSSH(&p)
	return p, r.problems
}

type sshReader struct {
	all      map[string]any
	problems []ParameterProblem
}

func (r *sshReader) invalid(want string, path ...string) {
	r.problems = append(r.problems, ParameterProblem{Path: path, Want: want})
}

func (r *sshReader) unknown(path []string, all map[string]any, known []string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(known, name) {
			r.problems = append(r.problems, ParameterProblem{Path: append(slices.Clone(path), name), Known: known})
		}
	}
}

// flag returns the value of a bool parameter. It also accepts a quoted bool,
// because some YAML writers quote bools.
func (r *sshReader) flag(name string) bool {
	on, ok := parseFlag(r.all[name])
	if !ok {
		r.invalid("a bool", name)
	}
	return on
}

// barrier reads sshbarrier: a bool or a list of task roles to wait for.
func (r *sshReader) barrier() (on bool, roles []string) {
	value := r.all[SSHBarrier]
	if roles, ok := stringList(value); ok && value != nil {
		return len(roles) > 0, roles
	}
	on, ok := parseFlag(value)
	if !ok {
		r.invalid("true, false or a list of task roles", SSHBarrier)
	}
	return on, nil
}

func (r *sshReader) minutes(name string) time.Duration {
	text, ok := scalar(r.all[name])
	if text == "" && ok {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= maxSSHBarrierMinutes) { // also rejects NaN
		r.invalid("a number of minutes from 0 to "+strconv.Itoa(maxSSHBarrierMinutes), name)
		return 0
	}
	return time.Duration(n * float64(time.Minute))
}

func (r *sshReader) publicKeys() []string {
	value := r.all[sshPublicKeys]
	if text, ok := value.(string); ok {
		return []string{text}
	}
	keys, ok := stringList(value)
	if !ok {
		r.invalid("a public key or a list of public keys", sshPublicKeys)
	}
	return keys
}

// userSSH reads userssh: a public key in a string, or an object.
func (r *sshReader) userSSH(p *SSHParameters) {
	var user map[string]any
	switch v := r.all[sshUserSSH].(type) {
	case nil:
	case string:
		p.Keys = append(p.Keys, v)
	case map[string]any:
		user = v
	default:
		r.invalid("a public key or an object with type and value", sshUserSSH)
	}
	r.unknown([]string{sshUserSSH}, user, userSSHNames)
	value, ok := scalar(user["value"])
	if !ok {
		r.invalid("a string", sshUserSSH, "value")
		return
	}
	switch kind, _ := scalar(user["type"]); {
	case user["type"] == nil, kind == "", kind == "none":
	case kind == "custom":
		p.Keys = append(p.Keys, value)
	case kind == "system" && value == "": // an empty value is ignored
	case kind == "system" && filepath.IsLocal(value) && value == filepath.Base(value) && value != ".":
		p.SystemKeys = value
	case kind == "system":
		r.invalid("a file name", sshUserSSH, "value")
	default:
		r.invalid(`"custom", "system" or "none"`, sshUserSSH, "type")
	}
}

func parseFlag(value any) (on, ok bool) {
	text, ok := scalar(value)
	if text == "" {
		return false, ok
	}
	on, err := strconv.ParseBool(strings.ToLower(text))
	return on, err == nil
}

// scalar returns a single value as a string, or "" for an absent value.
func scalar(value any) (text string, ok bool) {
	switch value.(type) {
	case nil:
		return "", true
	case []any, map[string]any:
		return "", false
	}
	return fmt.Sprint(value), true
}

// stringList reads a list of strings. It accepts an absent list.
func stringList(value any) ([]string, bool) {
	list, ok := value.([]any)
	var all []string
	for _, element := range list {
		text, isText := element.(string)
		if !isText {
			return nil, false
		}
		all = append(all, text)
	}
	return all, ok || value == nil
}
