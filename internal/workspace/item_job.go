// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// loadItem creates a workspace from a marketplace item that is a whole job.
// The marketplaces, storages, secrets and lock file come from the current
// directory. loadItem ignores the jobs in the directory.
func (l *loader) loadItem(reference string) {
	l.loaded.item = reference
	l.loadSurroundings()
	file, diags := l.loaded.Lock()
	l.diags = append(l.diags, diags...)
	e := file.Item(reference)
	if e == nil {
		l.report(hclspec.ItemsNotInitialized.At(hcl.Range{}, "%s is not in the lock file %s. %s", reference, lockfile.Name, l.loaded.lookUp(message.Hint{Kind: message.HintLookUp, Sentence: true}, reference)))
		return
	}
	content, err := l.loaded.ItemCache().Get(e.Hash)
	if err != nil {
		l.report(hclspec.ItemsNotInitialized.At(hcl.Range{}, "Cannot use the content of %s on this machine: %s. %s", reference, err, l.loaded.here(message.Hint{Kind: message.HintFetch, Sentence: true})))
		return
	}
	l.loaded.Files[e.Address] = content
	items, diags := marketplace.ParseFile(e.Address, content)
	l.diags = append(l.diags, diags...)
	switch {
	case diags.HasErrors() || len(items) != 1:
	case items[0].Job == nil:
		l.report(hclspec.ItemNotAJob.At(hcl.Range{}, "%s is a prerequisite, not a job. %s", reference, l.loaded.here(message.Hint{Kind: message.HintUseItem, Item: reference, Sentence: true})))
	default:
		used := e.Used()
		used.Name, used.Type, used.Title = items[0].Name, marketplace.TypeJob, items[0].Title
		l.loaded.Item = &used
		l.addItemJob(items[0], e.Address, content)
	}
}

// loadSurroundings reads the HCL files in the current directory and ignores their
// jobs. l.unmatched receives the values for the item's job: all given values
// except values of sensitive variables and values from files in the directory.
func (l *loader) loadSurroundings() {
	found, err := list(".")
	if err != nil || len(found.hcl) == 0 {
		l.given = l.values(nil)
	} else {
		l.decode(found)
	}
	ws := l.loaded.Workspace
	ws.Jobs, ws.Prerequisites, ws.Protocols, ws.Moved = nil, nil, nil, nil
	ws.Name = cmp.Or(ws.Name, defaultName(l.loaded.Dir))
	for _, v := range ws.Variables {
		if v.Sensitive {
			l.loaded.sensitive = append(l.loaded.sensitive, v.Name)
		}
	}
	l.unmatched = slices.DeleteFunc(l.given, func(v syntax.Value) bool {
		return slices.Contains(found.variables, v.Range.Filename) || slices.Contains(l.loaded.sensitive, v.Name)
	})
}

// addItemJob sets the variables of an item's job and adds the job.
func (l *loader) addItemJob(item *marketplace.Item, name string, content []byte) {
	if len(item.Variables) > 0 {
		written := name + "#" + item.File
		l.loaded.Files[written] = item.Text
		changed, diags := l.withValues(item, written)
		l.diags = append(l.diags, diags...)
		if diags.HasErrors() {
			return
		}
		content = changed.Protocol
		l.loaded.Files[name] = content
	}
	parsed, diags := protocol.Parse(name, content)
	l.diags = append(l.diags, diags...)
	if parsed == nil || parsed.Job == nil || diags.HasErrors() {
		return
	}
	ws := l.loaded.Workspace
	ws.Jobs = append(ws.Jobs, parsed.Job)
	ws.Sources.Merge(parsed.Sources)
	ws.Name = fileName(ws.Name, "marketplace-"+parsed.Job.Name)
	l.rename()
}

// withValues sets the variables of an item's job. These variables replace the
// directory's variables of the same name.
func (l *loader) withValues(item *marketplace.Item, name string) (*marketplace.Item, hcl.Diagnostics) {
	values := l.unmatched
	l.unmatched = nil
	changed, diags := item.WithValues(name, values, func(v syntax.Value) { l.unmatched = append(l.unmatched, v) })
	if diags.HasErrors() {
		return nil, diags
	}
	ws := l.loaded.Workspace
	for _, v := range changed.Variables {
		ws.Variables = slices.DeleteFunc(ws.Variables, func(w *hclspec.Variable) bool { return w.Name == v.Name })
	}
	ws.Variables = append(ws.Variables, changed.Variables...)
	return changed, diags
}
