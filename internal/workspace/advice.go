// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// here adds the user's input to a hint about items: workspace, marketplaces and
// variables. The hint includes the variables, because items can depend on their
// values.
func (l *Loaded) here(h message.Hint) message.Hint {
	h.Marketplaces, h.Values, h.VarFiles = l.marketplaces, l.shownValues(), l.varFiles
	switch {
	case l.item == "" && l.path != "" && filepath.Clean(l.path) != ".":
		h.Path = l.path
	case l.item != "" && h.Item == "":
		h.Item = l.item
	}
	return h
}

// shownValues returns the variable values from options, with "..." for
// sensitive variables.
func (l *Loaded) shownValues() []string {
	all := slices.Clone(l.vars)
	for i, input := range all {
		name, _, _ := strings.Cut(input, "=")
		declared := slices.ContainsFunc(l.Workspace.Variables, func(v *hclspec.Variable) bool { return v.Name == name && v.Sensitive })
		if declared || slices.Contains(l.sensitive, name) {
			all[i] = name + "=..."
		}
	}
	return all
}

// lookUp completes a hint about an item. If no marketplace is specified or
// declared, the suggested command contains a placeholder.
func (l *Loaded) lookUp(h message.Hint, reference string) message.Hint {
	h = l.here(h)
	given, _ := l.lookup(marketplaceVariable)
	unknown := given == "" && len(h.Marketplaces) == 0 && len(l.declared()) == 0
	if unknown && h.Kind == message.HintLookUp && strings.HasPrefix(reference, "marketplace://") {
		h.Marketplaces = []string{"NAME=SOURCE"}
	}
	return h
}

func (l *Loaded) advised(err error, reference string) error {
	if h, ok := message.HintOf(err).(message.Hint); ok {
		return message.WithHint(err, l.lookUp(h, reference))
	}
	return err
}

// Advised adds a hint for this workspace to an error about an item.
func (l *Loaded) Advised(err error) error {
	return l.advised(err, "")
}

// advisedItems returns locked items. If a lookup fails, it adds a hint for
// the workspace to the error.
type advisedItems struct {
	locked *lockfile.Items
	loaded *Loaded
}

// Item implements [resolve.Items].
func (a *advisedItems) Item(reference string) (*resolve.Item, error) {
	item, err := a.locked.Item(reference)
	if err != nil {
		return nil, a.loaded.advised(err, reference)
	}
	return item, nil
}
