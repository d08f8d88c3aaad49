// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/gitstate"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// invocation holds the command and the openpai version to store in run
// records.
type invocation struct{ command, version string }

func (f *workspaceFlags) invoked(cmd *cobra.Command) {
	f.invocation = invocation{cmd.CommandPath(), cmd.Root().Version}
}

// origin returns the command, the repository, the variables and the lock file for
// run records. It omits arguments, which may contain secret values.
func (i invocation) origin(loaded *workspace.Loaded) history.Origin {
	o := history.Origin{Command: i.command, OpenPAI: i.version, Git: gitstate.Read(loaded.Dir, loaded.Workspace.RunRecords)}
	o.Runtimes, o.Defaults = map[string]string{}, map[string]json.RawMessage{}
	for _, c := range loaded.Workspace.Clusters {
		o.Runtimes[c.Name], o.Defaults[c.Name] = c.Runtime.Image, c.Defaults()
	}
	for _, v := range loaded.Workspace.Variables {
		o.Variables = append(o.Variables, history.Variable{Name: v.Name, Value: json.RawMessage(v.Value), Sensitive: v.Sensitive})
	}
	o.Locals = recordedLocals(loaded.Workspace.Locals)
	lock, _ := loaded.Lock() // load reported its diagnostics
	for _, e := range lock.Items {
		o.Items = append(o.Items, history.Item{Address: e.Address, Version: e.Version, Source: relativeSource(loaded.Dir, e.Source), Hash: e.Hash})
	}
	for _, m := range lock.Modules {
		o.Items = append(o.Items, history.Item{Address: m.Address, Version: m.Version, Source: m.Source, Commit: m.Commit, Hash: m.Hash})
	}
	return o
}

func relativeSource(dir, source string) string {
	return strings.TrimPrefix(source, dir+string(os.PathSeparator))
}

// maxLocals is the maximum total size, in bytes, of the locals in a record.
const maxLocals = 16 << 10

// recordedLocals returns the locals with a Value. It skips each local whose
// value would increase the total size beyond maxLocals.
func recordedLocals(locals []*hclspec.Local) []history.Variable {
	var all []history.Variable
	size := 0
	for _, l := range locals {
		if l.Value == "" || size+len(l.Value) > maxLocals {
			continue
		}
		size += len(l.Value)
		all = append(all, history.Variable{Name: l.Name, Value: json.RawMessage(l.Value)})
	}
	return all
}
