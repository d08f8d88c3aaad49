package workspace

import (
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// here completes a hint about items with what the user gave: the workspace and
// the marketplaces beside it.
func (l *Loaded) here(h message.Hint) message.Hint {
	h.Marketplaces = l.marketplaces
	switch {
	case l.item == "" && l.path != "" && filepath.Clean(l.path) != ".":
		h.Path = l.path
	case l.item != "" && h.Item == "":
		h.Item = l.item
	}
	return h
}

// Advised returns an error about an item with a hint for this workspace.
func (l *Loaded) Advised(err error) error {
	if h, ok := message.HintOf(err).(message.Hint); ok {
		return message.WithHint(err, l.here(h))
	}
	return err
}

// advisedItems are locked items whose errors have hints for a workspace.
type advisedItems struct {
	locked *lockfile.Items
	loaded *Loaded
}

// Item implements [resolve.Items].
func (a *advisedItems) Item(reference string) (*resolve.Item, error) {
	item, err := a.locked.Item(reference)
	if err != nil {
		return nil, a.loaded.Advised(err)
	}
	return item, nil
}
